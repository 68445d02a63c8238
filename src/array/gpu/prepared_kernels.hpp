// Programs made ready to be launched: their kernels, compiled, and where in the workspace everything lies.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "array/gpu/pass_kernels.hpp"
#include "backend/backend.hpp"

namespace dpep::array::gpu {

struct prepared_kernel {
  ref<const backend::code> code;
  argument_block arguments;
  std::size_t local = 1, groups = 1;
};

struct prepared_work {
  function_list functions;  // that its key names by their addresses
  std::vector<prepared_kernel> kernels;
  std::size_t workspace_bytes = 0;
  bool uses_counters = false;
  std::string refused;  // why there are no kernels: one does not compile; see by_operation.hpp
};

/// The kernels' texts, without compiling them: for tests.
std::vector<made_kernel> make_kernels(const program &, const program_arguments &, bool aliased,
                                      std::size_t *workspace_bytes = nullptr);
/// A single operation whose kernel does not compile is an error; of several, the result says that it was refused.
std::shared_ptr<const prepared_work> prepare(const program &, const program_arguments &, bool aliased,
                                             backend::device &);
/// Whether prepare() has been there before.
bool is_prepared(const program &, const program_arguments &, bool aliased, const backend::device &);
/// The kernel's code: compiled, or found by its text in this process or on disk.
ref<const backend::code> compile_kernel(const made_kernel &, backend::device &, const function_list & = {});

}  // namespace dpep::array::gpu
