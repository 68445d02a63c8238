// Every branch-free function of the device library is within its error bound for every kind of input and processor.
//
// Floats: 2^22 bit patterns a function, all 2^32 with DPEP_TEST_EXHAUSTIVE=1, against libm's double precision. Doubles:
// random over all exponents and over each function's own domain, with the hard cases, against MPFR.
#include <mpfr.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "math/loops.hpp"
#include "math/reference.hpp"

namespace dpep::test {
namespace {

struct tested_function {
  std::string name;
  double (*in_double)(double x, double y);
  int (*exact)(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y);
  double low, high;  // the domain where results are neither 0, infinite nor NaN
  double bound = 2;  // ulp
  bool two_arguments = false;
  double (*term)(double x) = nullptr;  // of doubles: the size of a term whose rounding error is unavoidable

  friend void PrintTo(const tested_function &f, std::ostream *out) { *out << f.name; }  // in messages of failed tests
};

#define UNARY(name, in_double)                                                                                         \
  #name, [](double x, double) { return double(in_double); },                                                           \
      [](mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr) { return mpfr_##name(result, x, MPFR_RNDN); }

const tested_function functions[] = {
    {UNARY(exp, std::exp(x)), -745.2, 709.8},
    {UNARY(exp2, std::exp2(x)), -1075, 1024},
    {UNARY(exp10, ::exp10(x)), -323.7, 308.3},
    {UNARY(log, std::log(x)), 0.5, 2},
    {UNARY(log2, std::log2(x)), 0.5, 2},
    {UNARY(log10, std::log10(x)), 0.5, 2},
    {UNARY(sin, std::sin(x)), -100, 100},
    {UNARY(cos, std::cos(x)), -100, 100},
    {UNARY(tan, std::tan(x)), -100, 100},
    {UNARY(expm1, std::expm1(x)), -40, 709.8},
    {UNARY(log1p, std::log1p(x)), -1, 1},
    {UNARY(sinh, std::sinh(x)), -711, 711},
    {UNARY(cosh, std::cosh(x)), -711, 711},
    {UNARY(tanh, std::tanh(x)), -20, 20},
    {UNARY(asinh, std::asinh(x)), -10, 10},
    {UNARY(acosh, std::acosh(x)), 1, 10},
    {UNARY(atanh, std::atanh(x)), -1, 1},
    {UNARY(cbrt, std::cbrt(x)), -100, 100},
    {UNARY(erf, std::erf(x)), -6, 6},
    {UNARY(erfc, std::erfc(x)), -6, 28},
    {"tgamma", [](double x, double) { return std::tgamma(x); },
     [](mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr) { return mpfr_gamma(result, x, MPFR_RNDN); }, -185, 172, 4},
    {"lgamma", [](double x, double) { return std::lgamma(x); },
     [](mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr) {
       int sign;
       return mpfr_lgamma(result, &sign, x, MPFR_RNDN);
     },
     -10, 30, 4, false, [](double x) { return x < 0 ? std::max(1.0, std::abs(std::lgamma(-x))) : 0.0; }},
    {"expit", [](double x, double) { return 1 / (1 + std::exp(-x)); },
     [](mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr) {
       mpfr_neg(result, x, MPFR_RNDN);
       mpfr_exp(result, result, MPFR_RNDN);
       mpfr_add_ui(result, result, 1, MPFR_RNDN);
       return mpfr_ui_div(result, 1, result, MPFR_RNDN);
     },
     -740, 40, 3},
    {"logit", [](double x, double) { return x > 0.25 && x < 0.75 ? 2 * std::atanh(2 * x - 1) : std::log(x / (1 - x)); },
     [](mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr) {
       big complement(0, 1200);
       mpfr_ui_sub(complement.get(), 1, x, MPFR_RNDN);
       mpfr_div(complement.get(), x, complement.get(), MPFR_RNDN);
       return mpfr_log(result, complement.get(), MPFR_RNDN);
     },
     0, 1, 3},
    {"log_expit",
     [](double x, double) { return x == x ? -(std::log1p(std::exp(-std::fabs(x))) - std::fmin(x, 0.0)) : x; },
     [](mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr) {
       mpfr_abs(result, x, MPFR_RNDN);
       mpfr_neg(result, result, MPFR_RNDN);
       mpfr_exp(result, result, MPFR_RNDN);
       mpfr_log1p(result, result, MPFR_RNDN);
       mpfr_neg(result, result, MPFR_RNDN);
       return mpfr_sgn(x) < 0 ? mpfr_add(result, result, x, MPFR_RNDN) : 0;
     },
     -740, 740, 2},
    {"ndtr", [](double x, double) { return 0.5 * std::erfc(x * -std::sqrt(0.5)); },
     [](mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr) {
       big root(0, 200);
       mpfr_sqrt_ui(root.get(), 2, MPFR_RNDN);
       mpfr_div(root.get(), x, root.get(), MPFR_RNDN);
       mpfr_neg(root.get(), root.get(), MPFR_RNDN);
       const int rounded = mpfr_erfc(result, root.get(), MPFR_RNDN);
       mpfr_div_2ui(result, result, 1, MPFR_RNDN);
       return rounded;
     },
     -37, 9, 5},
    {UNARY(atan, std::atan(x)), -4, 4},
    {UNARY(asin, std::asin(x)), -1, 1},
    {UNARY(acos, std::acos(x)), -1, 1},
    {"pow", [](double x, double y) { return std::pow(x, y); },
     [](mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y) { return mpfr_pow(result, x, y, MPFR_RNDN); }, 0, 100, 3, true},
    {"atan2", [](double y, double x) { return std::atan2(y, x); },
     [](mpfr_ptr result, mpfr_srcptr y, mpfr_srcptr x) { return mpfr_atan2(result, y, x, MPFR_RNDN); }, 0, 100, 2,
     true},
    {"hypot", [](double x, double y) { return std::hypot(x, y); },
     [](mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y) { return mpfr_hypot(result, x, y, MPFR_RNDN); }, 0, 100, 2,
     true},
};

template <class T> struct worst_case {
  double error = -1;
  T x{}, y{}, got{};
  void add(double e, T at_x, T at_y, T value) {
    if (e > error) error = e, x = at_x, y = at_y, got = value;
  }
  void expect_within(const tested_function &f, std::string_view processor) const {
    std::printf("  %-6s %-6s %-6s worst %.3f ulp at %a", f.name.c_str(), sizeof(T) == 4 ? "float" : "double",
                std::string(processor).c_str(), error, double(x));
    if (f.two_arguments) std::printf(", %a", double(y));
    std::printf("\n");
    EXPECT_LE(error, f.bound) << f.name << "(" << x << ", " << y << ") gave " << got << " on " << processor;
  }
};

class device_math : public testing::TestWithParam<tested_function> {};

float any_float(std::mt19937_64 &random) { return std::bit_cast<float>(std::uint32_t(random())); }
double any_double(std::mt19937_64 &random) { return std::bit_cast<double>(random()); }

TEST_P(device_math, floats_within_bound) {
  const auto &f = GetParam();
  const bool exhaustive = std::getenv("DPEP_TEST_EXHAUSTIVE") && !f.two_arguments;
  const std::uint64_t stride = exhaustive ? 1 : 1021;  // odd and prime: reaches every exponent and many mantissas
  const auto all = processors();
  std::vector<worst_case<float>> worst(all.size());
  constexpr std::size_t chunk = 4096;
  std::vector<float> x(chunk), y(chunk), got(chunk);
  std::vector<double> expected(chunk);
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> exponent(-160, 140), base(-20, 20);
  for (std::uint64_t pattern = 0; pattern < 0x100000000;) {
    for (std::size_t i = 0; i < chunk; ++i, pattern += stride) {
      x[i] = std::bit_cast<float>(std::uint32_t(pattern));
      if (f.two_arguments && i % 4 == 0) {
        x[i] = any_float(random), y[i] = any_float(random);
      } else if (f.two_arguments && i % 4 == 1) {
        y[i] = float(int(random() % 64) - 32) / 2;  // integers and halves
      } else if (f.two_arguments) {
        const double log2_x = base(random);
        x[i] = float(std::exp2(log2_x)), y[i] = float(exponent(random) / log2_x);
      }
      expected[i] = f.in_double(x[i], y[i]);
    }
    for (std::size_t p = 0; p < all.size(); ++p) {
      find(all[p].floats, f.name).run(x.data(), y.data(), got.data(), chunk);
      for (std::size_t i = 0; i < chunk; ++i) worst[p].add(error_in_ulp(got[i], expected[i]), x[i], y[i], got[i]);
    }
  }
  for (std::size_t p = 0; p < all.size(); ++p) worst[p].expect_within(f, all[p].processor);
}

/// Doubles close to multiples of pi/2, including the closest of all.
void add_near_multiples_of_half_pi(std::vector<double> &x, std::mt19937_64 &random) {
  big half_pi(0, 1300), multiple(0, 1300);
  mpfr_const_pi(half_pi.get(), MPFR_RNDN);
  mpfr_div_ui(half_pi.get(), half_pi.get(), 2, MPFR_RNDN);
  for (int i = 0; i < 3000; ++i) {
    const double k = i < 1000 ? i + 1 : std::ldexp(1 + double(random() >> 12) * 0x1p-52, int(random() % 1020));
    mpfr_mul_d(multiple.get(), half_pi.get(), std::floor(k), MPFR_RNDN);
    const double near = mpfr_get_d(multiple.get(), MPFR_RNDN);
    for (double v : {near, std::nextafter(near, inf), std::nextafter(near, 0.0)}) x.push_back(random() & 1 ? v : -v);
  }
  x.push_back(std::ldexp(6381956970095103.0, 797));
  x.push_back(-std::ldexp(6381956970095103.0, 797));
}

const double special_values[] = {0.0,
                                 -0.0,
                                 1.0,
                                 -1.0,
                                 2.0,
                                 -2.0,
                                 0.5,
                                 -0.5,
                                 3.0,
                                 -3.0,
                                 2.5,
                                 -2.5,
                                 1e300,
                                 -1e300,
                                 inf,
                                 -inf,
                                 std::numeric_limits<double>::quiet_NaN(),
                                 5e-324,
                                 -5e-324,
                                 0x1p-1022,
                                 0x1.fffffffffffffp-1023,
                                 0x1.fffffffffffffp1023,
                                 -0x1.fffffffffffffp1023,
                                 0x1.fffffffffffffp-1,
                                 0x1.0000000000001p0,
                                 0x1.62e42fefa39efp9,
                                 0x1.62e42fefa39fp9,
                                 -0x1.74910d52d3051p9,
                                 -0x1.74910d52d3052p9,
                                 0x1p53,
                                 0x1.0000000000001p53,
                                 -0x1.fffffffffffffp52};

/// Inputs for a function of one argument.
std::vector<double> unary_inputs(const tested_function &f, std::mt19937_64 &random) {
  std::vector<double> x(std::begin(special_values), std::end(special_values));
  std::uniform_real_distribution<double> domain(f.low, f.high), near_one(1 - 0x1p-10, 1 + 0x1p-10);
  for (int i = 0; i < 12000; ++i) x.push_back(any_double(random)), x.push_back(domain(random));
  for (int i = 0; i < 2000; ++i) {
    x.push_back(near_one(random));
    x.push_back(std::bit_cast<double>(random() >> 12));                                            // denormal
    x.push_back(f.low < 0 ? std::nextafter(domain(random) / 64, 0.0) : 1 + 0x1p-52 * (i - 1000));  // small results
  }
  if (f.name == "sin" || f.name == "cos" || f.name == "tan") add_near_multiples_of_half_pi(x, random);
  return x;
}

/// Pairs, mainly for pow: results over its whole range, denormal and just overflowing, bases near 1, and all special
/// values.
std::vector<std::pair<double, double>> binary_inputs(std::mt19937_64 &random) {
  std::vector<std::pair<double, double>> pairs;
  for (double x : special_values)
    for (double y : special_values) pairs.emplace_back(x, y);
  std::uniform_real_distribution<double> result(-1080, 1030), extreme(1010, 1080), base(-1, 1);
  for (int i = 0; i < 8000; ++i) {
    const double scale[] = {1, 1000, 1e-5, 1e-12};
    const double log2_x = base(random) * scale[i % 4];
    const double x = std::exp2(log2_x);
    if (x != 1) {
      pairs.emplace_back(x, result(random) / std::log2(x));
      pairs.emplace_back(x, (random() & 1 ? 1 : -1) * extreme(random) / std::log2(x));
    }
    pairs.emplace_back(any_double(random), any_double(random));
    pairs.emplace_back(any_double(random), double(int(random() % 9) - 4));  // small integers: exact and negative
    pairs.emplace_back(std::ldexp(1 + base(random) / 2, i % 40 - 20), base(random) * 30);
  }
  return pairs;
}

TEST_P(device_math, doubles_within_bound) {
  const auto &f = GetParam();
  std::mt19937_64 random(4);
  std::vector<double> x, y;
  if (f.two_arguments) {
    for (auto [a, b] : binary_inputs(random)) x.push_back(a), y.push_back(b);
  } else {
    x = unary_inputs(f, random);
    y.resize(x.size());
  }
  const auto all = processors();
  std::vector<std::vector<double>> got;
  for (const auto &tables : all) {
    got.emplace_back(x.size());
    find(tables.doubles, f.name).run(x.data(), y.data(), got.back().data(), x.size());
  }
  std::vector<worst_case<double>> worst(all.size());
  big x_exact(0, 53), y_exact(0, 53), expected(0, 160);
  for (std::size_t i = 0; i < x.size(); ++i) {
    mpfr_set_d(x_exact.get(), x[i], MPFR_RNDN);
    mpfr_set_d(y_exact.get(), y[i], MPFR_RNDN);
    f.exact(expected.get(), x_exact.get(), y_exact.get());
    const double at_least = f.term && std::isfinite(x[i]) ? f.term(x[i]) : 0;
    for (std::size_t p = 0; p < all.size(); ++p)
      worst[p].add(error_in_ulp(got[p][i], expected, at_least), x[i], y[i], got[p][i]);
  }
  for (std::size_t p = 0; p < all.size(); ++p) worst[p].expect_within(f, all[p].processor);
}

INSTANTIATE_TEST_SUITE_P(each, device_math, testing::ValuesIn(functions),
                         [](const auto &info) { return info.param.name; });

}  // namespace
}  // namespace dpep::test
