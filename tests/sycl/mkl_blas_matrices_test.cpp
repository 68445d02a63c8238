// oneapi::mkl::blas, level 3 and batches: products of matrices, in both layouts.
#include "mkl_operands.hpp"

namespace {

using namespace mkl_test;
using mkl::diag;
using mkl::side;
using mkl::transpose;
using mkl::uplo;

constexpr transpose operations[] = {transpose::N, transpose::T, transpose::C};
constexpr uplo triangles[] = {uplo::upper, uplo::lower};
constexpr side sides[] = {side::left, side::right};

/// Calls test(form, row_major, description) for all kinds of memory and layouts.
template <class Test> void for_layouts(Test test) {
  for (const form how : all_forms)
    for (const bool row_major : {false, true})
      test(how, row_major, std::string(name_of(how)) + (row_major ? ", row-major" : ", column-major"));
}

template <class T> class mkl_matrices : public ::testing::Test {};
TYPED_TEST_SUITE(mkl_matrices, numbers);

TYPED_TEST(mkl_matrices, gemm_multiplies_all_transposes) {
  using T = TypeParam;
  for_layouts([](form how, bool row, const std::string &where) {
    for (const auto &[m, n, k] : {std::tuple<int64_t, int64_t, int64_t>{1, 1, 1}, {5, 7, 3}, {70, 33, 90}})
      for (const transpose op_a : operations)
        for (const transpose op_b : operations) {
          dense<T> a = dense_for<T>(op_a, m, k, row), b = dense_for<T>(op_b, k, n, row), c(m, n, row), expected = c;
          const T alpha = random_number<T>(), beta = random_number<T>();
          for (int64_t i = 0; i < m; ++i)
            for (int64_t j = 0; j < n; ++j) {
              T sum{};
              for (int64_t l = 0; l < k; ++l) sum += element(a, op_a, i, l) * element(b, op_b, l, j);
              expected(i, j) = alpha * sum + beta * c(i, j);
            }
          call(
              how,
              [&](sycl::queue &q, auto &pa, auto &pb, auto &pc) {
                MKL_BLAS(row, gemm, q, op_a, op_b, m, n, k, alpha, pa, a.leading, pb, b.leading, beta, pc, c.leading);
              },
              a.memory, b.memory, c.memory);
          expect_near(c.memory, expected.memory, tolerance<T>(k), where);
        }
  });
}

TYPED_TEST(mkl_matrices, symm_and_hemm_use_one_triangle) {
  using T = TypeParam;
  for_layouts([](form how, bool row, const std::string &where) {
    const int64_t m = 17, n = 23;
    for (const side at : sides)
      for (const uplo half : triangles)
        for (const bool hermitian : {false, true}) {
          if (hermitian && !is_complex<T>) continue;
          const int64_t order = at == side::left ? m : n;
          dense<T> a(order, order, row), b(m, n, row), c(m, n, row), expected = c;
          const T alpha = random_number<T>(), beta = random_number<T>();
          for (int64_t i = 0; i < m; ++i)
            for (int64_t j = 0; j < n; ++j) {
              T sum{};
              for (int64_t l = 0; l < order; ++l)
                sum += at == side::left ? mirrored(a, half, hermitian, i, l) * b(l, j)
                                        : b(i, l) * mirrored(a, half, hermitian, l, j);
              expected(i, j) = alpha * sum + beta * c(i, j);
            }
          call(
              how,
              [&](sycl::queue &q, auto &pa, auto &pb, auto &pc) {
                if constexpr (is_complex<T>)
                  if (hermitian) {
                    MKL_BLAS(row, hemm, q, at, half, m, n, alpha, pa, a.leading, pb, b.leading, beta, pc, c.leading);
                    return;
                  }
                MKL_BLAS(row, symm, q, at, half, m, n, alpha, pa, a.leading, pb, b.leading, beta, pc, c.leading);
              },
              a.memory, b.memory, c.memory);
          expect_near(c.memory, expected.memory, tolerance<T>(order), where);
        }
  });
}

/// syrk and syr2k (conjugated: herk and her2k) write one triangle only.
TYPED_TEST(mkl_matrices, rank_k_updates_write_one_triangle) {
  using T = TypeParam;
  using R = real_type<T>;
  for_layouts([](form how, bool row, const std::string &where) {
    const int64_t n = 21, k = 9;
    for (const uplo half : triangles)
      for (const bool transposed : {false, true})
        for (const bool hermitian : {false, true}) {
          if (hermitian && !is_complex<T>) continue;
          const transpose op = !transposed ? transpose::N : hermitian ? transpose::C : transpose::T;
          dense<T> a = dense_for<T>(op, n, k, row), b = dense_for<T>(op, n, k, row), c(n, n, row);
          if (hermitian)
            for (int64_t i = 0; i < n; ++i) c(i, i) = std::real(c(i, i));
          const R real_alpha = random_number<R>(), real_beta = random_number<R>();
          const T alpha = random_number<T>(), beta = random_number<T>();
          const auto other = [&](const T &x) { return hermitian ? conj(x) : x; };
          dense<T> one = c, two = c;
          for (int64_t i = 0; i < n; ++i)
            for (int64_t j = 0; j < n; ++j) {
              if (half == uplo::upper ? i > j : i < j) continue;
              T sum{}, sum_2{};
              for (int64_t l = 0; l < k; ++l) {
                const T ai = element(a, op, i, l), aj = element(a, op, j, l);
                const T bi = element(b, op, i, l), bj = element(b, op, j, l);
                sum += ai * other(aj);
                sum_2 += alpha * ai * other(bj) + other(alpha) * bi * other(aj);
              }
              one(i, j) = hermitian ? real_alpha * sum + real_beta * c(i, j) : alpha * sum + beta * c(i, j);
              two(i, j) = sum_2 + (hermitian ? real_beta * c(i, j) : beta * c(i, j));
            }
          std::vector<T> result = c.memory;
          call(
              how,
              [&](sycl::queue &q, auto &pa, auto &pc) {
                if constexpr (is_complex<T>)
                  if (hermitian) {
                    MKL_BLAS(row, herk, q, half, op, n, k, real_alpha, pa, a.leading, real_beta, pc, c.leading);
                    return;
                  }
                MKL_BLAS(row, syrk, q, half, op, n, k, alpha, pa, a.leading, beta, pc, c.leading);
              },
              a.memory, result);
          expect_near(result, one.memory, tolerance<T>(k), where + ", one matrix");
          result = c.memory;
          call(
              how,
              [&](sycl::queue &q, auto &pa, auto &pb, auto &pc) {
                if constexpr (is_complex<T>)
                  if (hermitian) {
                    MKL_BLAS(row, her2k, q, half, op, n, k, alpha, pa, a.leading, pb, b.leading, real_beta, pc,
                             c.leading);
                    return;
                  }
                MKL_BLAS(row, syr2k, q, half, op, n, k, alpha, pa, a.leading, pb, b.leading, beta, pc, c.leading);
              },
              a.memory, b.memory, result);
          expect_near(result, two.memory, tolerance<T>(2 * k), where + ", two matrices");
        }
  });
}

TYPED_TEST(mkl_matrices, trmm_and_trsm_are_inverse) {
  using T = TypeParam;
  for_layouts([](form how, bool row, const std::string &where) {
    const int64_t m = 15, n = 11;
    for (const side at : sides)
      for (const uplo half : triangles)
        for (const transpose op : operations)
          for (const diag unit : {diag::nonunit, diag::unit}) {
            const int64_t order = at == side::left ? m : n;
            dense<T> a(order, order, row), b(m, n, row), product = b;
            for (int64_t i = 0; i < order; ++i) {
              for (int64_t j = 0; j < order; ++j) a(i, j) *= T(real_type<T>(0.2));
              a(i, i) = T(2) + a(i, i);
            }
            const std::vector<T> original = b.memory;
            const T alpha = T(2);
            for (int64_t i = 0; i < m; ++i)
              for (int64_t j = 0; j < n; ++j) {
                T sum{};
                for (int64_t l = 0; l < order; ++l)
                  sum += at == side::left ? triangular(a, half, unit, op, i, l) * b(l, j)
                                          : b(i, l) * triangular(a, half, unit, op, l, j);
                product(i, j) = alpha * sum;
              }
            call(
                how,
                [&](sycl::queue &q, auto &pa, auto &pb) {
                  MKL_BLAS(row, trmm, q, at, half, op, unit, m, n, alpha, pa, a.leading, pb, b.leading);
                },
                a.memory, b.memory);
            expect_near(b.memory, product.memory, tolerance<T>(2 * order), where + ", trmm");
            call(
                how,
                [&](sycl::queue &q, auto &pa, auto &pb) {
                  MKL_BLAS(row, trsm, q, at, half, op, unit, m, n, T(1) / alpha, pa, a.leading, pb, b.leading);
                },
                a.memory, b.memory);
            expect_near(b.memory, original, tolerance<T>(8 * order), where + ", trsm");
          }
  });
}

TYPED_TEST(mkl_matrices, gemm_batch_multiplies_matrices_at_strides) {
  using T = TypeParam;
  for_layouts([](form how, bool row, const std::string &where) {
    const int64_t m = 6, n = 5, k = 4, step_a = 60, step_b = 70, step_c = 80;
    for (const int64_t count : {0, 1, 50}) {
      const std::size_t batches = std::size_t(std::max<int64_t>(count, 1));
      std::vector<T> all_a(batches * step_a), all_b(batches * step_b), all_c(batches * step_c, T(3));
      std::vector<T> expected = all_c;
      const T alpha = random_number<T>(), beta = random_number<T>();
      int64_t lda = 0, ldb = 0, ldc = 0;
      for (std::size_t i = 0; i < std::size_t(count); ++i) {
        dense<T> a(m, k, row), b(n, k, row), c(m, n, row);  // b is transposed
        lda = a.leading, ldb = b.leading, ldc = c.leading;
        std::ranges::copy(a.memory, all_a.begin() + int64_t(i) * step_a);
        std::ranges::copy(b.memory, all_b.begin() + int64_t(i) * step_b);
        std::ranges::copy(c.memory, all_c.begin() + int64_t(i) * step_c);
        for (int64_t r = 0; r < m; ++r)
          for (int64_t s = 0; s < n; ++s) {
            T sum{};
            for (int64_t l = 0; l < k; ++l) sum += a(r, l) * b(s, l);
            c(r, s) = alpha * sum + beta * c(r, s);
          }
        std::ranges::copy(c.memory, expected.begin() + int64_t(i) * step_c);
      }
      if (!count) lda = ldb = ldc = 10;
      call(
          how,
          [&](sycl::queue &q, auto &pa, auto &pb, auto &pc) {
            MKL_BLAS(row, gemm_batch, q, transpose::N, transpose::T, m, n, k, alpha, pa, lda, step_a, pb, ldb, step_b,
                     beta, pc, ldc, step_c, count);
          },
          all_a, all_b, all_c);
      expect_near(all_c, expected, tolerance<T>(k), where);
    }
  });
}

TYPED_TEST(mkl_matrices, gemm_batch_multiplies_groups_of_sizes) {
  using T = TypeParam;
  for (const bool row : {false, true}) {
    sycl::queue q;
    const int64_t groups = 2, sizes[] = {3, 2}, m[] = {4, 7}, n[] = {5, 2}, k[] = {3, 6};
    const transpose op_a[] = {transpose::N, transpose::T}, op_b[] = {transpose::C, transpose::N};
    const std::vector<T> alpha = random_numbers<T>(groups), beta = random_numbers<T>(groups);
    std::vector<int64_t> lda(groups), ldb(groups), ldc(groups);
    std::vector<dense<T>> all_a, all_b, all_c, expected;
    std::vector<T *> pa, pb, pc;
    const auto on_device = [&](dense<T> &x) {
      T *const p = sycl::malloc_device<T>(x.memory.size(), q);
      q.copy(x.memory.data(), p, x.memory.size()).wait();
      return p;
    };
    for (int64_t g = 0; g < groups; ++g)
      for (int64_t i = 0; i < sizes[g]; ++i) {
        dense<T> a = dense_for<T>(op_a[g], m[g], k[g], row), b = dense_for<T>(op_b[g], k[g], n[g], row),
                 c(m[g], n[g], row), to = c;
        lda[std::size_t(g)] = a.leading, ldb[std::size_t(g)] = b.leading, ldc[std::size_t(g)] = c.leading;
        for (int64_t r = 0; r < m[g]; ++r)
          for (int64_t s = 0; s < n[g]; ++s) {
            T sum{};
            for (int64_t l = 0; l < k[g]; ++l) sum += element(a, op_a[g], r, l) * element(b, op_b[g], l, s);
            to(r, s) = alpha[std::size_t(g)] * sum + beta[std::size_t(g)] * c(r, s);
          }
        pa.push_back(on_device(a)), pb.push_back(on_device(b)), pc.push_back(on_device(c));
        all_c.push_back(c), expected.push_back(to);
      }
    MKL_BLAS(row, gemm_batch, q, op_a, op_b, m, n, k, alpha.data(), const_cast<const T **>(pa.data()), lda.data(),
             const_cast<const T **>(pb.data()), ldb.data(), beta.data(), pc.data(), ldc.data(), groups, sizes)
        .wait();
    for (std::size_t i = 0; i < pc.size(); ++i) {
      q.copy(pc[i], all_c[i].memory.data(), all_c[i].memory.size()).wait();
      expect_near(all_c[i].memory, expected[i].memory, tolerance<T>(6), row ? "row-major" : "column-major");
    }
    for (T *p : pa) sycl::free(p, q);
    for (T *p : pb) sycl::free(p, q);
    for (T *p : pc) sycl::free(p, q);
  }
}

/// The product in double precision of half-precision operands, and the bound on the error.
template <class Result> void check_half_gemm() {
  for_layouts([](form how, bool row, const std::string &where) {
    const int64_t m = 13, n = 10, k = 8;
    for (const transpose op_a : operations)
      for (const transpose op_b : operations) {
        dense<sycl::half> a = dense_for<sycl::half>(op_a, m, k, row), b = dense_for<sycl::half>(op_b, k, n, row);
        dense<Result> c(m, n, row), expected = c;
        for (int64_t i = 0; i < m; ++i)
          for (int64_t j = 0; j < n; ++j) {
            double sum = 0;
            for (int64_t l = 0; l < k; ++l)
              sum +=
                  double(op_a == transpose::N ? a(i, l) : a(l, i)) * double(op_b == transpose::N ? b(l, j) : b(j, l));
            expected(i, j) = Result(0.5 * sum + 2 * double(c(i, j)));
          }
        call(
            how,
            [&](sycl::queue &q, auto &pa, auto &pb, auto &pc) {
              MKL_BLAS(row, gemm, q, op_a, op_b, m, n, k, Result(0.5), pa, a.leading, pb, b.leading, Result(2), pc,
                       c.leading);
            },
            a.memory, b.memory, c.memory);
        const double bound = std::is_same_v<Result, float> ? 1e-5 : 4e-3;
        for (std::size_t i = 0; i < c.memory.size(); ++i)
          ASSERT_NEAR(double(c.memory[i]), double(expected.memory[i]), bound) << where << ", element " << i;
      }
  });
}
TEST(mkl_half_matrices, gemm_rounds_to_half) { check_half_gemm<sycl::half>(); }
TEST(mkl_half_matrices, gemm_has_single_results) { check_half_gemm<float>(); }

TEST(mkl_large_matrices, gemm_of_512_by_512) {
  sycl::queue q;
  const int64_t n = 512;
  std::vector<double> a = random_numbers<double>(n * n), b = random_numbers<double>(n * n), c(std::size_t(n * n));
  call(
      form::device,
      [&](sycl::queue &where, auto &pa, auto &pb, auto &pc) {
        mkl::blas::row_major::gemm(where, transpose::N, transpose::N, n, n, n, 1.0, pa, n, pb, n, 0.0, pc, n);
      },
      a, b, c);
  for (const auto &[i, j] : {std::pair<int64_t, int64_t>{0, 0}, {511, 511}, {100, 300}}) {
    double sum = 0;
    for (int64_t l = 0; l < n; ++l) sum += a[std::size_t(i * n + l)] * b[std::size_t(l * n + j)];
    EXPECT_NEAR(c[std::size_t(i * n + j)], sum, 1e-11);
  }
}

}  // namespace
