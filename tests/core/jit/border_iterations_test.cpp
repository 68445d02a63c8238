// Tests which loops lose their first or last iteration.
#include "jit/compile/border_iterations.hpp"

#include <string>

#include <gtest/gtest.h>

#include "run_pass.hpp"

namespace dpep::test {
namespace {

/// A loop with %j from 0 to %n - 1, whose `body` computes the index %r, after the pass. `step`: of %j.
std::string after_pass(const std::string &body, const std::string &step = "1") {
  const std::string text = R"(
    declare i64 @llvm.smin.i64(i64, i64)
    declare i64 @llvm.smax.i64(i64, i64)
    declare i64 @llvm.umin.i64(i64, i64)
    define void @kernel(ptr %x, ptr %y, i64 %n, i64 %k, i32 %length.32) {
    entry:
      %length = zext i32 %length.32 to i64
      %last = add nsw i64 %n, -1
      %enters = icmp sgt i64 %n, 0
      br i1 %enters, label %loop, label %done
    loop:
      %j = phi i64 [ 0, %entry ], [ %next, %loop ]
      %next = add nuw nsw i64 %j, )" +
                           step + R"(
      %before = add nsw i64 %j, -1
)" + body + R"(
      %from = getelementptr i64, ptr %x, i64 %r
      %value = load i64, ptr %from
      %to = getelementptr i64, ptr %y, i64 %j
      store i64 %value, ptr %to
      %ends = icmp eq i64 %next, %n
      br i1 %ends, label %done, label %loop
    done:
      ret void
    })";
  return text_after(jit::peel_border_iterations(), text, "kernel");
}

/// The block of the loop itself.
std::string loop_after(const std::string &body) {
  const std::string made = after_pass(body);
  const std::size_t from = made.find("\nloop:");
  return made.substr(from, made.find("\n\n", from) - from);
}

bool is_peeled(const std::string &body, const std::string &step = "1") {
  const std::string made = after_pass(body, step);
  return made.find("peel") != std::string::npos;
}

TEST(border_iterations, clamped_indices_are_sums_in_the_others) {
  EXPECT_EQ(loop_after("%r = call i64 @llvm.smax.i64(i64 %before, i64 0)").find("smax"), std::string::npos);
  EXPECT_EQ(loop_after("%r = call i64 @llvm.smin.i64(i64 %next, i64 %last)").find("smin"), std::string::npos);
  const std::string both = loop_after(R"(
      %a = call i64 @llvm.smin.i64(i64 %next, i64 %last)
      %b = call i64 @llvm.smax.i64(i64 %before, i64 0)
      %r = add i64 %a, %b)");
  EXPECT_EQ(both.find("llvm.s"), std::string::npos) << both;
}

TEST(border_iterations, compared_counters_are_constants_in_the_others) {
  for (const char *const test :
       {"eq i64 %j, 0", "ne i64 %j, 0", "sgt i64 %j, 0", "slt i64 %j, 1", "sle i64 %j, 0", "eq i64 %j, %last",
        "slt i64 %j, %last", "sge i64 %j, %last", "sgt i64 %n, %next", "eq i64 %next, %n", "slt i64 %next, %n"}) {
    const std::string loop = loop_after("%c = icmp " + std::string(test) + "\n%r = select i1 %c, i64 %k, i64 %next");
    EXPECT_NE(loop.find("store"), std::string::npos) << test;
    EXPECT_EQ(loop.find("select i1 %c,"), std::string::npos) << test << loop;
  }
}

TEST(border_iterations, indices_that_are_not_negative_there_do_not_wrap) {
  const std::string loop = loop_after(R"(
      %first = icmp eq i64 %j, 0
      %i = select i1 %first, i64 %last, i64 %before
      %other = add i64 %before, %length
      %w = call i64 @llvm.umin.i64(i64 %before, i64 %other)
      %r = add i64 %i, %w)");
  EXPECT_EQ(loop.find("umin"), std::string::npos) << loop;
}

TEST(border_iterations, stay_in_loops_without_tests_of_them) {
  EXPECT_FALSE(is_peeled("%r = add i64 %j, %k"));
  EXPECT_FALSE(is_peeled("%c = icmp slt i64 %j, %k\n%r = select i1 %c, i64 %j, i64 0"));
  EXPECT_FALSE(is_peeled("%c = icmp eq i64 %j, 3\n%r = select i1 %c, i64 %k, i64 %j"));
  EXPECT_FALSE(is_peeled("%c = icmp eq i64 %j, %last\n%r = select i1 %c, i64 %k, i64 %j", "2"));
}

}  // namespace
}  // namespace dpep::test
