// Tests which remainders of assumed numbers need no test for the ends.
#include "jit/compile/assumed_remainders.hpp"

#include <string>

#include <gtest/gtest.h>

#include "run_pass.hpp"

namespace dpep::test {
namespace {

/// The function after the pass, with `body`, which computes %r. Rows %a and %b, of which the second is the next one,
/// are below %n, if `assumed` says so.
std::string after_pass(const std::string &body, const std::string &assumed = "sgt i64 %n, %b") {
  const std::string text = R"(
    declare void @llvm.assume(i1)
    declare i64 @llvm.umin.i64(i64, i64)
    define void @kernel(ptr %x, i32 range(i32 0, 1000000) %row, i64 %n, i64 %k) {
      %row.next = add nuw nsw i32 %row, 1
      %a = zext nneg i32 %row to i64
      %b = zext nneg i32 %row.next to i64
      %exists = icmp )" + assumed +
                           R"(
      %first.exists = icmp sgt i64 %n, %a
      call void @llvm.assume(i1 %first.exists)
      call void @llvm.assume(i1 %exists)
      %below.n = add i64 %n, 9223372036854775807
      %last = and i64 %below.n, 9223372036854775807
)" + body + R"(
      %to = getelementptr i64, ptr %x, i64 %r
      store i64 %n, ptr %to
      ret void
    })";
  return text_after(jit::fold_assumed_remainders(), text, "kernel");
}

constexpr const char *next_row = R"(
      %i = add nuw nsw i64 %a, 1
      %is.end = icmp eq i64 %i, %n
      %r = select i1 %is.end, i64 0, i64 %i)";
constexpr const char *row_before = R"(
      %i = add nsw i64 %b, -1
      %r = call i64 @llvm.umin.i64(i64 %i, i64 %last))";

TEST(assumed_remainders, of_neighbours_that_exist_are_their_numbers) {
  EXPECT_NE(after_pass(next_row).find("ptr %x, i64 %b"), std::string::npos) << after_pass(next_row);
  EXPECT_NE(after_pass(row_before).find("ptr %x, i64 %a"), std::string::npos) << after_pass(row_before);
}

TEST(assumed_remainders, of_rows_that_may_be_outside_are_kept) {
  const std::string after_next = R"(
      %i = add nuw nsw i64 %b, 1
      %is.end = icmp eq i64 %i, %n
      %r = select i1 %is.end, i64 0, i64 %i)";
  EXPECT_NE(after_pass(after_next).find("%r = select"), std::string::npos);
  const std::string before_first = R"(
      %i = add nsw i64 %a, -1
      %r = call i64 @llvm.umin.i64(i64 %i, i64 %last))";
  EXPECT_NE(after_pass(before_first).find("%r = call"), std::string::npos);
  EXPECT_NE(after_pass(next_row, "sgt i64 %k, %b").find("%r = select"), std::string::npos);
  EXPECT_NE(after_pass(next_row, "sge i64 %n, %b").find("%r = select"), std::string::npos);
}

}  // namespace
}  // namespace dpep::test
