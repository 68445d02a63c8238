// oneapi::mkl::blas, level 2: matrices and vectors, in both layouts.
#include "mkl_operands.hpp"

namespace {

using namespace mkl_test;
using mkl::diag;
using mkl::transpose;
using mkl::uplo;

constexpr transpose operations[] = {transpose::N, transpose::T, transpose::C};
constexpr uplo triangles[] = {uplo::upper, uplo::lower};
constexpr diag diagonals[] = {diag::nonunit, diag::unit};
constexpr std::pair<int64_t, int64_t> increments[] = {{1, 1}, {2, 3}};
const char *name_of(bool row_major) { return row_major ? ", row-major" : ", column-major"; }

/// Calls test(form, row_major, incx, incy, description) for all kinds of memory, layouts and increments.
template <class Test> void for_layouts(Test test) {
  for (const form how : all_forms)
    for (const bool row_major : {false, true})
      for (const auto &[incx, incy] : increments)
        test(how, row_major, incx, incy,
             std::string(mkl_test::name_of(how)) + name_of(row_major) + ", increments " + std::to_string(incx) +
                 " and " + std::to_string(incy));
}

template <class T> class mkl_matrix_vector : public ::testing::Test {};
TYPED_TEST_SUITE(mkl_matrix_vector, numbers);

TYPED_TEST(mkl_matrix_vector, gemv_is_a_product) {
  using T = TypeParam;
  for_layouts([](form how, bool row, int64_t incx, int64_t incy, const std::string &where) {
    for (const auto &[m, n] : {std::pair<int64_t, int64_t>{1, 1}, {5, 9}, {130, 70}})
      for (const transpose op : operations) {
        dense<T> a(m, n, row);
        const int64_t rows = op == transpose::N ? m : n, columns = op == transpose::N ? n : m;
        strided<T> x(columns, incx), y(rows, incy), expected = y;
        const T alpha = random_number<T>(), beta = random_number<T>();
        for (int64_t i = 0; i < rows; ++i) {
          T sum{};
          for (int64_t j = 0; j < columns; ++j) sum += element(a, op, i, j) * x[j];
          expected[i] = alpha * sum + beta * y[i];
        }
        call(
            how,
            [&](sycl::queue &q, auto &pa, auto &px, auto &py) {
              MKL_BLAS(row, gemv, q, op, m, n, alpha, pa, a.leading, px, incx, beta, py, incy);
            },
            a.memory, x.memory, y.memory);
        expect_near(y.memory, expected.memory, tolerance<T>(columns), where);
      }
  });
}

TYPED_TEST(mkl_matrix_vector, gbmv_multiplies_a_band) {
  using T = TypeParam;
  for_layouts([](form how, bool row, int64_t incx, int64_t incy, const std::string &where) {
    const int64_t m = 20, n = 17, lower = 2, upper = 3, leading = 8;
    for (const transpose op : operations) {
      if (row && is_complex<T> && op == transpose::C && lacks_conjugation()) continue;
      dense<T> a(m, n, row);
      std::vector<T> stored = band(a, lower, upper, leading);
      const int64_t rows = op == transpose::N ? m : n, columns = op == transpose::N ? n : m;
      strided<T> x(columns, incx), y(rows, incy), expected = y;
      const T alpha = random_number<T>(), beta = random_number<T>();
      for (int64_t i = 0; i < rows; ++i) {
        T sum{};
        for (int64_t j = 0; j < columns; ++j) sum += element(a, op, i, j) * x[j];
        expected[i] = alpha * sum + beta * y[i];
      }
      call(
          how,
          [&](sycl::queue &q, auto &pa, auto &px, auto &py) {
            MKL_BLAS(row, gbmv, q, op, m, n, lower, upper, alpha, pa, leading, px, incx, beta, py, incy);
          },
          stored, x.memory, y.memory);
      expect_near(y.memory, expected.memory, tolerance<T>(columns), where);
    }
  });
}

TYPED_TEST(mkl_matrix_vector, symmetric_and_hermitian_matrices_are_multiplied) {
  using T = TypeParam;
  for_layouts([](form how, bool row, int64_t incx, int64_t incy, const std::string &where) {
    for (const int64_t n : {1, 23})
      for (const uplo half : triangles) {
        const T alpha = random_number<T>(), beta = random_number<T>();
        dense<T> a(n, n, row);
        strided<T> x(n, incx), y(n, incy);
        const auto expected_of = [&](dense<T> &from) {
          strided<T> expected = y;
          for (int64_t i = 0; i < n; ++i) {
            T sum{};
            for (int64_t j = 0; j < n; ++j) sum += mirrored(from, half, is_complex<T>, i, j) * x[j];
            expected[i] = alpha * sum + beta * y[i];
          }
          return expected.memory;
        };
        std::vector<T> result = y.memory;
        call(
            how,
            [&](sycl::queue &q, auto &pa, auto &px, auto &py) {
              if constexpr (is_complex<T>)
                MKL_BLAS(row, hemv, q, half, n, alpha, pa, a.leading, px, incx, beta, py, incy);
              else
                MKL_BLAS(row, symv, q, half, n, alpha, pa, a.leading, px, incx, beta, py, incy);
            },
            a.memory, x.memory, result);
        expect_near(result, expected_of(a), tolerance<T>(n), where + ", dense");
        if (row && is_complex<T> && lacks_conjugation()) continue;

        std::vector<T> packed = pack(a, half);
        result = y.memory;
        call(
            how,
            [&](sycl::queue &q, auto &pa, auto &px, auto &py) {
              if constexpr (is_complex<T>)
                MKL_BLAS(row, hpmv, q, half, n, alpha, pa, px, incx, beta, py, incy);
              else
                MKL_BLAS(row, spmv, q, half, n, alpha, pa, px, incx, beta, py, incy);
            },
            packed, x.memory, result);
        expect_near(result, expected_of(a), tolerance<T>(n), where + ", packed");

        const int64_t k = std::min<int64_t>(3, n - 1), leading = 6;
        std::vector<T> stored = band(a, half == uplo::upper ? 0 : k, half == uplo::upper ? k : 0, leading);
        result = y.memory;
        call(
            how,
            [&](sycl::queue &q, auto &pa, auto &px, auto &py) {
              if constexpr (is_complex<T>)
                MKL_BLAS(row, hbmv, q, half, n, k, alpha, pa, leading, px, incx, beta, py, incy);
              else
                MKL_BLAS(row, sbmv, q, half, n, k, alpha, pa, leading, px, incx, beta, py, incy);
            },
            stored, x.memory, result);
        expect_near(result, expected_of(a), tolerance<T>(n), where + ", band");
      }
  });
}

TYPED_TEST(mkl_matrix_vector, rank_1_updates_add_outer_products) {
  using T = TypeParam;
  for_layouts([](form how, bool row, int64_t incx, int64_t incy, const std::string &where) {
    const int64_t m = 13, n = 21;
    for (const bool conjugated : {false, true}) {
      if (conjugated && !is_complex<T>) continue;
      dense<T> a(m, n, row), expected = a;
      strided<T> x(m, incx), y(n, incy);
      const T alpha = random_number<T>();
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) expected(i, j) += alpha * x[i] * (conjugated ? conj(y[j]) : y[j]);
      call(
          how,
          [&](sycl::queue &q, auto &px, auto &py, auto &pa) {
            if constexpr (!is_complex<T>)
              MKL_BLAS(row, ger, q, m, n, alpha, px, incx, py, incy, pa, a.leading);
            else if (conjugated)
              MKL_BLAS(row, gerc, q, m, n, alpha, px, incx, py, incy, pa, a.leading);
            else
              MKL_BLAS(row, geru, q, m, n, alpha, px, incx, py, incy, pa, a.leading);
          },
          x.memory, y.memory, a.memory);
      expect_near(a.memory, expected.memory, tolerance<T>(2), where);
    }
  });
}

