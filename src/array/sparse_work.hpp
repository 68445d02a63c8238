// An operation on sparse matrices in compressed rows, as executors get it.
//
// The elements of row i are those from starts[i] to starts[i + 1], at the columns in `indices`. All index arrays have
// one dtype, int32 or int64, unless stated otherwise.
#pragma once

#include <cstdint>

#include <dpep/array_functions.hpp>

namespace dpep::array {

enum class sparse_operation : std::uint8_t {
  multiply,             // to_values (rows, width) = a x; without x, the sums of the rows
  multiply_transposed,  // to_values (columns, width) = a^T x; without x, the sums of the columns
  number_rows,          // to_indices = the row of each element
  // A stable sort of elements by their row, which is in `indices`: to_starts, to_indices, to_values = compressed rows
  // of `values`, whose columns are in other_indices, or without those the rows of `starts`. values may be missing.
  group,
  count_distinct,  // counts = for each row the number of its different columns, or -1 if they are not in order
  sort_rows,       // sorts the elements of each row, to_indices and to_values, by column
  sum_duplicates,  // a with equal, adjacent columns added: to_indices and to_values, for the rows in to_starts
  // to_indices = the columns of a or b, or with `intersection` of both; to_values and to_others = the elements of a and
  // of b there, or zeros; counts = their number in each row. Results have room for all elements of a and b, or with
  // `intersection` of a. Rows have gaps between them.
  merge,
  pack_rows,        // the results of merge, as `indices`, `values` and other_values, without the gaps
  take_rows,        // to_indices, to_values = the rows of a whose numbers, int64, are in x
  count_columns,    // counts = for each row the number of elements in the columns from first to last, excluding it
  take_columns,     // to_indices, to_values = these elements; to_indices from 0
  extremes,         // to_values = the smallest or, with `maximum`, largest element of each row; zeros count
  diagonal,         // to_values = the elements of the diagonal `first`
  count_product,    // counts = for each row the number of elements of a b
  multiply_sparse,  // to_indices, to_values = the elements of a b, in no order within a row
  fill_dense,       // to_values (rows, columns) = a
};

struct sparse_work {
  sparse_operation what{};
  std::int64_t rows = 0, columns = 0;  // of a
  std::int64_t width = 1;              // columns of x
  bool intersection = false;
  bool maximum = false, only_stored = false;  // extremes: whether only stored elements count in rows that have any
  std::int64_t first = 0, last = 0;           // columns
  // Row-major and in memory, of one queue; those that are not needed are empty. Matrices a and b, which have the same
  // dtype; merge needs columns in order without duplicates.
  ndarray starts, indices, values, other_starts, other_indices, other_values;
  ndarray x;  // of the dtype of a
  // Results. to_starts has rows + 1 elements; sum_duplicates, pack_rows, take_rows, take_columns and
  // multiply_sparse read it.
  ndarray to_starts, to_indices, to_values, to_others;
  ndarray counts;  // int64, an element for each row
};

}  // namespace dpep::array
