// Sizes of work-groups and sub-groups that a kernel wants.
#pragma once

namespace dpep::jit {

struct program;
struct specialisation;

/// Takes the calls that say so out of the program. Throws errc::nd_range where it is compiled for work-groups of
/// another size, and errc::kernel_not_supported where sub-groups have another.
void hold_to_required_sizes(program &, const specialisation &);

}  // namespace dpep::jit
