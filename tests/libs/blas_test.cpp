// BLAS by its table: every function and element type against loops.
#include "matrices.hpp"

namespace dpep::libs::test {
namespace {

template <class T> struct blas : ::testing::Test {
  const cpu_library &library = require_cpu_library("blas");
  const blas_table<T> &table = library.blas<T>();
  T one = 1, zero = 0;
};
TYPED_TEST_SUITE(blas, types);

TYPED_TEST(blas, gemm_multiplies_row_and_column_major_matrices) {
  using T = TypeParam;
  matrix<T> a = random<T>(7, 5, 1), b = random<T>(5, 9, 2);
  const matrix<T> wanted = product(a, b);
  matrix<T> c(7, 9);
  this->table.gemm(matrix_order::column_major, transposition::none, transposition::none, 7, 9, 5,
                   as_coefficient(this->one), a.data(), 7, b.data(), 5, as_coefficient(this->zero), c.data(), 7);
  expect_near(c, wanted);
  // the memory of a column-major matrix is that of its row-major transpose: c = (b' a')'
  matrix<T> d(7, 9);
  this->table.gemm(matrix_order::row_major, transposition::none, transposition::none, 9, 7, 5,
                   as_coefficient(this->one), b.data(), 5, a.data(), 7, as_coefficient(this->zero), d.data(), 7);
  expect_near(d, wanted);
}

TYPED_TEST(blas, gemm_conjugates_and_accumulates) {
  using T = TypeParam;
  matrix<T> a = random<T>(5, 7, 3), b = random<T>(5, 4, 4), c = random<T>(7, 4, 5);
  matrix<T> wanted = product(adjoint(a), b);
  for (std::size_t i = 0; i < wanted.values.size(); ++i) wanted.values[i] += c.values[i];
  this->table.gemm(matrix_order::column_major, transposition::conjugate, transposition::none, 7, 4, 5,
                   as_coefficient(this->one), a.data(), 5, b.data(), 5, as_coefficient(this->one), c.data(), 7);
  expect_near(c, wanted);
}

TYPED_TEST(blas, gemv_multiplies_by_a_vector_with_a_step) {
  using T = TypeParam;
  matrix<T> a = random<T>(6, 4, 6), x = random<T>(2, 4, 7), y(6, 1), first(4, 1);
  for (integer i = 0; i < 4; ++i) first(i, 0) = x(0, i);
  this->table.gemv(matrix_order::column_major, transposition::none, 6, 4, as_coefficient(this->one), a.data(), 6,
                   x.data(), 2, as_coefficient(this->zero), y.data(), 1);
  expect_near(y, product(a, first));
}

TYPED_TEST(blas, trsm_solves_triangular_systems) {
  using T = TypeParam;
  matrix<T> a = random<T>(6, 6, 8), b = random<T>(6, 3, 9);
  for (integer i = 0; i < 6; ++i) {
    a(i, i) += T(4);
    for (integer j = i + 1; j < 6; ++j) a(i, j) = 0;
  }
  matrix<T> x = b;
  this->table.trsm(matrix_order::column_major, side::left, triangle::lower, transposition::none, diagonal::general, 6,
                   3, as_coefficient(this->one), a.data(), 6, x.data(), 6);
  expect_near(product(a, x), b);
}

TYPED_TEST(blas, dot_conjugates_if_asked) {
  using T = TypeParam;
  const matrix<T> x = random<T>(50, 1, 10), y = random<T>(50, 2, 11);
  T plain{}, conjugated{};
  for (integer i = 0; i < 50; ++i) {
    plain += x(i, 0) * y(i, 0);
    conjugated += conjugate(x(i, 0)) * y(i, 0);
  }
  const auto tolerance = real_type<T>(1e-4);
  EXPECT_LE(std::abs(dot(this->table, false, 50, x.values.data(), 1, y.values.data(), 1) - plain), tolerance);
  EXPECT_LE(std::abs(dot(this->table, true, 50, x.values.data(), 1, y.values.data(), 1) - conjugated), tolerance);
}

}  // namespace
}  // namespace dpep::libs::test
