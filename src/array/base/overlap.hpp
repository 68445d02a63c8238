// Whether two views of the same memory have an element in common.
#pragma once

#include "array/base/layout.hpp"

namespace dpep::array {

/// Whether there may be an element that both layouts have. Exact for views of one array by slices, transposes and
/// integers, such as every second column and the columns between them; true if that takes many steps to find out.
bool may_share_elements(const layout &, const layout &) noexcept;

}  // namespace dpep::array
