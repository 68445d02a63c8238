// Products of many small matrices, and of matrices of many short rows: a work-item computes a row of the result.
//
// Adjacent work-items read and write adjacent rows, so that memory is accessed in whole lines. All work-items of a
// matrix read the same elements of the right operand at the same time, mostly from the first-level cache. Sizes of
// rows and of accesses are constants of a kernel, so that a row is a few registers.
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <dpep/device_builtins.hpp>

#include "device/array/types.hpp"
#include "device/elements/ring.hpp"

// As variables of one function, members become registers and constants.
#pragma clang attribute push([[gnu::always_inline]], apply_to = function)

namespace dpep::array::gpu {
namespace {

using elements::ring;
using std::int64_t;
using std::uint32_t;

constexpr uint32_t group = 256, max_columns = 16;  // as in array/gpu/small_product.cpp

/// Elements of the depth that are multiplied at once.
template <class T> constexpr uint32_t chunk = sizeof(T) >= 16 ? 1 : sizeof(T) == 8 ? 2 : 4;

/// Several elements, which one access loads or stores.
template <class T, uint32_t bytes> struct access {
  static constexpr bool is_possible =
      bytes <= 16 && bytes / sizeof(T) <= 4 && (bytes > sizeof(T) || (bytes == sizeof(T) && bytes == 16));
  static constexpr uint32_t count = bytes / sizeof(T);
  using unit = std::conditional_t<sizeof(T) == 1, std::uint8_t,
                                  std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                                     std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;
  typedef unit vector[[clang::ext_vector_type(bytes > sizeof(unit) ? bytes / sizeof(unit) : 1)]];  // NOLINT
};

/// Calls the body with the access of so many bytes. Returns false if there is none: elements are loaded one by one.
template <class T, class F> bool with_access(uint32_t bytes, F body) {
  const auto attempt = [&]<uint32_t size>() {
    if constexpr (access<T, size>::is_possible)
      if (bytes == size) return body(access<T, size>()), true;
    return false;
  };
  return attempt.template operator()<16>() || attempt.template operator()<8>() || attempt.template operator()<4>() ||
         attempt.template operator()<2>();
}

/// Loads `count` elements. If there is an access of that many bytes, they are adjacent, and the count is a multiple of
/// its elements.
template <class T, uint32_t most>
void load_line(const T *from, int64_t stride, uint32_t count, uint32_t bytes, typename ring<T>::wide (&to)[most]) {
  const bool done = with_access<T>(bytes, [&]<class A>(A) {
    if constexpr (A::count <= most)
#pragma unroll
      for (uint32_t j = 0; j < most; j += A::count)
        if (j < count) {
          const auto loaded = *reinterpret_cast<const typename A::vector *>(from + j);
          const T *const values = reinterpret_cast<const T *>(&loaded);
#pragma unroll
          for (uint32_t i = 0; i < A::count; ++i) to[j + i] = ring<T>::load(values[i]);
        }
  });
  if (done) return;
#pragma unroll
  for (uint32_t j = 0; j < most; ++j)
    if (j < count) to[j] = ring<T>::load(from[j * stride]);
}
template <class T>
void store_line(T *to, uint32_t count, uint32_t bytes, const typename ring<T>::wide (&from)[max_columns]) {
  const bool done = with_access<T>(bytes, [&]<class A>(A) {
#pragma unroll
    for (uint32_t j = 0; j < max_columns; j += A::count)
      if (j < count) {
        typename A::vector stored;
        T *const values = reinterpret_cast<T *>(&stored);
#pragma unroll
        for (uint32_t i = 0; i < A::count; ++i) values[i] = ring<T>::result(from[j + i]);
        *reinterpret_cast<typename A::vector *>(to + j) = stored;
      }
  });
  if (done) return;
#pragma unroll
  for (uint32_t j = 0; j < max_columns; ++j)
    if (j < count) to[j] = ring<T>::result(from[j]);
}

/// The product as in array/base/matrix_product.hpp.
struct rows_shape {
  uint32_t items, rows;                                                // of all matrices, and of one
  uint32_t columns, depth, left_bytes, right_bytes, result_bytes;      // bytes: of an access
  bool by_columns;                                                     // accesses have elements of a right column
  int64_t left_row, left_column, right_row, right_column, result_row;  // strides
  uint32_t batch[2];                                                   // lengths of the inner axes
  int64_t left_batch[3], right_batch[3], result_batch[3];              // strides
};

template <class T> void multiply_rows(const rows_shape &s, const T *left, const T *right, T *result) {
  using wide = typename ring<T>::wide;
  const uint32_t item = uint32_t(__dpep_group_id(0)) * group + uint32_t(__dpep_local_id(0));
  if (item >= s.items) return;
  uint32_t matrix = item / s.rows;
  const uint32_t row = item - matrix * s.rows;
#pragma unroll
  for (int a = 2; a >= 0; --a) {
    uint32_t at = matrix;
    if (a > 0) {
      if (s.batch[a - 1] == 1) continue;
      matrix = at / s.batch[a - 1];
      at -= matrix * s.batch[a - 1];
    }
    left += at * s.left_batch[a];
    right += at * s.right_batch[a];
    result += at * s.result_batch[a];
  }
  left += row * s.left_row;
  result += row * s.result_row;

  wide sums[max_columns] = {};
  const auto add_products = [&](uint32_t k, uint32_t count) {
    wide a[chunk<T>];
    load_line(left + k * s.left_column, s.left_column, count, s.left_bytes, a);
    if (s.by_columns) {
#pragma unroll
      for (uint32_t j = 0; j < max_columns; ++j) {
        if (j >= s.columns) continue;
        wide b[chunk<T>];
        load_line(right + (j * s.right_column + k), 1, count, s.right_bytes, b);
#pragma unroll
        for (uint32_t i = 0; i < chunk<T>; ++i)
          if (i < count) ring<T>::add_product(sums[j], a[i], b[i]);
      }
    } else {
#pragma unroll
      for (uint32_t i = 0; i < chunk<T>; ++i) {
        if (i >= count) continue;
        wide b[max_columns];
        load_line(right + (k + i) * s.right_row, s.right_column, s.columns, s.right_bytes, b);
#pragma unroll
        for (uint32_t j = 0; j < max_columns; ++j)
          if (j < s.columns) ring<T>::add_product(sums[j], a[i], b[j]);
      }
    }
  };
  const uint32_t whole = s.depth / chunk<T> * chunk<T>;
  for (uint32_t k = 0; k < whole; k += chunk<T>) add_products(k, chunk<T>);
  if (whole < s.depth) add_products(whole, s.depth - whole);
  store_line(result, s.columns, s.result_bytes, sums);
}

}  // namespace
}  // namespace dpep::array::gpu

