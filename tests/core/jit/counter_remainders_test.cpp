// Tests which remainders of loop counters are computed without a division.
#include <string>

#include <gtest/gtest.h>

#include "jit/compile/counter_remainders.hpp"

#include "jit/compile/border_iterations.hpp"
#include "run_pass.hpp"

namespace dpep::test {
namespace {

/// Whether the pass removes the division from `body`, which computes %r in a loop with %j from 0 to `end` - 1. The loop
/// is entered if `guard`. %d is %n, unless that is 0 or -1.
bool removes(const std::string &body, const std::string &end = "%n", const std::string &guard = "icmp sgt i64 %n, 0") {
  const std::string text = R"(
    declare i64 @llvm.umax.i64(i64, i64)
    define void @kernel(ptr %x, i64 %n, i64 %k) {
    entry:
      %above = call i64 @llvm.umax.i64(i64 %n, i64 1)
      %is.minus.one = icmp eq i64 %n, -1
      %d = select i1 %is.minus.one, i64 1, i64 %above
      %enters = )" + guard +
                           R"(
      br i1 %enters, label %loop, label %done
    loop:
      %j = phi i64 [ 0, %entry ], [ %next, %loop ]
      %next = add nuw nsw i64 %j, 1
      %before = add nsw i64 %j, -1
)" + body + R"(
      %to = getelementptr i64, ptr %x, i64 %r
      store i64 %j, ptr %to
      %ends = icmp eq i64 %next, )" +
                           end + R"(
      br i1 %ends, label %done, label %loop
    done:
      ret void
    })";
  return text_after(jit::fold_counter_remainders(), text, "kernel").find("rem i64") == std::string::npos;
}

TEST(counter_remainders, by_the_length_of_the_loop_need_no_division) {
  EXPECT_TRUE(removes("%r = urem i64 %j, %n"));
  EXPECT_TRUE(removes("%r = srem i64 %next, %d"));
  EXPECT_TRUE(removes("%r = urem i64 %next, %d"));
  EXPECT_TRUE(removes("%r = srem i64 %before, %d"));
}

TEST(counter_remainders, of_other_values_are_kept) {
  EXPECT_FALSE(removes("%r = urem i64 %before, %d"));
  EXPECT_FALSE(removes("%twice = shl i64 %j, 1\n %r = srem i64 %twice, %d"));
  EXPECT_FALSE(removes("%far = add i64 %j, 2\n %r = srem i64 %far, %d"));
  EXPECT_FALSE(removes("%r = srem i64 %next, %k"));
}

TEST(counter_remainders, are_kept_if_the_loop_may_be_longer) {
  EXPECT_FALSE(removes("%r = srem i64 %next, %d", "%k"));
  EXPECT_FALSE(removes("%r = srem i64 %next, %d", "%n", "icmp ne i64 %k, 0"));
}

TEST(counter_remainders, plus_the_length_need_no_division) {
  EXPECT_TRUE(removes("%sum = add i64 %before, %n\n %r = srem i64 %sum, %d"));
  EXPECT_TRUE(removes("%sum = add i64 %n, %before\n %r = urem i64 %sum, %d"));
  EXPECT_TRUE(removes("%sum = add i64 %next, %n\n %r = srem i64 %sum, %d"));
  EXPECT_FALSE(removes("%sum = add i64 %before, %k\n %r = srem i64 %sum, %d"));
}

/// The loop in which the first or last iteration was peeled.
std::string peeled(const std::string &body) {
  const std::string text = R"(
    declare i64 @llvm.umax.i64(i64, i64)
    define void @kernel(ptr %x, i64 %n, i64 %rows) {
    entry:
      %above = call i64 @llvm.umax.i64(i64 %n, i64 1)
      %enters = icmp sgt i64 %n, 0
      br i1 %enters, label %outer, label %done
    outer:
      %i = phi i64 [ 0, %entry ], [ %i.next, %next.row ]
      br label %loop
    loop:
      %j = phi i64 [ 0, %outer ], [ %next, %loop ]
      %next = add nuw nsw i64 %j, 1
      %before = add nsw i64 %j, -1
      %i.next = add nuw nsw i64 %i, 1
)" + body + R"(
      %to = getelementptr i64, ptr %x, i64 %r
      store i64 %j, ptr %to
      %ends = icmp eq i64 %next, %n
      br i1 %ends, label %next.row, label %loop
    next.row:
      %last = icmp eq i64 %i.next, %rows
      br i1 %last, label %done, label %outer
    done:
      ret void
    })";
  const std::string made = text_after(jit::peel_border_iterations(), text, "kernel");
  EXPECT_EQ(made.find("rem i64"), std::string::npos) << made;
  const std::size_t from = made.find("\nloop:");
  return made.substr(from, made.find("\n\n", from) - from);
}

TEST(counter_remainders, of_inner_iterations_are_sums) {
  for (const char *const body : {"%r = srem i64 %next, %above", "%r = urem i64 %next, %above",
                                 "%a = srem i64 %before, %above\n %b = srem i64 %next, %above\n %r = add i64 %a, %b",
                                 "%sum = add i64 %before, %n\n %r = srem i64 %sum, %above"}) {
    const std::string loop = peeled(body);
    EXPECT_NE(loop.find("store i64"), std::string::npos) << body;
    EXPECT_EQ(loop.find("select"), std::string::npos) << loop;
    EXPECT_EQ(loop.find("umin"), std::string::npos) << loop;
    EXPECT_EQ(loop.find("%i.next = "), std::string::npos) << loop;  // hoisted
  }
}

