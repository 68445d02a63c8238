// Function objects for reductions and scans, and their identities (SYCL 2020, section 4.17.2).
#pragma once

#include <functional>
#include <limits>
#include <type_traits>

#include <sycl/builtins/elements.hpp>

namespace sycl {

template <class T = void> using plus = std::plus<T>;
template <class T = void> using multiplies = std::multiplies<T>;
template <class T = void> using bit_and = std::bit_and<T>;
template <class T = void> using bit_or = std::bit_or<T>;
template <class T = void> using bit_xor = std::bit_xor<T>;
template <class T = void> using logical_and = std::logical_and<T>;
template <class T = void> using logical_or = std::logical_or<T>;

template <class T = void> struct minimum {
  constexpr T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
template <> struct minimum<void> {
  template <class T> constexpr T operator()(const T &a, const T &b) const { return minimum<T>()(a, b); }
  using is_transparent = void;
};
template <class T = void> struct maximum {
  constexpr T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
template <> struct maximum<void> {
  template <class T> constexpr T operator()(const T &a, const T &b) const { return maximum<T>()(a, b); }
  using is_transparent = void;
};
template <class T, int N> struct minimum<vec<T, N>> {
  constexpr vec<T, N> operator()(const vec<T, N> &a, const vec<T, N> &b) const {
    return detail::map<T>(minimum<T>(), a, b);
  }
};
template <class T, int N> struct maximum<vec<T, N>> {
  constexpr vec<T, N> operator()(const vec<T, N> &a, const vec<T, N> &b) const {
    return detail::map<T>(maximum<T>(), a, b);
  }
};

namespace detail {

/// The operation of a function object above, for any T; `other` for all other types.
enum class operation { other, plus, multiplies, bit_and, bit_or, bit_xor, logical_and, logical_or, minimum, maximum };
template <class Op> inline constexpr operation operation_of = operation::other;
template <class T> inline constexpr operation operation_of<std::plus<T>> = operation::plus;
template <class T> inline constexpr operation operation_of<std::multiplies<T>> = operation::multiplies;
template <class T> inline constexpr operation operation_of<std::bit_and<T>> = operation::bit_and;
template <class T> inline constexpr operation operation_of<std::bit_or<T>> = operation::bit_or;
template <class T> inline constexpr operation operation_of<std::bit_xor<T>> = operation::bit_xor;
template <class T> inline constexpr operation operation_of<std::logical_and<T>> = operation::logical_and;
template <class T> inline constexpr operation operation_of<std::logical_or<T>> = operation::logical_or;
template <class T> inline constexpr operation operation_of<minimum<T>> = operation::minimum;
template <class T> inline constexpr operation operation_of<maximum<T>> = operation::maximum;

/// Whether T is a std::complex. Detected by its members: including <complex> would double the parsing time of these
/// headers.
template <class T>
inline constexpr bool is_complex = requires(const T &x) {
  typename T::value_type;
  x.real();
  x.imag();
};

/// Whether `operation` has an identity for elements of type T.
template <class T> constexpr bool has_identity(operation op) {
  using enum operation;
  if (op == other) return false;
  if constexpr (is_complex<T>)
    return op == plus || op == multiplies;
  else if constexpr (scalar<T>) {
    if (op == bit_and || op == bit_or || op == bit_xor) return std::is_integral_v<T>;
    return true;
  } else
    return false;
}

template <class T> constexpr T identity_of(operation op) {
  using enum operation;
  if constexpr (is_complex<T>) {
    return op == multiplies ? T(1) : T();
  } else {
    using limits = std::numeric_limits<T>;
    switch (op) {
    case multiplies:
    case logical_and:
      return T(1);
    case bit_and:
      if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) return static_cast<T>(~T());
      return T(1);
    case minimum:
      return limits::has_infinity ? limits::infinity() : limits::max();
    case maximum:
      return limits::has_infinity ? static_cast<T>(-limits::infinity()) : limits::lowest();
    default:
      return T();
    }
  }
}

}  // namespace detail

template <class Op, class T> struct has_known_identity {
  static constexpr bool value = detail::has_identity<detail::element_t<std::remove_cv_t<T>>>(detail::operation_of<Op>);
};
template <class Op, class T> inline constexpr bool has_known_identity_v = has_known_identity<Op, T>::value;

template <class Op, class T> struct known_identity {
  static_assert(has_known_identity_v<Op, T>, "known_identity: the operation has none for this type");
  static constexpr std::remove_cv_t<T> value{
      detail::identity_of<detail::element_t<std::remove_cv_t<T>>>(detail::operation_of<Op>)};
};
template <class Op, class T> inline constexpr auto known_identity_v = known_identity<Op, T>::value;

namespace ext::oneapi {
template <class T = void> using plus = sycl::plus<T>;
template <class T = void> using minimum = sycl::minimum<T>;
template <class T = void> using maximum = sycl::maximum<T>;
}  // namespace ext::oneapi

}  // namespace sycl
