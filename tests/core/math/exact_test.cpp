// Functions whose results are exact: fmod and nextafter equal libm's bit for bit, NumPy's remainder and floor_divide
// follow from exact quotients. logaddexp is included, since its error is proportional to its larger operand, too.
#include <mpfr.h>

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "math/big.hpp"
#include "math/loops.hpp"
#include "math/reference.hpp"

namespace dpep::test {
namespace {

template <class T> class exact_functions : public testing::Test {
protected:
  using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  std::vector<T> x, y;

  exact_functions() {
    using limits = std::numeric_limits<T>;
    const T special[] = {0,
                         -T(0),
                         1,
                         -1,
                         T(2.5),
                         -3,
                         T(inf),
                         -T(inf),
                         limits::quiet_NaN(),
                         limits::denorm_min(),
                         -limits::min(),
                         limits::max(),
                         limits::lowest(),
                         limits::epsilon()};
    for (T a : special)
      for (T b : special) x.push_back(a), y.push_back(b);
    std::mt19937_64 random(12);
    for (int i = 0; i < 60000; ++i) {
      const T a = std::bit_cast<T>(bits(random())), b = std::bit_cast<T>(bits(random()));
      const T whole = T(int(random() % 2001) - 1000), divisor = T(int(random() % 201) - 100);
      const bool integers = i % 3 == 0;
      x.push_back(integers ? whole : a);
      const T close = std::ldexp(b / std::ldexp(T(1), std::isfinite(b) && b != 0 ? std::ilogb(b) : 0),
                                 (std::isfinite(a) && a != 0 ? std::ilogb(a) : 0) - int(random() % 60));
      y.push_back(integers ? divisor : i % 3 == 1 ? b : close);
    }
  }
  std::vector<T> run(const loop_tables &tables, const char *name) const {
    std::vector<T> result(x.size());
    if constexpr (sizeof(T) == 4)
      find(tables.floats, name).run(x.data(), y.data(), result.data(), x.size());
    else
      find(tables.doubles, name).run(x.data(), y.data(), result.data(), x.size());
    return result;
  }
  template <class F> void expect_equal(const char *name, F expected) const {
    for (const auto &tables : processors()) {
      const auto got = run(tables, name);
      for (std::size_t i = 0; i < x.size(); ++i) {
        const T wanted = expected(x[i], y[i]);
        const bool same =
            std::isnan(wanted) ? std::isnan(got[i]) : std::bit_cast<bits>(got[i]) == std::bit_cast<bits>(wanted);
        EXPECT_TRUE(same) << name << "(" << x[i] << ", " << y[i] << ") = " << got[i] << ", expected " << wanted;
      }
    }
  }
};
using number_types = testing::Types<float, double>;
TYPED_TEST_SUITE(exact_functions, number_types);

TYPED_TEST(exact_functions, fmod_is_libms) {
  using T = TypeParam;
  this->expect_equal("fmod", [](T a, T b) { return std::fmod(a, b); });
}

TYPED_TEST(exact_functions, nextafter_is_libms) {
  using T = TypeParam;
  this->expect_equal("nextafter", [](T a, T b) { return std::nextafter(a, b); });
}

TYPED_TEST(exact_functions, floored_remainders_have_the_divisors_sign) {
  using T = TypeParam;
  this->expect_equal("floored_remainder", [](T a, T b) {
    const T rest = std::fmod(a, b);
    if (rest == 0) return std::copysign(T(0), b);
    return std::signbit(rest) != std::signbit(b) ? rest + b : rest;
  });
}

TYPED_TEST(exact_functions, floor_divide_is_the_floor_of_the_exact_quotient) {
  using T = TypeParam;
  mpfr_set_default_prec(4500);
  for (const auto &tables : processors()) {
    const auto got = this->run(tables, "floor_divide");
    for (std::size_t i = 0; i < got.size(); i += 7) {
      const T a = this->x[i], b = this->y[i];
      if (!std::isfinite(a) || b == 0 || std::isnan(b)) continue;
      if (std::isinf(b)) {
        EXPECT_EQ(got[i], a != 0 && std::signbit(a) != std::signbit(b) ? -1 : 0) << a << " // " << b;
        continue;
      }
      big floored;
      mpfr_floor(floored.get(), (big(a) / big(b)).get());
      const double expected = mpfr_get_d(floored.get(), MPFR_RNDN);
      if (std::abs(expected) >= double(std::numeric_limits<T>::max())) continue;
      EXPECT_LE(std::abs(got[i] - expected), 2 * std::numeric_limits<T>::epsilon() * std::abs(expected))
          << a << " // " << b;
    }
  }
  mpfr_set_default_prec(53);
}

TYPED_TEST(exact_functions, logaddexp_errs_in_proportion_to_its_larger_operand) {
  using T = TypeParam;
  mpfr_set_default_prec(200);
  std::mt19937_64 random(13);
  std::uniform_real_distribution<double> part(-50, 50), difference(-3, 3);
  std::size_t count = 0;
  for (auto &a : this->x) {
    auto &b = this->y[count];
    if (count++ % 2 == 0) continue;
    a = T(part(random) * (count % 4 ? 1 : 10));
    b = count % 3 ? T(a + T(difference(random))) : T(part(random));
  }
  double worst = 0;
  for (const auto &tables : processors()) {
    const auto got = this->run(tables, "logaddexp");
    for (std::size_t i = 1; i < got.size(); i += 2) {
      const T a = this->x[i], b = this->y[i];
      const big larger = std::max(a, b), rest = log1p(exp(-abs(big(a) - b))), sum = larger + rest;
      const double largest_term = std::max(std::abs(double(std::max(a, b))), mpfr_get_d(rest.get(), MPFR_RNDN));
      const double error = std::abs(mpfr_get_d((got[i] - sum).get(), MPFR_RNDN)) / largest_term;
      worst = std::max(worst, error / std::numeric_limits<T>::epsilon());
      EXPECT_LE(error, 2 * std::numeric_limits<T>::epsilon()) << "logaddexp(" << a << ", " << b << ") = " << got[i];
    }
  }
  std::printf("  logaddexp: worst %.3f epsilon\n", worst);
  mpfr_set_default_prec(53);
}

TYPED_TEST(exact_functions, logaddexp_of_infinities) {
  using T = TypeParam;
  const T infinite = T(inf);
  const T cases[][3] = {{infinite, infinite, infinite},
                        {-infinite, -infinite, -infinite},
                        {infinite, 1, infinite},
                        {-infinite, 2, 2},
                        {3, -infinite, 3},
                        {-infinite, infinite, infinite}};
  for (const auto &tables : processors())
    for (const auto &[a, b, expected] : cases) {
      this->x = {a}, this->y = {b};
      EXPECT_EQ(this->run(tables, "logaddexp")[0], expected) << a << ", " << b;
    }
}

}  // namespace
}  // namespace dpep::test
