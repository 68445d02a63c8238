// Tests that loops with barriers whose counter is a factor or a mask are unrolled on GPUs, and which others are not.
#include <fmt/format.h>

#include "fake_gpu.hpp"

namespace dpep::test {
namespace {

struct stage_loops : ::testing::Test {
  const environment no_cache{"DPEP_CACHE", "off"};
};

std::size_t count_of(const std::string &text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// A loop with a barrier: its counter %n from `first` while `condition`, which follows from the next value %m.
std::string loop_ir(const std::string &first, const std::string &body, const std::string &next,
                    const std::string &condition) {
  return fmt::format(R"(
    declare i64 @__dpep_local_id(i32)
    declare ptr @__dpep_local_memory()
    declare void @__dpep_group_barrier() #0
    define void @k(ptr %arguments) {{
      %data = load ptr, ptr %arguments
      %place = getelementptr ptr, ptr %arguments, i64 1
      %count = load i32, ptr %place
      %i = call i64 @__dpep_local_id(i32 0)
      %l = trunc i64 %i to i32
      %memory = call ptr @__dpep_local_memory()
      br label %loop
    loop:
      %n = phi i32 [ {}, %0 ], [ %m, %loop ]
      {}
      call void @__dpep_group_barrier() #0
      %m = {}
      %more = {}
      br i1 %more, label %loop, label %done
    done:
      %x = load i32, ptr %memory
      store i32 %x, ptr %data
      ret void
    }}
    attributes #0 = {{ convergent }}
  )",
                     first, body, next, condition);
}

/// Stores %v, an index of local memory, in that element.
std::string store_at(const std::string &index) {
  return index + "\n%e = getelementptr i32, ptr %memory, i32 %v\nstore i32 %v, ptr %e";
}

TEST_F(stage_loops, are_unrolled_if_the_counter_is_a_factor_a_mask_or_a_distance) {
  const std::tuple<std::string, std::string, std::string, std::string, std::size_t> cases[] = {
      {"1", "%v = mul i32 %l, %n", "shl i32 %n, 1", "icmp slt i32 %m, 512", 9},
      {"1", "%v = and i32 %l, %n", "mul i32 %n, 2", "icmp ult i32 %m, 1000", 10},
      {"128", "%v = add i32 %l, %n", "lshr i32 %n, 1", "icmp ne i32 %m, 0", 8},
      {"0", "%f = shl i32 1, %n\n%v = xor i32 %l, %f", "add nsw i32 %n, 1", "icmp slt i32 %m, 7", 7},
      {"1", "%v = udiv i32 %l, %n", "add nsw i32 %n, 2", "icmp slt i32 %m, 9", 4},
  };
  for (const auto &[first, index, next, condition, rounds] : cases) {
    const std::string ptx = compile(loop_ir(first, store_at(index), next, condition), groups(256)).ptx;
    EXPECT_EQ(count_of(ptx, "bar.sync") + count_of(ptx, "barrier.sync") + count_of(ptx, "barrier.cta"), rounds) << ptx;
    EXPECT_FALSE(contains(ptx, "bra")) << ptx;
    EXPECT_EQ(assembler_errors(ptx), "");
  }
}

TEST_F(stage_loops, remain_loops_if_nothing_becomes_simpler_or_the_code_would_be_long) {
  std::string much = store_at("%v = mul i32 %l, %n");
  for (int i = 0; i < 200; ++i)
    much += fmt::format("\n%y{} = mul i32 {}, %n\nstore volatile i32 %y{}, ptr %data", i,
                        i ? fmt::format("%y{}", i - 1) : "%l", i);
  std::string some;
  for (int i = 0; i < 12; ++i) some += fmt::format("store volatile i32 {}, ptr %data\n", i);
  const std::tuple<std::string, std::string, std::string, std::string> cases[] = {
      {"0", some + store_at("%v = add i32 %l, %n"), "add nsw i32 %n, 1", "icmp slt i32 %m, 16"},
      {"1", store_at("%v = mul i32 %l, %n"), "add nsw i32 %n, 1", "icmp slt i32 %m, 998"},
      {"1", store_at("%v = mul i32 %l, %n"), "shl i32 %n, 1", "icmp slt i32 %m, %count"},
      {"%count", store_at("%v = mul i32 %l, %n"), "shl i32 %n, 1", "icmp slt i32 %m, 512"},
      {"1", much, "shl i32 %n, 1", "icmp slt i32 %m, 512"},
  };
  for (const auto &[first, body, next, condition] : cases) {
    const std::string ptx = compile(loop_ir(first, body, next, condition), groups(256)).ptx;
    EXPECT_EQ(count_of(ptx, "bar.sync") + count_of(ptx, "barrier.sync") + count_of(ptx, "barrier.cta"), 1u) << ptx;
    EXPECT_TRUE(contains(ptx, "bra")) << ptx;
  }
}

/// A loop over elements from the local id on, in steps.
std::string strided_ir(const std::string &limit, const std::string &step) {
  return fmt::format(R"(
    declare i64 @__dpep_local_id(i32)
    define void @k(ptr %arguments) {{
      %data = load ptr, ptr %arguments
      %i = call i64 @__dpep_local_id(i32 0)
      %l = trunc i64 %i to i32
      %any = icmp slt i32 %l, {0}
      br i1 %any, label %loop, label %done
    loop:
      %n = phi i32 [ %l, %0 ], [ %m, %loop ]
      %s = sext i32 %n to i64
      %e = getelementptr i32, ptr %data, i64 %s
      store volatile i32 %n, ptr %e
      %m = add nsw i32 %n, {1}
      %more = icmp slt i32 %m, {0}
      br i1 %more, label %loop, label %done
    done:
      ret void
    }})",
                     limit, step);
}

TEST_F(stage_loops, the_range_of_local_ids_gives_numbers_of_iterations) {
  const std::tuple<std::string, std::string, std::size_t> cases[] = {
      {"1024", "256", 4}, {"512", "256", 2}, {"256", "256", 1}};
  for (const auto &[limit, step, iterations] : cases) {
    const std::string ptx = compile(strided_ir(limit, step), groups(256)).ptx;
    EXPECT_EQ(count_of(ptx, "st.volatile.global"), iterations) << ptx;
    EXPECT_FALSE(contains(ptx, "bra")) << ptx;
  }
  // Some work-items have more iterations than others.
  for (const auto &[limit, step] : {std::pair{"1000", "256"}, std::pair{"1024", "200"}, std::pair{"100", "256"}}) {
    const std::string ptx = compile(strided_ir(limit, step), groups(256)).ptx;
    EXPECT_TRUE(contains(ptx, "bra")) << ptx;
  }
}

}  // namespace
}  // namespace dpep::test
