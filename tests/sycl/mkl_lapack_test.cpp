// oneapi::mkl::lapack: factorisations, solutions, eigenvalues and singular values of column-major matrices.
#include <limits>
#include <numeric>

#include "mkl_operands.hpp"

namespace {

using namespace mkl_test;
namespace lapack = oneapi::mkl::lapack;
using mkl::job;
using mkl::jobsvd;
using mkl::transpose;
using mkl::uplo;

constexpr transpose operations[] = {transpose::N, transpose::T, transpose::C};
constexpr uplo triangles[] = {uplo::upper, uplo::lower};

/// Calls test(form, description) for all kinds of memory.
template <class Test> void for_forms(Test test) {
  for (const form how : all_forms) test(how, std::string(name_of(how)));
}
template <class T> std::vector<T> scratch_of(int64_t size) {
  return std::vector<T>(static_cast<std::size_t>(std::max<int64_t>(size, 1)));
}

/// A matrix whose condition is small.
template <class T> dense<T> square(int64_t n) {
  dense<T> a(n, n, false);
  for (int64_t i = 0; i < n; ++i) a(i, i) += T(real_type<T>(n) / 4 + 2);
  return a;
}
/// A Hermitian matrix; positive definite if the diagonal is shifted.
template <class T> dense<T> hermitian(int64_t n, double shift) {
  dense<T> a(n, n, false);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < i; ++j) a(i, j) = conj(a(j, i));
    a(i, i) = T(real_type<T>(std::real(a(i, i)) + shift));
  }
  return a;
}
/// The product after the operations, of the first `k` columns of op(a).
template <class T>
dense<T> product(dense<T> &a, transpose op_a, dense<T> &b, transpose op_b, int64_t m, int64_t n, int64_t k) {
  dense<T> c(m, n, false, 0);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      c(i, j) = T();
      for (int64_t l = 0; l < k; ++l) c(i, j) += element(a, op_a, i, l) * element(b, op_b, l, j);
    }
  return c;
}
template <class T>
void expect_equal(dense<T> a, dense<T> b, int64_t m, int64_t n, double bound, const std::string &where) {
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      if (!(std::abs(a(i, j) - b(i, j)) <= bound)) {
        ADD_FAILURE() << where << ", element " << i << ", " << j << ": " << a(i, j) << " instead of " << b(i, j);
        return;
      }
}
template <class T> dense<T> unit(int64_t n) {
  dense<T> a(n, n, false, 0);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) a(i, j) = T(i == j);
  return a;
}

template <class T> class mkl_lapack : public ::testing::Test {};
TYPED_TEST_SUITE(mkl_lapack, numbers);

TYPED_TEST(mkl_lapack, getrf_factors_solve_and_invert) {
  using T = TypeParam;
  for_forms([](form how, const std::string &where) {
    for (const int64_t n : {1, 6, 100}) {
      const int64_t columns = 3;
      sycl::queue query;
      dense<T> a = square<T>(n), factors = a;
      std::vector<int64_t> pivots(static_cast<std::size_t>(n));
      std::vector<T> scratch = scratch_of<T>(lapack::getrf_scratchpad_size<T>(query, n, n, a.leading));
      call(
          how,
          [&](sycl::queue &q, auto &pa, auto &ipiv, auto &s) {
            lapack::getrf(q, n, n, pa, a.leading, ipiv, s, int64_t(scratch.size()));
          },
          factors.memory, pivots, scratch);
      // P L U = A
      dense<T> lower = unit<T>(n), upper = unit<T>(n);
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j) i > j ? lower(i, j) = factors(i, j) : upper(i, j) = factors(i, j);
      dense<T> all = product(lower, transpose::N, upper, transpose::N, n, n, n);
      for (int64_t i = n - 1; i >= 0; --i)
        for (int64_t j = 0; j < n; ++j) std::swap(all(i, j), all(pivots[std::size_t(i)] - 1, j));
      const double bound = tolerance<T>(n) * double(n);
      expect_equal(all, a, n, n, bound, where + ", factors");

      for (const transpose op : operations) {
        dense<T> x(n, columns, false), solution = x;
        std::vector<T> work =
            scratch_of<T>(lapack::getrs_scratchpad_size<T>(query, op, n, columns, factors.leading, solution.leading));
        call(
            how,
            [&](sycl::queue &q, auto &pa, auto &ipiv, auto &pb, auto &s) {
              lapack::getrs(q, op, n, columns, pa, factors.leading, ipiv, pb, solution.leading, s,
                            int64_t(work.size()));
            },
            factors.memory, pivots, solution.memory, work);
        expect_equal(product(a, op, solution, transpose::N, n, columns, n), x, n, columns, bound, where + ", solution");
      }

      dense<T> inverse = factors;
      std::vector<T> work = scratch_of<T>(lapack::getri_scratchpad_size<T>(query, n, inverse.leading));
      call(
          how,
          [&](sycl::queue &q, auto &pa, auto &ipiv, auto &s) {
            lapack::getri(q, n, pa, inverse.leading, ipiv, s, int64_t(work.size()));
          },
          inverse.memory, pivots, work);
      expect_equal(product(a, transpose::N, inverse, transpose::N, n, n, n), unit<T>(n), n, n, bound,
                   where + ", inverse");
    }
  });
}

