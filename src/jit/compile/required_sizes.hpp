// Applies the SYCL attributes reqd_work_group_size, reqd_sub_group_size and device_has of a kernel.
#pragma once

namespace dpep {
struct device_info;
}

namespace dpep::jit {

struct program;
struct specialisation;

/// Removes the calls that state requirements, and sets the sub-group size of `shape` to the required one. Throws
/// errc::nd_range if the kernel requires another work-group size, and errc::kernel_not_supported if the device does not
/// support the required sizes or lacks a required aspect.
void apply_required_sizes(program &, specialisation &shape, const device_info &);

}  // namespace dpep::jit
