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

/// How an element's channels are read and written. The host derives it from the order and the type of the channels, so
/// that kernels need few operations and branches for all formats.
struct texel_layout {
  enum class conversion : std::uint8_t { integer, normalized, fp16, fp32 };

  std::int8_t position[4];  // of red, green, blue and alpha in memory; -1 if there is none
  std::uint8_t texel_bytes, channel_bytes;
  conversion how;
  bool is_signed, is_packed, has_alpha;
  float most;             // the number that stands for 1, if normalized; else 1
  std::uint8_t shift[3];  // of the fields of packed elements
  std::uint16_t field_most[3];

  std::size_t bytes() const { return texel_bytes; }
};

constexpr std::size_t channels_of(image_channel_order order) {
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

/// The position in memory of the component red, green, blue or alpha (0 to 3); -1 if there is none.
constexpr int position_of(image_channel_order order, int component) {
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
    return component < static_cast<int>(channels_of(order)) ? component : -1;
  }
}

constexpr texel_layout layout_of(image_channel_order order, image_channel_type type) {
  using enum image_channel_type;
  using conversion = texel_layout::conversion;
  texel_layout l{};
  for (int c = 0; c < 4; ++c) l.position[c] = static_cast<std::int8_t>(position_of(order, c));
  l.has_alpha = order != image_channel_order::r && order != image_channel_order::rg &&
                order != image_channel_order::rgb && order != image_channel_order::luminance;
  l.is_packed = type == unorm_short_565 || type == unorm_short_555 || type == unorm_int_101010;
  l.most = 1;
  const auto set = [&](unsigned bytes, bool is_signed, conversion how, float most = 1) {
    l.channel_bytes = static_cast<std::uint8_t>(bytes);
    l.is_signed = is_signed;
    l.how = how;
    l.most = most;
  };
  switch (type) {
  case snorm_int8:
    set(1, true, conversion::normalized, 127);
    break;
  case snorm_int16:
    set(2, true, conversion::normalized, 32767);
    break;
  case unorm_int8:
    set(1, false, conversion::normalized, 255);
    break;
  case unorm_int16:
    set(2, false, conversion::normalized, 65535);
    break;
  case signed_int8:
    set(1, true, conversion::integer);
    break;
  case signed_int16:
    set(2, true, conversion::integer);
    break;
  case signed_int32:
    set(4, true, conversion::integer);
    break;
  case unsigned_int8:
    set(1, false, conversion::integer);
    break;
  case unsigned_int16:
    set(2, false, conversion::integer);
    break;
  case unsigned_int32:
    set(4, false, conversion::integer);
    break;
  case fp16:
    set(2, true, conversion::fp16);
    break;
  case fp32:
    set(4, true, conversion::fp32);
    break;
  default:  // packed
    set(type == unorm_int_101010 ? 4 : 2, false, conversion::normalized);
    for (unsigned c = 0; c < 3; ++c) {
      const unsigned bits = type == unorm_int_101010 ? 10 : type == unorm_short_565 && c == 1 ? 6 : 5;
      l.field_most[c] = static_cast<std::uint16_t>((1u << bits) - 1);
      l.shift[c] = static_cast<std::uint8_t>(type == unorm_int_101010  ? 20 - 10 * c
                                             : type == unorm_short_555 ? 10 - 5 * c
                                             : c == 0                  ? 11
                                             : c == 1                  ? 5
                                                                       : 0);
    }
    l.has_alpha = false;
  }
  l.texel_bytes = static_cast<std::uint8_t>(l.is_packed ? l.channel_bytes : channels_of(order) * l.channel_bytes);
  return l;
}

constexpr texel_layout layout_of(image_format format) {
  using enum image_channel_type;
  constexpr image_channel_type types[] = {unorm_int8,   unorm_int16,   signed_int8,    signed_int16,
                                          signed_int32, unsigned_int8, unsigned_int16, unsigned_int32,
                                          fp16,         fp32,          unorm_int8};
  return layout_of(format == image_format::b8g8r8a8_unorm ? image_channel_order::bgra : image_channel_order::rgba,
                   types[static_cast<unsigned>(format)]);
}

template <class T> T load_as(const std::byte *from) {
  T value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}
template <class T> void store_as(std::byte *to, T value) { __builtin_memcpy(to, &value, sizeof value); }