TYPED_TEST(mkl_lapack, potrf_factors_and_solves) {
  using T = TypeParam;
  for_forms([](form how, const std::string &where) {
    for (const int64_t n : {1, 7, 90})
      for (const uplo half : triangles) {
        const int64_t columns = 2;
        sycl::queue query;
        dense<T> a = hermitian<T>(n, double(n) + 2), factor = a;
        std::vector<T> scratch = scratch_of<T>(lapack::potrf_scratchpad_size<T>(query, half, n, a.leading));
        call(
            how,
            [&](sycl::queue &q, auto &pa, auto &s) {
              lapack::potrf(q, half, n, pa, a.leading, s, int64_t(scratch.size()));
            },
            factor.memory, scratch);
        dense<T> triangle = unit<T>(n);
        for (int64_t i = 0; i < n; ++i)
          for (int64_t j = 0; j < n; ++j) triangle(i, j) = (half == uplo::upper ? i <= j : i >= j) ? factor(i, j) : T();
        const double bound = tolerance<T>(n) * double(n);
        const bool upper = half == uplo::upper;
        expect_equal(product(triangle, upper ? transpose::C : transpose::N, triangle,
                             upper ? transpose::N : transpose::C, n, n, n),
                     a, n, n, bound, where + ", factor");

        dense<T> x(n, columns, false), solution = x;
        std::vector<T> work =
            scratch_of<T>(lapack::potrs_scratchpad_size<T>(query, half, n, columns, factor.leading, solution.leading));
        call(
            how,
            [&](sycl::queue &q, auto &pa, auto &pb, auto &s) {
              lapack::potrs(q, half, n, columns, pa, factor.leading, pb, solution.leading, s, int64_t(work.size()));
            },
            factor.memory, solution.memory, work);
        expect_equal(product(a, transpose::N, solution, transpose::N, n, columns, n), x, n, columns, bound,
                     where + ", solution");
      }
  });
}

TYPED_TEST(mkl_lapack, geqrf_and_orgqr_give_orthogonal_factors) {
  using T = TypeParam;
  for_forms([](form how, const std::string &where) {
    for (const auto &[m, n] : {std::pair<int64_t, int64_t>{1, 1}, {9, 5}, {80, 80}}) {
      sycl::queue query;
      dense<T> a(m, n, false), q = a;
      std::vector<T> tau(static_cast<std::size_t>(n));
      std::vector<T> scratch = scratch_of<T>(lapack::geqrf_scratchpad_size<T>(query, m, n, a.leading));
      call(
          how,
          [&](sycl::queue &on, auto &pa, auto &pt, auto &s) {
            lapack::geqrf(on, m, n, pa, a.leading, pt, s, int64_t(scratch.size()));
          },
          q.memory, tau, scratch);
      dense<T> r(n, n, false);
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j) r(i, j) = i <= j ? q(i, j) : T();
      if constexpr (is_complex<T>)
        scratch = scratch_of<T>(lapack::ungqr_scratchpad_size<T>(query, m, n, n, a.leading));
      else
        scratch = scratch_of<T>(lapack::orgqr_scratchpad_size<T>(query, m, n, n, a.leading));
      call(
          how,
          [&](sycl::queue &on, auto &pa, auto &pt, auto &s) {
            if constexpr (is_complex<T>)
              lapack::ungqr(on, m, n, n, pa, a.leading, pt, s, int64_t(scratch.size()));
            else
              lapack::orgqr(on, m, n, n, pa, a.leading, pt, s, int64_t(scratch.size()));
          },
          q.memory, tau, scratch);
      const double bound = tolerance<T>(m) * 4;
      expect_equal(product(q, transpose::C, q, transpose::N, n, n, m), unit<T>(n), n, n, bound, where + ", Q");
      expect_equal(product(q, transpose::N, r, transpose::N, m, n, n), a, m, n, bound, where + ", Q R");
    }
  });
}

