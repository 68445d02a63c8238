// Sizes of work-groups and sub-groups that a kernel wants.
#pragma once

#include <cstddef>
#include <span>

namespace dpep::jit {

struct program;
struct specialisation;

/// Takes the calls that say so out of the program, and gives `shape` the size of sub-groups that the kernel asks for.
/// Throws errc::nd_range where it is compiled for work-groups of another size, and errc::kernel_not_supported where
/// the device has no sub-groups of its size.
void hold_to_required_sizes(program &, specialisation &shape, std::span<const std::size_t> sub_group_sizes);

}  // namespace dpep::jit
