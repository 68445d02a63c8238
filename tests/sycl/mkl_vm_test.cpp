// oneapi::mkl::vm: mathematical functions of vectors.
#include <cmath>
#include <numbers>

#include "mkl_operands.hpp"

namespace {

using namespace mkl_test;
namespace vm = oneapi::mkl::vm;

constexpr int64_t many = 1003;

/// Numbers between two bounds.
template <class T> std::vector<T> numbers_between(double low, double high) {
  std::vector<T> made(many);
  std::uniform_real_distribution<double> d(low, high);
  for (T &x : made) x = T(d(generator()));
  return made;
}
/// Compares with a reference in double precision; errors are relative above 1.
template <class T>
void expect_close(const std::vector<T> &values, const std::vector<double> &expected, const std::string &where) {
  const double precision = std::is_same_v<T, float> ? 4e-7 : 1e-15;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!(std::abs(double(values[i]) - expected[i]) <= precision * 4 * std::max(1.0, std::abs(expected[i])))) {
      ADD_FAILURE() << where << ", element " << i << ": " << values[i] << " instead of " << expected[i];
      return;
    }
}

template <class T> class mkl_vm : public ::testing::Test {};
TYPED_TEST_SUITE(mkl_vm, real_numbers);

constexpr auto device_memory = sycl::usm::alloc::device;