TEST(counter_remainders, need_no_division_behind_a_branch_on_two_negations) {
  const char *const text = R"(
    define void @kernel(ptr %x, i64 %n, i1 %other) {
    entry:
      %above = icmp sgt i64 %n, 0
      %not.above = xor i1 %above, true
      %not.other = xor i1 %other, true
      %skips = select i1 %not.above, i1 true, i1 %not.other
      br i1 %skips, label %done, label %loop
    loop:
      %j = phi i64 [ 0, %entry ], [ %next, %loop ]
      %next = add nuw nsw i64 %j, 1
      %r = srem i64 %next, %n
      %to = getelementptr i64, ptr %x, i64 %r
      store i64 %j, ptr %to
      %again = icmp slt i64 %next, %n
      br i1 %again, label %loop, label %done
    done:
      ret void
    })";
  EXPECT_EQ(text_after(jit::fold_counter_remainders(), text, "kernel").find("rem i64"), std::string::npos);
}

/// The function after the pass, with `remainder`, which computes %r for a number %i where the condition `test` holds,
/// and others may. `between`: instructions and blocks between the condition and the remainder's block.
std::string text_where(const std::string &test, const std::string &remainder, const std::string &between = "") {
  const std::string text = R"(
    declare i64 @llvm.umax.i64(i64, i64)
    define void @kernel(ptr %x, i32 %item, i64 %n, i64 %k, i1 %either) {
    entry:
      %i = zext nneg i32 %item to i64
      %any = sext i32 %item to i64
      %above = call i64 @llvm.umax.i64(i64 %n, i64 1)
      %is.minus.one = icmp eq i64 %n, -1
      %d = select i1 %is.minus.one, i64 1, i64 %above
      %holds = )" + test + R"(
      br i1 %holds, label %inside, label %done
    inside:
)" + between + remainder + R"(
      %to = getelementptr i64, ptr %x, i64 %r
      store i64 %n, ptr %to
      br label %done
    done:
      ret void
    })";
  return text_after(jit::fold_counter_remainders(), text, "kernel");
}

/// Whether the pass removes the division.
bool removes_where(const std::string &test, const std::string &remainder, const std::string &between = "") {
  return text_where(test, remainder, between).find("rem i64") == std::string::npos;
}

TEST(counter_remainders, of_numbers_compared_with_the_divisor_need_no_division) {
  EXPECT_TRUE(removes_where("icmp slt i64 %i, %n", "%r = srem i64 %i, %d"));
  EXPECT_TRUE(removes_where("icmp sgt i64 %n, %i", "%s = add i64 %i, 1\n %r = srem i64 %s, %d"));
  EXPECT_TRUE(removes_where("icmp slt i64 %i, %n", "%s = add i64 -1, %i\n %r = srem i64 %s, %d"));
  const std::string merge =
      "br i1 %either, label %one, label %two\none:\nbr label %both\ntwo:\nbr label %both\nboth:\n";
  EXPECT_TRUE(removes_where("icmp slt i64 %i, %n", "%r = srem i64 %i, %d", merge));
}

TEST(counter_remainders, of_python_need_no_test_of_signs) {
  // (i - 1) % n as an index of an array of `length` elements
  const std::string index = R"(
      %s = add i64 %i, -1
      %m = srem i64 %s, %d
      %differs = icmp ne i64 %m, 0
      %signs = xor i64 %m, %d
      %other.sign = icmp slt i64 %signs, 0
      %adds = and i1 %differs, %other.sign
      %added = select i1 %adds, i64 %d, i64 0
      %f = add i64 %m, %added
      %none = icmp eq i64 %n, 0
      %g = select i1 %none, i64 0, i64 %f
      %length = zext i32 %item to i64
      %wrapped = add i64 %g, %length
      %r = call i64 @llvm.umin.i64(i64 %g, i64 %wrapped))";
  const std::string text = text_where("icmp slt i64 %i, %n", index);
  EXPECT_EQ(text.find("rem i64"), std::string::npos) << text;
  EXPECT_NE(text.find("getelementptr i64, ptr %x, i64 %5"), std::string::npos) << text;  // umin(i - 1, n - 1)

  // LLVM removes %differs for a divisor that is not negative.
  std::string shorter = index;
  shorter.replace(shorter.find("select i1 %adds"), 15, "select i1 %other.sign");
  EXPECT_NE(text_where("icmp slt i64 %i, %n", shorter).find("getelementptr i64, ptr %x, i64 %5"), std::string::npos);
}

TEST(counter_remainders, of_numbers_that_may_be_outside_are_kept) {
  EXPECT_FALSE(removes_where("icmp sle i64 %i, %n", "%r = srem i64 %i, %d"));
  EXPECT_FALSE(removes_where("icmp slt i64 %i, %k", "%r = srem i64 %i, %d"));
  EXPECT_FALSE(removes_where("icmp slt i64 %any, %n", "%r = srem i64 %any, %d"));  // may be negative
  EXPECT_FALSE(removes_where("icmp slt i64 %i, %n", "%s = add i64 %i, 2\n %r = srem i64 %s, %d"));
  EXPECT_FALSE(removes_where("icmp slt i64 %i, %n", "%s = add i64 %i, -1\n %r = urem i64 %s, %d"));
  EXPECT_FALSE(removes_where("icmp sge i64 %i, %n", "%r = srem i64 %i, %d"));
}

}  // namespace
}  // namespace dpep::test
