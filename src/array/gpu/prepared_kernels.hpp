// Prepared programs: compiled kernels, and the layout of the workspace.
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

struct prepared_kernels {
  function_list functions;  // referenced by the cache key through their addresses
  std::vector<prepared_kernel> kernels;
  std::size_t workspace_bytes = 0;
  bool uses_counters = false;
  // The error if a kernel does not compile. Then there are no kernels: see single_operations.hpp.
  std::string build_error;
};

/// Generates the kernels without compiling them; public for tests.
std::vector<generated_kernel> generate_kernels(const program &, const program_arguments &, bool aliased,
                                               const device_sizes &, std::size_t *workspace_bytes = nullptr);
/// Returns the kernels from the cache, or generates and compiles them. If a kernel of a program with several operations
/// does not compile, the result has the error; for a single operation, the error is thrown.
std::shared_ptr<const prepared_kernels> prepare(const program &, const program_arguments &, bool aliased,
                                                backend::device &);
/// The same, but without a wait for compilation if the program consists of several functions on few elements. Returns
/// null until its kernels are compiled; the caller then executes its operations as programs of their own, whose kernels
/// other programs share. The second call for a program starts the compilation on another thread.
std::shared_ptr<const prepared_kernels> prepare_unless_small(const program &, const program_arguments &, bool aliased,
                                                             backend::device &);
/// Whether the kernels are in the cache, or the program is executed without them.
bool is_prepared(const program &, const program_arguments &, bool aliased, const backend::device &);
/// Compiles the kernel, or finds its code by its text, in this process or in the disk cache.
ref<const backend::code> compile_kernel(const generated_kernel &, backend::device &, const function_list & = {});
/// Starts the compilation on another thread. A later call of compile_kernel waits for it.
void compile_ahead(generated_kernel, backend::device &, function_list = {});

}  // namespace dpep::array::gpu