#define CHECK_1(name, low, high, reference)                                                                            \
  {                                                                                                                    \
    std::vector<T> a = numbers_between<T>(low, high), y(many);                                                         \
    call_on_usm(device_memory, [&](sycl::queue &q, auto *pa, auto *py) { vm::name(q, many, pa, py); }, a, y);          \
    std::vector<double> expected;                                                                                      \
    for (const double x : a) expected.push_back(reference);                                                            \
    expect_close(y, expected, #name);                                                                                  \
  }
#define CHECK_2(name, low, high, reference)                                                                            \
  {                                                                                                                    \
    std::vector<T> a = numbers_between<T>(low, high), b = numbers_between<T>(low, high), y(many);                      \
    call_on_usm(                                                                                                       \
        device_memory, [&](sycl::queue &q, auto *pa, auto *pb, auto *py) { vm::name(q, many, pa, pb, py); }, a, b, y); \
    std::vector<double> expected;                                                                                      \
    for (std::size_t i = 0; i < many; ++i) {                                                                           \
      const double x = a[i], z = b[i];                                                                                 \
      expected.push_back(reference);                                                                                   \
    }                                                                                                                  \
    expect_close(y, expected, #name);                                                                                  \
  }

TYPED_TEST(mkl_vm, powers_roots_and_logarithms) {
  using T = TypeParam;
  CHECK_1(abs, -3, 3, std::abs(x))
  CHECK_1(sqr, -3, 3, x * x)
  CHECK_1(inv, 0.5, 3, 1 / x)
  CHECK_1(sqrt, 0, 9, std::sqrt(x))
  CHECK_1(invsqrt, 0.5, 9, 1 / std::sqrt(x))
  CHECK_1(cbrt, -9, 9, std::cbrt(x))
  CHECK_1(exp, -5, 5, std::exp(x))
  CHECK_1(exp2, -5, 5, std::exp2(x))
  CHECK_1(exp10, -3, 3, std::pow(10, x))
  CHECK_1(expm1, -1, 1, std::expm1(x))
  CHECK_1(ln, 0.1, 9, std::log(x))
  CHECK_1(log2, 0.1, 9, std::log2(x))
  CHECK_1(log10, 0.1, 9, std::log10(x))
  CHECK_1(log1p, -0.5, 3, std::log1p(x))
  CHECK_2(pow, 0.1, 4, std::pow(x, z))
  CHECK_2(powr, 0.1, 4, std::pow(x, z))
}
TYPED_TEST(mkl_vm, trigonometric_and_hyperbolic_functions) {
  using T = TypeParam;
  constexpr double pi = std::numbers::pi;
  CHECK_1(sin, -9, 9, std::sin(x))
  CHECK_1(cos, -9, 9, std::cos(x))
  CHECK_1(tan, -1.2, 1.2, std::tan(x))
  CHECK_1(asin, -1, 1, std::asin(x))
  CHECK_1(acos, -1, 1, std::acos(x))
  CHECK_1(atan, -9, 9, std::atan(x))
  CHECK_1(sinpi, -1, 1, std::sin(pi * x))
  CHECK_1(cospi, -1, 1, std::cos(pi * x))
  CHECK_1(tanpi, -0.3, 0.3, std::tan(pi * x))
  CHECK_1(asinpi, -1, 1, std::asin(x) / pi)
  CHECK_1(acospi, -1, 1, std::acos(x) / pi)
  CHECK_1(atanpi, -9, 9, std::atan(x) / pi)
  CHECK_1(sinh, -3, 3, std::sinh(x))
  CHECK_1(cosh, -3, 3, std::cosh(x))
  CHECK_1(tanh, -3, 3, std::tanh(x))
  CHECK_1(asinh, -9, 9, std::asinh(x))
  CHECK_1(acosh, 1.1, 9, std::acosh(x))
  CHECK_1(atanh, -0.9, 0.9, std::atanh(x))
  CHECK_2(atan2, -3, 3, std::atan2(x, z))
  CHECK_2(hypot, -3, 3, std::hypot(x, z))
}
TYPED_TEST(mkl_vm, special_functions) {
  using T = TypeParam;
  CHECK_1(erf, -3, 3, std::erf(x))
  CHECK_1(erfc, -3, 3, std::erfc(x))
  CHECK_1(tgamma, 0.5, 5, std::tgamma(x))
  CHECK_1(lgamma, 0.5, 9, std::lgamma(x))
}
TYPED_TEST(mkl_vm, arithmetic_and_rounding) {
  using T = TypeParam;
  CHECK_1(floor, -9, 9, std::floor(x))
  CHECK_1(ceil, -9, 9, std::ceil(x))
  CHECK_1(trunc, -9, 9, std::trunc(x))
  CHECK_1(round, -9, 9, std::round(x))
  CHECK_1(rint, -9, 9, std::rint(x))
  CHECK_1(nearbyint, -9, 9, std::nearbyint(x))
  CHECK_1(frac, -9, 9, x - std::trunc(x))
  CHECK_2(add, -3, 3, x + z)
  CHECK_2(sub, -3, 3, x - z)
  CHECK_2(mul, -3, 3, x * z)
  CHECK_2(div, 0.5, 3, x / z)
  CHECK_2(fmod, 0.5, 9, std::fmod(x, z))
  CHECK_2(remainder, 0.5, 9, std::remainder(x, z))
  CHECK_2(copysign, -3, 3, std::copysign(x, z))
  CHECK_2(nextafter, -3, 3, double(std::nextafter(T(x), T(z))))
  CHECK_2(fmax, -3, 3, std::fmax(x, z))
  CHECK_2(fmin, -3, 3, std::fmin(x, z))
  CHECK_2(fdim, -3, 3, std::fdim(x, z))
}

TEST(mkl_vm_calls, are_on_all_kinds_of_memory) {
  for (const form how : all_forms) {
    std::vector<float> a{1, 2, 3}, b{10, 20, 30}, y(3);
    call(how, [&](sycl::queue &q, auto &pa, auto &pb, auto &py) { vm::add(q, 3, pa, pb, py); }, a, b, y);
    EXPECT_EQ(y, (std::vector<float>{11, 22, 33})) << name_of(how);
  }
}
TEST(mkl_vm_calls, may_be_in_place) {
  std::vector<double> x{1, 4, 9};
  for (const form how : all_forms) {
    std::vector<double> y = x;
    call(how, [&](sycl::queue &q, auto &p) { vm::sqrt(q, 3, p, p); }, y);
    EXPECT_EQ(y, (std::vector<double>{1, 2, 3})) << name_of(how);
  }
}
TEST(mkl_vm_calls, refuse_negative_sizes_and_short_vectors) {
  sycl::queue q;
  sycl::buffer<float, 1> x(3), y(4);
  EXPECT_THROW(vm::exp(q, 4, x, y), mkl::invalid_argument);
  EXPECT_THROW(vm::exp(q, -1, x, y), mkl::invalid_argument);
  EXPECT_THROW(vm::exp(q, 4, static_cast<const float *>(nullptr), static_cast<float *>(nullptr)),
               mkl::invalid_argument);
  vm::exp(q, 0, static_cast<const float *>(nullptr), static_cast<float *>(nullptr)).wait();
}

}  // namespace
