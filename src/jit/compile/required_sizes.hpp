// Applies the SYCL attributes reqd_work_group_size and reqd_sub_group_size of a kernel.
#pragma once

#include <cstddef>
#include <span>

namespace dpep::jit {

struct program;
struct specialisation;

/// Removes the calls that state required sizes, and sets the sub-group size of `shape` to the required one. Throws
/// errc::nd_range if the kernel requires another work-group size, and errc::kernel_not_supported if the device does not
/// support the required sub-group size.
void apply_required_sizes(program &, specialisation &shape, std::span<const std::size_t> sub_group_sizes);

}  // namespace dpep::jit
