// Assignment to elements and slices.
#pragma once

#include "pykernel/translate/translation.hpp"

namespace dpep::pykernel {

/// `target[…] = v`, or with an operator `target[…] op= v`. `v` is evaluated after the target. `shared`: sums and
/// bitwise operators change an element atomically.
void store_subscript(translation &, const expression &target, const std::function<value()> &v, std::string_view op,
                     const expression &at, bool shared = false);

/// Assigns a number, an array or an elementwise expression to all elements of an array, or changes them with an
/// operator. `shared`: as in store_subscript.
void store_elements(translation &, const value &to, const value &v, std::string_view op, const expression &at,
                    bool shared = false);

}  // namespace dpep::pykernel
