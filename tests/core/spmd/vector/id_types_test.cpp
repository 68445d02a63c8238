// Ids in integers of other widths: their accesses are still contiguous, without gathers.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

// out[global id] = in[int(local id) + 1] + in[int(local id)]; the int is a pair of shifts, as clang emits it.
constexpr const char *neighbours = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %in = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %me = call i64 @__dpep_local_id(i32 0)
  %i = call i64 @__dpep_global_id(i32 0)
  %up = shl i64 %me, 32
  %mine = ashr exact i64 %up, 30
  %next.up = add i64 %up, 4294967296
  %next = ashr exact i64 %next.up, 30
  %p = getelementptr i8, ptr %in, i64 %mine
  %q = getelementptr i8, ptr %in, i64 %next
  %x = load float, ptr %p
  %y = load float, ptr %q
  %sum = fadd float %x, %y
  %target = getelementptr float, ptr %out, i64 %i
  store float %sum, ptr %target
  ret void
}
)";

TEST(id_types, narrow_ids_with_an_offset_are_contiguous) {
  constexpr std::size_t groups = 3, size = 100;
  const geometry work = groups_of({groups * size, 1, 1}, {size, 1, 1}, 1);
  const formed_kernel kernel(neighbours, specialisation_of(work));
  std::vector<float> in(size + 1), out(groups * size), wanted(groups * size);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i * i % 37);
  for (std::size_t i = 0; i < out.size(); ++i) wanted[i] = in[i % size] + in[i % size + 1];
  const void *arguments[] = {in.data(), out.data()};
  kernel.run(work, arguments);
  EXPECT_EQ(out, wanted);
  EXPECT_FALSE(contains(kernel.optimised(), "gather"));
}

// out[global id] = sum of in[k * int(global id) + 1] and in[k * int(global id)], which clang computes in 64 bits as the
// high half of a product by k << 32; index[global id] = k * int(global id) - 2.
std::string multiples(std::int64_t k) {
  return replaced(R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %a.index = getelementptr ptr, ptr %arguments, i64 2
  %in = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %index = load ptr, ptr %a.index
  %i = call i64 @__dpep_global_id(i32 0)
  %up = mul i64 %i, FACTOR
  %bytes = ashr exact i64 %up, 30
  %p = getelementptr i8, ptr %in, i64 %bytes
  %q = getelementptr i8, ptr %p, i64 4
  %x = load i32, ptr %p
  %y = load i32, ptr %q
  %sum = add i32 %x, %y
  %target = getelementptr i32, ptr %out, i64 %i
  store i32 %sum, ptr %target
  %before.up = add i64 %up, -8589934592
  %before = ashr exact i64 %before.up, 32
  %to = getelementptr i64, ptr %index, i64 %i
  store i64 %before, ptr %to
  ret void
}
)",
                  "FACTOR", std::to_string(k << 32));
}

TEST(id_types, narrow_multiples_of_ids_are_strided) {
  for (const std::int64_t k : {1, 2, 3, 4, 5, 6, 12}) {
    SCOPED_TRACE(k);
    for (const std::size_t items : {1, 15, 16, 77}) {
      const geometry work = range_of(items);
      const formed_kernel kernel(multiples(k), specialisation_of(work));
      const auto step = static_cast<std::size_t>(k);
      std::vector<std::int32_t> in(step * items + 1), out(items), wanted(items);
      std::vector<std::int64_t> index(items), wanted_index(items);
      for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::int32_t>(i * i % 37);
      for (std::size_t i = 0; i < items; ++i) {
        wanted[i] = in[step * i] + in[step * i + 1];
        wanted_index[i] = static_cast<std::int64_t>(step * i) - 2;
      }
      const void *arguments[] = {in.data(), out.data(), index.data()};
      kernel.run(work, arguments);
      EXPECT_EQ(out, wanted);
      EXPECT_EQ(index, wanted_index);
      EXPECT_FALSE(contains(kernel.optimised(), "ashr exact <")) << "the address of each lane is computed";
      if (k <= 4) EXPECT_FALSE(contains(kernel.optimised(), "masked.gather"));
    }
  }
}

