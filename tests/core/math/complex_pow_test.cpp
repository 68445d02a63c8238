// pow and expm1 of complex numbers: accurate in proportion to the terms of their formulas, and NumPy's values for
// special powers.
#include <cmath>
#include <complex>
#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "math/big.hpp"
#include "math/loops.hpp"
#include "math/reference.hpp"

namespace dpep::test {
namespace {

template <class T> class complex_powers : public testing::Test {};
using number_types = testing::Types<float, double>;
TYPED_TEST_SUITE(complex_powers, number_types);

template <class T> std::complex<T> power(const loop_tables &tables, std::complex<T> z, std::complex<T> w) {
  std::complex<T> result;
  find(complex_loops_of<T>(tables), "pow")
      .run(reinterpret_cast<const T *>(&z), reinterpret_cast<const T *>(&w), reinterpret_cast<T *>(&result), 1);
  return result;
}

/// |got - exact| in units of epsilon of |exact|.
template <class T> double relative_error(std::complex<T> got, const big_pair &exact) {
  const big modulus = hypot(exact.first, exact.second);
  const big error = hypot(big(got.real()) - exact.first, big(got.imag()) - exact.second) / modulus;
  return mpfr_get_d(error.get(), MPFR_RNDN) / std::numeric_limits<T>::epsilon();
}
big_pair exact_power(std::complex<double> z, std::complex<double> w) {
  const big x = z.real(), y = z.imag(), u = w.real(), v = w.imag();
  const big modulus = log(x * x + y * y) / 2, angle = atan2(y, x);
  const big grown = exp(u * modulus - v * angle), turned = u * angle + v * modulus;
  return {grown * cos(turned), grown * sin(turned)};
}

TYPED_TEST(complex_powers, errors_are_in_proportion_to_the_exponent_of_e) {
  using T = TypeParam;
  mpfr_set_default_prec(200);
  std::mt19937_64 random(10);
  std::uniform_real_distribution<double> part(-3, 3);
  double worst = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::complex<T> z(T(part(random)), T(part(random)));
    std::complex<T> w(T(part(random)), T(part(random)));
    if (i % 4 == 0) w = {T(int(random() % 199) - 99), 0};
    const auto exact = exact_power(z, w);
    const double exponent = std::abs(std::complex<double>(w) * std::log(std::complex<double>(z)));
    if (exponent > 80) continue;
    for (const auto &tables : processors()) {
      const double error = relative_error(power(tables, z, w), exact);
      worst = std::max(worst, error / (2 + exponent));
      EXPECT_LE(error, 2 * (2 + exponent)) << z << " to the power " << w;
    }
  }
  std::printf("  pow: worst %.3f (2 + |w log z|) epsilon\n", worst);
}

TYPED_TEST(complex_powers, special_powers_are_numpys) {
  using T = TypeParam;
  using complex = std::complex<T>;
  const auto everywhere = [](complex z, complex w, complex expected) {
    for (const auto &tables : processors()) EXPECT_EQ(power<T>(tables, z, w), expected) << z << " to the power " << w;
  };
  everywhere({0, 0}, {0, 0}, {1, 0});
  everywhere({T(inf), T(inf)}, {0, 0}, {1, 0});
  everywhere({0, 0}, {2, 0}, {0, 0});
  everywhere({0, 0}, {T(0.5), 0}, {0, 0});
  everywhere({0, 0}, {1, 1}, {0, 0});
  everywhere({1, 2}, {1, 0}, {1, 2});
  everywhere({1, 2}, {2, 0}, {-3, 4});
  everywhere({1, 2}, {3, 0}, {-11, -2});
  everywhere({0, 2}, {-1, 0}, {0, T(-0.5)});
  everywhere({0, 1}, {98, 0}, {-1, 0});
  for (const auto &tables : processors()) {
    const auto undefined = power<T>(tables, {0, 0}, {-1, 0});
    EXPECT_TRUE(std::isnan(undefined.real()) && std::isnan(undefined.imag()));
  }
}

TYPED_TEST(complex_powers, expm1_errs_in_proportion_to_its_terms) {
  using T = TypeParam;
  mpfr_set_default_prec(400);
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> part(-4, 4);
  double worst = 0;
  for (int i = 0; i < 4000; ++i) {
    const double scale = std::ldexp(1.0, -int(random() % 40));
    const T z[] = {T(part(random) * (i % 3 ? scale : 15)), T(part(random) * (i % 2 ? scale : 1))};
    const big x = z[0], y = z[1], half = sin(y / 2), versine = 2 * half * half;
    const big real = expm1(x) * cos(y) - versine, imaginary = exp(x) * sin(y);
    const double largest_term =
        std::max(std::abs(mpfr_get_d(real.get(), MPFR_RNDN)), mpfr_get_d(versine.get(), MPFR_RNDN));
    for (const auto &tables : processors()) {
      T got[2];
      find(complex_loops_of<T>(tables), "expm1").run(z, nullptr, got, 1);
      const big error = abs(got[0] - real);
      const double ulps = mpfr_get_d(error.get(), MPFR_RNDN) / largest_term / std::numeric_limits<T>::epsilon();
      worst = std::max(worst, ulps);
      EXPECT_LE(ulps, 3) << "expm1(" << z[0] << ", " << z[1] << ") = " << got[0];
      const double imaginary_error = std::abs(got[1] / mpfr_get_d(imaginary.get(), MPFR_RNDN) - 1);
      EXPECT_LE(imaginary_error, 3 * std::numeric_limits<T>::epsilon());
    }
  }
  std::printf("  expm1: worst %.3f epsilon\n", worst);
}

}  // namespace
}  // namespace dpep::test
