// Products of matrices: a work-group computes a tile of the result from tiles of the operands in local memory.
//
// Each work-item computes some rows and columns of the tile in registers. The next tiles of the operands are loaded
// while the current ones are multiplied, into a second buffer, so that a step has one barrier.
#include <cstddef>
#include <cstdint>

#include <dpep/device_builtins.hpp>

#include "device/array/types.hpp"
#include "device/elements/ring.hpp"

// As variables of one function, members become registers and constants.
#pragma clang attribute push([[gnu::always_inline]], apply_to = function)

namespace dpep::array::gpu {
namespace {

using std::int64_t;

using elements::ring;

/// The product as in array/base/matrix_product.hpp. A batch whose matrices are parts of the depth has the stride `part`
/// between them.
struct product_shape {
  int64_t rows, columns, depth, part;
  int64_t left_row, left_column, right_row, right_column, result_row;
  int64_t batch[3], left_batch[3], right_batch[3], result_batch[3];
};

/// Elements of a tile that one work-item loads: `each` of them, at equal distances.
struct loaded_part {
  int64_t first, step;          // in memory
  std::uint32_t across, along;  // of the first one, in the tile
  std::uint32_t across_step, along_step;
};

constexpr std::uint32_t side = 16, group = side * side;  // work-items

/// `each`: rows, and columns, of the tile that a work-item computes. `depth`: of a step.
template <class T, std::uint32_t each, std::uint32_t depth> class product_tile {
  using wide = typename ring<T>::wide;
  static constexpr std::uint32_t length = side * each;  // rows and columns of the tile
  static constexpr std::uint32_t chunk = sizeof(wide) >= 16 ? 1 : 16 / sizeof(wide) < each ? 16 / sizeof(wide) : each;
  static constexpr std::uint32_t line = length + (sizeof(wide) >= 16 ? 1 : 16 / sizeof(wide));  // padded
  static constexpr std::uint32_t loads = length * depth / group;

public:
  static constexpr std::size_t local_bytes = 2 * 2 * depth * line * sizeof(wide);

  product_tile(const product_shape &s, const T *left, const T *right, wide *local)
      : s_(s), left_(left), right_(right), local_(local) {
    const int64_t row_tiles = (s.rows + length - 1) / length, column_tiles = (s.columns + length - 1) / length;
    const auto number = int64_t(__dpep_group_id(0));
    int64_t matrix = number / (row_tiles * column_tiles);
    const int64_t tile = number - matrix * (row_tiles * column_tiles);
    column_ = tile / row_tiles * length;
    row_ = (tile - tile / row_tiles * row_tiles) * length;
    depth_ = s.part ? (s.depth - matrix * s.part < s.part ? s.depth - matrix * s.part : s.part) : s.depth;
    result_ = 0;
#pragma unroll
    for (int a = 2; a >= 0; --a) {
      if (s.batch[a] == 1) continue;
      const int64_t next = matrix / s.batch[a], at = matrix - next * s.batch[a];
      left_ += at * s.left_batch[a];
      right_ += at * s.right_batch[a];
      result_ += at * s.result_batch[a];
      matrix = next;
    }
    left_ += row_ * s.left_row;
    right_ += column_ * s.right_column;
    result_ += row_ * s.result_row + column_;
  }

  void multiply() {
    const loaded_part a = part_of(s_.left_row, s_.left_column), b = part_of(s_.right_column, s_.right_row);
    const int64_t rows = s_.rows - row_, columns = s_.columns - column_;
    wide next_a[loads], next_b[loads];
    load(left_, a, rows, 0, next_a);
    load(right_, b, columns, 0, next_b);
    std::uint32_t buffer = 0;
#pragma nounroll
    for (int64_t k = 0; k < depth_; k += depth) {
      store(a, next_a, local_ + buffer * (2 * depth * line));
      store(b, next_b, local_ + buffer * (2 * depth * line) + depth * line);
      __dpep_group_barrier();
      if (k + depth < depth_) {
        load(left_ + (k + depth) * s_.left_column, a, rows, k + depth, next_a);
        load(right_ + (k + depth) * s_.right_row, b, columns, k + depth, next_b);
      }
      add_products(local_ + buffer * (2 * depth * line));
      buffer ^= 1;
    }
  }
  template <class Result, class Convert> void write(Result *to, Convert convert) const {
#pragma unroll
    for (std::uint32_t i = 0; i < each; ++i) {
      const std::uint32_t row = place(item_ / side, i);
      if (row_ + row >= s_.rows) continue;
#pragma unroll
      for (std::uint32_t j = 0; j < each; ++j) {
        const std::uint32_t column = place(item_ % side, j);
        if (column_ + column < s_.columns) to[result_ + row * s_.result_row + column] = convert(sums_[i][j]);
      }
    }
  }

private:
  const product_shape &s_;
  const T *left_, *right_;
  wide *const local_;
  int64_t row_, column_, depth_, result_;
  const std::uint32_t item_ = std::uint32_t(__dpep_local_id(0));
  wide sums_[each][each] = {};

  /// The row or column in the tile of the work-item's k-th one: chunks that are read from local memory at once.
  static std::uint32_t place(std::uint32_t item, std::uint32_t k) {
    return k / chunk * (side * chunk) + item * chunk + k % chunk;
  }
  /// Adjacent work-items load elements that are adjacent in memory.
  loaded_part part_of(int64_t across_stride, int64_t along_stride) const {
    loaded_part p;
    if (along_stride == 1) {
      p.along = item_ % depth, p.across = item_ / depth;
      p.along_step = 0, p.across_step = group / depth;
    } else {
      static_assert(group % length == 0 || length % group == 0);
      p.across = item_ % length, p.along = item_ / length;
      p.across_step = 0, p.along_step = group / length;
    }
    p.first = p.across * across_stride + p.along * along_stride;
    p.step = p.across_step * across_stride + p.along_step * along_stride;
    return p;
  }
  void load(const T *from, const loaded_part &p, int64_t limit, int64_t k, wide (&to)[loads]) const {
#pragma unroll
    for (std::uint32_t q = 0; q < loads; ++q) {
      const bool inside = p.across + q * p.across_step < limit && k + p.along + q * p.along_step < depth_;
      to[q] = inside ? ring<T>::load(from[p.first + q * p.step]) : wide{};
    }
  }
  static void store(const loaded_part &p, const wide (&from)[loads], wide *to) {
#pragma unroll
    for (std::uint32_t q = 0; q < loads; ++q)
      to[(p.along + q * p.along_step) * line + p.across + q * p.across_step] = from[q];
  }
  struct alignas(chunk * sizeof(wide)) chunk_type {
    wide values[chunk];
  };
  static void load_chunks(const wide *from, std::uint32_t item, wide (&to)[each]) {
#pragma unroll
    for (std::uint32_t c = 0; c < each; c += chunk) {
      const chunk_type loaded = *reinterpret_cast<const chunk_type *>(from + place(item, c));
#pragma unroll
      for (std::uint32_t k = 0; k < chunk; ++k) to[c + k] = loaded.values[k];
    }
  }
  void add_products(const wide *tiles) {
#pragma unroll
    for (std::uint32_t k = 0; k < depth; ++k) {
      wide a[each], b[each];
      load_chunks(tiles + k * line, item_ / side, a);
      load_chunks(tiles + (depth + k) * line, item_ % side, b);
#pragma unroll
      for (std::uint32_t i = 0; i < each; ++i)
#pragma unroll
        for (std::uint32_t j = 0; j < each; ++j) ring<T>::add_product(sums_[i][j], a[i], b[j]);
    }
  }
};

/// Adds the products of all parts of the depth; a work-item for each element of the result.
template <class T>
void sum_parts(const typename ring<T>::wide *from, T *to, int64_t rows, int64_t columns, int64_t result_row,
               int64_t parts) {
  const int64_t at = int64_t(__dpep_group_id(0)) * group + int64_t(__dpep_local_id(0)), size = rows * columns;
  if (at >= size) return;
  typename ring<T>::wide sum = from[at];
#pragma nounroll
  for (int64_t k = 1; k < parts; ++k) sum = ring<T>::sum(sum, from[k * size + at]);
  const int64_t row = at / columns;
  to[row * result_row + (at - row * columns)] = ring<T>::result(sum);
}

/// Two sizes of tiles: for large matrices as much as registers hold.
template <class T> constexpr std::uint32_t large_each = sizeof(typename ring<T>::wide) <= 4 ? 8 : 4;
template <class T> constexpr std::uint32_t large_depth = sizeof(typename ring<T>::wide) == 8 ? 16 : 8;
template <class T> using large_tile = product_tile<T, large_each<T>, large_depth<T>>;
template <class T> using small_tile = product_tile<T, 2, 8>;

}  // namespace
}  // namespace dpep::array::gpu

