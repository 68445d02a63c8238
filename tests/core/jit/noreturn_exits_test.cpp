// Tests assertions in kernels: loops over work-items are still vectorised, and the first failing work-item is reported.
#include "jit/kernels.hpp"

#include <numeric>

namespace dpep {
namespace {

using namespace test;

constexpr std::string_view declarations = R"(
  declare i64 @__dpep_global_id(i32) memory(none) nounwind willreturn
  declare void @__dpep_assert_fail(ptr, ptr, i32, ptr) noreturn nounwind
  declare void @__dpep_raise_with(ptr, i64, i64, ptr, i32, ptr) noreturn nounwind
  @text = internal constant [55 x i8] c"IndexError: index {} is out of range for an axis of {}\00"
  @negative = internal constant [9 x i8] c"negative\00"
  @large = internal constant [6 x i8] c"large\00"
  @file = internal constant [6 x i8] c"x.cpp\00"
)";

class noreturn_exits : public ::testing::Test {
protected:
  /// Runs the kernel with one work-item per element of `data`. Returns the error message, or an empty string.
  std::string run(const std::string &body, std::vector<int> &data) {
    const kernel k = ir_kernel(std::string(declarations) + body);
    const geometry work = flat(data.size());
    width = k.report(q.get_device(), work).vector_width;
    int *const pointer = data.data();
    launch(q, k, work, packed(pointer));
    try {
      q.wait();
    } catch (const exception &error) {
      return error.what();
    }
    return "";
  }

  environment no_cache{"DPEP_CACHE", "off"};
  queue q = cpu_queue();
  std::uint32_t width = 0;
};

std::vector<int> counted(std::size_t n) {
  std::vector<int> data(n);
  std::iota(data.begin(), data.end(), 0);
  return data;
}

// Doubles a[i] after checking that it is in [0, 1000), in two failing blocks that LLVM may merge.
constexpr const char *guarded_double = R"(
  define spir_kernel void @k(ptr %arguments) {
    %a = load ptr, ptr %arguments
    %i = call i64 @__dpep_global_id(i32 0)
    %p = getelementptr i32, ptr %a, i64 %i
    %x = load i32, ptr %p
    %wrong = icmp slt i32 %x, 0
    br i1 %wrong, label %fail, label %fine
  fail:
    call void @__dpep_assert_fail(ptr @negative, ptr @file, i32 3, ptr @file)
    unreachable
  fine:
    %wide = sext i32 %x to i64
    %over = icmp sge i64 %wide, 1000
    br i1 %over, label %index, label %good
  index:
    call void @__dpep_raise_with(ptr @text, i64 %wide, i64 1000, ptr @file, i32 4, ptr @file)
    unreachable
  good:
    %y = mul i32 %x, 2
    store i32 %y, ptr %p
    ret void
  })";

TEST_F(noreturn_exits, do_not_prevent_vectorisation) {
  std::vector<int> data = counted(1000), expected = data;
  for (int &x : expected) x *= 2;
  EXPECT_EQ(run(guarded_double, data), "");
  EXPECT_EQ(data, expected);
  EXPECT_GE(width, 4u);
}

TEST_F(noreturn_exits, report_the_first_failing_work_item) {
  std::vector<int> data = counted(200);
  data[133] = 2133;
  data[135] = 2135;
  EXPECT_HAS(run(guarded_double, data), "index 2133 is out of range");
  data = counted(200);
  data[77] = -1;
  EXPECT_HAS(run(guarded_double, data), "negative");
  data = counted(200);
  EXPECT_EQ(run(guarded_double, data), "");  // the process continues
  EXPECT_EQ(data[199], 398);
}

TEST_F(noreturn_exits, are_distinguished_if_they_share_code) {
  const char *const text = R"(
    define spir_kernel void @k(ptr %arguments) {
    entry:
      %a = load ptr, ptr %arguments
      %i = call i64 @__dpep_global_id(i32 0)
      %p = getelementptr i32, ptr %a, i64 %i
      %x = load i32, ptr %p
      %wrong = icmp slt i32 %x, 0
      br i1 %wrong, label %fail, label %next
    next:
      %high = icmp sgt i32 %x, 1000
      br i1 %high, label %fail, label %fine
    fail:
      %text = phi ptr [@negative, %entry], [@large, %next]
      %line = phi i32 [3, %entry], [4, %next]
      call void @__dpep_assert_fail(ptr %text, ptr @file, i32 %line, ptr @file)
      unreachable
    fine:
      %y = add i32 %x, 1
      store i32 %y, ptr %p
      ret void
    })";
  std::vector<int> data = counted(100);
  EXPECT_EQ(run(text, data), "");
  EXPECT_GE(width, 4u);
  EXPECT_EQ(data, [] {
    std::vector<int> next = counted(100);
    for (int &x : next) ++x;
    return next;
  }());
  data[50] = -3;
  EXPECT_HAS(run(text, data), "negative");
  data = counted(100);
  data[50] = 1001;
  EXPECT_HAS(run(text, data), "large");
}

TEST_F(noreturn_exits, may_be_cases_of_a_switch_in_a_divergent_loop) {
  // The number of iterations depends on the work-item's number. A remainder of 7 fails.
  const char *const text = R"(
    define spir_kernel void @k(ptr %arguments) {
    entry:
      %a = load ptr, ptr %arguments
      %i = call i64 @__dpep_global_id(i32 0)
      %p = getelementptr i32, ptr %a, i64 %i
      %x = load i32, ptr %p
      br label %loop
    loop:
      %n = phi i32 [%x, %entry], [%n.next, %back]
      %sum = phi i32 [0, %entry], [%sum.next, %back]
      %low = and i32 %n, 7
      switch i32 %low, label %fail [i32 0, label %even
                                    i32 1, label %odd
                                    i32 2, label %even
                                    i32 3, label %odd
                                    i32 4, label %even
                                    i32 5, label %odd
                                    i32 6, label %even]
    even:
      br label %back
    odd:
      br label %back
    back:
      %more = phi i32 [1, %even], [10, %odd]
      %sum.next = add i32 %sum, %more
      %n.next = lshr i32 %n, 1
      %done = icmp eq i32 %n.next, 0
      br i1 %done, label %end, label %loop
    end:
      store i32 %sum.next, ptr %p
      ret void
    fail:
      call void @__dpep_assert_fail(ptr @large, ptr @file, i32 9, ptr @file)
      unreachable
    })";
  std::vector<int> data, expected;
  for (int i = 0; data.size() < 75; ++i) {
    int n = i, sum = 0;
    bool allowed = true;
    do {
      allowed &= n % 8 != 7;
      sum += n % 2 ? 10 : 1;
    } while (n /= 2);
    if (!allowed) continue;
    data.push_back(i);
    expected.push_back(sum);
  }
  EXPECT_EQ(run(text, data), "");
  EXPECT_EQ(data, expected);
  EXPECT_GE(width, 4u);
  data[70] = 7 * 32;
  EXPECT_HAS(run(text, data), "large");
}

}  // namespace
}  // namespace dpep
