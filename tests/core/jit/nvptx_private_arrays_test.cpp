// Tests that private arrays of GPU kernels are in registers where all indices are constant after unrolling.
#include "fake_gpu.hpp"

namespace dpep::test {
namespace {

/// A kernel that fills a private array of 5 rows, and adds its elements from the diagonal to the last column `columns`.
std::string triangle_ir(const std::string &columns) {
  std::string text = R"(
    declare i64 @__dpep_global_id(i32)
    define spir_kernel void @k(ptr %arguments) {
    entry:
      %array = alloca [25 x double], align 8
      %i = call i64 @__dpep_global_id(i32 0)
      %out = load ptr, ptr %arguments
      %size.at = getelementptr i8, ptr %arguments, i64 8
      %n = load i64, ptr %size.at
      %value = sitofp i64 %i to double
      br label %fill
    fill:
      %f = phi i64 [ 0, %entry ], [ %f.next, %fill ]
      %f.at = getelementptr double, ptr %array, i64 %f
      store double %value, ptr %f.at
      %f.next = add nuw nsw i64 %f, 1
      %filled = icmp eq i64 %f.next, 25
      br i1 %filled, label %rows, label %fill
    rows:
      %k = phi i64 [ 0, %fill ], [ %below, %row.end ]
      %above = phi double [ 0.0, %fill ], [ %sum, %row.end ]
      %below = add nuw nsw i64 %k, 1
      br label %columns
    columns:
      %c = phi i64 [ %k, %rows ], [ %next, %columns ]
      %before = phi double [ %above, %rows ], [ %sum, %columns ]
      %row = mul nuw nsw i64 %k, 5
      %index = add nuw nsw i64 %row, %c
      %from = getelementptr double, ptr %array, i64 %index
      %x = load double, ptr %from
      %sum = fadd double %before, %x
      store double %sum, ptr %from
      %next = add nuw nsw i64 %c, 1
      %last = icmp eq i64 %next, COLUMNS
      br i1 %last, label %row.end, label %columns
    row.end:
      %end = icmp eq i64 %below, 5
      br i1 %end, label %done, label %rows
    done:
      %to = getelementptr double, ptr %out, i64 %i
      store double %sum, ptr %to
      ret void
    })";
  return text.replace(text.find("COLUMNS"), 7, columns);
}

TEST(nvptx_private_arrays, of_triangular_loops_are_in_registers) {
  const environment no_cache{"DPEP_CACHE", "off"};
  const std::string ptx = compile(triangle_ir("5"), range(1)).ptx;
  EXPECT_FALSE(contains(ptx, ".local")) << ptx;
  EXPECT_EQ(assembler_errors(ptx), "");
}

TEST(nvptx_private_arrays, whose_indices_are_variable_are_in_memory) {
  const environment no_cache{"DPEP_CACHE", "off"};
  EXPECT_TRUE(contains(compile(triangle_ir("%n"), range(1)).ptx, ".local"));
}

}  // namespace
}  // namespace dpep::test
