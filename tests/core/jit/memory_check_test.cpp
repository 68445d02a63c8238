// Tests DPEP_CHECK: an access outside local memory or a private array, through a null pointer, and a division without a
// result are errors with the access and its source line.
#include "jit/kernels.hpp"

namespace dpep {
namespace {

using namespace test;

constexpr std::string_view declarations = R"(
  declare i64 @__dpep_global_id(i32) memory(none) nounwind willreturn
  declare i64 @__dpep_local_id(i32) memory(none) nounwind willreturn
  declare void @__dpep_group_barrier() convergent nounwind
  declare ptr @__dpep_local_memory() memory(none) nounwind willreturn
  declare ptr @__dpep_sized_memory(ptr, i64) memory(none) nounwind willreturn
  declare ptr @__dpep_static_local_memory(i64, i64, ptr) memory(none) nounwind willreturn
  @key = internal constant i8 0
)";

constexpr std::string_view lines = R"(
  !llvm.dbg.cu = !{!0}
  !llvm.module.flags = !{!5}
  !0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: LineTablesOnly)
  !1 = !DIFile(filename: "tiles.cpp", directory: "/")
  !2 = distinct !DISubprogram(name: "k", file: !1, line: 1, unit: !0, type: !6)
  !3 = !DILocation(line: 12, scope: !2)
  !5 = !{i32 2, !"Debug Info Version", i32 3}
  !6 = !DISubroutineType(types: !7)
  !7 = !{}
)";

class memory_check : public ::testing::Test {
protected:
  /// Runs the kernel with one work-group of 64. Its arguments are a pointer to 64 ints, and `shift`. Returns the error
  /// message, or an empty string.
  std::string run(std::string_view body, std::int64_t shift, bool with_lines = true) {
    std::string text(declarations);
    text += with_lines ? "define spir_kernel void @k(ptr %arguments) !dbg !2 {\n"
                       : "define spir_kernel void @k(ptr %arguments) {\n";
    text += R"(
      %data = load ptr, ptr %arguments
      %a.shift = getelementptr i64, ptr %arguments, i64 1
      %shift = load i64, ptr %a.shift
      %id = call i64 @__dpep_local_id(i32 0)
      %to = getelementptr i32, ptr %data, i64 %id
      %place = add i64 %id, %shift
    )";
    text += body;
    text += "}\n";
    if (with_lines) text += lines;
    const kernel k = ir_kernel(text);
    width = k.report(q.get_device(), grouped(64, 64)).vector_width;
    const struct {
      int *data;
      std::int64_t shift;
    } arguments{data.data(), shift};
    launch(q, k, grouped(64, 64), packed(arguments), 512);
    try {
      q.wait();
    } catch (const exception &error) {
      EXPECT_EQ(error.code(), make_error_code(errc::kernel));
      return error.what();
    }
    return "";
  }

  environment no_cache{"DPEP_CACHE", "off"}, check{"DPEP_CHECK", "1"};
  queue q = cpu_queue();
  std::vector<int> data = std::vector<int>(64);
  std::uint32_t width = 0;
};

constexpr std::string_view declared = R"(
  %tile = call ptr @__dpep_static_local_memory(i64 256, i64 16, ptr @key)
  %p = getelementptr i32, ptr %tile, i64 %place
  store i32 7, ptr %p, !dbg !3
  call void @__dpep_group_barrier()
  %q = getelementptr i32, ptr %tile, i64 %id
  %x = load i32, ptr %q, !dbg !3
  store i32 %x, ptr %to
  ret void
)";

TEST_F(memory_check, reports_the_access_and_its_line) {
  EXPECT_EQ(run(declared, 0), "");
  EXPECT_EQ(data, std::vector<int>(64, 7));
  EXPECT_GE(width, 4u);  // checks do not prevent vectorisation
  const std::string after = run(declared, 1);
  EXPECT_HAS(after, "kernel 'k'");
  EXPECT_HAS(after, "write of 4 bytes at byte 256 of local memory, which has 256 (element 64 of 64), at tiles.cpp:12");
  EXPECT_HAS(after, "by work-item (63)");
  EXPECT_HAS(run(declared, -2), "at byte -8 of local memory");
  EXPECT_HAS(run(declared, std::int64_t{1} << 61), "of local memory");  // the offset in bytes overflows
  EXPECT_EQ(run(declared, 0), "");                                      // the process continues
}

TEST_F(memory_check, suggests_debug_information_if_lines_are_unknown) {
  std::string body(declared);
  for (std::size_t at; (at = body.find(", !dbg !3")) != std::string::npos;) body.erase(at, 9);
  EXPECT_HAS(run(body, 1, false), "-g");
}

TEST_F(memory_check, checks_the_parts_of_dynamic_local_memory) {
  constexpr std::string_view parts = R"(
    %all = call ptr @__dpep_local_memory()
    %first = call ptr @__dpep_sized_memory(ptr %all, i64 256)
    %behind = getelementptr i8, ptr %all, i64 256
    %second = call ptr @__dpep_sized_memory(ptr %behind, i64 256)
    %p = getelementptr i32, ptr %first, i64 %place
    store i32 1, ptr %p, !dbg !3
    %q = getelementptr i32, ptr %second, i64 %id
    store i32 2, ptr %q, !dbg !3
    call void @__dpep_group_barrier()
    %x = load i32, ptr %p, !dbg !3
    store i32 %x, ptr %to
    ret void
  )";
  EXPECT_EQ(run(parts, 0), "");
  EXPECT_EQ(data, std::vector<int>(64, 1));
  EXPECT_HAS(run(parts, 3), "write of 4 bytes at byte 256 of local memory, which has 256");
}

