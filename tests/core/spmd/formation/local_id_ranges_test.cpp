// Comparisons and conversions of local ids that the work-group's size decides.
#include <gtest/gtest.h>

#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

// out[id] = int(local_id) < 100 ? 1 : 2, and the id as an int behind a barrier
constexpr const char *compare = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %out = load ptr, ptr %arguments
  %id = call i64 @__dpep_global_id(i32 0)
  %me = call i64 @__dpep_local_id(i32 0)
  %me.int = trunc i64 %me to i32
  %below = icmp slt i32 %me.int, 100
  %high = shl i64 %me, 32
  %extended = ashr exact i64 %high, 30
  br i1 %below, label %small, label %large
small:
  br label %join
large:
  br label %join
join:
  %x = phi i32 [ 1, %small ], [ 2, %large ]
  %p = getelementptr i32, ptr %out, i64 %id
  store i32 %x, ptr %p
  call void @__dpep_group_barrier()
  %four = trunc i64 %extended to i32
  %old = load i32, ptr %p
  %new = add i32 %old, %four
  store i32 %new, ptr %p
  ret void
}
)";

TEST(local_id_ranges, decide_comparisons) {
  for (const std::size_t size : {1, 64, 99, 100, 101, 256}) {
    const geometry work = groups_of({2 * size, 1, 1}, {size, 1, 1}, 1);
    const formed_kernel kernel(compare, specialisation_of(work));
    std::vector<std::int32_t> out(2 * size), wanted(2 * size);
    for (std::size_t i = 0; i < 2 * size; ++i) {
      const std::size_t me = i % size;
      wanted[i] = static_cast<std::int32_t>((me < 100 ? 1 : 2) + 4 * me);
    }
    const void *arguments[] = {out.data()};
    kernel.run(work, arguments);
    EXPECT_EQ(out, wanted) << size;
    EXPECT_EQ(contains(kernel.formed(), "icmp slt i32"), size > 100) << size;
    EXPECT_FALSE(contains(kernel.formed(), "ashr")) << size;
  }
}

// out[id] = int(local_id) % BY * 1000 + int(local_id) / BY
TEST(local_id_ranges, make_remainders_unsigned) {
  constexpr const char *text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %out = load ptr, ptr %arguments
  %id = call i64 @__dpep_global_id(i32 0)
  %me = call i64 @__dpep_local_id(i32 0)
  %me.int = trunc i64 %me to i32
  %lane = srem i32 %me.int, BY
  %warp = sdiv i32 %me.int, BY
  %thousands = mul i32 %lane, 1000
  %x = add i32 %thousands, %warp
  %p = getelementptr i32, ptr %out, i64 %id
  store i32 %x, ptr %p
  ret void
}
)";
  for (const int by : {1, 7, 32}) {
    const std::string divided = replaced(text, "BY", std::to_string(by));
    for (const std::size_t size : {1, 31, 256}) {
      const geometry work = groups_of({2 * size, 1, 1}, {size, 1, 1}, 1);
      const formed_kernel kernel(divided, specialisation_of(work));
      std::vector<std::int32_t> out(2 * size), wanted(2 * size);
      for (std::size_t i = 0; i < 2 * size; ++i) {
        const int me = static_cast<int>(i % size);
        wanted[i] = me % by * 1000 + me / by;
      }
      const void *arguments[] = {out.data()};
      kernel.run(work, arguments);
      EXPECT_EQ(out, wanted) << by << " " << size;
      EXPECT_FALSE(contains(kernel.formed(), "srem") || contains(kernel.formed(), "sdiv")) << size;
    }
  }
}

}  // namespace
}  // namespace dpep::test
