// Private arrays accessed at uniform indices only: LLVM hoists the addresses out of the loop over work-items, and still
// each work-item has an array of its own.
#include <algorithm>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

constexpr std::uint32_t items = 48;

// Stores in[i] at an index given by an argument, and returns all elements of the array as digits of one number.
std::string kernel_with(const std::string &element, const std::string &address, const std::string &field = "") {
  std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %array = alloca [4 x )" +
                     element + R"(]
  store [4 x )" + element +
                     R"(] zeroinitializer, ptr %array
  %in = load ptr, ptr %arguments
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %out = load ptr, ptr %a.out
  %a.which = getelementptr ptr, ptr %arguments, i64 2
  %which = load i64, ptr %a.which
  %i = call i64 @__dpep_global_id(i32 0)
  %p.in = getelementptr i16, ptr %in, i64 %i
  %x = load i16, ptr %p.in
  %k = and i64 %which, 3
  )" + address + R"(
  store i16 %x, ptr %p
  %sum.0 = add i32 0, 0
)";
  for (int index = 0; index < 4; ++index) {
    const std::string n = std::to_string(index), next = std::to_string(index + 1);
    text += "%q" + n + " = getelementptr " + element + ", ptr %array, i64 " + n + field + "\n%y" + n +
            " = load i16, ptr %q" + n + "\n%z" + n + " = zext i16 %y" + n + " to i32\n%t" + n + " = mul i32 %sum." + n +
            ", 100\n%sum." + next + " = add i32 %t" + n + ", %z" + n + "\n";
  }
  return text + R"(
  %p.out = getelementptr i32, ptr %out, i64 %i
  store i32 %sum.4, ptr %p.out
  ret void
}
)";
}

void check(const std::string &text, const geometry &work) {
  for (const std::uint32_t lanes : {0U, 1U, 2U, 4U, 16U}) {
    SCOPED_TRACE(lanes);
    const formed_kernel kernel(text, specialisation_of(work), formed_kernel::optimisation::standard, {.width = lanes});
    if (lanes != 1) EXPECT_GT(kernel.report().vector_width, 1u) << kernel.report().remarks;
    std::uint32_t factor = 1'000'000;
    for (std::uint64_t which = 0; which < 4; ++which, factor /= 100) {
      std::vector<std::uint16_t> in(items);
      std::vector<std::uint32_t> out(items), wanted(items);
      for (std::uint32_t i = 0; i < items; ++i) {
        in[i] = static_cast<std::uint16_t>((i * 7 + which) % 50 + 1);
        wanted[i] = in[i] * factor;
      }
      const void *arguments[] = {in.data(), out.data(), reinterpret_cast<const void *>(which)};
      kernel.run(work, arguments);
      EXPECT_EQ(out, wanted) << which;
    }
  }
}

void check(const std::string &text) {
  for (const geometry &work :
       {range_of(items), groups_of({items, 1, 1}, {16, 1, 1}, 1), groups_of({items, 1, 1}, {12, 1, 1}, 1)}) {
    SCOPED_TRACE(work.local[0]);
    check(text, work);
  }
}

TEST(private_layout, separates_elements) { check(kernel_with("i16", "%p = getelementptr i16, ptr %array, i64 %k")); }

TEST(private_layout, separates_fields) {
  check(kernel_with("{i16, i32}", "%p = getelementptr {i16, i32}, ptr %array, i64 %k"));
}

// No address in the loop is that of the array itself.
TEST(private_layout, separates_fields_other_than_the_first) {
  check(kernel_with("{i32, i16}", "%p = getelementptr {i32, i16}, ptr %array, i64 %k, i32 1", ", i32 1"));
}

TEST(private_layout, separates_addresses_converted_to_integers) {
  check(kernel_with("i16", "%twice = mul i64 %k, 2\n%n = ptrtoint ptr %array to i64\n%m = add i64 %n, %twice\n"
                           "%p = inttoptr i64 %m to ptr"));
}

TEST(private_layout, separates_selected_arrays) {
  check(kernel_with("i16",
                    "%other = alloca [4 x i16]\n%none = icmp ugt i64 %which, 9\n"
                    "%base = select i1 %none, ptr %other, ptr %array\n%p = getelementptr i16, ptr %base, i64 %k"));
}

