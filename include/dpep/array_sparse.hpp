// Sparse matrices in compressed rows, the parts of dpnp.scipy.sparse that are more than operations on their elements.
//
// The elements of row i are those from starts[i] to starts[i + 1], at the columns in `indices`. starts and indices have
// one dtype, int32 or int64; values are bool, int32, int64, float32, float64, complex64 or complex128. Arrays have one
// axis and are on one queue. Callers check that starts do not decrease and that columns exist; the functions check
// dtypes and lengths, and throw refusal::type and refusal::value.
#pragma once

#include <array>

#include <dpep/array_functions.hpp>

namespace dpep::array {

struct compressed_rows {
  ndarray starts, indices, values;
  std::int64_t columns = 0;
};

/// Whether the queue's device has all these functions; otherwise only sparse_multiply. The others are composed of
/// sorts, scans and gathers there.
DPEP_API bool has_sparse_operations(const queue &);

/// The product with a vector or a matrix of the same dtype. Without one, the sums of the rows.
DPEP_API ndarray sparse_multiply(const compressed_rows &, const ndarray *x);
/// The product of the transpose, with a vector or a matrix. Without one, the sums of the columns.
DPEP_API ndarray sparse_multiply_transposed(const compressed_rows &, const ndarray *x);
/// The product of two sparse matrices. Elements of a row are in no order. Waits for their number.
DPEP_API compressed_rows sparse_multiply(const compressed_rows &, const compressed_rows &);

/// The row of each element.
DPEP_API ndarray sparse_row_numbers(const ndarray &starts, std::int64_t elements);
/// Elements given by their rows, columns and values, in compressed rows. Those of a row keep their order. Without
/// values, the result has none.
DPEP_API compressed_rows sparse_group(const ndarray &rows, const ndarray &columns, const ndarray *values,
                                      std::int64_t row_count, std::int64_t column_count);
/// The transpose, whose columns are in order.
DPEP_API compressed_rows sparse_transpose(const compressed_rows &);
/// Whether the columns of each row are in order, and the number of different ones in all rows, or -1 if they are not in
/// order. Waits for them.
struct column_order {
  bool sorted;
  std::int64_t different;
};
DPEP_API column_order sparse_order(const compressed_rows &);
/// Sorts the elements of each row by column, in place. Equal columns keep their order.
DPEP_API void sparse_sort_rows(const compressed_rows &);
/// The matrix with elements of the same column added. The columns must be in order.
DPEP_API compressed_rows sparse_sum_duplicates(const compressed_rows &);
/// The columns that are in a row of either matrix, or with `intersection` in the rows of both, and the values of each
/// matrix there, or zeros. The columns must be in order, without duplicates. Waits for their number.
struct merged_rows {
  ndarray starts, indices;
  std::array<ndarray, 2> values;
};
DPEP_API merged_rows sparse_merge(const compressed_rows &, const compressed_rows &, bool intersection);
/// The rows with these numbers, int64, from 0.
DPEP_API compressed_rows sparse_take_rows(const compressed_rows &, const ndarray &rows);
/// The elements in columns from `first` to `last`, excluding it, which become the columns from 0 on.
DPEP_API compressed_rows sparse_take_columns(const compressed_rows &, std::int64_t first, std::int64_t last);
/// The smallest or largest element of each row, with the zeros that are not stored, or without them in rows that have
/// stored elements. There must be no duplicates. refusal::type for complex numbers.
DPEP_API ndarray sparse_extremes(const compressed_rows &, bool maximum, bool only_stored);
/// The elements of a diagonal, of which there is at least one. Duplicates are added.
DPEP_API ndarray sparse_diagonal(const compressed_rows &, std::int64_t offset);
/// The row-major matrix. Duplicates are added.
DPEP_API ndarray sparse_to_dense(const compressed_rows &);

}  // namespace dpep::array