inline std::uint32_t load_bits(const std::byte *from, unsigned bytes) {
  if (bytes == 1) return load_as<std::uint8_t>(from);
  if (bytes == 2) return load_as<std::uint16_t>(from);
  return load_as<std::uint32_t>(from);
}
inline void store_bits(std::byte *to, unsigned bytes, std::uint32_t bits) {
  if (bytes == 1) return store_as(to, static_cast<std::uint8_t>(bits));
  if (bytes == 2) return store_as(to, static_cast<std::uint16_t>(bits));
  store_as(to, bits);
}

inline float limited(float x, float least, float most) { return x < least ? least : x > most ? most : x; }

/// A channel's bits as an element of the program's vector type: a float, half, int32 or uint32.
template <class T> T from_bits(const texel_layout &l, std::uint32_t bits) {
  using conversion = texel_layout::conversion;
  const unsigned unused = 32 - 8u * l.channel_bytes;
  const auto number = static_cast<std::int32_t>(bits << unused) >> unused;
  if constexpr (std::is_integral_v<T>) {
    if (l.how == conversion::integer) return l.is_signed ? static_cast<T>(number) : static_cast<T>(bits);
  }
  float value = l.is_signed ? static_cast<float>(number) : static_cast<float>(bits);
  if (l.how == conversion::normalized) value = limited(value / l.most, -1.0f, 1.0f);
  if (l.how == conversion::fp16) value = static_cast<float>(__builtin_bit_cast(half, static_cast<std::uint16_t>(bits)));
  if (l.how == conversion::fp32) value = __builtin_bit_cast(float, bits);
  return static_cast<T>(value);
}

template <class T> std::uint32_t to_bits(const texel_layout &l, T value) {
  using conversion = texel_layout::conversion;
  if (l.how == conversion::integer) {
    const unsigned width = 8u * l.channel_bytes;
    const std::int64_t most = (std::int64_t{1} << (width - l.is_signed)) - 1, least = l.is_signed ? -most - 1 : 0;
    const auto number = static_cast<std::int64_t>(value);
    return static_cast<std::uint32_t>(number < least ? least : number > most ? most : number);
  }
  const auto number = static_cast<float>(value);
  if (l.how == conversion::normalized)
    return static_cast<std::uint32_t>(
        static_cast<std::int32_t>(__builtin_rintf(limited(number, l.is_signed ? -1.0f : 0.0f, 1.0f) * l.most)));
  if (l.how == conversion::fp16) return __builtin_bit_cast(std::uint16_t, half(number));
  return __builtin_bit_cast(std::uint32_t, number);
}

/// Reads an element. Components that it lacks are 0, alpha is 1.
template <class Vector> Vector read_texel(const texel_layout &l, const std::byte *from) {
  using T = typename Vector::element_type;
  Vector result;
  if (l.is_packed) {
    const std::uint32_t bits = load_bits(from, l.channel_bytes);
    for (int c = 0; c < 3; ++c)
      result[c] = static_cast<T>(static_cast<float>(bits >> l.shift[c] & l.field_most[c]) /
                                 static_cast<float>(l.field_most[c]));
    result[3] = static_cast<T>(1.0f);
    return result;
  }
  for (int c = 0; c < 4; ++c) {
    const int position = l.position[c];
    result[c] = static_cast<T>(c == 3 ? 1.0f : 0.0f);
    if (position >= 0) result[c] = from_bits<T>(l, load_bits(from + position * l.channel_bytes, l.channel_bytes));
  }
  return result;
}

template <class Vector> void write_texel(const texel_layout &l, std::byte *to, const Vector &color) {
  if (l.is_packed) {
    std::uint32_t bits = 0;
    for (int c = 0; c < 3; ++c)
      bits |= static_cast<std::uint32_t>(
                  __builtin_rintf(limited(static_cast<float>(color[c]), 0, 1) * static_cast<float>(l.field_most[c])))
              << l.shift[c];
    return store_bits(to, l.channel_bytes, bits);
  }
  for (int c = 3; c >= 0; --c)  // red last: it is the one value of intensities and luminances
    if (const int position = l.position[c]; position >= 0)
      store_bits(to + position * l.channel_bytes, l.channel_bytes, to_bits(l, color[c]));
}

}  // namespace detail
}  // namespace sycl