// A sorting network, whose pairs of indices are in a table: the array is in registers once the loop is unrolled.
TEST(private_layout, indices_from_a_table_are_constants) {
  constexpr const char *text = R"(
@network = internal unnamed_addr constant [5 x [2 x i32]] [[2 x i32] [i32 0, i32 1], [2 x i32] [i32 2, i32 3],
    [2 x i32] [i32 0, i32 2], [2 x i32] [i32 1, i32 3], [2 x i32] [i32 1, i32 2]]
define spir_kernel void @kernel(ptr %arguments) {
  %own = alloca [4 x i32]
  %in = load ptr, ptr %arguments
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %out = load ptr, ptr %a.out
  %i = call i64 @__dpep_global_id(i32 0)
  %first = shl nsw i64 %i, 4
  %from = getelementptr i8, ptr %in, i64 %first
  %to = getelementptr i8, ptr %out, i64 %first
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %own, ptr align 4 %from, i64 16, i1 false)
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %next, %loop ]
  %pair = getelementptr inbounds nuw i8, ptr @network, i64 %k
  %p.index = load i32, ptr %pair
  %p.wide = sext i32 %p.index to i64
  %p = getelementptr inbounds i32, ptr %own, i64 %p.wide
  %pair.second = getelementptr inbounds nuw i8, ptr %pair, i64 4
  %q.index = load i32, ptr %pair.second
  %q.wide = sext i32 %q.index to i64
  %q = getelementptr inbounds i32, ptr %own, i64 %q.wide
  %a = load i32, ptr %p
  %b = load i32, ptr %q
  %less = icmp slt i32 %a, %b
  %low = select i1 %less, i32 %a, i32 %b
  %high = select i1 %less, i32 %b, i32 %a
  store i32 %low, ptr %p
  store i32 %high, ptr %q
  %next = add nuw nsw i64 %k, 8
  %ends = icmp eq i64 %next, 40
  br i1 %ends, label %done, label %loop
done:
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %to, ptr align 16 %own, i64 16, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
)";
  constexpr std::size_t rows = 71;
  const formed_kernel kernel(text, specialisation_of(range_of(rows)));
  EXPECT_GT(kernel.report().vector_width, 1U) << kernel.report().remarks;
  EXPECT_FALSE(contains(kernel.optimised(), "alloca"));
  std::vector<std::int32_t> in(4 * rows), out(4 * rows), wanted;
  for (std::size_t k = 0; k < in.size(); ++k) in[k] = static_cast<std::int32_t>(k * 7919 % 1009);
  wanted = in;
  for (std::size_t row = 0; row < rows; ++row)
    std::sort(wanted.begin() + static_cast<std::ptrdiff_t>(4 * row),
              wanted.begin() + static_cast<std::ptrdiff_t>(4 * row + 4));
  const void *arguments[] = {in.data(), out.data()};
  kernel.run(range_of(rows), arguments);
  EXPECT_EQ(out, wanted);
}

// Numbers that clang has made of an array's elements: the first one is aligned as the array was. The one that is stored
// to is found at run time.
TEST(private_layout, elements_that_are_aligned_as_arrays_are_neighbours) {
  const std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %first = alloca i32, align 16
  %second = alloca i32, align 4
  store i32 5, ptr %first, align 16
  store i32 7, ptr %second, align 4
  %in = load ptr, ptr %arguments
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %out = load ptr, ptr %a.out
  %i = call i64 @__dpep_global_id(i32 0)
  %p.in = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %p.in
  %odd = trunc i32 %x to i1
  br i1 %odd, label %left, label %right
left:
  %doubled = shl i32 %x, 1
  store i32 %doubled, ptr %second, align 4
  br label %join
right:
  br label %join
join:
  %which = phi ptr [ %first, %left ], [ %second, %right ]
  store i32 %x, ptr %which, align 4
  %a = load i32, ptr %first, align 16
  %b = load i32, ptr %second, align 4
  %scaled = mul i32 %a, 1000
  %sum = add i32 %scaled, %b
  %p.out = getelementptr i32, ptr %out, i64 %i
  store i32 %sum, ptr %p.out
  ret void
}
)";
  constexpr std::size_t count = 71;
  const formed_kernel kernel(text, specialisation_of(range_of(count)), formed_kernel::optimisation::after);
  EXPECT_GT(kernel.report().vector_width, 1U) << kernel.report().remarks;
  const std::string bytes = "[" + std::to_string(16 * kernel.report().vector_width) + " x i8]";
  EXPECT_FALSE(contains(kernel.optimised(), bytes.c_str())) << kernel.optimised();
  std::vector<std::int32_t> in(count), out(count), wanted(count);
  for (std::size_t i = 0; i < count; ++i) {
    in[i] = static_cast<std::int32_t>(i * 7919 % 101);
    wanted[i] = in[i] % 2 ? 1000 * in[i] + 2 * in[i] : 5000 + in[i];
  }
  const void *arguments[] = {in.data(), out.data()};
  kernel.run(range_of(count), arguments);
  EXPECT_EQ(out, wanted);
}

}  // namespace
}  // namespace dpep::test
