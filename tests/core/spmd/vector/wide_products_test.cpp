// Rounds of a counter-based random number generator, whose numbers are halves of 64-bit products.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

// (a, b) = (high(M * a) ^ b ^ key, low(M * a)), three times.
constexpr const char *rounds = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.keys = getelementptr ptr, ptr %arguments, i64 1
  %out = load ptr, ptr %arguments
  %keys = load ptr, ptr %a.keys
  %key = load i32, ptr %keys
  %i = call i64 @__dpep_global_id(i32 0)
  %a0 = trunc i64 %i to i32
  %w0 = zext i32 %a0 to i64
  %p0 = mul i64 %w0, 3528531795
  %h0 = lshr i64 %p0, 32
  %t0 = trunc i64 %h0 to i32
  %b1 = trunc i64 %p0 to i32
  %a1 = xor i32 %t0, %key
  %w1 = zext i32 %a1 to i64
  %p1 = mul i64 %w1, 3528531795
  %h1 = lshr i64 %p1, 32
  %t1 = trunc i64 %h1 to i32
  %b2 = trunc i64 %p1 to i32
  %x1 = xor i32 %t1, %b1
  %a2 = xor i32 %x1, %key
  %w2 = zext i32 %a2 to i64
  %p2 = mul i64 %w2, 3528531795
  %h2 = lshr i64 %p2, 32
  %t2 = trunc i64 %h2 to i32
  %b3 = trunc i64 %p2 to i32
  %x2 = xor i32 %t2, %b2
  %a3 = xor i32 %x2, 1234567
  %sum = add i32 %a3, %b3
  %target = getelementptr i32, ptr %out, i64 %i
  store i32 %sum, ptr %target
  ret void
}
)";

TEST(wide_products, have_factors_of_64_bits) {
  constexpr std::size_t items = 203;
  const std::uint32_t key = 0x9E3779B9U;
  std::vector<std::uint32_t> wanted(items);
  for (std::size_t i = 0; i < items; ++i) {
    std::uint32_t a = static_cast<std::uint32_t>(i), b = 0;
    for (const std::uint32_t each : {key, key, std::uint32_t{1234567}}) {
      const std::uint64_t product = std::uint64_t{3528531795} * a;
      a = static_cast<std::uint32_t>(product >> 32) ^ b ^ each;
      b = static_cast<std::uint32_t>(product);
    }
    wanted[i] = a + b;
  }
  for (const auto &level : x86_levels())
    for (const std::uint32_t width : {0U, 8U, 16U}) {
      const formed_kernel kernel(rounds, specialisation_of(range_of(items)), formed_kernel::optimisation::standard,
                                 {.target = *level, .width = width});
      std::vector<std::uint32_t> out(items);
      const void *arguments[] = {out.data(), &key};
      kernel.run(range_of(items), arguments);
      EXPECT_EQ(out, wanted) << width;
      // The second and the third factor are computed in 64 bits.
      if (width == 8) EXPECT_TRUE(contains(kernel.optimised(), "splat (i64 4294967295)")) << kernel.optimised();
    }
}

}  // namespace
}  // namespace dpep::test
