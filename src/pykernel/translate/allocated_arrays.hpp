// Arrays that kernels allocate: private and local memory.
#pragma once

#include "pykernel/translate/translation.hpp"

namespace dpep::pykernel {

/// The length of the largest array that compiled loops keep in private memory.
inline constexpr std::int64_t most_private_elements = 1024;

/// The value of a compile-time constant shape. `what` names it in the error message.
std::vector<std::int64_t> constant_shape(translation &, const value &, const expression &at, const std::string &what);

value private_array(translation &, const std::vector<std::int64_t> &shape, dtype, bool zeroed);
value local_array(translation &, const std::vector<std::int64_t> &shape, dtype, const expression &at);
/// The local array of this number, counted from 1 in the order of allocation.
value local_array(translation &, std::size_t number);

/// Marks all local memory as not written. Emitted at the start of a kernel.
void reset_local_shadow(translation &, const std::vector<value> &arguments);

}  // namespace dpep::pykernel