TYPED_TEST(mkl_lapack, syevd_gives_ascending_eigenvalues_and_vectors) {
  using T = TypeParam;
  using R = real_type<T>;
  for_forms([](form how, const std::string &where) {
    for (const int64_t n : {1, 8, 60})
      for (const uplo half : triangles) {
        dense<T> a = hermitian<T>(n, 0), vectors = a;
        std::vector<R> values(static_cast<std::size_t>(n)), without(values);
        const auto compute = [&](job what, dense<T> &matrix, std::vector<R> &w) {
          sycl::queue query;
          std::vector<T> scratch;
          if constexpr (is_complex<T>)
            scratch = scratch_of<T>(lapack::heevd_scratchpad_size<T>(query, what, half, n, a.leading));
          else
            scratch = scratch_of<T>(lapack::syevd_scratchpad_size<T>(query, what, half, n, a.leading));
          call(
              how,
              [&](sycl::queue &q, auto &pa, auto &pw, auto &s) {
                if constexpr (is_complex<T>)
                  lapack::heevd(q, what, half, n, pa, a.leading, pw, s, int64_t(scratch.size()));
                else
                  lapack::syevd(q, what, half, n, pa, a.leading, pw, s, int64_t(scratch.size()));
              },
              matrix.memory, w, scratch);
        };
        compute(job::vec, vectors, values);
        EXPECT_TRUE(std::ranges::is_sorted(values)) << where;
        dense<T> scaled = vectors;
        for (int64_t i = 0; i < n; ++i)
          for (int64_t j = 0; j < n; ++j) scaled(i, j) *= values[std::size_t(j)];
        const double bound = tolerance<T>(n) * 8;
        expect_equal(product(a, transpose::N, vectors, transpose::N, n, n, n), scaled, n, n, bound, where);
        expect_equal(product(vectors, transpose::C, vectors, transpose::N, n, n, n), unit<T>(n), n, n, bound, where);
        dense<T> copy = a;
        compute(job::novec, copy, without);
        for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], without[i], bound) << where;
      }
  });
}

