// The maximum or minimum of a block, for max, min, argmax and argmin.
#pragma once

#include "array/blocks/reducers.hpp"
#include "device/elements/casts.hpp"
#include "device/elements/comparison.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

using elements::reductions::identity_of_extreme;

template <class T, bool largest> T extreme_of_block(std::size_t count, const T *x, origin from) {
  using combine = std::conditional_t<largest, larger, smaller>;
  const T least = identity_of_extreme<T, largest>();
  if constexpr (elements::is_complex<T>) {
    return combine_elements(count, x, least,
                            [](T a, T b) { return largest ? elements::maximum(a, b) : elements::minimum(a, b); });
  } else if constexpr (elements::is_half<T>) {
    return elements::narrow(combine_converted<combine>(count, x, from, elements::widen(least), elements::widen));
  } else if constexpr (elements::boolean<T>) {
    return combine_block<combine>(count, reinterpret_cast<const std::uint8_t *>(x), from, std::uint8_t(least))
        .values[0];
  } else {
    return combine_block<combine>(count, x, from, least).values[0];
  }
}

}  // namespace
}  // namespace dpep::array::blocks::DPEP_ISA
