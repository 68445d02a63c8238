// oneapi::mkl::sparse: products of sparse matrices.
#include "mkl_operands.hpp"

namespace {

using namespace mkl_test;
namespace sparse = oneapi::mkl::sparse;
using mkl::index_base;
using mkl::layout;
using mkl::transpose;

constexpr transpose operations[] = {transpose::N, transpose::T, transpose::C};

/// A random matrix, a third of whose elements are not 0, dense and as CSR.
template <class T, class I> struct sparse_matrix {
  dense<T> all;
  std::vector<I> rows, columns;
  std::vector<T> values;
  sparse_matrix(int64_t m, int64_t n, I base) : all(m, n, true, 0), rows{base} {
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        if ((i * 7 + j * 5) % 3 || i == 2) {
          all(i, j) = T();
          continue;
        }
        columns.push_back(I(j + base));
        values.push_back(all(i, j));
      }
      rows.push_back(I(I(values.size()) + base));
    }
  }
};

template <class T> class mkl_sparse : public ::testing::Test {};
TYPED_TEST_SUITE(mkl_sparse, numbers);

template <class T, class I> void check_gemv(index_base base) {
  for (const form how : all_forms)
    for (const auto &[m, n] : {std::pair<int64_t, int64_t>{5, 4}, {100, 170}})
      for (const transpose op : operations) {
        sparse_matrix<T, I> a(m, n, base == index_base::one);
        const int64_t in = op == transpose::N ? n : m, out = op == transpose::N ? m : n;
        std::vector<T> x = random_numbers<T>(in), y = random_numbers<T>(out), expected = y;
        const T alpha = random_number<T>(), beta = random_number<T>();
        for (int64_t i = 0; i < out; ++i) {
          T sum{};
          for (int64_t j = 0; j < in; ++j) sum += element(a.all, op, i, j) * x[std::size_t(j)];
          expected[std::size_t(i)] = alpha * sum + beta * y[std::size_t(i)];
        }
        sparse::matrix_handle_t handle = nullptr;
        sparse::init_matrix_handle(&handle);
        call(
            how,
            [&](sycl::queue &q, auto &rows, auto &columns, auto &values, auto &px, auto &py) {
              sparse::set_csr_data(q, handle, m, n, int64_t(a.values.size()), base, rows, columns, values);
              sparse::gemv(q, op, alpha, handle, px, beta, py);
              q.wait();
              sparse::release_matrix_handle(q, &handle);
            },
            a.rows, a.columns, a.values, x, y);
        EXPECT_EQ(handle, nullptr);
        expect_near(y, expected, tolerance<T>(in), name_of(how));
      }
}
TYPED_TEST(mkl_sparse, gemv_with_32_bit_indices) { check_gemv<TypeParam, std::int32_t>(index_base::zero); }
TYPED_TEST(mkl_sparse, gemv_with_64_bit_indices_from_1_on) { check_gemv<TypeParam, int64_t>(index_base::one); }

TYPED_TEST(mkl_sparse, gemm_in_both_layouts) {
  using T = TypeParam;
  for (const form how : all_forms)
    for (const bool row : {true, false})
      for (const transpose op_a : operations)
        for (const transpose op_b : operations) {
          const int64_t m = 20, n = 13, columns = 6;
          sparse_matrix<T, std::int32_t> a(m, n, 0);
          const int64_t depth = op_a == transpose::N ? n : m, out = op_a == transpose::N ? m : n;
          dense<T> b = dense_for<T>(op_b, depth, columns, row), c(out, columns, row), expected = c;
          const T alpha = random_number<T>(), beta = random_number<T>();
          for (int64_t i = 0; i < out; ++i)
            for (int64_t j = 0; j < columns; ++j) {
              T sum{};
              for (int64_t l = 0; l < depth; ++l) sum += element(a.all, op_a, i, l) * element(b, op_b, l, j);
              expected(i, j) = alpha * sum + beta * c(i, j);
            }
          sparse::matrix_handle_t handle = nullptr;
          sparse::init_matrix_handle(&handle);
          call(
              how,
              [&](sycl::queue &q, auto &rows, auto &cols, auto &values, auto &pb, auto &pc) {
                sparse::set_csr_data(q, handle, m, n, int64_t(a.values.size()), index_base::zero, rows, cols, values);
                sparse::gemm(q, row ? layout::row_major : layout::column_major, op_a, op_b, alpha, handle, pb, columns,
                             b.leading, beta, pc, c.leading);
                q.wait();
                sparse::release_matrix_handle(q, &handle);
              },
              a.rows, a.columns, a.values, b.memory, c.memory);
          expect_near(c.memory, expected.memory, tolerance<T>(depth), name_of(how));
        }
}

