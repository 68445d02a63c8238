// sycl::is_device_copyable: which types may be captured by kernels (SYCL 2020, section 3.13.1).
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace sycl {

/// Programs may specialise it for types of their own whose bytes may be copied.
template <class T> struct is_device_copyable : std::is_trivially_copyable<T> {};
template <class T> struct is_device_copyable<const T> : is_device_copyable<T> {};
template <class T, std::size_t N> struct is_device_copyable<T[N]> : is_device_copyable<T> {};
template <class T, std::size_t N> struct is_device_copyable<const T[N]> : is_device_copyable<T> {};
template <class... T>
struct is_device_copyable<std::tuple<T...>> : std::bool_constant<(is_device_copyable<T>::value && ...)> {};
template <class A, class B>
struct is_device_copyable<std::pair<A, B>>
    : std::bool_constant<is_device_copyable<A>::value && is_device_copyable<B>::value> {};
template <class T> inline constexpr bool is_device_copyable_v = is_device_copyable<T>::value;

namespace detail {
/// Lambdas can't be specialised for, and one that captures a std::tuple is not trivially copyable, because tuple has an
/// assignment of its own. Copies are only ever constructed here, so that much is asked for.
template <class F>
inline constexpr bool is_kernel_object =
    is_device_copyable_v<F> || (std::is_trivially_copy_constructible_v<F> && std::is_trivially_destructible_v<F>);
}  // namespace detail

}  // namespace sycl
