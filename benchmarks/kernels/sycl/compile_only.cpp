// Kernels for the time that compiling takes: one of next to nothing, and one of about 2,000 instructions, a formula
// over and over with constants that keep its copies apart.
#include <utility>

#include "formulas.hpp"
#include "launch.hpp"

namespace {

/// Some 40 instructions: a branch that work-items take apart, and arithmetic.
inline float mix(float x, float y, float constant) {
  const float t = x * constant + y;
  float r = t * t - constant;
  if (r > x) r = sycl::sqrt(r - x) * y + constant;
  const float u = r * x - t * y, v = r * y + t * x;
  return u / (1 + v * v) + constant * sycl::fabs(u - v);
}

void copy(const bench::arguments &a) {
  const float *in = a.buffer<float>(0);
  float *out = a.buffer<float>(1);
  bench::queue().parallel_for(bench::range1(a), [=](sycl::id<1> i) { out[i] = in[i]; });
  bench::finish();
}

void two_thousand(const bench::arguments &a) {
  const float *in = a.buffer<float>(0);
  float *out = a.buffer<float>(1);
  bench::queue().parallel_for(bench::range1(a), [=](sycl::id<1> i) {
    float x = in[i], y = 1;
    const auto step = [&](float constant) {
      const float next = mix(x, y, constant);
      y = x;
      x = next;
    };
    [&]<int... N>(std::integer_sequence<int, N...>) {
      (step(0.5f + 0.01f * N), ...);
    }(std::make_integer_sequence<int, 90>());
    out[i] = x;
  });
  bench::finish();
}

bench::kernel registered_copy("copy", copy), registered("two_thousand", two_thousand);

}  // namespace
