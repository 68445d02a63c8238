// Functions of dpep's own as code that queues of CPUs launch.
#pragma once

#include "backend/backend.hpp"

namespace dpep::runtime {

/// A parallel loop over units of work.
struct host_function {
  const char *name;
  backend::work_function function;
  bool grouped = false;  // units are work-groups
};

/// The function's code on a device. `variant` distinguishes work of the function that takes different times, such as
/// operations and dtypes: these are separate codes, because queues measure run times by code.
const backend::code *code_of(const host_function &, int variant, const device &);

}  // namespace dpep::runtime
