// Sequential folds: combines an array of values into one, in one work-item.
#pragma once

#include <cstddef>
#include <type_traits>

#include <sycl/function_objects.hpp>

namespace sycl::detail {

/// SYCL leaves the order of a reduction unspecified, so float sums and products may be vectorised.
template <class T, class Op> T combine(const T &a, const T &b, Op op) {
  if constexpr (is_floating<T> && operation_of<Op> == operation::plus) {
#pragma clang fp reassociate(on)
    return a + b;
  } else if constexpr (is_floating<T> && operation_of<Op> == operation::multiplies) {
#pragma clang fp reassociate(on)
    return a * b;
  } else if constexpr ((std::is_same_v<T, float> || std::is_same_v<T, double>) &&
                       operation_of<Op> == operation::minimum) {
    return __builtin_elementwise_minimumnum(a, b);  // vectorises, while a comparison would have to handle NaN
  } else if constexpr ((std::is_same_v<T, float> || std::is_same_v<T, double>) &&
                       operation_of<Op> == operation::maximum) {
    return __builtin_elementwise_maximumnum(a, b);
  } else {
    return static_cast<T>(op(a, b));
  }
}

/// Whether combine(a, b) and combine(b, a) have the same bits, other than those of NaN.
template <class T> constexpr bool commutes_exactly(operation op) {
  using enum operation;
  if (!has_identity<T>(op) || is_complex<T>) return false;
  return (op != minimum && op != maximum) || std::is_integral_v<T> || std::is_same_v<T, float> ||
         std::is_same_v<T, double>;
}

/// first[0] op first[1] op …, in order except for float sums and products. `count` is at least 1.
template <class T, class Values, class Op> T fold_values(Values first, std::size_t count, Op op) {
  if constexpr (scalar<T> && has_identity<T>(operation_of<Op>)) {
    // Starts at the first value instead of the second: vector loops then have aligned accesses and no remainder.
    T result = identity_of<T>(operation_of<Op>);
    for (std::size_t i = 0; i < count; i++) result = combine<T>(result, static_cast<T>(first[i]), op);
    return result;
  } else {
    T result = static_cast<T>(first[0]);
    for (std::size_t i = 1; i < count; i++) result = combine<T>(result, static_cast<T>(first[i]), op);
    return result;
  }
}

}  // namespace sycl::detail