#pragma clang attribute pop

// All have the same parameters (array/gpu/product_kernel.cpp).
#define DPEP_PRODUCT_PARAMETERS                                                                                        \
  const void *left, const void *right, void *result, std::int64_t rows, std::int64_t columns, std::int64_t depth,      \
      std::int64_t part, std::int64_t left_row, std::int64_t left_column, std::int64_t right_row,                      \
      std::int64_t right_column, std::int64_t result_row, std::int64_t batch0, std::int64_t batch1,                    \
      std::int64_t batch2, std::int64_t left0, std::int64_t left1, std::int64_t left2, std::int64_t right0,            \
      std::int64_t right1, std::int64_t right2, std::int64_t result0, std::int64_t result1, std::int64_t result2,      \
      void *local
#define DPEP_PRODUCT_SHAPE                                                                                             \
  {                                                                                                                    \
    rows, columns, depth, part, left_row, left_column, right_row, right_column, result_row, {batch0, batch1, batch2},  \
        {left0, left1, left2}, {right0, right1, right2}, {                                                             \
      result0, result1, result2                                                                                        \
    }                                                                                                                  \
  }

// The whole product, or products of parts of the depth, which are not converted to T.
#define DPEP_PRODUCT(function, T, size, result_type, convert)                                                          \
  DPEP_EXPORT void function(DPEP_PRODUCT_PARAMETERS) {                                                                 \
    using namespace dpep::array::gpu;                                                                                  \
    using wide = ring<T>::wide;                                                                                        \
    const product_shape shape DPEP_PRODUCT_SHAPE;                                                                      \
    size##_tile<T> tile(shape, static_cast<const T *>(left), static_cast<const T *>(right),                            \
                        static_cast<wide *>(local));                                                                   \
    tile.multiply();                                                                                                   \
    tile.write(static_cast<result_type *>(result), [](wide x) { return convert(x); });                                 \
  }