// index[global id] = k * int(global id) - 2, where the product wraps around.
TEST(id_types, multiples_of_ids_wrap_around_in_32_bits) {
  for (const std::int64_t k : {3, 5, 12}) {
    const std::string text = replaced(R"(
define spir_kernel void @kernel(ptr %arguments) {
  %index = load ptr, ptr %arguments
  %i = call i64 @__dpep_global_id(i32 0)
  %up = mul i64 %i, FACTOR
  %before.up = add i64 %up, -8589934592
  %before = ashr exact i64 %before.up, 32
  %to = getelementptr i64, ptr %index, i64 %i
  store i64 %before, ptr %to
  ret void
}
)",
                                      "FACTOR", std::to_string(k << 32));
    const formed_kernel kernel(text, specialisation_of(range_of(1)));
    constexpr std::size_t items = 200;
    const std::uint64_t limit = ((std::uint64_t{1} << 31) - 1) / static_cast<std::uint64_t>(k);
    for (const std::uint64_t first : {limit - 210, limit - 199, limit - 100, limit - 1, limit + 1, 2 * limit - 50}) {
      std::vector<std::int64_t> index(items), wanted(items);
      for (std::size_t i = 0; i < items; ++i)
        wanted[i] = static_cast<std::int32_t>(static_cast<std::uint64_t>(k) * (first + i) - 2);
      const void *arguments[] = {index.data() - first};
      kernel.run(range_of(first + items), arguments, first, first + items);
      EXPECT_EQ(index, wanted) << k << ", " << first;
    }
  }
}

// out[global id] = table[hash[global id] & mask] with unsigned numbers of 32 bits.
TEST(id_types, indices_that_are_masked_are_gathered_as_narrow_ones) {
  constexpr const char *text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.hash = getelementptr ptr, ptr %arguments, i64 1
  %a.out = getelementptr ptr, ptr %arguments, i64 2
  %a.mask = getelementptr ptr, ptr %arguments, i64 3
  %table = load ptr, ptr %arguments
  %hash = load ptr, ptr %a.hash
  %out = load ptr, ptr %a.out
  %mask = load i32, ptr %a.mask
  %i = call i64 @__dpep_global_id(i32 0)
  %p = getelementptr i32, ptr %hash, i64 %i
  %x = load i32, ptr %p
  %slot = and i32 %x, %mask
  %at = zext i32 %slot to i64
  %q = getelementptr i32, ptr %table, i64 %at
  %y = load i32, ptr %q
  %sum = add i32 %x, %y
  %target = getelementptr i32, ptr %out, i64 %i
  store i32 %sum, ptr %target
  ret void
}
)";
  constexpr std::size_t items = 133, size = 256;
  const formed_kernel kernel(text, specialisation_of(range_of(items)));
  EXPECT_FALSE(contains(kernel.optimised(), "zext <"));
  std::vector<std::uint32_t> table(size), hash(items), out(items), wanted(items);
  for (std::size_t k = 0; k < size; ++k) table[k] = static_cast<std::uint32_t>(k * 7919);
  for (const std::uint32_t mask : {0U, 7U, 255U, 0x80000000U, 0x800000ffU, 0xffffffffU}) {
    for (std::size_t i = 0; i < items; ++i) {
      const auto spread = static_cast<std::uint32_t>(i * 2654435761U);
      hash[i] = mask < size ? spread : spread & 255U;
      wanted[i] = hash[i] + table[hash[i] & mask];
    }
    const void *arguments[] = {table.data(), hash.data(), out.data(),
                               reinterpret_cast<const void *>(std::uintptr_t{mask})};
    kernel.run(range_of(items), arguments);
    EXPECT_EQ(out, wanted) << mask;
  }
}

// out[global id] = ((local id & mask) == 0) + ((local id ^ mask) < bound), in integers of 64 bits.
constexpr const char *bits_of_ids = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.mask = getelementptr i64, ptr %arguments, i64 1
  %a.bound = getelementptr i64, ptr %arguments, i64 2
  %out = load ptr, ptr %arguments
  %mask = load i64, ptr %a.mask, !range !0
  %bound = load i64, ptr %a.bound
  %me = call i64 @__dpep_local_id(i32 0)
  %i = call i64 @__dpep_global_id(i32 0)
  %common = and i64 %me, %mask
  %none = icmp eq i64 %common, 0
  %other = xor i64 %me, %mask
  %below = icmp slt i64 %other, 40
  %far = icmp slt i64 %other, %bound
  %x = zext i1 %none to i32
  %y = zext i1 %below to i32
  %z = zext i1 %far to i32
  %xy = add i32 %x, %y
  %sum = add i32 %xy, %z
  %target = getelementptr i32, ptr %out, i64 %i
  store i32 %sum, ptr %target
  ret void
}
!0 = !{i64 0, i64 1024}
)";

