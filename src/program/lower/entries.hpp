// Kernels' entries: functions of packed arguments, in place of OpenCL's functions of separate ones.
#pragma once

#include <vector>

#include <dpep/program.hpp>
#include <llvm/IR/Module.h>

namespace dpep::program_lower {

/// The kernels of clang's module, with all properties that are known before optimisation. Throws errc::build for
/// parameters that are not supported.
std::vector<kernel_properties> describe_kernels(const llvm::Module &);

/// Makes a function `void symbol(arguments *)` for each kernel, and OpenCL's functions internal.
void make_entries(llvm::Module &, std::vector<kernel_properties> &);

/// Adds the properties of a kernel's optimised code: its memory, and whether it uses work-groups.
void measure(llvm::Function &entry, kernel_properties &);

/// Reads of the number of dimensions become reads of a last argument. Measures the kernels.
void finish_entries(llvm::Module &, std::vector<kernel_properties> &);

}  // namespace dpep::program_lower
