// Prepared programs as code of a device, cached by program.
#pragma once

#include <memory>
#include <vector>

#include "array/cpu/prepared_program.hpp"

namespace dpep::array {

/// A prepared program, loaded on a device.
struct program_code {
  std::shared_ptr<const prepared_program> program;
  std::vector<ref<const backend::code>> stages;
};

/// Returns the prepared program from the cache, or prepares it. The cache keeps the most recent thousand. `aliased`:
/// see scheduler.hpp.
std::shared_ptr<const program_code> prepare(const program &, bool aliased, backend::device &);

}  // namespace dpep::array
