// oneapi::mkl::sparse: products of sparse matrices in CSR form with vectors and dense matrices.
//
// The functions have oneMKL's names and arguments, https://oneapi-spec.uxlfoundation.org (oneMKL, sparse BLAS). They
// are kernels, which run on every device; no library is needed.
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include <oneapi/mkl/detail/blas_call.hpp>
#include <sycl/accessor.hpp>
#include <sycl/atomic_ref.hpp>

namespace oneapi::mkl::sparse {

namespace detail {

/// The arrays of a matrix: pointers or buffers.
template <class Integers, class Numbers> struct csr_arrays {
  Integers rows, columns;
  Numbers values;
};

/// What a handle refers to.
struct matrix {
  std::int64_t rows = 0, columns = 0;
  std::int64_t base = 0;                    // of the indices
  dpep::dtype type = dpep::dtype::boolean;  // of the values; boolean: there are no data
  dpep::dtype index_type = dpep::dtype::int32;
  bool in_buffers = false;
  std::shared_ptr<const void> arrays;  // csr_arrays
};

[[noreturn]] inline void refuse(const char *function, const char *why) {
  throw invalid_argument("sparse", function, why);
}

/// alpha op(A) op(B) + beta C, of which a work-item computes an element, or with a transposed A adds the products of an
/// element of B.
template <class T, class Integers, class Numbers, class From, class To> struct multiply {
  csr_arrays<Integers, Numbers> a;
  std::int64_t base, columns;  // columns: of C
  bool conjugated, b_transposed, b_conjugated, row_major;
  T alpha, beta;
  From b;
  std::int64_t ldb;
  To c;
  std::int64_t ldc;

  static T conjugate(const T &x) {
    if constexpr (mkl::detail::complex<T>)
      return T(x.real(), -x.imag());
    else
      return x;
  }
  std::size_t in_c(std::int64_t i, std::int64_t j) const {
    return static_cast<std::size_t>(row_major ? i * ldc + j : j * ldc + i);
  }
  T of_b(std::int64_t i, std::int64_t j) const {
    const T x = b[static_cast<std::size_t>(row_major != b_transposed ? i * ldb + j : j * ldb + i)];
    return b_conjugated ? conjugate(x) : x;
  }
  /// Calls visit(column, value) for the elements of a row.
  template <class Visit> void for_row(std::int64_t i, const Visit &visit) const {
    const auto row = static_cast<std::size_t>(i);
    const auto end = static_cast<std::size_t>(a.rows[row + 1] - base);
    for (auto at = static_cast<std::size_t>(a.rows[row] - base); at < end; ++at) {
      const T value = a.values[at];
      visit(static_cast<std::int64_t>(a.columns[at] - base), conjugated ? conjugate(value) : value);
    }
  }
};

template <class M> struct rows_product : M {
  using value = decltype(M::alpha);
  void operator()(sycl::id<1> item) const {
    const auto at = static_cast<std::int64_t>(item[0]), i = at / this->columns, j = at % this->columns;
    value sum{};
    this->for_row(i, [&](std::int64_t k, const value &x) { sum += x * this->of_b(k, j); });
    auto &to = this->c[this->in_c(i, j)];
    to = this->beta == value() ? this->alpha * sum : this->alpha * sum + this->beta * to;
  }
};
template <class M> struct scaling : M {
  using value = decltype(M::alpha);
  void operator()(sycl::id<1> item) const {
    const auto at = static_cast<std::int64_t>(item[0]);
    auto &to = this->c[this->in_c(at / this->columns, at % this->columns)];
    to = this->beta == value() ? value() : this->beta * to;
  }
};
template <class M> struct transposed_product : M {
  using value = decltype(M::alpha);
  template <class R> static void add(R &to, R x) {
    sycl::atomic_ref<R, sycl::memory_order::relaxed, sycl::memory_scope::device>(to).fetch_add(x);
  }
  void operator()(sycl::id<1> item) const {
    const auto at = static_cast<std::int64_t>(item[0]), i = at / this->columns, j = at % this->columns;
    const value factor = this->alpha * this->of_b(i, j);
    this->for_row(i, [&](std::int64_t k, const value &x) {
      auto &to = this->c[this->in_c(k, j)];
      const value product = x * factor;
      if constexpr (mkl::detail::complex<value>) {
        auto *const parts = reinterpret_cast<typename value::value_type *>(&to);
        add(parts[0], product.real());
        add(parts[1], product.imag());
      } else {
        add(to, product);
      }
    });
  }
};

/// The sizes and options of a product.
template <class T> struct product {
  const matrix &a;
  transpose op_a, op_b;
  bool row_major;
  T alpha, beta;
  std::int64_t columns, ldb, ldc;

  std::int64_t rows() const { return op_a == transpose::N ? a.rows : a.columns; }

  template <class Integers, class Numbers, class From, class To>
  auto with(const csr_arrays<Integers, Numbers> &arrays, const From &b, const To &c) const {
    return multiply<T, Integers, Numbers, From, To>{arrays,
                                                    a.base,
                                                    columns,
                                                    op_a == transpose::C,
                                                    op_b != transpose::N,
                                                    op_b == transpose::C,
                                                    row_major,
                                                    alpha,
                                                    beta,
                                                    b,
                                                    ldb,
                                                    c,
                                                    ldc};
  }
  /// Calls submit(kernel, items) for the kernels, in order.
  template <class M, class Submit> void run(const M &m, const Submit &submit) const {
    const auto items = [&](std::int64_t lines) { return sycl::range<1>(static_cast<std::size_t>(lines * columns)); };
    if (op_a == transpose::N) return submit(rows_product<M>{m}, items(a.rows));
    submit(scaling<M>{m}, items(a.columns));
    submit(transposed_product<M>{m}, items(a.rows));
  }
};

template <class T> void check(const char *function, const product<T> &p, bool in_buffers) {
  if (p.a.type == dpep::dtype::boolean)
    throw uninitialized("sparse", function, "the handle has no data; call set_csr_data");
  if (p.a.type != mkl::detail::type_of<T>) refuse(function, "the handle's values have another type");
  if (p.a.in_buffers != in_buffers) refuse(function, "the handle's data and the operands are not both buffers");
  if (p.columns < 0) refuse(function, "columns must not be negative");
  const std::int64_t depth = p.op_a == transpose::N ? p.a.columns : p.a.rows;
  const bool rows_first = p.row_major != (p.op_b != transpose::N);
  if (p.ldb < (rows_first ? p.columns : depth) || p.ldc < (p.row_major ? p.columns : p.rows()))
    refuse(function, "a leading dimension is too small");
}

/// On USM memory.
template <class T>
sycl::event run(sycl::queue &queue, const char *function, const product<T> &p, const T *b, T *c,
                const std::vector<sycl::event> &after) {
  check(function, p, false);
  sycl::event last;
  const auto with = [&]<class I>(I) {
    const auto &arrays = *static_cast<const csr_arrays<const I *, const T *> *>(p.a.arrays.get());
    bool first = true;
    p.run(p.with(arrays, b, c), [&](const auto &kernel, sycl::range<1> items) {
      last = first ? queue.parallel_for(items, after, kernel) : queue.parallel_for(items, last, kernel);
      first = false;
    });
  };
  p.a.index_type == dpep::dtype::int64 ? with(std::int64_t()) : with(std::int32_t());
  return last;
}
/// On buffers.
template <class T>
void run(sycl::queue &queue, const char *function, const product<T> &p, sycl::buffer<T, 1> &b, sycl::buffer<T, 1> &c) {
  check(function, p, true);
  const auto with = [&]<class I>(I) {
    auto arrays = *static_cast<const csr_arrays<sycl::buffer<I, 1>, sycl::buffer<T, 1>> *>(p.a.arrays.get());
    const auto submit = [&](auto make) {
      queue.submit([&](sycl::handler &h) {
        const sycl::accessor rows(arrays.rows, h, sycl::read_only), columns(arrays.columns, h, sycl::read_only);
        const sycl::accessor values(arrays.values, h, sycl::read_only), from(b, h, sycl::read_only);
        const sycl::accessor to(c, h, sycl::read_write);
        const csr_arrays<std::remove_const_t<decltype(rows)>, std::remove_const_t<decltype(values)>> a{rows, columns,
                                                                                                       values};
        make(h, p.with(a, from, to));
      });
    };
    const auto items = [&](std::int64_t lines) { return sycl::range<1>(static_cast<std::size_t>(lines * p.columns)); };
    if (p.op_a == transpose::N)
      return submit(
          [&]<class M>(sycl::handler &h, const M &m) { h.parallel_for(items(p.a.rows), rows_product<M>{m}); });
    submit([&]<class M>(sycl::handler &h, const M &m) { h.parallel_for(items(p.a.columns), scaling<M>{m}); });
    submit([&]<class M>(sycl::handler &h, const M &m) { h.parallel_for(items(p.a.rows), transposed_product<M>{m}); });
  };
  p.a.index_type == dpep::dtype::int64 ? with(std::int64_t()) : with(std::int32_t());
}

}  // namespace detail

using matrix_handle_t = detail::matrix *;

namespace detail {

inline const matrix &matrix_of(matrix_handle_t handle, const char *function) {
  if (!handle) refuse(function, "the handle is null; call init_matrix_handle");
  return *handle;
}

}  // namespace detail

inline void init_matrix_handle(matrix_handle_t *handle) { *handle = new detail::matrix; }
/// Destroys the handle; submitted products do not need it. Returns an event that follows the dependencies.
inline sycl::event release_matrix_handle(sycl::queue &queue, matrix_handle_t *handle,
                                         const std::vector<sycl::event> &dependencies = {}) {
  delete *handle;
  *handle = nullptr;
  return queue.ext_oneapi_submit_barrier(dependencies);
}

namespace detail {

template <class I> inline constexpr bool is_index = std::is_same_v<I, std::int32_t> || std::is_same_v<I, std::int64_t>;

template <class T, class I, class Arrays>
void set(matrix_handle_t handle, std::int64_t rows, std::int64_t columns, index_base base, bool in_buffers,
         Arrays arrays) {
  if (!handle) refuse("set_csr_data", "the handle is null; call init_matrix_handle");
  if (rows < 0 || columns < 0) refuse("set_csr_data", "sizes must not be negative");
  *handle = {rows,
             columns,
             base == index_base::one,
             mkl::detail::type_of<T>,
             sizeof(I) == 8 ? dpep::dtype::int64 : dpep::dtype::int32,
             in_buffers,
             std::make_shared<Arrays>(std::move(arrays))};
}

}  // namespace detail

/// Refers to the arrays of a matrix, which must stay valid; their contents are read by the products. Returns an event
/// that follows the dependencies.
template <class I, mkl::detail::number T>
  requires detail::is_index<I>
sycl::event set_csr_data(sycl::queue &queue, matrix_handle_t handle, std::int64_t num_rows, std::int64_t num_cols,
                         std::int64_t, index_base index, I *row_ptr, I *col_ind, T *values,
                         const std::vector<sycl::event> &dependencies = {}) {
  detail::set<T, I>(handle, num_rows, num_cols, index, false,
                    detail::csr_arrays<const I *, const T *>{row_ptr, col_ind, values});
  return queue.ext_oneapi_submit_barrier(dependencies);
}
template <class I, mkl::detail::number T>
  requires detail::is_index<I>
void set_csr_data(sycl::queue &, matrix_handle_t handle, std::int64_t num_rows, std::int64_t num_cols, std::int64_t,
                  index_base index, sycl::buffer<I, 1> &row_ptr, sycl::buffer<I, 1> &col_ind,
                  sycl::buffer<T, 1> &values) {
  detail::set<T, I>(handle, num_rows, num_cols, index, true,
                    detail::csr_arrays<sycl::buffer<I, 1>, sycl::buffer<T, 1>>{row_ptr, col_ind, values});
}

/// y = alpha op(A) x + beta y. Sums of a transposed matrix are added in any order.
template <mkl::detail::number T>
sycl::event gemv(sycl::queue &queue, transpose op, std::type_identity_t<T> alpha, matrix_handle_t handle, const T *x,
                 std::type_identity_t<T> beta, T *y, const std::vector<sycl::event> &dependencies = {}) {
  return detail::run(
      queue, "gemv",
      detail::product<T>{detail::matrix_of(handle, "gemv"), op, transpose::N, true, alpha, beta, 1, 1, 1}, x, y,
      dependencies);
}
template <mkl::detail::number T>
void gemv(sycl::queue &queue, transpose op, std::type_identity_t<T> alpha, matrix_handle_t handle,
          sycl::buffer<T, 1> &x, std::type_identity_t<T> beta, sycl::buffer<T, 1> &y) {
  detail::run(queue, "gemv",
              detail::product<T>{detail::matrix_of(handle, "gemv"), op, transpose::N, true, alpha, beta, 1, 1, 1}, x,
              y);
}

/// C = alpha op(A) op(B) + beta C, for dense matrices B and C in one layout. C has `columns` columns.
template <mkl::detail::number T>
sycl::event gemm(sycl::queue &queue, layout dense_matrix_layout, transpose op_a, transpose op_b,
                 std::type_identity_t<T> alpha, matrix_handle_t handle, const T *b, std::int64_t columns,
                 std::int64_t ldb, std::type_identity_t<T> beta, T *c, std::int64_t ldc,
                 const std::vector<sycl::event> &dependencies = {}) {
  return detail::run(queue, "gemm",
                     detail::product<T>{detail::matrix_of(handle, "gemm"), op_a, op_b,
                                        dense_matrix_layout == layout::row_major, alpha, beta, columns, ldb, ldc},
                     b, c, dependencies);
}
template <mkl::detail::number T>
void gemm(sycl::queue &queue, layout dense_matrix_layout, transpose op_a, transpose op_b, std::type_identity_t<T> alpha,
          matrix_handle_t handle, sycl::buffer<T, 1> &b, std::int64_t columns, std::int64_t ldb,
          std::type_identity_t<T> beta, sycl::buffer<T, 1> &c, std::int64_t ldc) {
  detail::run(queue, "gemm",
              detail::product<T>{detail::matrix_of(handle, "gemm"), op_a, op_b,
                                 dense_matrix_layout == layout::row_major, alpha, beta, columns, ldb, ldc},
              b, c);
}

}  // namespace oneapi::mkl::sparse
