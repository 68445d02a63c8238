// Agreements: conditions that hold for work-items only if they hold for all that run together.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

// out[i] = 2 where the work-items agree that in[i] > 0, otherwise 1; 0 where in[i] = 9.
constexpr const char *agreeing = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %in = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %i = call i64 @__dpep_global_id(i32 0)
  %p = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %p
  %q = getelementptr i32, ptr %out, i64 %i
  %leaves = icmp eq i32 %x, 9
  br i1 %leaves, label %done, label %test
test:
  %positive = icmp sgt i32 %x, 0
  %all = call i1 @__dpep_agreement(i1 %positive)
  br i1 %all, label %fast, label %slow
fast:
  store i32 2, ptr %q
  br label %done
slow:
  store i32 1, ptr %q
  br label %done
done:
  ret void
}
)";

class agreements : public testing::TestWithParam<std::uint32_t> {};

TEST_P(agreements, hold_for_whole_vectors_or_none_of_their_lanes) {
  const std::uint32_t lanes = GetParam();
  constexpr std::size_t count = 131;
  const formed_kernel kernel(agreeing, specialisation_of(range_of(count)), formed_kernel::optimisation::standard,
                             {.width = lanes});
  EXPECT_FALSE(contains(kernel.optimised(), "@__dpep_agreement(i1 %"));
  for (const int period : {1, 2, 5, 40, 200}) {
    std::vector<std::int32_t> in(count), out(count);
    for (std::size_t i = 0; i < count; ++i)
      in[i] = i % 7 == 3 ? 9 : static_cast<int>(i) % period == period - 1 ? -1 : 4;
    const void *arguments[] = {in.data(), out.data()};
    kernel.run(range_of(count), arguments);
    for (std::size_t i = 0; i < count; ++i) {
      if (in[i] == 9)
        EXPECT_EQ(out[i], 0) << i;
      else if (in[i] < 0)
        EXPECT_EQ(out[i], 1) << i;
      else
        EXPECT_NE(out[i], 0) << i;
      // A lane that leaves does not take part.
      const std::size_t width = std::max(lanes, 1U), first = i / width * width;
      if (first + width > count || in[i] <= 0 || in[i] == 9) continue;
      const bool all =
          std::all_of(in.begin() + static_cast<std::ptrdiff_t>(first),
                      in.begin() + static_cast<std::ptrdiff_t>(first + width), [](std::int32_t x) { return x > 0; });
      EXPECT_EQ(out[i], all ? 2 : 1) << i << ", period " << period;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(lanes, agreements, testing::Values(1, 2, 4, 16));

TEST(agreements_of_one, are_the_condition_where_work_items_run_alone) {
  const std::string text = replaced(agreeing, "test:", "test:\n  call void @__dpep_group_barrier()");
  const geometry work = groups_of({64, 1, 1}, {32, 1, 1}, 1);
  const formed_kernel kernel(text, specialisation_of(work), formed_kernel::optimisation::standard, {.width = 1});
  std::vector<std::int32_t> in(64), out(64), wanted(64);
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i] = i % 3 == 0 ? -2 : 1;
    wanted[i] = in[i] > 0 ? 2 : 1;
  }
  const void *arguments[] = {in.data(), out.data()};
  kernel.run(work, arguments);
  EXPECT_EQ(out, wanted);
}

}  // namespace
}  // namespace dpep::test
