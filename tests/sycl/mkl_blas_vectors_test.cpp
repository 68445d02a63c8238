// oneapi::mkl::blas, level 1: vectors.
#include "mkl_operands.hpp"

namespace {

using namespace mkl_test;
namespace blas = oneapi::mkl::blas;

constexpr int64_t lengths[] = {1, 7, 1000, 12000};
constexpr std::pair<int64_t, int64_t> increments[] = {{1, 1}, {2, 3}, {-1, 2}, {3, -2}};

/// Calls test(n, x, y, form, description) for all lengths, increments and kinds of memory.
template <class T, class Test> void for_vectors(Test test) {
  for (const int64_t n : lengths)
    for (const auto &[incx, incy] : increments)
      for (const form how : all_forms)
        test(strided<T>(n, incx), strided<T>(n, incy), how,
             "n " + std::to_string(n) + ", increments " + std::to_string(incx) + " and " + std::to_string(incy) + ", " +
                 name_of(how));
}

template <class T> class mkl_vectors : public ::testing::Test {};
TYPED_TEST_SUITE(mkl_vectors, numbers);

TYPED_TEST(mkl_vectors, axpy_adds_a_multiple) {
  using T = TypeParam;
  for_vectors<T>([](strided<T> x, strided<T> y, form how, const std::string &where) {
    const T alpha = random_number<T>();
    strided<T> expected = y;
    for (int64_t i = 0; i < x.n; ++i) expected[i] += alpha * x[i];
    call(
        how, [&](sycl::queue &q, auto &a, auto &b) { blas::axpy(q, x.n, alpha, a, x.step, b, y.step); }, x.memory,
        y.memory);
    expect_near(y.memory, expected.memory, tolerance<T>(2), where);
  });
}

TYPED_TEST(mkl_vectors, axpby_adds_multiples) {
  using T = TypeParam;
  for_vectors<T>([](strided<T> x, strided<T> y, form how, const std::string &where) {
    const T alpha = random_number<T>(), beta = random_number<T>();
    strided<T> expected = y;
    for (int64_t i = 0; i < x.n; ++i) expected[i] = alpha * x[i] + beta * y[i];
    call(
        how, [&](sycl::queue &q, auto &a, auto &b) { blas::axpby(q, x.n, alpha, a, x.step, beta, b, y.step); },
        x.memory, y.memory);
    expect_near(y.memory, expected.memory, tolerance<T>(2), where);
  });
}

TYPED_TEST(mkl_vectors, copy_and_swap_move_elements) {
  using T = TypeParam;
  for_vectors<T>([](strided<T> x, strided<T> y, form how, const std::string &where) {
    strided<T> copied = y, new_x = x, new_y = y;
    for (int64_t i = 0; i < x.n; ++i) copied[i] = x[i], new_x[i] = y[i], new_y[i] = x[i];
    std::vector<T> to = y.memory;
    call(how, [&](sycl::queue &q, auto &a, auto &b) { blas::copy(q, x.n, a, x.step, b, y.step); }, x.memory, to);
    EXPECT_EQ(to, copied.memory) << where;
    call(how, [&](sycl::queue &q, auto &a, auto &b) { blas::swap(q, x.n, a, x.step, b, y.step); }, x.memory, y.memory);
    EXPECT_EQ(x.memory, new_x.memory) << where;
    EXPECT_EQ(y.memory, new_y.memory) << where;
  });
}

TYPED_TEST(mkl_vectors, scal_multiplies) {
  using T = TypeParam;
  for_vectors<T>([](strided<T> x, strided<T>, form how, const std::string &where) {
    if (x.step < 0) return;  // not defined
    const T alpha = random_number<T>();
    strided<T> expected = x;
    for (int64_t i = 0; i < x.n; ++i) expected[i] *= alpha;
    call(how, [&](sycl::queue &q, auto &a) { blas::scal(q, x.n, alpha, a, x.step); }, x.memory);
    expect_near(x.memory, expected.memory, tolerance<T>(1), where);
  });
}

TYPED_TEST(mkl_vectors, norms_and_sums) {
  using T = TypeParam;
  using R = real_type<T>;
  for_vectors<T>([](strided<T> x, strided<T>, form how, const std::string &where) {
    if (x.step < 0) return;
    double squares = 0, sum = 0;
    for (int64_t i = 0; i < x.n; ++i) {
      squares += double(std::norm(x[i]));
      sum += double(std::abs(std::real(x[i]))) + double(std::abs(std::imag(x[i])));
    }
    std::vector<R> norm(1), total(1);
    call(
        how,
        [&](sycl::queue &q, auto &a, auto &n, auto &s) {
          blas::nrm2(q, x.n, a, x.step, n);
          blas::asum(q, x.n, a, x.step, s);
        },
        x.memory, norm, total);
    EXPECT_NEAR(double(norm[0]), std::sqrt(squares), tolerance<T>(4) * std::sqrt(squares) * 4) << where;
    EXPECT_NEAR(double(total[0]), sum, tolerance<T>(100) * sum) << where;
  });
}

TYPED_TEST(mkl_vectors, indices_of_extremes_are_those_of_the_first_ones) {
  using T = TypeParam;
  for_vectors<T>([](strided<T> x, strided<T>, form how, const std::string &where) {
    if (x.step < 0) return;
    if (x.n > 5) x[4] = x[x.n - 1] = T(7), x[2] = x[x.n - 2] = T(0);
    const auto size = [](const T &e) { return std::abs(std::real(e)) + std::abs(std::imag(e)); };
    int64_t most = 0, least = 0;
    for (int64_t i = 0; i < x.n; ++i) {
      if (size(x[i]) > size(x[most])) most = i;
      if (size(x[i]) < size(x[least])) least = i;
    }
    std::vector<int64_t> largest{-1}, smallest{-1};
    call(
        how,
        [&](sycl::queue &q, auto &a, auto &l, auto &s) {
          blas::iamax(q, x.n, a, x.step, l);
          blas::iamin(q, x.n, a, x.step, s, mkl::index_base::one);
        },
        x.memory, largest, smallest);
    EXPECT_EQ(largest[0], most) << where;
    EXPECT_EQ(smallest[0], least + 1) << where;
  });
}

TYPED_TEST(mkl_vectors, rot_rotates_pairs) {
  using T = TypeParam;
  using R = real_type<T>;
  for_vectors<T>([](strided<T> x, strided<T> y, form how, const std::string &where) {
    const R c = R(0.6), s = R(0.8);
    strided<T> new_x = x, new_y = y;
    for (int64_t i = 0; i < x.n; ++i) new_x[i] = c * x[i] + s * y[i], new_y[i] = c * y[i] - s * x[i];
    call(
        how, [&](sycl::queue &q, auto &a, auto &b) { blas::rot(q, x.n, a, x.step, b, y.step, c, s); }, x.memory,
        y.memory);
    expect_near(x.memory, new_x.memory, tolerance<T>(2), where);
    expect_near(y.memory, new_y.memory, tolerance<T>(2), where);
  });
}

TYPED_TEST(mkl_vectors, rotg_computes_a_rotation) {
  using T = TypeParam;
  using R = real_type<T>;
  for (const form how : all_forms) {
    std::vector<T> a = random_numbers<T>(1), b = random_numbers<T>(1), s(1);
    std::vector<R> c(1);
    const T x = a[0], y = b[0];
    call(
        how, [&](sycl::queue &q, auto &pa, auto &pb, auto &pc, auto &ps) { blas::rotg(q, pa, pb, pc, ps); }, a, b, c,
        s);
    expect_near(T(c[0] * x + s[0] * y), a[0], tolerance<T>(2), name_of(how));
    expect_near(T(c[0] * y - conj(s[0]) * x), T(0), tolerance<T>(2), name_of(how));
  }
}

template <class T> class mkl_real_vectors : public ::testing::Test {};
TYPED_TEST_SUITE(mkl_real_vectors, real_numbers);

TYPED_TEST(mkl_real_vectors, dot_is_the_scalar_product) {
  using T = TypeParam;
  for_vectors<T>([](strided<T> x, strided<T> y, form how, const std::string &where) {
    double sum = 0;
    for (int64_t i = 0; i < x.n; ++i) sum += double(x[i]) * double(y[i]);
    std::vector<T> result(1);
    call(
        how, [&](sycl::queue &q, auto &a, auto &b, auto &r) { blas::dot(q, x.n, a, x.step, b, y.step, r); }, x.memory,
        y.memory, result);
    EXPECT_NEAR(double(result[0]), sum, tolerance<T>(x.n)) << where;
  });
}

TYPED_TEST(mkl_real_vectors, rotm_applies_the_rotation_of_rotmg) {
  using T = TypeParam;
  for (const form how : all_forms) {
    std::vector<T> d1{T(2)}, d2{T(3)}, x1{T(0.5)}, param(5);
    const T y1 = T(0.25);
    call(
        how, [&](sycl::queue &q, auto &a, auto &b, auto &c, auto &p) { blas::rotmg(q, a, b, c, y1, p); }, d1, d2, x1,
        param);
    std::vector<T> x{T(0.5), T(1)}, y{y1, T(2)};
    call(how, [&](sycl::queue &q, auto &a, auto &b, auto &p) { blas::rotm(q, 2, a, 1, b, 1, p); }, x, y, param);
    EXPECT_NEAR(double(y[0]), 0, tolerance<T>(4)) << name_of(how);
    EXPECT_NEAR(double(x[0]), double(x1[0]), tolerance<T>(4)) << name_of(how);
    EXPECT_NEAR(double(d1[0] * x1[0] * x1[0]), 2 * 0.25 + 3 * 0.0625, tolerance<T>(8)) << name_of(how);
  }
}

template <class T> class mkl_complex_vectors : public ::testing::Test {};
TYPED_TEST_SUITE(mkl_complex_vectors, complex_numbers);

TYPED_TEST(mkl_complex_vectors, dotc_conjugates_the_first_vector_and_dotu_none) {
  using T = TypeParam;
  for_vectors<T>([](strided<T> x, strided<T> y, form how, const std::string &where) {
    std::complex<double> conjugated = 0, plain = 0;
    for (int64_t i = 0; i < x.n; ++i) {
      const std::complex<double> a(x[i]), b(y[i]);
      conjugated += std::conj(a) * b;
      plain += a * b;
    }
    std::vector<T> c(1), u(1);
    call(
        how,
        [&](sycl::queue &q, auto &a, auto &b, auto &rc, auto &ru) {
          blas::dotc(q, x.n, a, x.step, b, y.step, rc);
          blas::dotu(q, x.n, a, x.step, b, y.step, ru);
        },
        x.memory, y.memory, c, u);
    EXPECT_LE(std::abs(std::complex<double>(c[0]) - conjugated), tolerance<T>(x.n)) << where;
    EXPECT_LE(std::abs(std::complex<double>(u[0]) - plain), tolerance<T>(x.n)) << where;
  });
}

TEST(mkl_float_vectors, dot_and_sdsdot_sum_in_double_precision) {
  sycl::queue q;
  std::vector<float> x(1000, 1.0f), y(1000, 1e-4f), single(1);
  std::vector<double> result(1);
  x[0] = 1e8f, y[0] = 1;
  const auto sum = [&](sycl::queue &q, auto &a, auto &b, auto &r, auto &s) {
    blas::dot(q, 1000, a, 1, b, 1, r);
    blas::sdsdot(q, 1000, -1e8f, a, 1, b, 1, s);
  };
  for (const form how : all_forms) {
    if (lacks_conjugation()) {  // cuBLAS
      EXPECT_THROW(call(how, sum, x, y, result, single), mkl::unimplemented);
      continue;
    }
    call(how, sum, x, y, result, single);
    EXPECT_NEAR(result[0], 1e8 + 999 * double(1e-4f), 1e-6) << name_of(how);
    EXPECT_NEAR(double(single[0]), 999 * double(1e-4f), 1e-6) << name_of(how);
  }
}

TEST(mkl_indices, of_empty_vectors_are_0) {
  for (const form how : all_forms) {
    std::vector<float> x(1);
    std::vector<int64_t> index{-1};
    call(how, [&](sycl::queue &q, auto &a, auto &i) { blas::iamax(q, 0, a, 1, i); }, x, index);
    EXPECT_EQ(index[0], 0) << name_of(how);
  }
}

}  // namespace
