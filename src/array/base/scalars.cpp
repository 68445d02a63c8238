// Conversion of scalars to dtypes, and reading and writing of single elements.
#include "array/base/scalars.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "array/base/errors.hpp"

namespace dpep::array {
namespace {

/// Calls `call` with a value of the dtype's C++ type; for complex dtypes, of the type of their parts.
template <class F> auto with_type(dtype t, F &&call) {
  switch (t) {
  case dtype::boolean:
    return call(bool{});
  case dtype::int8:
    return call(std::int8_t{});
  case dtype::uint8:
    return call(std::uint8_t{});
  case dtype::int16:
    return call(std::int16_t{});
  case dtype::uint16:
    return call(std::uint16_t{});
  case dtype::int32:
    return call(std::int32_t{});
  case dtype::uint32:
    return call(std::uint32_t{});
  case dtype::int64:
    return call(std::int64_t{});
  case dtype::uint64:
    return call(std::uint64_t{});
  case dtype::float16:
    return call(_Float16{});
  case dtype::float32:
  case dtype::complex64:
    return call(float{});
  case dtype::float64:
  case dtype::complex128:
    break;
  }
  return call(double{});
}

double real_value(const scalar &x) noexcept {
  if (x.what == scalar::kind::real || x.what == scalar::kind::complex) return x.number.real();
  return x.beyond_int64 ? double(static_cast<std::uint64_t>(x.integer)) : double(x.integer);
}

bool truth(const scalar &x) noexcept {
  return x.what == scalar::kind::boolean || x.what == scalar::kind::integer ? x.integer != 0 : x.number != 0.0;
}

}  // namespace

bool fits(const scalar &x, dtype t) noexcept {
  return with_type(t, [&]<class T>(T) {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      if (x.beyond_int64) return std::is_same_v<T, std::uint64_t>;
      return std::in_range<T>(x.integer);
    } else {
      return true;
    }
  });
}

std::string text_of(const scalar &x) {
  switch (x.what) {
  case scalar::kind::boolean:
    return x.integer ? "True" : "False";
  case scalar::kind::integer:
    return x.beyond_int64 ? fmt::format("{}", static_cast<std::uint64_t>(x.integer)) : fmt::format("{}", x.integer);
  case scalar::kind::real:
    return fmt::format("{}", x.number.real());
  case scalar::kind::complex:
    break;
  }
  return fmt::format("({}{:+}j)", x.number.real(), x.number.imag());
}

scalar converted(const scalar &x, dtype t, const char *operation) {
  const auto lost = [&] {
    refuse(refusal::type, "{}: complex number {} cannot be cast to {} without losing its imaginary part", operation,
           text_of(x), name_of(t));
  };
  switch (kind_of(t)) {
  case dtype_kind::boolean:
    return scalar::of(truth(x));
  case dtype_kind::real:
    if (x.what == scalar::kind::complex) lost();
    return scalar::of(real_value(x));
  case dtype_kind::complex:
    return scalar::of(x.what == scalar::kind::complex ? x.number : std::complex<double>(real_value(x)));
  case dtype_kind::signed_integer:
  case dtype_kind::unsigned_integer:
    break;
  }
  if (x.what == scalar::kind::complex) lost();
  scalar whole = x;
  whole.what = scalar::kind::integer;
  if (x.what == scalar::kind::real) {
    const double value = std::trunc(x.number.real());
    if (std::isnan(value)) refuse(refusal::value, "{}: cannot convert float NaN to integer", operation);
    constexpr double beyond = 18446744073709551616.0;  // 2^64
    if (value < -beyond / 2 || value >= beyond)
      refuse(refusal::overflow, "{}: {} is out of bounds for {}", operation, text_of(x), name_of(t));
    whole = value < beyond / 2 ? scalar::of(static_cast<std::int64_t>(value))
                               : scalar::of(static_cast<std::uint64_t>(value));
  }
  if (!fits(whole, t)) refuse(refusal::overflow, "{}: {} is out of bounds for {}", operation, text_of(x), name_of(t));
  return whole;
}

void write_element(void *to, dtype t, const scalar &x) noexcept {
  with_type(t, [&]<class T>(T) {
    const bool whole = x.what == scalar::kind::boolean || x.what == scalar::kind::integer;
    T parts[2] = {};
    if constexpr (std::is_same_v<T, bool>) {
      parts[0] = truth(x);
    } else if constexpr (std::is_integral_v<T>) {
      parts[0] = static_cast<T>(whole ? x.integer : static_cast<std::int64_t>(x.number.real()));
    } else if (std::is_same_v<T, double> || !whole) {
      parts[0] = static_cast<T>(real_value(x));
    } else {  // directly, so that it is rounded once
      parts[0] = x.beyond_int64 ? static_cast<T>(static_cast<std::uint64_t>(x.integer)) : static_cast<T>(x.integer);
    }
    if constexpr (!std::is_integral_v<T>)
      if (x.what == scalar::kind::complex) parts[1] = static_cast<T>(x.number.imag());
    std::memcpy(to, parts, size_of(t));
  });
}

scalar read_element(const void *from, dtype t) noexcept {
  return with_type(t, [&]<class T>(T) {
    T parts[2] = {};
    std::memcpy(parts, from, size_of(t));
    if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::uint64_t>)
      return scalar::of(parts[0]);
    else if constexpr (std::is_integral_v<T>)
      return scalar::of(static_cast<std::int64_t>(parts[0]));
    else if (kind_of(t) == dtype_kind::complex)
      return scalar::of(std::complex<double>(double(parts[0]), double(parts[1])));
    else
      return scalar::of(static_cast<double>(parts[0]));
  });
}

}  // namespace dpep::array
