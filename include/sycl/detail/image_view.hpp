// An image as kernels see it: memory with pitches, read and written by coordinates.
#pragma once

#include <concepts>
#include <limits>

#include <sycl/detail/texel.hpp>
#include <sycl/sampler.hpp>

namespace sycl::detail {

/// Component `d` of coordinates: a number or a vector.
template <class C> auto coordinate(const C &coords, [[maybe_unused]] int d) {
  if constexpr (std::is_arithmetic_v<C>)
    return coords;
  else
    return coords[d];
}

/// Trivially copyable, since kernels receive it as bytes.
struct image_view {
  std::byte *memory = nullptr;
  texel_layout layout{};
  int dimensions = 1;
  int extent[3]{1, 1, 1};    // width, height, depth
  std::uint32_t number = 0;  // tells images over the same memory apart; of an accessor without an image, 0
  std::size_t row_pitch = 0, slice_pitch = 0;

  bool contains(const int (&at)[3]) const {
    return static_cast<unsigned>(at[0]) < static_cast<unsigned>(extent[0]) &&
           static_cast<unsigned>(at[1]) < static_cast<unsigned>(extent[1]) &&
           static_cast<unsigned>(at[2]) < static_cast<unsigned>(extent[2]);
  }
  std::byte *address(const int (&at)[3]) const {
    return memory + static_cast<std::size_t>(at[2]) * slice_pitch + static_cast<std::size_t>(at[1]) * row_pitch +
           static_cast<std::size_t>(at[0]) * layout.bytes();
  }

  template <class Vector, int D, class C> Vector read(const C &coords) const {
    int at[3] = {};
    for (int d = 0; d < D; ++d) at[d] = static_cast<int>(coordinate(coords, d));
    return fetch<Vector>(at);
  }
  template <class Vector, int D, class C> void write(const C &coords, const Vector &color) const {
    int at[3] = {};
    for (int d = 0; d < D; ++d) at[d] = static_cast<int>(coordinate(coords, d));
    if (contains(at)) write_texel(layout, address(at), color);
  }

  template <class Vector, int D, class C> Vector sample(const C &coords, const image_sampler &how) const {
    constexpr bool filters = !std::is_integral_v<typename Vector::element_type>;
    int low[3] = {}, high[3] = {};
    float fraction[3] = {};
    const bool linear = filters && how.filtering == filtering_mode::linear;
    for (int d = 0; d < D; ++d)
      place(static_cast<float>(coordinate(coords, d)), extent[d], how, linear, low[d], high[d], fraction[d]);
    if constexpr (!filters) {
      return fetch<Vector>(low);
    } else {
      // One loop for both filters, which is not unrolled: kernels sample in many places, and each is compiled.
      vec<float, 4> sum(0.0f);
      const int corners = linear ? 1 << D : 1;
#pragma clang loop unroll(disable)
      for (int corner = 0; corner < corners; ++corner) {
        int at[3] = {};
        float weight = 1;
        for (int d = 0; d < D; ++d) {
          const bool upper = corner >> d & 1;
          at[d] = upper ? high[d] : low[d];
          if (linear) weight *= upper ? fraction[d] : 1 - fraction[d];
        }
        const auto color = fetch<vec<float, 4>>(at);
        for (int c = 0; c < 4; ++c) sum[c] += weight * color[c];
      }
      Vector result;
      for (int c = 0; c < 4; ++c) result[c] = static_cast<typename Vector::element_type>(sum[c]);
      return result;
    }
  }

private:
  /// The element, or the border's colour outside of the image.
  template <class Vector> Vector fetch(const int (&at)[3]) const {
    if (contains(at)) return read_texel<Vector>(layout, address(at));
    Vector border(0);
    if (!layout.has_alpha) border[3] = 1;
    return border;
  }

  /// The elements along one dimension that a coordinate lies between (without a filter: the nearest one, `low`), as
  /// OpenCL's specification has them.
  static void place(float x, int count, const image_sampler &how, bool linear, int &low, int &high, float &fraction) {
    const auto size = static_cast<float>(count);
    const bool normalized = how.coordinate == coordinate_mode::normalized;
    float u = normalized ? x * size : x;
    if (how.addressing == addressing_mode::repeat) {
      const float s = normalized ? x : x / size;
      u = (s - __builtin_floorf(s)) * size;
    } else if (how.addressing == addressing_mode::mirrored_repeat) {
      const float s = normalized ? x : x / size;
      u = __builtin_fabsf(s - 2 * __builtin_rintf(0.5f * s)) * size;
    }
    // Beyond these, all elements are those of the border, and the conversion to integers stays defined.
    u = limited(u, -2.0f, size + 2.0f);
    const float shifted = linear ? u - 0.5f : u, floor = __builtin_floorf(shifted);
    low = static_cast<int>(floor);
    high = low + 1;
    fraction = shifted - floor;
    if (how.addressing == addressing_mode::repeat) {
      if (low < 0) low += count;
      if (low >= count) low -= count;
      if (high >= count) high -= count;
    } else if (how.addressing == addressing_mode::clamp_to_edge || how.addressing == addressing_mode::mirrored_repeat) {
      low = low < 0 ? 0 : low >= count ? count - 1 : low;
      high = high < 0 ? 0 : high >= count ? count - 1 : high;
    }
  }
};

}  // namespace sycl::detail
