// From clang's bitcode of an OpenCL C program, or from SPIR-V, to kernels of dpep.
#pragma once

#include <span>
#include <vector>

#include <dpep/program.hpp>

namespace dpep::program_lower {

/// Bitcode with the kernels' entries, and the kernels' properties.
struct lowered_program {
  std::vector<unsigned char> bitcode;
  std::vector<kernel_properties> kernels;
};

/// `code`: bitcode for the target spir64, or a module in SPIR-V. Throws errc::build.
lowered_program lower(std::span<const unsigned char> code);

}  // namespace dpep::program_lower