TYPED_TEST(mkl_lapack, gesvd_gives_descending_values_and_vectors) {
  using T = TypeParam;
  using R = real_type<T>;
  for_forms([](form how, const std::string &where) {
    for (const auto &[m, n] : {std::pair<int64_t, int64_t>{1, 1}, {9, 5}, {5, 9}, {50, 50}}) {
      if (m < n && lacks_conjugation()) continue;  // cuSOLVER
      for (const jobsvd what : {jobsvd::vectors, jobsvd::somevec, jobsvd::novec}) {
        const int64_t least = std::min(m, n), u_columns = what == jobsvd::vectors ? m : least,
                      vt_rows = what == jobsvd::vectors ? n : least;
        dense<T> a(m, n, false), destroyed = a, u(m, u_columns, false), vt(vt_rows, n, false);
        std::vector<R> s(static_cast<std::size_t>(least));
        sycl::queue query;
        std::vector<T> scratch =
            scratch_of<T>(lapack::gesvd_scratchpad_size<T>(query, what, what, m, n, a.leading, u.leading, vt.leading));
        call(
            how,
            [&](sycl::queue &q, auto &pa, auto &ps, auto &pu, auto &pvt, auto &pw) {
              lapack::gesvd(q, what, what, m, n, pa, a.leading, ps, pu, u.leading, pvt, vt.leading, pw,
                            int64_t(scratch.size()));
            },
            destroyed.memory, s, u.memory, vt.memory, scratch);
        EXPECT_TRUE(std::ranges::is_sorted(s, std::greater())) << where;
        EXPECT_GE(s.back(), 0) << where;
        if (what == jobsvd::novec) {
          double squares = 0, norm = 0;
          for (const R x : s) squares += double(x) * double(x);
          for (int64_t i = 0; i < m; ++i)
            for (int64_t j = 0; j < n; ++j) norm += double(std::norm(a(i, j)));
          EXPECT_NEAR(squares, norm, tolerance<T>(m * n) * norm) << where;
          continue;
        }
        const double bound = tolerance<T>(m + n) * 8;
        expect_equal(product(u, transpose::C, u, transpose::N, u_columns, u_columns, m), unit<T>(u_columns), u_columns,
                     u_columns, bound, where + ", U");
        for (int64_t i = 0; i < m; ++i)
          for (int64_t j = 0; j < least; ++j) u(i, j) *= s[std::size_t(j)];
        expect_equal(product(u, transpose::N, vt, transpose::N, m, n, least), a, m, n, bound, where + ", U S V");
      }
    }
  });
}

TYPED_TEST(mkl_lapack, gesvd_overwrites_the_matrix_with_vectors) {
  using T = TypeParam;
  using R = real_type<T>;
  for_forms([](form how, const std::string &where) {
    const int64_t m = 7, n = 4;
    dense<T> a(m, n, false), u = a, vt(n, n, false);
    std::vector<R> s(4);
    std::vector<T> unused(1);
    sycl::queue query;
    std::vector<T> scratch = scratch_of<T>(
        lapack::gesvd_scratchpad_size<T>(query, jobsvd::vectorsina, jobsvd::somevec, m, n, a.leading, 1, vt.leading));
    call(
        how,
        [&](sycl::queue &q, auto &pa, auto &ps, auto &pu, auto &pvt, auto &pw) {
          lapack::gesvd(q, jobsvd::vectorsina, jobsvd::somevec, m, n, pa, a.leading, ps, pu, 1, pvt, vt.leading, pw,
                        int64_t(scratch.size()));
        },
        u.memory, s, unused, vt.memory, scratch);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) u(i, j) *= s[std::size_t(j)];
    expect_equal(product(u, transpose::N, vt, transpose::N, m, n, n), a, m, n, tolerance<T>(m) * 8, where);
  });
}

TYPED_TEST(mkl_lapack, gels_minimises_residuals_and_norms) {
  using T = TypeParam;
  if (lacks_conjugation()) GTEST_SKIP() << "cuSOLVER does not have gels";
  for_forms([](form how, const std::string &where) {
    for (const auto &[m, n] : {std::pair<int64_t, int64_t>{1, 1}, {12, 5}, {5, 12}})
      for (const transpose op : {transpose::N, transpose::C}) {
        const int64_t columns = 2, rows = op == transpose::N ? m : n, unknowns = op == transpose::N ? n : m;
        dense<T> a(m, n, false), factors = a, b(std::max(m, n), columns, false), x = b;
        sycl::queue query;
        std::vector<T> scratch =
            scratch_of<T>(lapack::gels_scratchpad_size<T>(query, op, m, n, columns, a.leading, b.leading));
        call(
            how,
            [&](sycl::queue &q, auto &pa, auto &pb, auto &s) {
              lapack::gels(q, op, m, n, columns, pa, a.leading, pb, b.leading, s, int64_t(scratch.size()));
            },
            factors.memory, x.memory, scratch);
        dense<T> residual = product(a, op, x, transpose::N, rows, columns, unknowns);
        for (int64_t i = 0; i < rows; ++i)
          for (int64_t j = 0; j < columns; ++j) residual(i, j) -= b(i, j);
        const double bound = tolerance<T>(m + n) * 40;
        dense<T> zero(std::max(rows, unknowns), columns, false);
        std::ranges::fill(zero.memory, T());
        if (rows <= unknowns) {
          expect_equal(residual, zero, rows, columns, bound, where + ", exact solution");
        } else {  // the residual is orthogonal to the columns of op(a)
          const transpose adjoint = op == transpose::N ? transpose::C : transpose::N;
          expect_equal(product(a, adjoint, residual, transpose::N, unknowns, columns, rows), zero, unknowns, columns,
                       bound, where + ", least squares");
        }
      }
  });
}