#pragma clang attribute pop

// The parameters are those of array/gpu/small_product.cpp.
#define DPEP_ROW_PRODUCT(name, T)                                                                                      \
  DPEP_EXPORT void dpep_product_rows_##name(                                                                           \
      const void *left, const void *right, void *result, std::uint32_t items, std::uint32_t rows,                      \
      std::uint32_t columns, std::uint32_t depth, std::uint32_t left_bytes, std::uint32_t right_bytes,                 \
      std::uint32_t result_bytes, bool by_columns, std::int64_t left_row, std::int64_t left_column,                    \
      std::int64_t right_row, std::int64_t right_column, std::int64_t result_row, std::uint32_t batch1,                \
      std::uint32_t batch2, std::int64_t left0, std::int64_t left1, std::int64_t left2, std::int64_t right0,           \
      std::int64_t right1, std::int64_t right2, std::int64_t result0, std::int64_t result1, std::int64_t result2) {    \
    using namespace dpep::array::gpu;                                                                                  \
    const rows_shape shape{items,                                                                                      \
                           rows,                                                                                       \
                           columns,                                                                                    \
                           depth,                                                                                      \
                           left_bytes,                                                                                 \
                           right_bytes,                                                                                \
                           result_bytes,                                                                               \
                           by_columns,                                                                                 \
                           left_row,                                                                                   \
                           left_column,                                                                                \
                           right_row,                                                                                  \
                           right_column,                                                                               \
                           result_row,                                                                                 \
                           {batch1, batch2},                                                                           \
                           {left0, left1, left2},                                                                      \
                           {right0, right1, right2},                                                                   \
                           {result0, result1, result2}};                                                               \
    multiply_rows(shape, static_cast<const T *>(left), static_cast<const T *>(right), static_cast<T *>(result));       \
  }
// Signed integers are multiplied as unsigned ones.
DPEP_ROW_PRODUCT(bool, bool)
DPEP_ROW_PRODUCT(uint8, std::uint8_t)
DPEP_ROW_PRODUCT(uint16, std::uint16_t)
DPEP_ROW_PRODUCT(uint32, std::uint32_t)
DPEP_ROW_PRODUCT(uint64, std::uint64_t)
DPEP_ROW_PRODUCT(float16, dpep::elements::half)
DPEP_ROW_PRODUCT(float32, float)
DPEP_ROW_PRODUCT(float64, double)
DPEP_ROW_PRODUCT(complex64, dpep::elements::complex<float>)
DPEP_ROW_PRODUCT(complex128, dpep::elements::complex<double>)
