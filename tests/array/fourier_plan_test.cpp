// Plans of Fourier transforms for GPUs: radices, convolutions, and the memory between passes.
#include <gtest/gtest.h>

#include <numeric>

#include "array/gpu/fourier_plan.hpp"
#include "host_values.hpp"

namespace dpep::array::gpu {
namespace {

using namespace testing;
using std::int64_t;

int64_t product_of(const std::vector<int64_t> &x) {
  return std::accumulate(x.begin(), x.end(), int64_t{1}, std::multiplies<>());
}
/// Whether all prime factors are at most 13.
bool is_smooth(int64_t n) {
  for (const int64_t prime : {2, 3, 5, 7, 11, 13})
    while (n % prime == 0) n /= prime;
  return n == 1;
}

TEST(fourier_plan, passes_have_radices_whose_product_is_the_length) {
  for (const int64_t tile : {64, 1024, 2048})
    for (int64_t length = 1; length < 20'000; ++length) {
      const std::vector<int64_t> radices = pass_radices(length, tile);
      ASSERT_EQ(radices.empty(), !is_smooth(length)) << length;
      if (radices.empty()) continue;
      ASSERT_EQ(product_of(radices), length);
      for (const int64_t r : radices) ASSERT_LE(r, tile) << length;
      ASSERT_EQ(radices.size() == 1, length <= tile) << length;
    }
}

TEST(fourier_plan, sixteen_million_points_take_three_passes) {
  EXPECT_EQ(pass_radices(1 << 24, 2048), (std::vector<int64_t>{256, 256, 256}));
  EXPECT_EQ(pass_radices(1 << 18, 2048), (std::vector<int64_t>{512, 512}));
}

TEST(fourier_plan, columns_have_radices_that_kernels_know) {
  for (int64_t radix = 1; radix <= 2048; ++radix) {
    if (!is_smooth(radix)) continue;
    int64_t product = 1;
    for (std::uint64_t schedule = column_schedule(radix); schedule; schedule >>= 4) {
      const auto next = int64_t(schedule & 15);
      ASSERT_TRUE(next == 2 || next == 3 || next == 4 || next == 5 || next == 7 || next == 8 || next == 11 ||
                  next == 13);
      product *= next;
    }
    ASSERT_EQ(product, radix);
  }
}

TEST(fourier_plan, convolutions_are_long_enough_and_not_twice_that) {
  for (int64_t points = 17; points < 100'000; points += 7) {
    const int64_t length = convolution_length(points);
    ASSERT_GE(length, 2 * points - 1);
    ASSERT_LT(length, points * 5 / 2 + 16);
    ASSERT_TRUE(is_smooth(length)) << length;
  }
}

/// No pass reads the memory that it writes, and none but the first of a transform that is not in place reads x.
TEST(fourier_plan, passes_alternate_between_buffers) {
  const ndarray x = empty(shape_t{2}, dtype::complex64, here());
  for (const fourier_kind what :
       {fourier_kind::forward, fourier_kind::backward, fourier_kind::real_to_complex, fourier_kind::complex_to_real})
    for (const int64_t length : {1, 2, 100, 101, 4096, 4098, 4099, 1 << 20, 1 << 24, (1 << 24) - 3})
      for (const bool in_place : {false, true}) {
        const bool is_real = what == fourier_kind::real_to_complex || what == fourier_kind::complex_to_real;
        if (in_place && is_real) continue;
        const fourier_work w{what, dtype::complex64, length, 1, 0, x, x};
        const fourier_plan plan = plan_of(w, {.tile = 2048, .in_place = in_place});
        fourier_memory last = fourier_memory::x;
        bool uses_second = false;
        for (const fourier_pass &p : plan.passes) {
          EXPECT_EQ(p.from, last) << length;
          EXPECT_NE(p.from, p.to) << length;
          uses_second |= p.to == fourier_memory::second_scratch;
          last = p.to;
        }
        EXPECT_EQ(last, plan.untangles ? fourier_memory::first_scratch : fourier_memory::y) << length;
        EXPECT_EQ(uses_second, plan.uses_second_scratch);
        if (in_place && plan.passes.size() > 1)
          EXPECT_NE(plan.passes[0].to, fourier_memory::y) << length << ": the first pass overwrites its operand";
      }
}

}  // namespace
}  // namespace dpep::array::gpu
