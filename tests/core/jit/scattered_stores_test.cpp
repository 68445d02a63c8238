// Tests which loops are kept from LLVM's vectoriser since they only store constants to elements that are apart.
#include <string>

#include <gtest/gtest.h>

#include "jit/compile/scattered_stores.hpp"
#include "run_pass.hpp"

namespace dpep::test {
namespace {

/// Whether the pass marks a loop over %j with the step %k, whose body is `body`.
bool marks(const std::string &body, const std::string &step = "%k") {
  const std::string text = R"(
    declare i64 @llvm.umin.i64(i64, i64)
    define void @kernel(ptr %x, i64 %n, i64 %k, i64 %last) {
    entry:
      br label %loop
    loop:
      %j = phi i64 [ 0, %entry ], [ %next, %loop ]
)" + body + R"(
      %next = add i64 %j, )" +
                           step + R"(
      %ends = icmp sge i64 %next, %last
      br i1 %ends, label %done, label %loop
    done:
      ret void
    })";
  return text_after(jit::keep_scattered_stores(), text, "kernel").find("isvectorized") != std::string::npos;
}

TEST(scattered_stores, of_constants_are_kept) {
  EXPECT_TRUE(marks("%p = getelementptr i8, ptr %x, i64 %j\n store i8 0, ptr %p"));
  EXPECT_TRUE(marks("%p = getelementptr double, ptr %x, i64 %j\n store double 1.0, ptr %p", "3"));
  EXPECT_TRUE(marks("%w = add i64 %j, %n\n %i = call i64 @llvm.umin.i64(i64 %j, i64 %w)\n"
                    "%p = getelementptr i8, ptr %x, i64 %i\n store i8 0, ptr %p"));
}

TEST(scattered_stores, other_loops_are_vectorised_as_before) {
  EXPECT_FALSE(marks("%p = getelementptr i8, ptr %x, i64 %j\n store i8 0, ptr %p", "1"));
  EXPECT_FALSE(marks("%p = getelementptr double, ptr %x, i64 %j\n store double 1.0, ptr %p", "-1"));
  EXPECT_FALSE(marks("%p = getelementptr i64, ptr %x, i64 %j\n store i64 %j, ptr %p"));
  EXPECT_FALSE(marks("%p = getelementptr i64, ptr %x, i64 %j\n %v = load i64, ptr %p\n store i64 0, ptr %p"));
  EXPECT_FALSE(marks("store i64 0, ptr %x"));
  EXPECT_FALSE(marks(""));
}

}  // namespace
}  // namespace dpep::test
