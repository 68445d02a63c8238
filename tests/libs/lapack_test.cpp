// LAPACK by its table: the residuals of every function and element type.
#include "matrices.hpp"

namespace dpep::libs::test {
namespace {

template <class T> struct lapack : ::testing::Test {
  const lapack_table<T> &table = require_cpu_library("lapack").lapack<T>();
  using R = real_type<T>;
  integer info = -1;
  // generous workspaces, so that no test has to ask for their sizes
  integer work_size = 10000;
  std::vector<T> work = std::vector<T>(10000);
  std::vector<R> real_work = std::vector<R>(10000);
  std::vector<integer> integers = std::vector<integer>(10000);
};
TYPED_TEST_SUITE(lapack, types);

constexpr integer n = 6, columns = 3;

TYPED_TEST(lapack, getrf_and_getrs_factorize_and_solve) {
  using T = TypeParam;
  const matrix<T> a = random<T>(n, n, 1), b = random<T>(n, columns, 2);
  matrix<T> factors = a, x = b;
  std::vector<integer> pivots(n);
  this->table.getrf(&n, &n, factors.data(), &n, pivots.data(), &this->info);
  ASSERT_EQ(this->info, 0);
  this->table.getrs("N", &n, &columns, factors.data(), &n, pivots.data(), x.data(), &n, &this->info, 1);
  ASSERT_EQ(this->info, 0);
  expect_near(product(a, x), b);
}

TYPED_TEST(lapack, gesv_solves_and_reports_singular_matrices) {
  using T = TypeParam;
  const matrix<T> a = random<T>(n, n, 3), b = random<T>(n, columns, 4);
  matrix<T> factors = a, x = b;
  std::vector<integer> pivots(n);
  this->table.gesv(&n, &columns, factors.data(), &n, pivots.data(), x.data(), &n, &this->info);
  ASSERT_EQ(this->info, 0);
  expect_near(product(a, x), b);
  matrix<T> zeros(n, n);
  this->table.gesv(&n, &columns, zeros.data(), &n, pivots.data(), x.data(), &n, &this->info);
  EXPECT_GT(this->info, 0);
}

TYPED_TEST(lapack, trtrs_solves_and_reports_zeros_on_the_diagonal) {
  using T = TypeParam;
  matrix<T> a = random<T>(n, n, 6), triangle(n, n);
  for (integer j = 0; j < n; ++j) {
    a(j, j) += T(4);
    for (integer i = j; i < n; ++i) triangle(i, j) = a(i, j);  // the upper triangle of a is not read
  }
  const matrix<T> b = random<T>(n, columns, 7);
  matrix<T> x = b;
  this->table.trtrs("L", "N", "N", &n, &columns, a.data(), &n, x.data(), &n, &this->info, 1, 1, 1);
  ASSERT_EQ(this->info, 0);
  expect_near(product(triangle, x), b);
  x = b;
  this->table.trtrs("L", "C", "N", &n, &columns, a.data(), &n, x.data(), &n, &this->info, 1, 1, 1);
  ASSERT_EQ(this->info, 0);
  expect_near(product(adjoint(triangle), x), b);
  a(2, 2) = T(0);
  this->table.trtrs("L", "N", "N", &n, &columns, a.data(), &n, x.data(), &n, &this->info, 1, 1, 1);
  EXPECT_EQ(this->info, 3);
}

TYPED_TEST(lapack, potrf_factorizes_positive_definite_matrices) {
  using T = TypeParam;
  const matrix<T> b = random<T>(n, n, 5);
  matrix<T> a = product(b, adjoint(b));
  for (integer i = 0; i < n; ++i) a(i, i) += T(1);
  matrix<T> factor = a;
  this->table.potrf("L", &n, factor.data(), &n, &this->info, 1);
  ASSERT_EQ(this->info, 0);
  for (integer j = 0; j < n; ++j)
    for (integer i = 0; i < j; ++i) factor(i, j) = 0;
  expect_near(product(factor, adjoint(factor)), a);
}

TYPED_TEST(lapack, geqrf_and_orgqr_give_orthonormal_columns) {
  using T = TypeParam;
  const matrix<T> a = random<T>(n, columns, 6);
  matrix<T> q = a, r(columns, columns);
  std::vector<T> tau(columns);
  this->table.geqrf(&n, &columns, q.data(), &n, tau.data(), this->work.data(), &this->work_size, &this->info);
  ASSERT_EQ(this->info, 0);
  for (integer j = 0; j < columns; ++j)
    for (integer i = 0; i <= j; ++i) r(i, j) = q(i, j);
  this->table.orgqr(&n, &columns, &columns, q.data(), &n, tau.data(), this->work.data(), &this->work_size, &this->info);
  ASSERT_EQ(this->info, 0);
  expect_near(product(adjoint(q), q), unit<T>(columns));
  expect_near(product(q, r), a);
}

TYPED_TEST(lapack, gesdd_gives_singular_values_and_vectors) {
  using T = TypeParam;
  const matrix<T> a = random<T>(n, columns, 7);
  matrix<T> copy = a, u(n, columns), vt(columns, columns);
  std::vector<typename TestFixture::R> s(columns);
  if constexpr (is_complex<T>)
    this->table.gesdd("S", &n, &columns, copy.data(), &n, s.data(), u.data(), &n, vt.data(), &columns,
                      this->work.data(), &this->work_size, this->real_work.data(), this->integers.data(), &this->info,
                      1);
  else
    this->table.gesdd("S", &n, &columns, copy.data(), &n, s.data(), u.data(), &n, vt.data(), &columns,
                      this->work.data(), &this->work_size, this->integers.data(), &this->info, 1);
  ASSERT_EQ(this->info, 0);
  EXPECT_GE(s[0], s[columns - 1]);
  expect_near(product(scaled(u, s), vt), a);
}

TYPED_TEST(lapack, heevd_gives_eigenvalues_and_vectors) {
  using T = TypeParam;
  const matrix<T> b = random<T>(n, n, 8);
  matrix<T> a = adjoint(b);
  for (std::size_t i = 0; i < a.values.size(); ++i) a.values[i] += b.values[i];
  matrix<T> v = a;
  std::vector<typename TestFixture::R> w(n);
  if constexpr (is_complex<T>)
    this->table.heevd("V", "L", &n, v.data(), &n, w.data(), this->work.data(), &this->work_size, this->real_work.data(),
                      &this->work_size, this->integers.data(), &this->work_size, &this->info, 1, 1);
  else
    this->table.heevd("V", "L", &n, v.data(), &n, w.data(), this->work.data(), &this->work_size, this->integers.data(),
                      &this->work_size, &this->info, 1, 1);
  ASSERT_EQ(this->info, 0);
  expect_near(product(a, v), scaled(v, w));
}

TYPED_TEST(lapack, gelsd_solves_least_squares) {
  using T = TypeParam;
  const matrix<T> a = random<T>(n, columns, 9), wanted = random<T>(columns, 2, 10), b = product(a, wanted);
  matrix<T> copy = a, x = b, top(columns, 2);
  const integer right = 2;
  integer rank = 0;
  std::vector<typename TestFixture::R> s(columns);
  const typename TestFixture::R condition = -1;
  if constexpr (is_complex<T>)
    this->table.gelsd(&n, &columns, &right, copy.data(), &n, x.data(), &n, s.data(), &condition, &rank,
                      this->work.data(), &this->work_size, this->real_work.data(), this->integers.data(), &this->info);
  else
    this->table.gelsd(&n, &columns, &right, copy.data(), &n, x.data(), &n, s.data(), &condition, &rank,
                      this->work.data(), &this->work_size, this->integers.data(), &this->info);
  ASSERT_EQ(this->info, 0);
  EXPECT_EQ(rank, columns);
  for (integer j = 0; j < right; ++j)
    for (integer i = 0; i < columns; ++i) top(i, j) = x(i, j);
  expect_near(top, wanted);
}

TYPED_TEST(lapack, geev_gives_eigenvalues_whose_sum_is_the_trace) {
  using T = TypeParam;
  using R = typename TestFixture::R;
  const matrix<T> a = random<T>(n, n, 11);
  matrix<T> copy = a, vectors(n, n);
  T trace{};
  for (integer i = 0; i < n; ++i) trace += a(i, i);
  const integer one = 1;
  std::complex<R> sum = 0;
  if constexpr (is_complex<T>) {
    std::vector<T> w(n);
    this->table.geev("N", "V", &n, copy.data(), &n, w.data(), nullptr, &one, vectors.data(), &n, this->work.data(),
                     &this->work_size, this->real_work.data(), &this->info, 1, 1);
    for (const T &x : w) sum += x;
    expect_near(product(a, vectors), scaled(vectors, w));
  } else {
    std::vector<R> real(n), imaginary(n);
    this->table.geev("N", "V", &n, copy.data(), &n, real.data(), imaginary.data(), nullptr, &one, vectors.data(), &n,
                     this->work.data(), &this->work_size, &this->info, 1, 1);
    for (std::size_t i = 0; i < real.size(); ++i) sum += std::complex<R>(real[i], imaginary[i]);
  }
  ASSERT_EQ(this->info, 0);
  EXPECT_LE(std::abs(sum - std::complex<R>(trace)), R(1e-4));
}

}  // namespace
}  // namespace dpep::libs::test
