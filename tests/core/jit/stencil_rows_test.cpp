// Tests which loops over rows execute two rows together.
#include "jit/compile/stencil_rows.hpp"

#include <string>

#include <gtest/gtest.h>

#include "run_pass.hpp"

namespace dpep::test {
namespace {

/// A loop with %i from 0 to %rows - 1 around one with %j from 0 to %m - 1, after the pass. `body` loads from %above and
/// %below, the rows i and i + 1 of %x, and stores in %to, the row i of %y; both have %n columns.
std::string after_pass(const std::string &body, const std::string &mark = ", !dpep.independent !0") {
  const std::string text = R"(
    define void @kernel(ptr %x, ptr %y, i32 %n.32, i64 %rows, i64 %m) {
    entry:
      %n = zext i32 %n.32 to i64
      %enters.rows = icmp sgt i64 %rows, 0
      %enters.row = icmp sgt i64 %m, 0
      %enters = and i1 %enters.rows, %enters.row
      br i1 %enters, label %row, label %done
    row:
      %i = phi i64 [ 0, %entry ], [ %i.next, %row.end ])" +
                           mark + R"(
      %i.next = add nuw nsw i64 %i, 1
      %at = mul nuw nsw i64 %i, %n
      %at.next = mul nuw nsw i64 %i.next, %n
      %above = getelementptr double, ptr %x, i64 %at
      %below = getelementptr double, ptr %x, i64 %at.next
      %to = getelementptr double, ptr %y, i64 %at
      br label %element
    element:
      %j = phi i64 [ 0, %row ], [ %j.next, %element ]
      %j.next = add nuw nsw i64 %j, 1
      %p = getelementptr double, ptr %above, i64 %j
      %q = getelementptr double, ptr %below, i64 %j
      %p.next = getelementptr double, ptr %above, i64 %j.next
      %q.next = getelementptr double, ptr %below, i64 %j.next
      %r = getelementptr double, ptr %to, i64 %j
)" + body + R"(
      %ends.row = icmp eq i64 %j.next, %m
      br i1 %ends.row, label %row.end, label %element
    row.end:
      %ends = icmp eq i64 %i.next, %rows
      br i1 %ends, label %done, label %row
    done:
      ret void
    }
    !0 = !{})";
  return text_after(jit::join_stencil_rows(), text, "kernel");
}

const std::string stencil = R"(
      %a = load double, ptr %p
      %b = load double, ptr %q
      %c = load double, ptr %p.next
      %d = load double, ptr %q.next
      %e = fadd double %a, %b
      %f = fmul double %c, %d
      %g = fsub double %e, %f
      store double %g, ptr %r
)";

std::size_t count(const std::string &text, const std::string &part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(stencil_rows, two_rows_share_the_row_between_them) {
  const std::string made = after_pass(stencil);
  // Those of two rows, those of the row that may be left, and those of the version for arrays that overlap.
  EXPECT_EQ(count(made, "load double"), 6U + 4U + 4U) << made;
  EXPECT_EQ(count(made, "store double"), 2U + 1U + 1U) << made;
  const std::string joined = made.substr(0, made.find("dpep.joined_rows"));
  EXPECT_NE(joined.rfind("store double"), std::string::npos);
}

TEST(stencil_rows, only_independent_iterations_are_joined) {
  EXPECT_EQ(count(after_pass(stencil, ""), "store double"), 1U);
}

TEST(stencil_rows, rows_without_common_loads_stay_apart) {
  EXPECT_EQ(count(after_pass(R"(
      %a = load double, ptr %p
      %b = load double, ptr %p.next
      %g = fadd double %a, %b
      store double %g, ptr %r
)"),
                  "store double"),
            1U);
}

TEST(stencil_rows, what_a_row_stores_before_it_loads_keeps_its_place) {
  EXPECT_EQ(count(after_pass("store double 1.0, ptr %r\n" + stencil), "load double"), 4U);
}

TEST(stencil_rows, a_row_that_reads_its_last_element_stays_alone) {
  EXPECT_EQ(count(after_pass(R"(
      %before = getelementptr i8, ptr %r, i64 -8
      %o = load double, ptr %before
)" + stencil),
                  "store double"),
            1U);
}

TEST(stencil_rows, a_row_that_changes_one_element_again_and_again_stays_alone) {
  EXPECT_EQ(count(after_pass(R"(
      %o = load double, ptr %to
)" + stencil + R"(
      %s = fadd double %o, %g
      store double %s, ptr %to
)"),
                  "store double"),
            2U);
}

}  // namespace
}  // namespace dpep::test
