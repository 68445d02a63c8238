// BLAS on queues: what is the same for all devices, and the implementations for CPUs and NVIDIA GPUs.
#pragma once

#include <string>
#include <vector>

#include <dpep/blas.hpp>

#include "mkl/buffers.hpp"

namespace dpep::mkl {

using blas::call;
using blas::function;
using blas::gemm_groups;
using blas::operand;

/// The name of the function, such as "gemm".
const char *name_of(function) noexcept;
/// The number of multiplications, or of elements where there are none.
double work_of(const call &) noexcept;
/// Throws invalid_argument if a size, increment or leading dimension does not fit, or a buffer is too small.
void check(const call &);
/// The dtype of the last operand.
inline dtype result_of(const call &c) noexcept { return c.result == dtype::boolean ? c.type : c.result; }
[[noreturn]] void refuse(function, const std::string &why);                // throws invalid_argument
[[noreturn]] void refuse_unimplemented(function, const std::string &why);  // throws unimplemented

/// The calls of the groups, which are checked.
std::vector<call> products_of(const gemm_groups &);

// Submit the call, whose operands have pointers.
event submit_to_host(const queue &, const call &, dependencies);
event submit_to_host(const queue &, const gemm_groups &, dependencies);
event submit_to_cuda(const queue &, const call &, dependencies);
event submit_to_cuda(const queue &, const gemm_groups &, dependencies);

/// An equivalent call for column-major matrices: the transposes of row-major ones. Throws unimplemented where BLAS has
/// none.
call column_major(const call &);

}  // namespace dpep::mkl