TEST(id_types, bit_tests_use_narrow_lanes) {
  constexpr std::size_t groups = 2, size = 128;
  const geometry work = groups_of({groups * size, 1, 1}, {size, 1, 1}, 1);
  const formed_kernel kernel(bits_of_ids, specialisation_of(work));
  for (const std::int64_t mask : {0, 1, 12, 64, 1000})
    for (const std::int64_t bound : {std::int64_t{-1}, std::int64_t{50}, std::int64_t{1} << 32, INT64_MIN, INT64_MAX}) {
      std::vector<std::int32_t> out(groups * size), wanted(groups * size);
      for (std::size_t i = 0; i < out.size(); ++i) {
        const auto me = static_cast<std::int64_t>(i % size);
        wanted[i] = ((me & mask) == 0) + ((me ^ mask) < 40) + ((me ^ mask) < bound);
      }
      const struct {
        void *out;
        std::int64_t mask, bound;
      } arguments{out.data(), mask, bound};
      kernel.run(work, &arguments);
      EXPECT_EQ(out, wanted) << mask << ", " << bound;
    }
}

// if (global id % 4 == 0) out[global id] = in[from] + from; from = global id * 3 | 1, whose `disjoint` flag holds only
// there.
constexpr const char *bits_apart = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %in = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %i = call i64 @__dpep_global_id(i32 0)
  %low = and i64 %i, 3
  %fourth = icmp eq i64 %low, 0
  br i1 %fourth, label %copy, label %done
copy:
  %scaled = mul i64 %i, 3
  %from = or disjoint i64 %scaled, 1
  %source = getelementptr float, ptr %in, i64 %from
  %x = load float, ptr %source
  %y = uitofp i64 %from to float
  %sum = fadd float %x, %y
  %target = getelementptr float, ptr %out, i64 %i
  store float %sum, ptr %target
  br label %done
done:
  ret void
}
)";

TEST(id_types, disjoint_bits_are_not_assumed_in_inactive_lanes) {
  constexpr std::size_t groups = 4, size = 33;  // the first lane of a vector is not always active
  const geometry work = groups_of({groups * size, 1, 1}, {size, 1, 1}, 1);
  std::vector<float> in(3 * groups * size), wanted(groups * size, -1);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
  for (std::size_t i = 0; i < wanted.size(); i += 4) wanted[i] = 2 * in[3 * i + 1];
  for (const std::uint32_t width : {1u, 4u, 8u, 0u}) {
    const formed_kernel kernel(bits_apart, specialisation_of(work), formed_kernel::optimisation::after,
                               {jit::x86_target(), width});
    std::vector<float> out(groups * size, -1);
    const void *arguments[] = {in.data(), out.data()};
    kernel.run(work, arguments);
    EXPECT_EQ(out, wanted) << "width " << width;
  }
}

// out[id] = int(id) * SCALE + int(id) + offset, as a 64-bit number; `flags` of the sums.
std::string sum_of_ints(const std::string &flags) {
  return replaced(R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.offset = getelementptr i64, ptr %arguments, i64 1
  %out = load ptr, ptr %arguments
  %offset.wide = load i64, ptr %a.offset
  %offset = trunc i64 %offset.wide to i32
  %i = call i64 @__dpep_global_id(i32 0)
  %id = trunc i64 %i to i32
  %three = mul FLAGS i32 %id, 3
  %sum = add FLAGS i32 %three, %offset
  %more = add FLAGS i32 %sum, 7
  %wide = sext i32 %more to i64
  %target = getelementptr i64, ptr %out, i64 %i
  store i64 %wide, ptr %target
  ret void
}
)",
                  "FLAGS", flags);
}

