// Functions of floats in single precision, as on GPUs, compared with the C library's in double precision.
#define DPEP_DEVICE_FUSED 1
#include "device/math/arctangent.hpp"
#include "device/math/trigonometry.hpp"

#include <cmath>
#include <cstdio>
#include <limits>

#include <gtest/gtest.h>

namespace dpep::test {
namespace {

struct function {
  const char *name;
  float (*ours)(float);
  double (*exact)(double);
};
const function functions[] = {
    {"sin", [](float x) { return device::sin(x); }, std::sin},
    {"cos", [](float x) { return device::cos(x); }, std::cos},
    {"tan", [](float x) { return device::tan(x); }, std::tan},
    {"asin", [](float x) { return device::asin(x); }, std::asin},
    {"acos", [](float x) { return device::acos(x); }, std::acos},
    {"atan", [](float x) { return device::atan(x); }, std::atan},
};

double unit_in_last_place(double of) {
  int exponent = 0;
  std::frexp(of, &exponent);
  return std::ldexp(1.0, std::max(exponent - 1, -126) - 23);
}

void expect_close(const function &f, float x, double &worst) {
  const float got = f.ours(x);
  const double wanted = f.exact(double(x));
  if (std::isnan(wanted)) {
    EXPECT_TRUE(std::isnan(got)) << f.name << " of " << x;
    return;
  }
  if (wanted == 0) {
    EXPECT_EQ(got, 0) << f.name << " of " << x;
    EXPECT_EQ(std::signbit(got), std::signbit(wanted)) << f.name << " of " << x;
    return;
  }
  const double error = std::abs(got - wanted) / unit_in_last_place(wanted);
  EXPECT_LE(error, 2) << f.name << " of " << std::hexfloat << x << ": " << got << ", not " << wanted;
  worst = std::max(worst, error);
}

TEST(single, functions_are_within_2_ulp) {
  for (const function &f : functions) {
    double worst = 0;
    for (std::uint64_t i = 0; i < std::uint64_t{1} << 32; i += 4099)
      expect_close(f, device::number(std::int32_t(std::uint32_t(i))), worst);
    std::printf("%s: %.3f ulp\n", f.name, worst);
  }
}

TEST(single, special_values_and_hard_cases) {
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  double worst = 0;
  for (const function &f : functions)
    for (const float x : {0.0f, 1.0f, 0.5f, 0x1.000002p-1f, 0x1.fffffep-1f, 0x1.000002p0f, 0x1p-149f, 0x1p-126f,
                          0x1p16f, 0x1.fffffep15f, 0x1.fffffep127f, infinity, nan,
                          // next to multiples of pi/2
                          0x1.921fb6p0f, 0x1.921fb6p1f, 0x1.a3b278p14f, 0x1.c3ff24p10f, 0x1.6a1afap15f, 0x1.72008cp70f})
      for (const float y : {x, -x}) expect_close(f, y, worst);
}

}  // namespace
}  // namespace dpep::test
