// From dpcxx's bitcode of a SYCL program to kernels of dpep.
#pragma once

#include <span>

#include "program/lower/lower.hpp"

namespace dpep::program_lower {

/// `code`: bitcode that dpcxx -fdpep-program has just written. Throws errc::build.
lowered_program lower_sycl(std::span<const unsigned char> code);

}  // namespace dpep::program_lower