TEST(id_types, sums_of_ints_that_wrap_around) {
  for (const std::string flags : {"", "nsw"}) {
    const formed_kernel kernel(sum_of_ints(flags), specialisation_of(range_of(100)));
    for (const std::int64_t offset : {0L, -50L, -2147483648L, 2147483000L, 2147483640L, 2147483647L}) {
      if (!flags.empty() && offset > 1000) continue;  // would be undefined
      std::vector<std::int64_t> out(150), wanted(150);
      for (std::size_t i = 0; i < out.size(); ++i)
        wanted[i] =
            static_cast<std::int32_t>(static_cast<std::uint32_t>(3 * i + 7 + static_cast<std::uint64_t>(offset)));
      const void *arguments[] = {out.data(), reinterpret_cast<const void *>(offset)};
      kernel.run(range_of(out.size()), arguments);
      EXPECT_EQ(out, wanted) << offset << flags;
    }
  }
}

// out[int(id) + 1 + row] = in[...] at the neighbours: clang reassociates the sums, which then may wrap around.
TEST(id_types, sums_of_ints_are_contiguous) {
  for (const std::string flags : {"", "nsw"}) {
    const std::string text = replaced(R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %a.row = getelementptr i64, ptr %arguments, i64 2
  %in = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %row.wide = load i64, ptr %a.row
  %row = trunc i64 %row.wide to i32
  %i = call i64 @__dpep_global_id(i32 0)
  %id = trunc i64 %i to i32
  %x = add FLAGS i32 %id, 1
  %at = add FLAGS i32 %x, %row
  %up = sub nsw i32 %at, %row
  %at.wide = sext i32 %at to i64
  %up.wide = sext i32 %up to i64
  %p = getelementptr float, ptr %in, i64 %at.wide
  %q = getelementptr float, ptr %in, i64 %up.wide
  %a = load float, ptr %p
  %b = load float, ptr %q
  %sum = fadd float %a, %b
  %target = getelementptr float, ptr %out, i64 %at.wide
  store float %sum, ptr %target
  ret void
}
)",
                                      "FLAGS", flags);
    const formed_kernel kernel(text, specialisation_of(range_of(100)));
    EXPECT_FALSE(contains(kernel.optimised(), "masked.gather")) << kernel.optimised();
    for (const std::size_t items : {1, 16, 100, 133})
      for (const std::size_t row : {0, 3, 200}) {
        std::vector<float> in(400), out(400), wanted(400);
        for (std::size_t k = 0; k < in.size(); ++k) in[k] = static_cast<float>(k * 13 % 101);
        for (std::size_t i = 0; i < items; ++i) wanted[i + 1 + row] = in[i + 1 + row] + in[i + 1];
        const void *arguments[] = {in.data(), out.data(), reinterpret_cast<const void *>(row)};
        kernel.run(range_of(items), arguments);
        EXPECT_EQ(out, wanted) << items << " " << row << flags;
      }
  }
}

// out[int(id)] = in[int(id) - 3] behind id >= 3: the difference is not negative, and is extended without a sign.
TEST(id_types, differences_that_are_not_negative_are_contiguous) {
  const std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %in = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %i = call i64 @__dpep_local_id(i32 0)
  %id = trunc i64 %i to i32
  %inside = icmp sge i32 %id, 3
  br i1 %inside, label %then, label %done
then:
  %before = sub nsw i32 %id, 3
  %wide = zext nneg i32 %before to i64
  %p = getelementptr float, ptr %in, i64 %wide
  %a = load float, ptr %p
  %target = getelementptr float, ptr %out, i64 %i
  store float %a, ptr %target
  br label %done
done:
  ret void
}
)";
  for (const std::size_t size : {1, 3, 4, 16, 64, 100, 256}) {
    const geometry work = groups_of({size, 1, 1}, {size, 1, 1}, 1);
    const formed_kernel kernel(text, specialisation_of(work), formed_kernel::optimisation::after);
    EXPECT_FALSE(contains(kernel.optimised(), "masked.gather")) << size;
    std::vector<float> in(size), out(size), wanted(size);
    for (std::size_t k = 0; k < size; ++k) in[k] = static_cast<float>(k * 13 % 101);
    for (std::size_t k = 3; k < size; ++k) wanted[k] = in[k - 3];
    const void *arguments[] = {in.data(), out.data()};
    kernel.run(work, arguments);
    EXPECT_EQ(out, wanted) << size;
  }
}

}  // namespace
}  // namespace dpep::test
