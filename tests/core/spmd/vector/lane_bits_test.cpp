// Operations on the bits of ids below the number of lanes, with masks and shifts that are known at run time only.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

// for (i = local_id; i < n; i += 64) out[i] = a[i & mask] + b[i & other] + c[i >> shift]
constexpr const char *look_ups = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.b = getelementptr ptr, ptr %arguments, i64 1
  %a.c = getelementptr ptr, ptr %arguments, i64 2
  %a.out = getelementptr ptr, ptr %arguments, i64 3
  %a.mask = getelementptr ptr, ptr %arguments, i64 4
  %a.other = getelementptr ptr, ptr %arguments, i64 5
  %a.shift = getelementptr ptr, ptr %arguments, i64 6
  %a = load ptr, ptr %arguments
  %b = load ptr, ptr %a.b
  %c = load ptr, ptr %a.c
  %out = load ptr, ptr %a.out
  %mask64 = load i64, ptr %a.mask
  %mask = trunc i64 %mask64 to i32
  %other64 = load i64, ptr %a.other
  %other.flipped = trunc i64 %other64 to i32
  %other = xor i32 %other.flipped, -1
  %shift64 = load i64, ptr %a.shift
  %shift = trunc i64 %shift64 to i32
  %me = call i64 @__dpep_local_id(i32 0)
  %me.int = trunc i64 %me to i32
  %any = icmp slt i32 %me.int, COUNT
  br i1 %any, label %loop, label %done
loop:
  %i = phi i32 [ %me.int, %0 ], [ %i.next, %loop ]
  %x = and i32 %i, %mask
  %y = and i32 %other, %i
  %z = lshr i32 %i, %shift
  %x64 = sext i32 %x to i64
  %y64 = sext i32 %y to i64
  %z64 = zext i32 %z to i64
  %i64 = sext i32 %i to i64
  %p.a = getelementptr i32, ptr %a, i64 %x64
  %p.b = getelementptr i32, ptr %b, i64 %y64
  %p.c = getelementptr i32, ptr %c, i64 %z64
  %p.out = getelementptr i32, ptr %out, i64 %i64
  %u = load i32, ptr %p.a
  %v = load i32, ptr %p.b
  %w = load i32, ptr %p.c
  %uv = add i32 %u, %v
  %uvw = add i32 %uv, %w
  store i32 %uvw, ptr %p.out
  %i.next = add nsw i32 %i, 64
  %more = icmp slt i32 %i.next, COUNT
  br i1 %more, label %loop, label %done
done:
  ret void
}
)";

// A round of Stockham's Fourier transform: k = i & (half - 1); out[2 i - k] = in[i]; out[2 i - k + half] = -in[i]
constexpr const char *stockham = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %a.half = getelementptr ptr, ptr %arguments, i64 2
  %in = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %half64 = load i64, ptr %a.half
  %half = trunc i64 %half64 to i32
  %mask = add i32 %half, -1
  %me = call i64 @__dpep_local_id(i32 0)
  %i = trunc i64 %me to i32
  %k = and i32 %i, %mask
  %twice = shl i32 %i, 1
  %place = sub nsw i32 %twice, %k
  %second = add nsw i32 %place, %half
  %place64 = sext i32 %place to i64
  %second64 = sext i32 %second to i64
  %p.in = getelementptr float, ptr %in, i64 %me
  %p.place = getelementptr float, ptr %out, i64 %place64
  %p.second = getelementptr float, ptr %out, i64 %second64
  %x = load float, ptr %p.in
  %minus = fneg float %x
  store float %x, ptr %p.place
  store float %minus, ptr %p.second
  ret void
}
)";

void check_look_ups(std::size_t size, std::size_t count, std::size_t mask, std::size_t other, std::size_t shift,
                    unsigned width) {
  SCOPED_TRACE(std::to_string(size) + " of " + std::to_string(count) + ", mask " + std::to_string(mask) + ", other " +
               std::to_string(other) + ", shift " + std::to_string(shift) + ", width " + std::to_string(width));
  const geometry work = groups_of({size, 1, 1}, {size, 1, 1}, 1);
  const formed_kernel kernel(replaced(look_ups, "COUNT", std::to_string(count)), specialisation_of(work),
                             formed_kernel::optimisation::standard, {.width = width});
  std::vector<std::int32_t> a(512), b(512), c(512), out(count), wanted(count);
  for (std::size_t i = 0; i < 512; ++i) {
    a[i] = static_cast<std::int32_t>(i);
    b[i] = static_cast<std::int32_t>(1000 * i);
    c[i] = static_cast<std::int32_t>(1000000 * i);
  }
  for (std::size_t i = 0; i < count; ++i)
    if (i % 64 < size) wanted[i] = a[i & mask] + b[i & ~other] + c[i >> shift];
  const void *arguments[] = {a.data(),
                             b.data(),
                             c.data(),
                             out.data(),
                             reinterpret_cast<const void *>(mask),
                             reinterpret_cast<const void *>(other),
                             reinterpret_cast<const void *>(shift)};
  kernel.run(work, arguments);
  EXPECT_EQ(out, wanted);
}

TEST(lane_bits, look_ups_by_masked_ids) {
  for (const std::size_t mask : {0, 1, 5, 7, 15, 16, 31, 47, 63, 127, 255})
    for (const std::size_t other : {0, 3, 15, 31, 21, 255}) check_look_ups(64, 256, mask, other, 4, 0);
  for (const std::size_t shift : {0, 1, 3, 4, 5, 6, 8}) check_look_ups(64, 256, 31, 31, shift, 0);
}

TEST(lane_bits, look_ups_in_groups_and_loops_of_any_size) {
  for (const std::size_t size : {5, 16, 33, 64})
    for (const std::size_t count : {64, 100, 192, 200})
      for (const std::size_t mask : {12, 15, 63}) check_look_ups(size, count, mask, mask, 5, 0);
}

TEST(lane_bits, look_ups_with_every_width) {
  for (const unsigned width : {1U, 4U, 8U, 16U, 32U, 64U})
    for (const std::size_t mask : {3, 7, 15, 31, 63}) check_look_ups(64, 256, mask, mask, 6, width);
}

TEST(lane_bits, rounds_of_a_fourier_transform) {
  for (const std::size_t size : {8, 64, 256}) {
    const geometry work = groups_of({size, 1, 1}, {size, 1, 1}, 1);
    const formed_kernel kernel(stockham, specialisation_of(work));
    for (std::size_t half = 1; half <= size; half *= 2) {
      std::vector<float> in(size), out(2 * size), wanted(2 * size);
      for (std::size_t i = 0; i < size; ++i) in[i] = static_cast<float>(i + 1);
      for (std::size_t i = 0; i < size; ++i) {
        const std::size_t place = 2 * i - (i & (half - 1));
        wanted[place] = in[i];
        wanted[place + half] = -in[i];
      }
      const void *arguments[] = {in.data(), out.data(), reinterpret_cast<const void *>(half)};
      kernel.run(work, arguments);
      EXPECT_EQ(out, wanted) << half;
    }
  }
}

TEST(lane_bits, have_a_loop_with_contiguous_accesses) {
  const jit::specialisation special = specialisation_of(groups_of({256, 1, 1}, {256, 1, 1}, 1));
  const std::string code =
      formed_kernel(stockham, special, formed_kernel::optimisation::standard, {.width = 16}).optimised();
  EXPECT_GE(occurrences(code, "store <16 x float>"), 2U);
  EXPECT_GE(occurrences(code, "store <16 x float>"), occurrences(code, "call void @llvm.masked.scatter"));
}

}  // namespace
}  // namespace dpep::test
