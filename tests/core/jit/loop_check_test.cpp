// Tests DPEP_CHECK_SECONDS: an infinite loop is an error with its source line, and the process continues.
#include "jit/kernels.hpp"

namespace dpep {
namespace {

using namespace test;

constexpr std::string_view declarations = R"(
  declare i64 @__dpep_global_id(i32) memory(none) nounwind willreturn
)";

constexpr std::string_view lines = R"(
  !llvm.dbg.cu = !{!0}
  !llvm.module.flags = !{!5}
  !0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: LineTablesOnly)
  !1 = !DIFile(filename: "spin.cpp", directory: "/")
  !2 = distinct !DISubprogram(name: "k", file: !1, line: 1, unit: !0, type: !6)
  !3 = !DILocation(line: 17, scope: !2)
  !5 = !{i32 2, !"Debug Info Version", i32 3}
  !6 = !DISubroutineType(types: !7)
  !7 = !{}
)";

class loop_check : public ::testing::Test {
protected:
  std::string run(std::string_view body, std::size_t items, int *data) {
    const std::string text = std::string(declarations) + "define spir_kernel void @k(ptr %arguments) !dbg !2 {\n" +
                             std::string(body) + "}\n" + std::string(lines);
    launch(q, ir_kernel(text), flat(items), packed(data));
    try {
      q.wait();
    } catch (const exception &error) {
      return error.what();
    }
    return "";
  }
  environment no_cache{"DPEP_CACHE", "off"}, seconds{"DPEP_CHECK_SECONDS", "0.1"};
  queue q = cpu_queue();
};

// Each work-item subtracts 2 until its number is 0, so the loop is infinite for odd numbers.
constexpr std::string_view infinite_for_odd = R"(
  entry:
    %data = load ptr, ptr %arguments
    %i = call i64 @__dpep_global_id(i32 0)
    %p = getelementptr i32, ptr %data, i64 %i
    %x = load i32, ptr %p
    br label %loop
  loop:
    %n = phi i32 [%x, %entry], [%less, %loop]
    %rounds = phi i32 [0, %entry], [%more, %loop]
    %less = sub i32 %n, 2
    %more = add i32 %rounds, 1
    store i32 %more, ptr %p
    %done = icmp eq i32 %n, 0
    br i1 %done, label %end, label %loop, !dbg !3
  end:
    ret void
)";

TEST_F(loop_check, ends_an_infinite_loop_and_reports_its_line) {
  std::vector<int> data(64);
  for (int i = 0; i < 64; ++i) data[static_cast<std::size_t>(i)] = 2 * i;
  EXPECT_EQ(run(infinite_for_odd, 64, data.data()), "");
  EXPECT_EQ(data[10], 11);
  data.assign(64, 4);
  data[37] = 5;
  const std::string message = run(infinite_for_odd, 64, data.data());
  EXPECT_HAS(message, "kernel 'k'");
  EXPECT_HAS(message, "spin.cpp:17");
  EXPECT_HAS(message, "more than 0.1 seconds");
  data.assign(64, 4);
  EXPECT_EQ(run(infinite_for_odd, 64, data.data()), "");  // the process continues
}

TEST_F(loop_check, ends_work_items_that_wait_for_a_lock_that_is_never_released) {
  // A spin lock that a work-item releases after the loop, in which the other work-items of its vector still wait.
  constexpr std::string_view spin_lock = R"(
    entry:
      %lock = load ptr, ptr %arguments
      %i = call i64 @__dpep_global_id(i32 0)
      br label %try
    try:
      %old = atomicrmw xchg ptr %lock, i32 1 acquire
      %taken = icmp ne i32 %old, 0
      br i1 %taken, label %try, label %mine, !dbg !3
    mine:
      %count = getelementptr i32, ptr %lock, i64 1
      %x = load i32, ptr %count
      %y = add i32 %x, 1
      store i32 %y, ptr %count
      store atomic i32 0, ptr %lock release, align 4
      ret void
  )";
  for (const char *width : {"4", "1"}) {
    const environment chosen("DPEP_VECTOR_WIDTH", width);
    std::vector<int> data(2);
    EXPECT_EQ(run(spin_lock, 64, data.data()), "") << width;  // one after another
    EXPECT_EQ(data[1], 64) << width;
    data = {1, 0};  // never released
    EXPECT_HAS(run(spin_lock, 64, data.data()), "spin.cpp:17");
  }
}

TEST_F(loop_check, accepts_many_short_loops_that_take_longer_in_total) {
  // The limit applies to each loop, not to their sum: each work-item has few iterations.
  std::vector<int> data(1 << 20, 40);
  const environment very_short("DPEP_CHECK_SECONDS", "0.000001");
  EXPECT_EQ(run(infinite_for_odd, data.size(), data.data()), "");
}

}  // namespace
}  // namespace dpep
