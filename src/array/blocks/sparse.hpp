// The table of operations on sparse matrices that each instruction set provides.
#pragma once

#include "array/blocks/block.hpp"

namespace dpep::array::blocks {

/// A sparse matrix in compressed rows: the elements of row i are those from starts[i] to starts[i + 1].
struct compressed_rows {
  const void *starts, *indices, *values;
};
/// A range of rows.
struct row_range {
  std::int64_t first, last;
};
/// Where elements of a resulting matrix are written. Its starts are known.
struct compressed_result {
  const void *starts;
  void *indices, *values;
};
/// Memory for a table that maps the columns of a row of a product to positions.
struct product_table {
  void *slots;
  std::int64_t count;
  /// Whether there is an index for each column, all bytes 0xff; otherwise slots of a hash table, a power of two, at
  /// least twice as many as a row has elements.
  bool direct;
};
/// Sparse matrices whose indices have one dtype, by the dtype of values; null where there is no kernel.
struct sparse_kernels {
  static constexpr std::size_t types = dtype_count;
  /// y[i] = row i times x, for the rows of the range: x and y have `width` columns. A null x: the sums of the rows.
  void (*multiply[types])(const compressed_rows &, row_range, const void *x, void *y, std::int64_t width) noexcept;
  /// y[column] += element times row i of x. A null x: ones.
  void (*multiply_transposed[types])(const compressed_rows &, row_range, const void *x, void *y,
                                     std::int64_t width) noexcept;
  /// The smallest or largest element of each row. Rows with fewer elements than `columns` have zeros, too.
  void (*extremes[types])(const compressed_rows &, row_range, void *to, bool maximum, std::int64_t columns) noexcept;
  /// to[j] = the element of row i at column i + offset, where j counts from the first row that has such a column.
  void (*diagonal[types])(const compressed_rows &, row_range, void *to, std::int64_t offset) noexcept;
  /// The rows as those of a row-major matrix.
  void (*fill_dense[types])(const compressed_rows &, row_range, void *to, std::int64_t columns) noexcept;
  /// The rows with equal, adjacent columns added.
  void (*sum_duplicates[types])(const compressed_rows &, row_range, const compressed_result &) noexcept;
  /// The rows of the product of two matrices.
  void (*multiply_sparse[types])(const compressed_rows &, const compressed_rows &, row_range, const compressed_result &,
                                 const product_table &) noexcept;
  /// counts[i] = the number of elements of row i of that product.
  void (*count_product)(const compressed_rows &, const compressed_rows &, row_range, std::int64_t *counts,
                        const product_table &) noexcept;
  std::size_t slot_bytes;  // of a hash table
};

namespace v2 {
extern const sparse_kernels sparse[2];  // for indices of int32 and of int64
}
namespace v3 {
extern const sparse_kernels sparse[2];
}
namespace v4 {
extern const sparse_kernels sparse[2];
}

}  // namespace dpep::array::blocks