TYPED_TEST(mkl_matrix_vector, updates_of_symmetric_and_hermitian_matrices) {
  using T = TypeParam;
  using R = real_type<T>;
  for_layouts([](form how, bool row, int64_t incx, int64_t incy, const std::string &where) {
    const int64_t n = 19;
    for (const uplo half : triangles)
      for (const bool packs : {false, true}) {
        if (packs && row && is_complex<T> && lacks_conjugation()) continue;
        const auto inside = [&](int64_t i, int64_t j) { return half == uplo::upper ? i <= j : i >= j; };
        dense<T> a(n, n, row);
        for (int64_t i = 0; i < n; ++i) a(i, i) = std::real(a(i, i));  // a Hermitian diagonal is real
        strided<T> x(n, incx), y(n, incy);
        const R real_alpha = random_number<R>();
        const T alpha = random_number<T>();

        dense<T> once = a, twice = a;
        for (int64_t i = 0; i < n; ++i)
          for (int64_t j = 0; j < n; ++j)
            if (inside(i, j)) {
              once(i, j) += real_alpha * x[i] * conj(x[j]);
              twice(i, j) += alpha * x[i] * conj(y[j]) + conj(alpha) * y[i] * conj(x[j]);
            }
        dense<T> result = a;
        std::vector<T> stored = packs ? pack(a, half) : a.memory;
        const auto read = [&] { packs ? unpack(stored, half, result) : void(result.memory = stored); };
        call(
            how,
            [&](sycl::queue &q, auto &px, auto &pa) {
              if constexpr (is_complex<T>)
                packs ? MKL_BLAS(row, hpr, q, half, n, real_alpha, px, incx, pa)
                      : MKL_BLAS(row, her, q, half, n, real_alpha, px, incx, pa, a.leading);
              else
                packs ? MKL_BLAS(row, spr, q, half, n, real_alpha, px, incx, pa)
                      : MKL_BLAS(row, syr, q, half, n, real_alpha, px, incx, pa, a.leading);
            },
            x.memory, stored);
        read();
        expect_near(result.memory, once.memory, tolerance<T>(2), where + ", one vector");

        result = a;
        stored = packs ? pack(a, half) : a.memory;
        call(
            how,
            [&](sycl::queue &q, auto &px, auto &py, auto &pa) {
              if constexpr (is_complex<T>)
                packs ? MKL_BLAS(row, hpr2, q, half, n, alpha, px, incx, py, incy, pa)
                      : MKL_BLAS(row, her2, q, half, n, alpha, px, incx, py, incy, pa, a.leading);
              else
                packs ? MKL_BLAS(row, spr2, q, half, n, alpha, px, incx, py, incy, pa)
                      : MKL_BLAS(row, syr2, q, half, n, alpha, px, incx, py, incy, pa, a.leading);
            },
            x.memory, y.memory, stored);
        read();
        expect_near(result.memory, twice.memory, tolerance<T>(4), where + ", two vectors");
      }
  });
}

