// Records of a sycl::stream: kernels append them to a buffer, and the host formats them when the command completes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

namespace sycl::detail {

enum class record_kind : std::uint8_t { none, text, integer, natural, floating, address };

/// The format of numbers, as set by manipulators.
struct stream_format {
  enum base_kind : std::uint8_t { decimal, hexadecimal, octal };
  enum float_kind : std::uint8_t { shortest, fixed, scientific, hexfloat };
  base_kind base : 2 = decimal;
  float_kind floats : 2 = shortest;
  bool show_base : 1 = false, show_positive : 1 = false;
  std::int16_t width = 0, precision = 6;
};

/// The header of a record. A number's is followed by its bits in a word. A text's `length` characters start at
/// `format`.
struct stream_record {
  record_kind kind = record_kind::none;
  std::uint8_t length = 0;
  stream_format format;
};
constexpr std::size_t stream_word = 8;  // records are multiples of a word
static_assert(sizeof(stream_record) == stream_word);
constexpr std::size_t text_begin = offsetof(stream_record, format);
constexpr std::size_t text_record_bytes(std::size_t length) {
  return (text_begin + length + stream_word - 1) / stream_word * stream_word;
}

/// The header of the buffer that all work-items of a command share; the records follow it.
struct stream_buffer {
  std::uint64_t used = 0, capacity;
  char *bytes() { return reinterpret_cast<char *>(this + 1); }
};

inline void append_number(std::string &text, const stream_record &r, std::uint64_t value) {
  const stream_format &f = r.format;
  const bool floating = r.kind == record_kind::floating;
  char format[16], number[512], *to = format;
  *to++ = '%';
  if (f.show_positive && (floating || r.kind == record_kind::integer)) *to++ = '+';
  if (f.show_base && !floating && r.kind != record_kind::address) *to++ = '#';
  *to++ = '*';
  if (floating) {
    constexpr char letters[] = {'g', 'f', 'e', 'a'};
    const double x = __builtin_bit_cast(double, value);
    if (f.floats == stream_format::hexfloat) {
      *to++ = 'a';
      *to = 0;
      std::snprintf(number, sizeof number, format, f.width, x);
    } else {
      *to++ = '.';
      *to++ = '*';
      *to++ = letters[f.floats];
      *to = 0;
      std::snprintf(number, sizeof number, format, f.width, f.precision, x);
    }
  } else {
    constexpr char letters[] = {'u', 'x', 'o'};
    *to++ = 'l';
    *to++ = r.kind == record_kind::integer && f.base == stream_format::decimal ? 'd' : letters[f.base];
    *to = 0;
    std::snprintf(number, sizeof number, format, f.width, static_cast<unsigned long>(value));
  }
  text += number;
}

/// Formats all records that fit in the buffer, and empties it for the next run of a command in a graph.
inline std::string take_text(stream_buffer &buffer) {
  std::string text;
  const std::uint64_t end = buffer.used < buffer.capacity ? buffer.used : buffer.capacity;
  for (std::uint64_t at = 0; at + sizeof(stream_record) <= end;) {
    const char *const here = buffer.bytes() + at;
    stream_record r;
    __builtin_memcpy(&r, here, sizeof r);
    if (r.kind == record_kind::none) break;  // the buffer was full here
    if (r.kind == record_kind::text) {
      text.append(here + text_begin, r.length);
      at += text_record_bytes(r.length);
    } else {
      std::uint64_t value;
      __builtin_memcpy(&value, here + sizeof r, sizeof value);
      append_number(text, r, value);
      at += sizeof r + sizeof value;
    }
  }
  __builtin_memset(buffer.bytes(), 0, end);
  buffer.used = 0;
  return text;
}

}  // namespace sycl::detail
