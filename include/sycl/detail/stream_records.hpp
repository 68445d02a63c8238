// What kernels write to a sycl::stream: records in a buffer, which the host turns into text when the command is done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

namespace sycl::detail {

enum class record_kind : std::uint8_t { none, text, character, integer, natural, floating, address };

/// How numbers are written: what the manipulators set.
struct stream_format {
  enum base_kind : std::uint8_t { decimal, hexadecimal, octal };
  enum float_kind : std::uint8_t { shortest, fixed, scientific, hexfloat };
  base_kind base = decimal;
  float_kind floats = shortest;
  bool show_base = false, show_positive = false;
  std::int16_t width = 0, precision = 6;
};

struct stream_record {
  record_kind kind = record_kind::none;
  std::uint8_t length = 0;  // of the text that follows
  stream_format format;
  std::uint64_t value = 0;  // the bits of a number
};

/// Shared by all work-items of a command; the records follow it.
struct stream_buffer {
  std::uint64_t used = 0, capacity;
  char *bytes() { return reinterpret_cast<char *>(this + 1); }
};

inline void append_number(std::string &text, const stream_record &r) {
  const stream_format &f = r.format;
  const bool floating = r.kind == record_kind::floating;
  char format[16], number[512], *to = format;
  *to++ = '%';
  if (f.show_positive && (floating || r.kind == record_kind::integer)) *to++ = '+';
  if (f.show_base && !floating) *to++ = '#';
  *to++ = '*';
  if (floating) {
    constexpr char letters[] = {'g', 'f', 'e', 'a'};
    const double x = __builtin_bit_cast(double, r.value);
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
    std::snprintf(number, sizeof number, format, f.width, static_cast<unsigned long>(r.value));
  }
  text += number;
}

/// The text of all records that found room.
inline std::string to_text(stream_buffer &buffer) {
  std::string text;
  const std::uint64_t end = buffer.used < buffer.capacity ? buffer.used : buffer.capacity;
  for (std::uint64_t at = 0; at + sizeof(stream_record) <= end;) {
    stream_record r;
    __builtin_memcpy(&r, buffer.bytes() + at, sizeof r);
    at += sizeof r;
    if (r.kind == record_kind::none) break;  // here the buffer was full
    if (r.kind == record_kind::text)
      text.append(buffer.bytes() + at, r.length);
    else if (r.kind == record_kind::character)
      text += static_cast<char>(r.value);
    else
      append_number(text, r);
    at += r.length;
  }
  return text;
}

}  // namespace sycl::detail