// -- Errors

TEST(mkl_lapack_errors, of_computations_have_lapacks_code) {
  for_forms([](form how, const std::string &where) {
    std::vector<double> a{1, 2, 2, 1}, scratch(1000);
    try {
      call(
          how,
          [&](sycl::queue &q, auto &pa, auto &s) {
            lapack::potrf(q, uplo::upper, 2, pa, 2, s, int64_t(scratch.size()));
            q.wait_and_throw();
          },
          a, scratch);
      ADD_FAILURE() << where << ": no exception";
    } catch (const lapack::computation_error &e) {
      EXPECT_EQ(e.info(), 2) << where;
      EXPECT_STREQ(e.what(), "lapack::potrf: the matrix is not positive definite: its leading minor of order 2 is not");
    }
    std::vector<double> singular{1, 1, 1, 1};
    std::vector<int64_t> pivots(2);
    EXPECT_THROW(call(
                     how,
                     [&](sycl::queue &q, auto &pa, auto &ipiv, auto &s) {
                       lapack::getrf(q, 2, 2, pa, 2, ipiv, s, int64_t(scratch.size()));
                       q.wait_and_throw();
                     },
                     singular, pivots, scratch),
                 mkl::computation_error)
        << where;
  });
}

TEST(mkl_lapack_errors, of_delayed_computations_are_errors_of_the_queue) {
  sycl::queue q;
  double *const a = sycl::malloc_shared<double>(4, q), *const scratch = sycl::malloc_shared<double>(100, q);
  const sycl::event filled = q.submit([&](sycl::handler &h) { h.host_task([=] { std::fill_n(a, 4, -1.0); }); });
  EXPECT_THROW(
      {
        lapack::potrf(q, uplo::upper, 2, a, 2, scratch, 100, {filled});
        q.wait_and_throw();
      },
      lapack::computation_error);
  sycl::free(a, q);
  sycl::free(scratch, q);
}

TEST(mkl_lapack_errors, of_arguments_name_the_bound) {
  sycl::queue q;
  double *const a = sycl::malloc_shared<double>(100, q);
  int64_t *const pivots = sycl::malloc_shared<int64_t>(10, q);
  const auto expect = [&](auto make, int64_t info, int64_t detail, const std::string &message) {
    try {
      make();
      ADD_FAILURE() << message << ": no exception";
    } catch (const lapack::invalid_argument &e) {
      EXPECT_EQ(e.info(), info) << message;
      EXPECT_EQ(e.detail(), detail) << message;
      EXPECT_STREQ(e.what(), message.c_str());
    }
  };
  expect([&] { lapack::getrf(q, -1, 2, a, 2, pivots, a, 100); }, -1, 0,
         "lapack::getrf: m is -1, but must not be negative");
  expect([&] { lapack::getrf(q, 3, 2, a, 2, pivots, a, 100); }, -4, 0,
         "lapack::getrf: lda is 2, but must be at least 3");
  expect([&] { lapack::orgqr(q, 2, 3, 2, a, 2, a, a, 100); }, -2, 0,
         "lapack::orgqr: expected m >= n >= k, got 2, 3 and 2");
  if (const int64_t needed = lapack::geqrf_scratchpad_size<double>(q, 5, 5, 5); needed > 1)
    expect([&] { lapack::geqrf(q, 5, 5, a, 5, a, a, 1); }, 1, needed,
           "lapack::geqrf: the scratchpad has 1 elements, but " + std::to_string(needed) + " are needed");
  expect([&] { lapack::potrf(q, uplo::upper, 2, static_cast<double *>(nullptr), 2, a, 100); }, -4, 0,
         "lapack::potrf: operand 1 is a null pointer");
  sycl::free(a, q);
  sycl::free(pivots, q);
}

}  // namespace
