// Elements of images in memory: the order and type of their channels, and their conversion to vectors of four.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <sycl/half.hpp>
#include <sycl/vec.hpp>

namespace sycl {

enum class image_format : unsigned int {
  r8g8b8a8_unorm,
  r16g16b16a16_unorm,
  r8g8b8a8_sint,
  r16g16b16a16_sint,
  r32b32g32a32_sint,
  r8g8b8a8_uint,
  r16g16b16a16_uint,
  r32b32g32a32_uint,
  r16b16g16a16_sfloat,
  r32g32b32a32_sfloat,
  b8g8r8a8_unorm
};

// SYCL 1.2.1
enum class image_channel_order : unsigned int {
  a,
  r,
  rx,
  rg,
  rgx,
  ra,
  rgb,
  rgbx,
  rgba,
  argb,
  bgra,
  intensity,
  luminance,
  abgr
};
enum class image_channel_type : unsigned int {
  snorm_int8,
  snorm_int16,
  unorm_int8,
  unorm_int16,
  unorm_short_565,
  unorm_short_555,
  unorm_int_101010,
  signed_int8,
  signed_int16,
  signed_int32,
  unsigned_int8,
  unsigned_int16,
  unsigned_int32,
  fp16,
  fp32
};

namespace detail {

/// The channels of an element.
struct texel_layout {
  image_channel_order order;
  image_channel_type type;

