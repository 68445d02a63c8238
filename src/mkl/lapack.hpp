// LAPACK on queues: what is the same for all devices, and the implementations for CPUs and NVIDIA GPUs.
#pragma once

#include <exception>
#include <string>

#include <dpep/lapack.hpp>

namespace dpep::mkl {

/// The name of the function, such as "getrf"; that for complex matrices where it differs.
const char *name_of(const lapack::call &) noexcept;
/// The error of a positive `info`, in words.
std::exception_ptr error_of(const lapack::call &, std::int64_t info);
[[noreturn]] void refuse_unimplemented(const lapack::call &, const std::string &why);

// Submit the call, whose operands have pointers.
std::int64_t scratchpad_size_on_host(const queue &, const lapack::call &);
event submit_to_host(const queue &, const lapack::call &, dependencies);
event submit_to_cuda(const queue &, const lapack::call &, dependencies);

}  // namespace dpep::mkl