#define DPEP_TILE(name, T, size)                                                                                       \
  DPEP_PRODUCT(dpep_product_##size##_##name, T, size, T, ring<T>::result)                                              \
  DPEP_PRODUCT(dpep_product_part_##size##_##name, T, size, wide, )
#define DPEP_PRODUCTS(name, T)                                                                                         \
  DPEP_TILE(name, T, large)                                                                                            \
  DPEP_TILE(name, T, small)                                                                                            \
  DPEP_EXPORT void dpep_product_sum_##name(const void *from, void *to, std::int64_t rows, std::int64_t columns,        \
                                           std::int64_t result_row, std::int64_t parts) {                              \
    using namespace dpep::array::gpu;                                                                                  \
    sum_parts<T>(static_cast<const ring<T>::wide *>(from), static_cast<T *>(to), rows, columns, result_row, parts);    \
  }
// Signed integers are multiplied as unsigned ones.
DPEP_PRODUCTS(bool, bool)
DPEP_PRODUCTS(uint8, std::uint8_t)
DPEP_PRODUCTS(uint16, std::uint16_t)
DPEP_PRODUCTS(uint32, std::uint32_t)
DPEP_PRODUCTS(uint64, std::uint64_t)
DPEP_PRODUCTS(float16, dpep::elements::half)
DPEP_PRODUCTS(float32, float)
DPEP_PRODUCTS(float64, double)
DPEP_PRODUCTS(complex64, dpep::elements::complex<float>)
DPEP_PRODUCTS(complex128, dpep::elements::complex<double>)