TEST_F(memory_check, checks_private_arrays_atomics_and_fills) {
  EXPECT_HAS(run(R"(
    %array = alloca [8 x i32]
    store [8 x i32] zeroinitializer, ptr %array
    %p = getelementptr i32, ptr %array, i64 %shift
    %x = load i32, ptr %p, !dbg !3
    store i32 %x, ptr %to
    ret void
  )",
                 8),
             "read of 4 bytes at byte 32 of a private array, which has 32 (element 8 of 8), at tiles.cpp:12");
  EXPECT_HAS(run(R"(
    %bins = call ptr @__dpep_static_local_memory(i64 64, i64 16, ptr @key)
    %p = getelementptr i32, ptr %bins, i64 %shift
    %old = atomicrmw add ptr %p, i32 1 monotonic, !dbg !3
    ret void
  )",
                 16),
             "write of 4 bytes at byte 64 of local memory, which has 64");
  EXPECT_HAS(run(R"(
    %bins = call ptr @__dpep_static_local_memory(i64 64, i64 16, ptr @key)
    call void @llvm.memset.p0.i64(ptr %bins, i8 0, i64 %shift, i1 false), !dbg !3
    ret void
  )",
                 65),
             "write of 65 bytes at byte 0 of local memory, which has 64");
}

TEST_F(memory_check, follows_selected_pointers) {
  constexpr std::string_view chosen = R"(
    %tile = call ptr @__dpep_static_local_memory(i64 256, i64 16, ptr @key)
    %array = alloca [4 x i32]
    store [4 x i32] zeroinitializer, ptr %array
    %last = icmp eq i64 %id, 63
    %far = icmp sgt i64 %shift, 2
    %own = getelementptr i32, ptr %tile, i64 %id
    %p = select i1 %last, ptr %array, ptr %own
    %q = getelementptr i32, ptr %p, i64 %shift
    %use = select i1 %far, ptr %q, ptr %own
    store i32 3, ptr %use, !dbg !3
    store i32 3, ptr %to
    ret void
  )";
  EXPECT_EQ(run(chosen, 0), "");
  EXPECT_EQ(data, std::vector<int>(64, 3));
  EXPECT_HAS(run(chosen, 4), "write of 4 bytes at byte 256 of local memory, which has 256");
  EXPECT_HAS(run(chosen, 1 << 20), "local memory");
}

TEST_F(memory_check, follows_incremented_pointers) {
  // Odd work-items access local memory, even ones memory of unknown size.
  constexpr std::string_view advancing = R"(
    %tile = call ptr @__dpep_static_local_memory(i64 256, i64 16, ptr @key)
    %bit = and i64 %id, 1
    %odd = icmp eq i64 %bit, 1
    br i1 %odd, label %local, label %start
  local:
    br label %start
  start:
    %base = phi ptr [%data, %0], [%tile, %local]
    %end = sub i64 64, %shift
    br label %loop
  loop:
    %p = phi ptr [%base, %start], [%p.next, %loop]
    %k = phi i64 [0, %start], [%k.next, %loop]
    %back = getelementptr i32, ptr %p, i64 %shift
    %x = load i32, ptr %back, !dbg !3
    %p.next = getelementptr i32, ptr %p, i64 1
    %k.next = add i64 %k, 1
    %more = icmp ult i64 %k.next, 64
    br i1 %more, label %loop, label %done
  done:
    store volatile i32 5, ptr %to
    ret void
  )";
  EXPECT_EQ(run(advancing, 0), "");
  EXPECT_EQ(data, std::vector<int>(64, 5));
  EXPECT_HAS(run(advancing, -1), "read of 4 bytes at byte -4 of local memory, which has 256");
}

TEST_F(memory_check, names_the_line_of_divisions_without_a_result) {
  constexpr std::string_view division = R"(
    %divisor = add i64 %shift, 1
    %dividend = shl i64 -1, 63
    %x = sdiv i64 %dividend, %divisor, !dbg !3
    store i64 %x, ptr %data
    ret void
  )";
  EXPECT_EQ(run(division, 1), "");
  EXPECT_HAS(run(division, -1), "integer division by zero or overflow, at tiles.cpp:12 (found by DPEP_CHECK)");
  EXPECT_HAS(run(division, -2), "integer division by zero or overflow, at tiles.cpp:12 (found by DPEP_CHECK)");
  EXPECT_GE(width, 4u);
}

TEST_F(memory_check, names_the_line_of_accesses_through_null_pointers) {
  EXPECT_HAS(run(R"(
    %null = getelementptr i32, ptr null, i64 %shift
    %x = load i32, ptr %null, !dbg !3
    store i32 %x, ptr %to
    ret void
  )",
                 5),
             "read through a null pointer, at tiles.cpp:12 (found by DPEP_CHECK), by work-item (0)");
}

TEST_F(memory_check, checks_constant_arrays) {
  EXPECT_HAS(run(R"(
    %p = getelementptr i8, ptr @key, i64 %shift
    %x = load i8, ptr %p, !dbg !3
    store i8 %x, ptr %to
    ret void
  )",
                 1),
             "read of 1 bytes at byte 1 of a constant array, which has 1 (element 1 of 1), at tiles.cpp:12");
}

TEST_F(memory_check, is_disabled_by_default) {
  const environment off("DPEP_CHECK", "0");
  EXPECT_EQ(run(declared, 1), "");  // accesses the memory after the array, which exists
}

}  // namespace
}  // namespace dpep
