// Functions of complex numbers are within a few ulp of the true value in both parts, for numbers of every size.
//
// The reference uses textbook formulas with so many bits that cancellation does not matter.
#include <cmath>
#include <complex>
#include <cstdio>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

#include "math/big.hpp"
#include "math/loops.hpp"
#include "math/reference.hpp"

namespace dpep::test {
namespace {

struct complex_function {
  std::string name;
  double bound;  // ulp of either part
  big_pair (*exact)(const big &x, const big &y);
  double range = 20;     // of parts of moderate size
  double largest = inf;  // imaginary part
};

big_pair quotient(const big_pair &a, const big_pair &b) {
  const big norm = b.first * b.first + b.second * b.second;
  return {(a.first * b.first + a.second * b.second) / norm, (a.second * b.first - a.first * b.second) / norm};
}
big_pair exact_exp(const big &x, const big &y) { return {exp(x) * cos(y), exp(x) * sin(y)}; }
big_pair exact_log(const big &x, const big &y) { return {log(x * x + y * y) / 2, atan2(y, x)}; }
big_pair exact_log_to_base(double base, const big &x, const big &y) {
  const big scale = log(big(base));
  return {log(x * x + y * y) / 2 / scale, atan2(y, x) / scale};
}
big_pair exact_sqrt(const big &x, const big &y) {
  const big large = sqrt((abs(x) + hypot(x, y)) / 2), small = abs(y) / (2 * large);
  return x < 0 ? big_pair{small, with_sign_of(large, y)} : big_pair{large, with_sign_of(small, y)};
}
big_pair exact_sinh(const big &x, const big &y) { return {sinh(x) * cos(y), cosh(x) * sin(y)}; }
big_pair exact_cosh(const big &x, const big &y) { return {cosh(x) * cos(y), sinh(x) * sin(y)}; }
big_pair exact_tanh(const big &x, const big &y) {
  if (big(100) < abs(x)) return {with_sign_of(1, x), 4 * sin(y) * cos(y) * exp(-2 * abs(x))};
  return quotient(exact_sinh(x, y), exact_cosh(x, y));
}
big_pair exchanged(big_pair z) { return {z.second, z.first}; }
/// asin and acos from the ellipse and the hyperbola through the point with foci -1 and 1.
big_pair exact_asin(const big &x, const big &y) {
  const big a = (hypot(x + 1, y) + hypot(x - 1, y)) / 2;
  return {asin(x / a), with_sign_of(acosh(a), y)};
}
big_pair exact_acos(const big &x, const big &y) {
  const big a = (hypot(x + 1, y) + hypot(x - 1, y)) / 2;
  return {acos(x / a), with_sign_of(acosh(a), -y)};
}
big_pair exact_acosh(const big &x, const big &y) {
  const auto w = exact_acos(x, y);
  return {abs(w.second), with_sign_of(w.first, y)};
}
big_pair exact_atanh(const big &x, const big &y) {
  const big below = (1 - x) * (1 - x) + y * y;
  return {log1p(4 * x / below) / 4, atan2(2 * y, (1 - x) * (1 + x) - y * y) / 2};
}
big_pair exact_sign(const big &x, const big &y) { return {x / hypot(x, y), y / hypot(x, y)}; }

const complex_function functions[] = {
    {"exp", 3, exact_exp},
    {"exp2", 3, [](const big &x, const big &y) { return exact_exp(x * log(big(2)), y * log(big(2))); }, 20, 0x1p20},
    {"log", 2, exact_log},
    {"log2", 4, [](const big &x, const big &y) { return exact_log_to_base(2, x, y); }},
    {"log10", 3, [](const big &x, const big &y) { return exact_log_to_base(10, x, y); }},
    {"log1p", 3, [](const big &x, const big &y) { return exact_log(x + 1, y); }, 2},
    {"sqrt", 3, exact_sqrt},
    {"sinh", 3, exact_sinh},
    {"cosh", 3, exact_cosh},
    {"tanh", 7, exact_tanh, 4},
    {"sin", 3, [](const big &x, const big &y) { return exchanged(exact_sinh(y, x)); }},
    {"cos", 3, [](const big &x, const big &y) { return exact_cosh(-y, x); }},
    {"tan", 7, [](const big &x, const big &y) { return exchanged(exact_tanh(y, x)); }, 4},
    {"asin", 5, exact_asin, 2},
    {"acos", 5, exact_acos, 2},
    {"atan", 5, [](const big &x, const big &y) { return exchanged(exact_atanh(y, x)); }, 2},
    {"asinh", 5, [](const big &x, const big &y) { return exchanged(exact_asin(y, x)); }, 2},
    {"acosh", 5, exact_acosh, 2},
    {"atanh", 5, exact_atanh, 2},
    {"sign", 3, exact_sign},
};

double error_of(float got, const big &expected) { return error_in_ulp(got, mpfr_get_d(expected.get(), MPFR_RNDN)); }
double error_of(double got, const big &expected) {
  big rounded(0, 160);
  mpfr_set(rounded.get(), expected.get(), MPFR_RNDN);
  return error_in_ulp(got, rounded);
}

/// Parts of moderate size, near 1, on and near the unit circle, and of every exponent.
template <class T>
std::vector<T> inputs(double range, double largest, int count, bool every_exponent, std::mt19937_64 &random) {
  std::uniform_real_distribution<double> moderate(-range, range), angle(-3.15, 3.15), mantissa(1, 2);
  using limits = std::numeric_limits<T>;
  const auto any = [&] {
    const int exponents = limits::max_exponent - limits::min_exponent + limits::digits;
    const int exponent = limits::min_exponent - limits::digits + int(random() % unsigned(exponents));
    return T(std::ldexp(mantissa(random), exponent)) * (random() & 1 ? T(1) : T(-1));
  };
  const auto near = [&](T centre) { return centre + T(std::ldexp(moderate(random), -int(random() % 40))); };
  std::vector<T> z;
  for (int i = 0; i < count; ++i) {
    T x = T(moderate(random)), y = T(moderate(random));
    const double direction = angle(random);
    switch (every_exponent ? 100 : i % 6) {
    case 100:
      x = any();
      y = i % 3 == 0 ? any() : i % 3 == 1 ? T(std::ldexp(double(x), int(random() % 60) - 30)) : y;
      break;
    case 1:
      x = near(random() & 1 ? T(1) : T(-1)), y = near(0);
      break;
    case 2:
      x = near(0), y = near(random() & 1 ? T(1) : T(-1));
      break;
    case 3:
      x = T(std::cos(direction)), y = T(std::sin(direction));
      break;
    case 4:
      x = near(0), y = near(0);
      break;
    default:;
    }
    if (std::abs(y) > largest) y = T(moderate(random));
    if (x == 0 || y == 0 || std::isinf(y)) continue;  // special values have a test of their own
    z.push_back(x), z.push_back(y);
  }
  return z;
}

struct worst_part {
  double error = -1;
  std::complex<double> at, got;
};

class complex_accuracy : public testing::TestWithParam<complex_function> {
protected:
  template <class T> void expect_within_bound() {
    const auto &f = GetParam();
    std::mt19937_64 random(9);
    const auto all = processors();
    std::vector<worst_part> worst(2 * all.size());
    for (bool every_exponent : {false, true}) {
      const mpfr_prec_t precision = mpfr_get_default_prec();
      mpfr_set_default_prec(every_exponent ? 2400 : 400);
      check<T>(f, inputs<T>(f.range, f.largest, every_exponent ? 300 : 6000, every_exponent, random), all, worst);
      mpfr_set_default_prec(precision);
    }
    for (std::size_t p = 0; p < worst.size(); ++p) {
      std::printf("  %-6s %-6s %-6s %-9s worst %.3f ulp at %a, %a\n", f.name.c_str(),
                  sizeof(T) == 4 ? "float" : "double", std::string(all[p / 2].processor).c_str(),
                  p % 2 ? "imaginary" : "real", worst[p].error, worst[p].at.real(), worst[p].at.imag());
      EXPECT_LE(worst[p].error, f.bound) << f.name << worst[p].at << " gave " << worst[p].got;
    }
  }

