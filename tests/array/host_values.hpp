// Conversions between arrays and the host's vectors, for tests.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include <dpep/array_functions.hpp>
#include <gtest/gtest.h>

// Options that a test omits have their defaults.
#pragma clang diagnostic ignored "-Wmissing-designated-field-initializers"

namespace dpep::array::testing {

using shape_t = std::vector<std::int64_t>;

inline const queue &test_queue() {
  static const queue q{device()};
  return q;
}
inline placement here(usm_kind kind = usm_kind::device) { return {test_queue(), kind}; }

template <class T> constexpr dtype dtype_of() {
  if constexpr (std::is_same_v<T, bool>) return dtype::boolean;
  if constexpr (std::is_same_v<T, std::int8_t>) return dtype::int8;
  if constexpr (std::is_same_v<T, std::uint8_t>) return dtype::uint8;
  if constexpr (std::is_same_v<T, std::int16_t>) return dtype::int16;
  if constexpr (std::is_same_v<T, std::uint16_t>) return dtype::uint16;
  if constexpr (std::is_same_v<T, std::int32_t>) return dtype::int32;
  if constexpr (std::is_same_v<T, std::uint32_t>) return dtype::uint32;
  if constexpr (std::is_same_v<T, std::int64_t>) return dtype::int64;
  if constexpr (std::is_same_v<T, std::uint64_t>) return dtype::uint64;
  if constexpr (std::is_same_v<T, _Float16>) return dtype::float16;
  if constexpr (std::is_same_v<T, float>) return dtype::float32;
  if constexpr (std::is_same_v<T, double>) return dtype::float64;
  if constexpr (std::is_same_v<T, std::complex<float>>) return dtype::complex64;
  if constexpr (std::is_same_v<T, std::complex<double>>) return dtype::complex128;
}

inline std::int64_t count_of(extents shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

/// Strides in bytes of row-major memory.
template <class T> shape_t row_major_bytes(extents shape) {
  shape_t strides(shape.size());
  auto stride = static_cast<std::int64_t>(sizeof(T));
  for (std::size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= shape[i];
  }
  return strides;
}

template <class T> ndarray array_of(std::vector<T> values, shape_t shape, usm_kind kind = usm_kind::device) {
  EXPECT_EQ(static_cast<std::int64_t>(values.size()), count_of(shape));
  const shape_t strides = row_major_bytes<T>(shape);
  const auto memory = std::make_unique<T[]>(values.size());  // std::vector<bool> has no array of elements
  std::copy(values.begin(), values.end(), memory.get());
  return from_host({memory.get(), dtype_of<T>(), shape, strides}, dtype_of<T>(), here(kind));
}
template <class T> ndarray array_of(std::vector<T> values) {
  const auto n = static_cast<std::int64_t>(values.size());
  return array_of(std::move(values), {n});
}

/// start, start + 1, … in the given shape.
template <class T> ndarray counting(shape_t shape, T start = T(0)) {
  std::vector<T> values(static_cast<std::size_t>(count_of(shape)));
  for (T &v : values) {
    v = start;
    start = static_cast<T>(start + T(1));
  }
  return array_of(std::move(values), std::move(shape));
}

/// The array's values, the last axis fastest.
template <class T> std::vector<T> values_of(const ndarray &x) {
  EXPECT_EQ(x.type(), dtype_of<T>()) << "the array is of " << name_of(x.type());
  const auto count = static_cast<std::size_t>(x.size());
  const auto memory = std::make_unique<T[]>(count);
  const shape_t shape(x.shape().begin(), x.shape().end()), strides = row_major_bytes<T>(shape);
  if (x.type() == dtype_of<T>()) copy_to_host(x, {memory.get(), dtype_of<T>(), shape, strides});
  return std::vector<T>(memory.get(), memory.get() + count);
}

inline shape_t shape_of(const ndarray &x) { return {x.shape().begin(), x.shape().end()}; }
inline shape_t strides_of(const ndarray &x) { return {x.strides().begin(), x.strides().end()}; }

/// The message of the exception that the call throws, which must be of the given kind.
template <class F> std::string refused(refusal why, F &&call) {
  try {
    call();
  } catch (const error &e) {
    EXPECT_EQ(e.why(), why) << e.what();
    return e.what();
  }
  ADD_FAILURE() << "no exception was thrown";
  return "";
}

inline ndarray apply(opcode code, const ndarray &x, const element_options &options = {}) {
  const operand one[] = {{&x, nullptr}};
  return element(code, one, options);
}
inline ndarray apply(opcode code, const ndarray &x, const ndarray &y, const element_options &options = {}) {
  const operand two[] = {{&x, nullptr}, {&y, nullptr}};
  return element(code, two, options);
}
inline ndarray apply(opcode code, const ndarray &x, const scalar &y, const element_options &options = {}) {
  const operand two[] = {{&x, nullptr}, {nullptr, &y}};
  return element(code, two, options);
}

}  // namespace dpep::array::testing