TEST(mkl_sparse_calls, overwrite_without_reading_if_beta_is_0_and_wait_for_events) {
  sycl::queue q;
  std::int32_t *const rows = sycl::malloc_shared<std::int32_t>(3, q), *const columns =
                                                                          sycl::malloc_shared<std::int32_t>(2, q);
  float *const values = sycl::malloc_shared<float>(2, q), *const x = sycl::malloc_shared<float>(2, q),
               *const y = sycl::malloc_shared<float>(2, q);
  for (int i = 0; i < 3; ++i) rows[i] = i;
  for (int i = 0; i < 2; ++i) columns[i] = 1 - i, values[i] = float(i + 2), y[i] = std::nanf("");
  sparse::matrix_handle_t handle = nullptr;
  sparse::init_matrix_handle(&handle);
  const sycl::event set = sparse::set_csr_data(q, handle, 2, 2, 2, index_base::zero, rows, columns, values);
  const sycl::event filled = q.fill(x, 10.0f, 2, set);
  sparse::gemv(q, transpose::N, 1, handle, x, 0, y, {filled}).wait();
  EXPECT_EQ(y[0], 20);
  EXPECT_EQ(y[1], 30);
  y[0] = y[1] = std::nanf("");
  sparse::gemv(q, transpose::T, 1, handle, x, 0, y).wait();
  EXPECT_EQ(y[0], 30);
  EXPECT_EQ(y[1], 20);
  sparse::release_matrix_handle(q, &handle);
  for (void *p : {(void *)rows, (void *)columns, (void *)values, (void *)x, (void *)y}) sycl::free(p, q);
}

TEST(mkl_sparse_errors, name_the_function) {
  const auto message = [](auto make) -> std::string {
    try {
      make();
      return "no exception";
    } catch (const mkl::exception &e) {
      return e.what();
    }
  };
  sycl::queue q;
  std::int32_t *const indices = nullptr;
  double *const x = nullptr;
  float *const single = nullptr;
  sparse::matrix_handle_t handle = nullptr;
  EXPECT_EQ(message([&] { sparse::set_csr_data(q, handle, 1, 1, 0, index_base::zero, indices, indices, x); }),
            "sparse::set_csr_data: the handle is null; call init_matrix_handle");
  EXPECT_EQ(message([&] { sparse::gemv(q, transpose::N, 1, handle, x, 0, x); }),
            "sparse::gemv: the handle is null; call init_matrix_handle");
  sparse::init_matrix_handle(&handle);
  EXPECT_EQ(message([&] { sparse::gemv(q, transpose::N, 1, handle, x, 0, x); }),
            "sparse::gemv: the handle has no data; call set_csr_data");
  sparse::set_csr_data(q, handle, 2, 3, 0, index_base::zero, indices, indices, x);
  EXPECT_EQ(message([&] { sparse::gemv(q, transpose::N, 1, handle, single, 0, single); }),
            "sparse::gemv: the handle's values have another type");
  EXPECT_EQ(
      message([&] { sparse::gemm(q, layout::row_major, transpose::N, transpose::N, 1, handle, x, 4, 3, 0, x, 4); }),
      "sparse::gemm: a leading dimension is too small");
  sycl::buffer<double, 1> b(3);
  EXPECT_EQ(message([&] { sparse::gemv(q, transpose::N, 1, handle, b, 0, b); }),
            "sparse::gemv: the handle's data and the operands are not both buffers");
  sparse::release_matrix_handle(q, &handle);
}

}  // namespace