/// Multiplies by triangular matrices in all forms of storage, and solves with the product.
TYPED_TEST(mkl_matrix_vector, triangular_products_and_solutions_are_inverse) {
  using T = TypeParam;
  for_layouts([](form how, bool row, int64_t incx, int64_t, const std::string &layout) {
    const int64_t n = 14, k = 3, leading = 7;
    for (const uplo half : triangles)
      for (const transpose op : operations)
        for (const diag unit : diagonals)
          for (const std::string storage : {"dense", "packed", "band"}) {
            if (storage != "dense" && row && is_complex<T> && op == transpose::C && lacks_conjugation()) continue;
            const std::string where = layout + ", " + storage;
            dense<T> a(n, n, row);
            for (int64_t i = 0; i < n; ++i) {
              for (int64_t j = 0; j < n; ++j) a(i, j) *= T(real_type<T>(0.2));
              a(i, i) = T(2) + a(i, i);
            }
            std::vector<T> stored = storage == "packed" ? pack(a, half)
                                    : storage == "band"
                                        ? band(a, half == uplo::upper ? 0 : k, half == uplo::upper ? k : 0, leading)
                                        : a.memory;
            strided<T> x(n, incx), product = x;
            const strided<T> original = x;
            for (int64_t i = 0; i < n; ++i) {
              product[i] = T();
              for (int64_t j = 0; j < n; ++j) product[i] += triangular(a, half, unit, op, i, j) * x[j];
            }
            call(
                how,
                [&](sycl::queue &q, auto &pa, auto &px) {
                  if (storage == "dense")
                    MKL_BLAS(row, trmv, q, half, op, unit, n, pa, a.leading, px, incx);
                  else if (storage == "packed")
                    MKL_BLAS(row, tpmv, q, half, op, unit, n, pa, px, incx);
                  else
                    MKL_BLAS(row, tbmv, q, half, op, unit, n, k, pa, leading, px, incx);
                },
                stored, x.memory);
            expect_near(x.memory, product.memory, tolerance<T>(n), where + ", product");
            call(
                how,
                [&](sycl::queue &q, auto &pa, auto &px) {
                  if (storage == "dense")
                    MKL_BLAS(row, trsv, q, half, op, unit, n, pa, a.leading, px, incx);
                  else if (storage == "packed")
                    MKL_BLAS(row, tpsv, q, half, op, unit, n, pa, px, incx);
                  else
                    MKL_BLAS(row, tbsv, q, half, op, unit, n, k, pa, leading, px, incx);
                },
                stored, x.memory);
            expect_near(x.memory, original.memory, tolerance<T>(4 * n), where + ", solution");
          }
  });
}

TEST(mkl_matrix_vector_increments, may_be_negative) {
  for (const form how : all_forms) {
    dense<double> a(3, 4, false);
    strided<double> x(4, -2), y(3, -1), expected = y;
    for (int64_t i = 0; i < 3; ++i) {
      expected[i] = 0;
      for (int64_t j = 0; j < 4; ++j) expected[i] += a(i, j) * x[j];
    }
    call(
        how,
        [&](sycl::queue &q, auto &pa, auto &px, auto &py) {
          oneapi::mkl::blas::gemv(q, transpose::N, 3, 4, 1, pa, a.leading, px, -2, 0, py, -1);
        },
        a.memory, x.memory, y.memory);
    expect_near(y.memory, expected.memory, tolerance<double>(4), mkl_test::name_of(how));
  }
}

}  // namespace