  template <class T>
  void check(const complex_function &f, const std::vector<T> &z, const std::vector<loop_tables> &all,
             std::vector<worst_part> &worst) {
    std::vector<std::vector<T>> got;
    for (const auto &tables : all) {
      got.emplace_back(z.size());
      find(complex_loops_of<T>(tables), f.name).run(z.data(), nullptr, got.back().data(), z.size() / 2);
    }
    for (std::size_t i = 0; i < z.size(); i += 2) {
      const auto expected = f.exact(z[i], z[i + 1]);
      for (std::size_t p = 0; p < worst.size(); ++p) {
        const T part = got[p / 2][i + p % 2];
        const double error = error_of(part, p % 2 ? expected.second : expected.first);
        if (error > worst[p].error)
          worst[p] = {error, {double(z[i]), double(z[i + 1])}, {double(got[p / 2][i]), double(got[p / 2][i + 1])}};
      }
    }
  }
};

TEST_P(complex_accuracy, floats) { expect_within_bound<float>(); }
TEST_P(complex_accuracy, doubles) { expect_within_bound<double>(); }
INSTANTIATE_TEST_SUITE_P(each, complex_accuracy, testing::ValuesIn(functions),
                         [](const auto &info) { return info.param.name; });

}  // namespace
}  // namespace dpep::test