  constexpr bool is_packed() const {
    return type == image_channel_type::unorm_short_565 || type == image_channel_type::unorm_short_555 ||
           type == image_channel_type::unorm_int_101010;
  }
  constexpr std::size_t channels() const {
    switch (order) {
    case image_channel_order::a:
    case image_channel_order::r:
    case image_channel_order::rx:
    case image_channel_order::intensity:
    case image_channel_order::luminance:
      return 1;
    case image_channel_order::rg:
    case image_channel_order::rgx:
    case image_channel_order::ra:
      return 2;
    case image_channel_order::rgb:
    case image_channel_order::rgbx:
      return 3;
    default:
      return 4;
    }
  }
  constexpr std::size_t channel_bytes() const {
    switch (type) {
    case image_channel_type::snorm_int8:
    case image_channel_type::unorm_int8:
    case image_channel_type::signed_int8:
    case image_channel_type::unsigned_int8:
      return 1;
    case image_channel_type::signed_int32:
    case image_channel_type::unsigned_int32:
    case image_channel_type::fp32:
      return 4;
    default:
      return 2;
    }
  }
  constexpr std::size_t bytes() const {
    if (is_packed()) return type == image_channel_type::unorm_int_101010 ? 4 : 2;
    return channels() * channel_bytes();
  }
  constexpr bool has_alpha() const {
    switch (order) {
    case image_channel_order::r:
    case image_channel_order::rg:
    case image_channel_order::rgb:
    case image_channel_order::luminance:
      return false;
    default:
      return true;
    }
  }
  /// The position in memory of the component red, green, blue or alpha (0 to 3); -1 if there is none.
  constexpr int position_of(int component) const {
    switch (order) {
    case image_channel_order::a:
      return component == 3 ? 0 : -1;
    case image_channel_order::ra:
      return component == 0 ? 0 : component == 3 ? 1 : -1;
    case image_channel_order::argb:
      return (component + 1) % 4;
    case image_channel_order::abgr:
      return 3 - component;
    case image_channel_order::bgra:
      return component == 3 ? 3 : 2 - component;
    case image_channel_order::intensity:
      return 0;
    case image_channel_order::luminance:
      return component == 3 ? -1 : 0;
    default:
      return component < static_cast<int>(channels()) ? component : -1;
    }
  }
};

constexpr texel_layout layout_of(image_format format) {
  using enum image_channel_type;
  constexpr image_channel_type types[] = {unorm_int8,   unorm_int16,   signed_int8,    signed_int16,
                                          signed_int32, unsigned_int8, unsigned_int16, unsigned_int32,
                                          fp16,         fp32,          unorm_int8};
  return {format == image_format::b8g8r8a8_unorm ? image_channel_order::bgra : image_channel_order::rgba,
          types[static_cast<unsigned>(format)]};
}

template <class T> T load_channel(const std::byte *from) {
  T value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}
template <class T> void store_channel(std::byte *to, T value) { __builtin_memcpy(to, &value, sizeof value); }

inline float limited(float x, float least, float most) { return x < least ? least : x > most ? most : x; }
/// The number that is nearest to x * most, for x from -1 to 1.
inline int to_normalized(float x, float least, float most) {
  return static_cast<int>(__builtin_rintf(limited(x, least, 1.0f) * most));
}

/// Reads a channel as an element of the program's vector type: a float, half, int32 or uint32.
template <class T> T read_channel(image_channel_type type, const std::byte *from) {
  const auto normalized = [](float value) {
    const float limited = value < -1.0f ? -1.0f : value;
    return static_cast<T>(limited);
  };
  switch (type) {
  case image_channel_type::snorm_int8:
    return normalized(static_cast<float>(load_channel<std::int8_t>(from)) / 127.0f);
  case image_channel_type::snorm_int16:
    return normalized(static_cast<float>(load_channel<std::int16_t>(from)) / 32767.0f);
  case image_channel_type::unorm_int8:
    return normalized(static_cast<float>(load_channel<std::uint8_t>(from)) / 255.0f);
  case image_channel_type::unorm_int16:
    return normalized(static_cast<float>(load_channel<std::uint16_t>(from)) / 65535.0f);
  case image_channel_type::signed_int8:
    return static_cast<T>(load_channel<std::int8_t>(from));
  case image_channel_type::signed_int16:
    return static_cast<T>(load_channel<std::int16_t>(from));
  case image_channel_type::signed_int32:
    return static_cast<T>(load_channel<std::int32_t>(from));
  case image_channel_type::unsigned_int8:
    return static_cast<T>(load_channel<std::uint8_t>(from));
  case image_channel_type::unsigned_int16:
    return static_cast<T>(load_channel<std::uint16_t>(from));
  case image_channel_type::unsigned_int32:
    return static_cast<T>(load_channel<std::uint32_t>(from));
  case image_channel_type::fp16:
    return static_cast<T>(static_cast<float>(load_channel<half>(from)));
  default:
    return static_cast<T>(load_channel<float>(from));
  }
}

template <class Integer, class T> Integer saturated(T value) {
  if constexpr (std::is_same_v<T, half>)
    return saturated<Integer>(static_cast<float>(value));
  else {
    constexpr auto least = std::numeric_limits<Integer>::min(), most = std::numeric_limits<Integer>::max();
    if constexpr (std::is_floating_point_v<T>)
      return value <= static_cast<T>(least)  ? least
             : value >= static_cast<T>(most) ? most
                                             : static_cast<Integer>(value);
    else {
      const auto wide = static_cast<std::int64_t>(value);
      return wide < static_cast<std::int64_t>(least)  ? least
             : wide > static_cast<std::int64_t>(most) ? most
                                                      : static_cast<Integer>(wide);
    }
  }
}

template <class T> void write_channel(image_channel_type type, std::byte *to, T value) {
  const auto number = static_cast<float>(value);
  switch (type) {
  case image_channel_type::snorm_int8:
    return store_channel(to, static_cast<std::int8_t>(to_normalized(number, -1, 127)));
  case image_channel_type::snorm_int16:
    return store_channel(to, static_cast<std::int16_t>(to_normalized(number, -1, 32767)));
  case image_channel_type::unorm_int8:
    return store_channel(to, static_cast<std::uint8_t>(to_normalized(number, 0, 255)));
  case image_channel_type::unorm_int16:
    return store_channel(to, static_cast<std::uint16_t>(to_normalized(number, 0, 65535)));
  case image_channel_type::signed_int8:
    return store_channel(to, saturated<std::int8_t>(value));
  case image_channel_type::signed_int16:
    return store_channel(to, saturated<std::int16_t>(value));
  case image_channel_type::signed_int32:
    return store_channel(to, saturated<std::int32_t>(value));
  case image_channel_type::unsigned_int8:
    return store_channel(to, saturated<std::uint8_t>(value));
  case image_channel_type::unsigned_int16:
    return store_channel(to, saturated<std::uint16_t>(value));
  case image_channel_type::unsigned_int32:
    return store_channel(to, saturated<std::uint32_t>(value));
  case image_channel_type::fp16:
    return store_channel(to, half(number));
  default:
    return store_channel(to, number);
  }
}

/// The shift and the largest value of a component of a packed element.
struct packed_field {
  unsigned shift, most;
};
constexpr packed_field field_of(image_channel_type type, int component) {
  const unsigned c = static_cast<unsigned>(component);
  if (type == image_channel_type::unorm_short_565)
    return c == 0 ? packed_field{11, 31} : c == 1 ? packed_field{5, 63} : packed_field{0, 31};
  if (type == image_channel_type::unorm_short_555) return {10 - 5 * c, 31};
  return {20 - 10 * c, 1023};
}

/// Reads an element. Components that it lacks are 0, alpha is 1.
template <class Vector> Vector read_texel(const texel_layout &layout, const std::byte *from) {
  using T = typename Vector::element_type;
  Vector result;
  if (layout.is_packed()) {
    const unsigned bits = layout.bytes() == 2 ? load_channel<std::uint16_t>(from) : load_channel<std::uint32_t>(from);
    for (int c = 0; c < 3; ++c) {
      const packed_field f = field_of(layout.type, c);
      result[c] = static_cast<T>(static_cast<float>(bits >> f.shift & f.most) / static_cast<float>(f.most));
    }
    result[3] = static_cast<T>(1.0f);
    return result;
  }
  for (int c = 0; c < 4; ++c) {
    const int position = layout.position_of(c);
    result[c] = position < 0
                    ? static_cast<T>(c == 3 ? 1.0f : 0.0f)
                    : read_channel<T>(layout.type, from + static_cast<std::size_t>(position) * layout.channel_bytes());
  }
  return result;
}

template <class Vector> void write_texel(const texel_layout &layout, std::byte *to, const Vector &color) {
  if (layout.is_packed()) {
    unsigned bits = 0;
    for (int c = 0; c < 3; ++c) {
      const packed_field f = field_of(layout.type, c);
      bits |= static_cast<unsigned>(to_normalized(static_cast<float>(color[c]), 0, static_cast<float>(f.most)))
              << f.shift;
    }
    return layout.bytes() == 2 ? store_channel(to, static_cast<std::uint16_t>(bits)) : store_channel(to, bits);
  }
  for (int c = 3; c >= 0; --c)  // red last: it is the one value of intensities and luminances
    if (const int position = layout.position_of(c); position >= 0)
      write_channel(layout.type, to + static_cast<std::size_t>(position) * layout.channel_bytes(), color[c]);
}

}  // namespace detail
}  // namespace sycl
