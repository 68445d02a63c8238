// Kernels for compilation times: an almost empty one, and one of about 2,000 instructions, which repeats a formula with
// different constants, so that its copies cannot be merged.
#include <utility>

#include "formulas.hpp"
#include "launch.hpp"

namespace {

/// About 40 instructions: a divergent branch, and arithmetic.
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
