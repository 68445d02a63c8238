// Tests which loops over private arrays are marked for full unrolling.
#include <string>

#include <gtest/gtest.h>

#include "jit/compile/private_array_loops.hpp"
#include "run_pass.hpp"

namespace dpep::test {
namespace {

/// Copies 100 elements of an array of `length` elements; `loop` is the metadata of the loop.
std::string copy_of_array(int length, const std::string &loop) {
  std::string text = R"(
    define void @copy(ptr %out) {
    entry:
      %array = alloca [LENGTH x float]
      br label %loop
    loop:
      %i = phi i64 [ 0, %entry ], [ %next, %loop ]
      %from = getelementptr float, ptr %array, i64 %i
      %x = load float, ptr %from, !llvm.access.group !0
      %to = getelementptr float, ptr %out, i64 %i
      store float %x, ptr %to, !llvm.access.group !0
      %next = add nuw i64 %i, 1
      %more = icmp ult i64 %next, 100
      br i1 %more, label %loop, label %done, !llvm.loop !1
    done:
      ret void
    }
    !0 = distinct !{}
    !1 = distinct !{LOOP}
    !2 = !{!"llvm.loop.parallel_accesses", !0})";
  text.replace(text.find("LENGTH"), 6, std::to_string(length));
  text.replace(text.find("LOOP}"), 4, loop);
  return text;
}

bool is_marked(const std::string &text) {
  auto pass = llvm::createFunctionToLoopPassAdaptor(jit::mark_private_array_loops());
  return text_after(std::move(pass), text, "copy").find("llvm.loop.unroll.full") != std::string::npos;
}

TEST(private_array_loops, are_unrolled_if_the_array_fits_registers) {
  EXPECT_TRUE(is_marked(copy_of_array(100, "!1")));
  EXPECT_FALSE(is_marked(copy_of_array(200, "!1")));
}

// They become vectors: unrolled, a row of 100 floats was stored one by one.
TEST(private_array_loops, of_the_array_engine_are_not_unrolled) {
  EXPECT_FALSE(is_marked(copy_of_array(100, "!1, !2")));
}

/// Copies the elements of a 5 x 5 array on one side of the diagonal, or those of `rows` rows.
std::string copy_of_triangle(const std::string &rows) {
  std::string text = R"(
    define void @copy(ptr %out, i64 %n) {
    entry:
      %array = alloca [25 x double]
      br label %rows
    rows:
      %k = phi i64 [ 0, %entry ], [ %below, %row.end ]
      %below = add nuw nsw i64 %k, 1
      br label %columns
    columns:
      %c = phi i64 [ %k, %rows ], [ %next, %columns ]
      %row = mul nuw nsw i64 %k, 5
      %index = add nuw nsw i64 %row, %c
      %from = getelementptr double, ptr %array, i64 %index
      %x = load double, ptr %from
      %to = getelementptr double, ptr %out, i64 %index
      store double %x, ptr %to
      %next = add nuw nsw i64 %c, 1
      %last = icmp eq i64 %next, ROWS
      br i1 %last, label %row.end, label %columns
    row.end:
      %end = icmp eq i64 %below, 5
      br i1 %end, label %done, label %rows
    done:
      ret void
    })";
  return text.replace(text.find("ROWS"), 4, rows);
}

TEST(private_array_loops, around_loops_whose_bounds_they_determine_are_unrolled) {
  EXPECT_TRUE(is_marked(copy_of_triangle("5")));
  EXPECT_FALSE(is_marked(copy_of_triangle("%n")));
}

}  // namespace
}  // namespace dpep::test
