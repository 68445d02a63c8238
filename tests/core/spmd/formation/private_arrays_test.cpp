// Private arrays kept across barriers: equal elements of neighbouring work-items are neighbours in memory.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

constexpr std::size_t groups = 2, elements = 40;

// A private array of 40 numbers that is filled, added to at uniform and at divergent indices, and read after a barrier.
std::string kernel_with(const std::string &fill, const std::string &address = "getelementptr i32, ptr %array, i64 %k") {
  return R"(
@numbers = private constant [40 x i32] [i32 3, i32 1, i32 4, i32 1, i32 5, i32 9, i32 2, i32 6, i32 5, i32 3,
  i32 5, i32 8, i32 9, i32 7, i32 9, i32 3, i32 2, i32 3, i32 8, i32 4, i32 6, i32 2, i32 6, i32 4, i32 3,
  i32 3, i32 8, i32 3, i32 2, i32 7, i32 9, i32 5, i32 0, i32 2, i32 8, i32 8, i32 4, i32 1, i32 9, i32 7]
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define spir_kernel void @kernel(ptr %arguments) {
entry:
  %array = alloca [40 x i32]
  %out = load ptr, ptr %arguments
  %me = call i64 @__dpep_local_id(i32 0)
  %i = call i64 @__dpep_global_id(i32 0)
  %small = trunc i64 %me to i32
  )" + fill +
         R"(
  br label %write
write:
  %k = phi i64 [ 0, %entry ], [ %k.next, %write ]
  %p = )" +
         address + R"(
  %old = load i32, ptr %p
  %new = add i32 %old, %small
  store i32 %new, ptr %p
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, 40
  br i1 %more, label %write, label %meet
meet:
  call void @__dpep_group_barrier()
  %mine = urem i64 %me, 40
  %q = getelementptr i32, ptr %array, i64 %mine
  %x = load i32, ptr %q
  %first = getelementptr [40 x i32], ptr %array, i64 0, i64 0
  %last = getelementptr [40 x i32], ptr %array, i64 0, i64 39
  %y = load i32, ptr %first
  %z = load i32, ptr %last
  %y10 = mul i32 %y, 1000
  %z100 = mul i32 %z, 1000000
  %xy = add i32 %x, %y10
  %sum = add i32 %xy, %z100
  %r = getelementptr i32, ptr %out, i64 %i
  store i32 %sum, ptr %r
  ret void
}
)";
}

template <class Initial> void check(const std::string &text, std::size_t size, Initial initial) {
  SCOPED_TRACE(size);
  const geometry work = groups_of({groups * size, 1, 1}, {size, 1, 1}, 1);
  for (const auto how : {formed_kernel::optimisation::standard, formed_kernel::optimisation::none}) {
    const formed_kernel kernel(text, specialisation_of(work), how);
    std::vector<std::uint32_t> out(groups * size), wanted(groups * size);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto me = static_cast<std::uint32_t>(i % size);
      const auto value = [&](std::size_t index) { return static_cast<std::uint32_t>(initial(index)) + me; };
      wanted[i] = value(me % elements) + 1000 * value(0) + 1'000'000 * value(elements - 1);
    }
    const void *arguments[] = {out.data()};
    kernel.run(work, arguments);
    EXPECT_EQ(out, wanted);
  }
}

constexpr int numbers[elements] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4,
                                   6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5, 0, 2, 8, 8, 4, 1, 9, 7};

TEST(private_arrays, may_be_filled_with_bytes) {
  const std::string text = kernel_with("call void @llvm.memset.p0.i64(ptr %array, i8 1, i64 160, i1 false)");
  for (const std::size_t size : {1UL, 3UL, 16UL, 50UL, 64UL}) check(text, size, [](std::size_t) { return 0x01010101; });
}

TEST(private_arrays, may_be_copied_from_constants) {
  const std::string text = kernel_with("call void @llvm.memcpy.p0.p0.i64(ptr %array, ptr @numbers, i64 160, i1 false)");
  for (const std::size_t size : {5UL, 16UL, 50UL}) check(text, size, [](std::size_t index) { return numbers[index]; });
}

TEST(private_arrays, interleave_the_elements_of_work_items) {
  const std::string text = kernel_with("call void @llvm.memset.p0.i64(ptr %array, i8 0, i64 160, i1 false)");
  const geometry work = groups_of({64, 1, 1}, {32, 1, 1}, 1);
  const formed_kernel kernel(text, specialisation_of(work));
  EXPECT_FALSE(contains(kernel.optimised(), "scatter")) << kernel.optimised();
}

// Elements are partly written in halves, so each work-item's array stays contiguous.
TEST(private_arrays, may_be_accessed_in_several_sizes) {
  const std::string text =
      kernel_with("%half = getelementptr i16, ptr %array, i64 1\n  call void @llvm.memset.p0.i64(ptr %array, i8 0, i64 "
                  "160, i1 false)\n  store i16 2, ptr %half");
  for (const std::size_t size : {5UL, 32UL})
    check(text, size, [](std::size_t index) { return index == 0 ? 2 << 16 : 0; });
}

}  // namespace
}  // namespace dpep::test
