// The loops that accuracy_test.cpp checks, as GPUs compute them: this file emulates the JIT's queries and a GPU's
// instructions.
#define DPEP_DEVICE_FUSED 1
#define DPEP_DEVICE_QUERIES
#define LOOP_TARGET "avx2,fma"
#include <algorithm>
#include <cmath>

#include "math/define_loops.hpp"

namespace {

/// An approximation as coarse as a GPU's, or coarser.
double without_lower_half(double x) {
  return __builtin_bit_cast(double, __builtin_bit_cast(unsigned long long, x) & ~0x1ffffffffull);
}
/// The approximations treat denormal numbers as 0.
template <class T> T flushed(T x) { return std::isnormal(x) || !(std::abs(x) < 1) ? x : std::copysign(T(0), x); }

}  // namespace

extern "C" {
bool __dpep_has_fast_exp2() noexcept { return true; }
float __dpep_fast_exp2(float x) noexcept { return flushed(std::exp2(x)); }
float __dpep_saturated_fma(float x, float y, float z) noexcept {
  const float sum = std::fma(x, y, z);
  return sum > 0 ? std::fmin(sum, 1.0f) : 0;
}
float __dpep_fast_log2(float x) noexcept {
  const float exact = std::log2(flushed(x));
  return exact + 0x1p-22f * std::max(1.0f, std::abs(exact));
}
bool __dpep_has_fast_reciprocals() noexcept { return true; }
double __dpep_fast_reciprocal(double x) noexcept { return without_lower_half(flushed(1 / flushed(x))); }
float __dpep_fast_reciprocalf(float x) noexcept {
  return flushed(std::nextafter(1 / flushed(x), 0.0f));  // an error of 1 to 1.5 ulp
}
double __dpep_fast_reciprocal_root(double x) noexcept { return without_lower_half(1 / std::sqrt(flushed(x))); }
float __dpep_fast_reciprocal_rootf(float x) noexcept { return std::nextafter(1 / std::sqrt(flushed(x)), 0.0f); }
}

namespace dpep::test {

[[gnu::target(LOOP_TARGET)]] float gpu_rounded_quotient(float x, float y) {
  return device::by_reciprocal::rounded_quotient(x, y);
}
[[gnu::target(LOOP_TARGET)]] float gpu_rounded_square_root(float x) {
  return device::by_reciprocal::rounded_square_root(x);
}

loop_tables gpu_loops() { return tables_of("gpu", __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")); }

}  // namespace dpep::test
