// Tests DPEP_CHECK: a barrier that not all work-items reach is an error with its source line, and the process
// continues.
#include "jit/kernels.hpp"

#include <numeric>

namespace dpep {
namespace {

using namespace test;

constexpr std::string_view declarations = R"(
  declare i64 @__dpep_global_id(i32) memory(none) nounwind willreturn
  declare i64 @__dpep_local_id(i32) memory(none) nounwind willreturn
  declare i32 @__dpep_sub_group_local_id() memory(none) nounwind willreturn
  declare void @__dpep_group_barrier() convergent nounwind
  declare i32 @__dpep_sub_group_shuffle32(i32, i32) convergent nounwind
)";

// Debug information of lines 12 and 20 of a file.
constexpr std::string_view lines = R"(
  !llvm.dbg.cu = !{!0}
  !llvm.module.flags = !{!5}
  !0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: LineTablesOnly)
  !1 = !DIFile(filename: "waiting.cpp", directory: "/")
  !2 = distinct !DISubprogram(name: "k", file: !1, line: 1, unit: !0, type: !6)
  !3 = !DILocation(line: 12, scope: !2)
  !4 = !DILocation(line: 20, scope: !2)
  !5 = !{i32 2, !"Debug Info Version", i32 3}
  !6 = !DISubroutineType(types: !7)
  !7 = !{}
)";

std::string kernel_text(std::string_view body, bool with_lines = true) {
  std::string text(declarations);
  text += with_lines ? "define spir_kernel void @k(ptr %arguments) !dbg !2 {\n"
                     : "define spir_kernel void @k(ptr %arguments) {\n";
  text += body;
  text += "}\n";
  if (with_lines) text += lines;
  return text;
}

class barrier_check : public ::testing::Test {
protected:
  /// Runs the kernel with one work-group of 40 work-items. Returns the message of the exception that wait throws.
  std::string message_of(const std::string &text) {
    std::vector<int> data(40);
    int *const pointer = data.data();
    launch(q, ir_kernel(text), grouped(40, 40), packed(pointer));
    try {
      q.wait();
    } catch (const exception &error) {
      EXPECT_EQ(error.code(), make_error_code(errc::kernel));
      return error.what();
    }
    return "no error";
  }
  static ::testing::AssertionResult contains(const std::string &message, std::string_view part) {
    if (message.find(part) != std::string::npos) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "'" << part << "' is not in: " << message;
  }

  environment no_cache{"DPEP_CACHE", "off"}, check{"DPEP_CHECK", "1"};
  queue q = cpu_queue();
};

constexpr std::string_view some_return = R"(
    %id = call i64 @__dpep_local_id(i32 0)
    %few = icmp ult i64 %id, 3
    br i1 %few, label %wait, label %done
  wait:
    call void @__dpep_group_barrier() LINE
    br label %done
  done:
    ret void
)";

std::string with(std::string_view text, const std::string &line) {
  std::string result(text);
  result.replace(result.find("LINE"), 4, line);
  return result;
}

TEST_F(barrier_check, reports_the_kernel_and_the_line_of_the_barrier) {
  const std::string message = message_of(kernel_text(with(some_return, ", !dbg !3")));
  EXPECT_TRUE(contains(message, "kernel 'k'"));
  EXPECT_TRUE(contains(message, "not all work-items of a work-group"));
  EXPECT_TRUE(contains(message, "some wait at waiting.cpp:12"));
  EXPECT_TRUE(contains(message, "some leave the kernel"));
}

TEST_F(barrier_check, suggests_debug_information_if_lines_are_unknown) {
  const std::string message = message_of(kernel_text(with(some_return, ""), false));
  EXPECT_TRUE(contains(message, "some wait at one"));
  EXPECT_TRUE(contains(message, "-g"));
}

TEST_F(barrier_check, distinguishes_two_barriers) {
  const std::string message = message_of(kernel_text(R"(
    %id = call i64 @__dpep_local_id(i32 0)
    %few = icmp ult i64 %id, 30
    br i1 %few, label %one, label %other
  one:
    call void @__dpep_group_barrier(), !dbg !3
    br label %done
  other:
    call void @__dpep_group_barrier(), !dbg !4
    br label %done
  done:
    ret void
)"));
  EXPECT_TRUE(contains(message, "waiting.cpp:12"));
  EXPECT_TRUE(contains(message, "waiting.cpp:20"));
}

TEST_F(barrier_check, detects_a_missing_loop_iteration) {
  const std::string message = message_of(kernel_text(R"(
    %id = call i64 @__dpep_local_id(i32 0)
    %last = icmp eq i64 %id, 39
    %rounds = select i1 %last, i64 4, i64 5
    br label %loop
  loop:
    %i = phi i64 [0, %0], [%i.next, %loop]
    call void @__dpep_group_barrier(), !dbg !3
    %i.next = add i64 %i, 1
    %more = icmp ult i64 %i.next, %rounds
    br i1 %more, label %loop, label %done
  done:
    ret void
)"));
  EXPECT_TRUE(contains(message, "waiting.cpp:12"));
}

TEST_F(barrier_check, detects_lanes_that_do_not_reach_a_shuffle) {
  const std::string message = message_of(kernel_text(R"(
    %data = load ptr, ptr %arguments
    %id = call i64 @__dpep_local_id(i32 0)
    %lane = call i32 @__dpep_sub_group_local_id()
    %first = icmp eq i32 %lane, 0
    br i1 %first, label %done, label %ask
  ask:
    %x = call i32 @__dpep_sub_group_shuffle32(i32 %lane, i32 1), !dbg !3
    %p = getelementptr i32, ptr %data, i64 %id
    store i32 %x, ptr %p
    br label %done
  done:
    ret void
)"));
  EXPECT_TRUE(contains(message, "not all work-items of a sub-group"));
  EXPECT_TRUE(contains(message, "waiting.cpp:12"));
}

TEST_F(barrier_check, accepts_correct_kernels_and_the_process_continues) {
  (void)message_of(kernel_text(with(some_return, ", !dbg !3")));
  // The branch to the barrier depends on the id, but all work-items of a group take the same branch.
  const std::string text = kernel_text(R"(
    %data = load ptr, ptr %arguments
    %i = call i64 @__dpep_global_id(i32 0)
    %in = icmp ult i64 %i, 40
    br i1 %in, label %work, label %done
  work:
    %p = getelementptr i32, ptr %data, i64 %i
    %x = load i32, ptr %p
    call void @__dpep_group_barrier(), !dbg !3
    %back = sub i64 39, %i
    %q = getelementptr i32, ptr %data, i64 %back
    store i32 %x, ptr %q
    br label %done
  done:
    ret void
)");
  std::vector<int> data(40), expected(40);
  std::iota(data.begin(), data.end(), 0);
  std::iota(expected.rbegin(), expected.rend(), 0);
  int *const pointer = data.data();
  launch(q, ir_kernel(text), grouped(80, 40), packed(pointer));
  q.wait();
  EXPECT_EQ(data, expected);
}

}  // namespace
}  // namespace dpep
