// The elements of clang's vectors in which sycl::vec stores its own.
#pragma once

#include <cstddef>
#include <cstdint>

#include <sycl/ext/oneapi/bfloat16.hpp>

namespace sycl::detail {

/// The element type of the clang vector: clang packs vectors of bool into bits, and has no vectors of classes.
template <class T> struct lane_of {
  using type = T;
};
template <> struct lane_of<bool> {
  using type = std::uint8_t;
};
template <> struct lane_of<std::byte> {
  using type = std::uint8_t;
};
template <> struct lane_of<ext::oneapi::bfloat16> {
  using type = std::uint16_t;
};
template <class T> using lane_t = typename lane_of<T>::type;

/// Whether lanes are the elements' bits only, so that T's own operators compute element by element.
template <class T> inline constexpr bool computes_by_element = false;
template <> inline constexpr bool computes_by_element<ext::oneapi::bfloat16> = true;

template <class T> constexpr lane_t<T> to_lane(const T &element) {
  if constexpr (computes_by_element<T>)
    return __builtin_bit_cast(lane_t<T>, element);
  else
    return static_cast<lane_t<T>>(element);
}
template <class T> constexpr T from_lane(lane_t<T> lane) {
  if constexpr (computes_by_element<T>)
    return __builtin_bit_cast(T, lane);
  else
    return static_cast<T>(lane);
}

}  // namespace sycl::detail
