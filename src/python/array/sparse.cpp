// Sparse matrices: the engine's functions behind dpnp.scipy.sparse. Matrices are starts of rows, columns and values.
#include <dpep/array_sparse.hpp>

#include "functions.hpp"

namespace dpep::python {
namespace {

using array::compressed_rows;

compressed_rows matrix_from(nb::handle starts, nb::handle indices, nb::handle data, std::int64_t columns) {
  return {array_argument(starts, "sparse", "indptr"), array_argument(indices, "sparse", "indices"),
          array_argument(data, "sparse", "data"), columns};
}
nb::object wrapped(const ndarray &x) { return to_python(x, package::dpnp); }
nb::tuple wrapped(const compressed_rows &a) {
  return nb::make_tuple(wrapped(a.starts), wrapped(a.indices), a.values ? wrapped(a.values) : nb::none());
}

template <ndarray (*function)(const compressed_rows &, const ndarray *)>
nb::object multiply(nb::handle starts, nb::handle indices, nb::handle data, std::int64_t columns, nb::handle x) {
  const compressed_rows a = matrix_from(starts, indices, data, columns);
  const ndarray *const dense = optional_array(x, "matmul", "x");
  return wrapped(computing(a.values.size(), [&] { return function(a, dense); }));
}

nb::tuple multiply_sparse(nb::handle starts, nb::handle indices, nb::handle data, std::int64_t columns,
                          nb::handle starts2, nb::handle indices2, nb::handle data2, std::int64_t columns2) {
  const compressed_rows a = matrix_from(starts, indices, data, columns);
  const compressed_rows b = matrix_from(starts2, indices2, data2, columns2);
  return wrapped(without_gil([&] { return array::sparse_multiply(a, b); }));
}

nb::object row_numbers(nb::handle starts, std::int64_t elements) {
  const ndarray &s = array_argument(starts, "sparse", "indptr");
  return wrapped(computing(elements, [&] { return array::sparse_row_numbers(s, elements); }));
}

nb::tuple group(nb::handle rows, nb::handle columns, nb::handle data, std::int64_t row_count,
                std::int64_t column_count) {
  const ndarray &r = array_argument(rows, "sparse", "row"), &c = array_argument(columns, "sparse", "col");
  const ndarray *const values = optional_array(data, "sparse", "data");
  return wrapped(computing(r.size(), [&] { return array::sparse_group(r, c, values, row_count, column_count); }));
}

template <compressed_rows (*function)(const compressed_rows &)>
nb::tuple rows_from(nb::handle starts, nb::handle indices, nb::handle data, std::int64_t columns) {
  const compressed_rows a = matrix_from(starts, indices, data, columns);
  return wrapped(computing(a.values.size(), [&] { return function(a); }));
}

nb::tuple column_order(nb::handle starts, nb::handle indices, nb::handle data, std::int64_t columns) {
  const compressed_rows a = matrix_from(starts, indices, data, columns);
  const array::column_order order = computing(a.values.size(), [&] { return array::sparse_order(a); });
  return nb::make_tuple(order.sorted, order.different);
}

void sort_rows(nb::handle starts, nb::handle indices, nb::handle data, std::int64_t columns) {
  const compressed_rows a = matrix_from(starts, indices, data, columns);
  computing(a.values.size(), [&] { array::sparse_sort_rows(a); });
}

nb::tuple merge(nb::handle starts, nb::handle indices, nb::handle data, nb::handle starts2, nb::handle indices2,
                nb::handle data2, std::int64_t columns, bool intersection) {
  const compressed_rows a = matrix_from(starts, indices, data, columns);
  const compressed_rows b = matrix_from(starts2, indices2, data2, columns);
  const array::merged_rows m =
      computing(a.values.size() + b.values.size(), [&] { return array::sparse_merge(a, b, intersection); });
  return nb::make_tuple(wrapped(m.starts), wrapped(m.indices), wrapped(m.values[0]), wrapped(m.values[1]));
}

nb::tuple take_rows(nb::handle starts, nb::handle indices, nb::handle data, std::int64_t columns, nb::handle rows) {
  const compressed_rows a = matrix_from(starts, indices, data, columns);
  const ndarray &which = array_argument(rows, "sparse", "rows");
  return wrapped(computing(a.values.size(), [&] { return array::sparse_take_rows(a, which); }));
}

nb::tuple take_columns(nb::handle starts, nb::handle indices, nb::handle data, std::int64_t columns, std::int64_t first,
                       std::int64_t last) {
  const compressed_rows a = matrix_from(starts, indices, data, columns);
  return wrapped(computing(a.values.size(), [&] { return array::sparse_take_columns(a, first, last); }));
}

nb::object extremes(nb::handle starts, nb::handle indices, nb::handle data, std::int64_t columns, bool maximum,
                    bool only_stored) {
  const compressed_rows a = matrix_from(starts, indices, data, columns);
  return wrapped(computing(a.values.size(), [&] { return array::sparse_extremes(a, maximum, only_stored); }));
}

nb::object diagonal(nb::handle starts, nb::handle indices, nb::handle data, std::int64_t columns, std::int64_t offset) {
  const compressed_rows a = matrix_from(starts, indices, data, columns);
  return wrapped(computing(a.values.size(), [&] { return array::sparse_diagonal(a, offset); }));
}

nb::object to_dense(nb::handle starts, nb::handle indices, nb::handle data, std::int64_t columns) {
  const compressed_rows a = matrix_from(starts, indices, data, columns);
  return wrapped(without_gil([&] { return array::sparse_to_dense(a); }));
}

#define DPEP_MATRIX "indptr: ndarray, indices: ndarray, data: ndarray, columns: int"
#define DPEP_ROWS "tuple[ndarray, ndarray, ndarray]"

}  // namespace

void bind_sparse(nb::module_ &m) {
  m.def(
      "has_operations", [](const queue &q) { return array::has_sparse_operations(q); }, nb::arg("queue"),
      "Whether the queue's device has all functions of this module; otherwise only multiply().");
  m.def("multiply", multiply<array::sparse_multiply>, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(),
        nb::sig("def multiply(" DPEP_MATRIX ", x: ndarray | None, /) -> ndarray"),
        "Return the product with a vector or matrix of the same dtype; for None the sums of rows.");
  m.def("multiply_transposed", multiply<array::sparse_multiply_transposed>, nb::arg(), nb::arg(), nb::arg(), nb::arg(),
        nb::arg().none(), nb::sig("def multiply_transposed(" DPEP_MATRIX ", x: ndarray | None, /) -> ndarray"),
        "Return the product of the transpose; for None the sums of columns.");
  m.def("multiply_sparse", multiply_sparse,
        nb::sig("def multiply_sparse(" DPEP_MATRIX
                ", indptr2: ndarray, indices2: ndarray, data2: ndarray, columns2: int, /) -> " DPEP_ROWS),
        "Return the product of two sparse matrices, whose rows are in no order.");
  m.def("row_numbers", row_numbers, nb::sig("def row_numbers(indptr: ndarray, elements: int, /) -> ndarray"),
        "Return the row of each element.");
  m.def("group", group, nb::arg(), nb::arg(), nb::arg().none(), nb::arg(), nb::arg(),
        nb::sig("def group(row: ndarray, col: ndarray, data: ndarray | None, rows: int, columns: int, /) -> "
                "tuple[ndarray, ndarray, ndarray | None]"),
        "Return compressed rows of elements in any order. Those of a row keep their order.");
  m.def("transpose", rows_from<array::sparse_transpose>, nb::sig("def transpose(" DPEP_MATRIX ", /) -> " DPEP_ROWS),
        "Return the transpose, whose rows are in order.");
  m.def("column_order", column_order, nb::sig("def column_order(" DPEP_MATRIX ", /) -> tuple[bool, int]"),
        "Return whether the columns of each row are in order, and the number of different ones, -1 if they are not.");
  m.def("sort_rows", sort_rows, nb::sig("def sort_rows(" DPEP_MATRIX ", /) -> None"),
        "Sort the elements of each row by column, in place.");
  m.def("sum_duplicates", rows_from<array::sparse_sum_duplicates>,
        nb::sig("def sum_duplicates(" DPEP_MATRIX ", /) -> " DPEP_ROWS),
        "Return the matrix with elements of the same column added. The columns must be in order.");
  m.def("merge", merge,
        nb::sig("def merge(indptr: ndarray, indices: ndarray, data: ndarray, indptr2: ndarray, indices2: ndarray, "
                "data2: ndarray, columns: int, intersection: bool, /) -> tuple[ndarray, ndarray, ndarray, ndarray]"),
        "Return the columns of either matrix, or of both, and the values of each there, or zeros.");
  m.def("take_rows", take_rows, nb::sig("def take_rows(" DPEP_MATRIX ", rows: ndarray, /) -> " DPEP_ROWS),
        "Return the rows with these numbers, from 0.");
  m.def("take_columns", take_columns,
        nb::sig("def take_columns(" DPEP_MATRIX ", first: int, last: int, /) -> " DPEP_ROWS),
        "Return the columns of a range, which become those from 0 on.");
  m.def("extremes", extremes, nb::sig("def extremes(" DPEP_MATRIX ", maximum: bool, only_stored: bool, /) -> ndarray"),
        "Return the smallest or largest element of each row.");
  m.def("diagonal", diagonal, nb::sig("def diagonal(" DPEP_MATRIX ", offset: int, /) -> ndarray"),
        "Return the elements of a diagonal.");
  m.def("to_dense", to_dense, nb::sig("def to_dense(" DPEP_MATRIX ", /) -> ndarray"), "Return the row-major matrix.");
}

}  // namespace dpep::python
