// sycl::is_device_copyable: whether kernels may capture a type (SYCL 2020, section 3.13.1).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace sycl {

/// Programs may specialise this template for their own types whose bytes may be copied.
template <class T> struct is_device_copyable : std::bool_constant<__is_trivially_copyable(T)> {};
template <class T> struct is_device_copyable<const T> : is_device_copyable<T> {};
template <class T, std::size_t N> struct is_device_copyable<T[N]> : is_device_copyable<T> {};
template <class T, std::size_t N> struct is_device_copyable<const T[N]> : is_device_copyable<T> {};
template <class T, std::size_t N> struct is_device_copyable<std::array<T, N>> : is_device_copyable<T> {};
template <class T> struct is_device_copyable<std::array<T, 0>> : std::true_type {};
template <class T> struct is_device_copyable<std::optional<T>> : is_device_copyable<T> {};
template <class... T>
struct is_device_copyable<std::variant<T...>> : std::bool_constant<(is_device_copyable<T>::value && ...)> {};
template <class... T>
struct is_device_copyable<std::tuple<T...>> : std::bool_constant<(is_device_copyable<T>::value && ...)> {};
template <class A, class B>
struct is_device_copyable<std::pair<A, B>>
    : std::bool_constant<is_device_copyable<A>::value && is_device_copyable<B>::value> {};
template <class T> inline constexpr bool is_device_copyable_v = is_device_copyable<T>::value;

namespace detail {
/// Whether T may be a kernel's function object or an element of a buffer. Lambdas cannot be specialised for, and one
/// that captures a std::tuple is not trivially copyable, because tuple has its own assignment operator; neither is a
/// class with a tuple. Such objects are only copy-constructed, so only that must be trivial.
template <class T>
inline constexpr bool is_copied_as_bytes =
    is_device_copyable_v<T> || (__is_trivially_constructible(T, const T &) && __is_trivially_destructible(T));
}  // namespace detail

}  // namespace sycl
