// Barriers in functions, in several dimensions, and between accesses of private arrays and assertions.
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

constexpr const char *reduce = R"(
define internal float @reduce(float %x) convergent {
  %scratch = call ptr @__dpep_group_scratch(i64 4)
  %id = call i64 @__dpep_local_id(i32 0)
  %size = call i64 @__dpep_local_size(i32 0)
  %mine = getelementptr float, ptr %scratch, i64 %id
  store float %x, ptr %mine
  call void @__dpep_group_barrier()
  %leads = icmp eq i64 %id, 0
  br i1 %leads, label %loop, label %meet
loop:
  %i = phi i64 [0, %0], [%i.next, %loop]
  %sum = phi float [0.0, %0], [%sum.next, %loop]
  %p = getelementptr float, ptr %scratch, i64 %i
  %y = load float, ptr %p
  %sum.next = fadd float %sum, %y
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %size
  br i1 %more, label %loop, label %last
last:
  store float %sum.next, ptr %scratch
  br label %meet
meet:
  call void @__dpep_group_barrier()
  %all = load float, ptr %scratch
  call void @__dpep_group_barrier()
  ret float %all
}
)";

// A kernel density estimate: for each of 17 points a sum over the group, added up by its leader.
const std::string kde = std::string(R"(
define spir_kernel void @kernel(ptr %arguments) {
  %x = load ptr, ptr %arguments
  %a.y = getelementptr ptr, ptr %arguments, i64 1
  %a.f = getelementptr ptr, ptr %arguments, i64 2
  %i = call i64 @__dpep_global_id(i32 0)
  %row = mul i64 %i, 2
  br label %points
points:
  %j = phi i64 [0, %0], [%j.next, %next]
  %y = load ptr, ptr %a.y
  %p0 = getelementptr float, ptr %x, i64 %row
  %p1 = getelementptr float, ptr %p0, i64 1
  %x0 = load float, ptr %p0
  %x1 = load float, ptr %p1
  %q0 = getelementptr [2 x float], ptr %y, i64 %j
  %q1 = getelementptr float, ptr %q0, i64 1
  %y0 = load float, ptr %q0
  %y1 = load float, ptr %q1
  %d0 = fsub float %x0, %y0
  %d1 = fsub float %x1, %y1
  %s0 = fmul float %d0, %d0
  %s1 = fmul float %d1, %d1
  %d = fadd float %s0, %s1
  %sum = call float @reduce(float %d)
  %id = call i64 @__dpep_local_id(i32 0)
  %leads = icmp eq i64 %id, 0
  br i1 %leads, label %add, label %next
add:
  %f = load ptr, ptr %a.f
  %fj = getelementptr float, ptr %f, i64 %j
  %old = atomicrmw fadd ptr %fj, float %sum monotonic
  br label %next
next:
  %j.next = add i64 %j, 1
  %more = icmp ult i64 %j.next, 17
  br i1 %more, label %points, label %done
done:
  ret void
}
)") + reduce;

TEST(barriers, reduce_in_a_loop) {
  constexpr std::size_t items = 128;
  const geometry work = groups_of({items, 1, 1}, {32, 1, 1}, 1);
  const formed_kernel kernel(kde, specialisation_of(work));
  std::vector<float> x(2 * items), y(2 * 17), f(17);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 7);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<float>(i % 5);
  const void *arguments[] = {x.data(), y.data(), f.data()};
  kernel.run(work, arguments);
  for (std::size_t j = 0; j < 17; ++j) {
    float expected = 0;
    for (std::size_t i = 0; i < items; ++i)
      for (int k = 0; k < 2; ++k) expected += (x[2 * i + k] - y[2 * j + k]) * (x[2 * i + k] - y[2 * j + k]);
    EXPECT_EQ(f[j], expected) << j;  // small integers: no rounding
  }
  EXPECT_TRUE(kernel.report().uses_barriers);
}

TEST(barriers, leave_vectorised_code_between_them_and_a_scalar_loop_around_them) {
  const formed_kernel kernel(kde, specialisation_of(groups_of({512, 1, 1}, {128, 1, 1}, 1)));
  EXPECT_TRUE(contains(kernel.optimised(), "x float>")) << kernel.optimised();
  // j and the leader's sum are uniform, so no value is spilled for each work-item; only the kernel's own scratch is
  // left.
  EXPECT_EQ(kernel.needs().scratch_bytes, 128 * sizeof(float));
  // One loop over the work-items; all other regions run for a single work-item.
  EXPECT_EQ(occurrences(kernel.formed(), "parallel_accesses"), 1u) << kernel.formed();
}

// The last step of a tree reduction, then the use of its result by the leader, each under its own condition.
std::string after_a_barrier(const char *last_step, const char *leader_code) {
  return R"(
define spir_kernel void @kernel(ptr %arguments) {
entry:
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %in = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %local = call ptr @__dpep_local_memory()
  %id = call i64 @__dpep_local_id(i32 0)
  %i = call i64 @__dpep_global_id(i32 0)
  %g = call i64 @__dpep_group_id(i32 0)
  %p = getelementptr i32, ptr %in, i64 %i
  %v = load i32, ptr %p
  %mine = getelementptr i32, ptr %local, i64 %id
  store i32 %v, ptr %mine
  call void @__dpep_group_barrier()
  %in.step = icmp )" +
         std::string(last_step) + R"(
  br i1 %in.step, label %step, label %stepped
step:
  %next = getelementptr i32, ptr %mine, i64 1
  %x = load i32, ptr %mine
  %y = load i32, ptr %next
  %sum = add i32 %x, %y
  store i32 %sum, ptr %mine
  br label %stepped
stepped:
  %leads = icmp )" +
         std::string(leader_code) + R"(
  br i1 %leads, label %lead, label %done
lead:
  %result = load i32, ptr %mine
  %q = getelementptr i32, ptr %out, i64 %g
  store i32 %result, ptr %q
  br label %done
done:
  ret void
})";
}

TEST(barriers, run_several_sections_of_one_work_item_once) {
  constexpr std::size_t items = 96, group = 32;
  const geometry work = groups_of({items, 1, 1}, {group, 1, 1}, 1);
  std::vector<std::int32_t> in(items);
  for (std::size_t i = 0; i < items; ++i) in[i] = static_cast<std::int32_t>(i * i);
  struct sections {
    const char *last_step, *leader_code;
    std::size_t leader;
    bool adds;
    std::size_t loops;  // over the work-items
  };
  for (const sections &each : {sections{"slt i64 %id, 1", "eq i64 %id, 0", 0, true, 1},
                               sections{"eq i64 %id, 30", "eq i64 %id, 30", 30, true, 1},
                               sections{"eq i64 %id, 3", "eq i64 %id, 5", 5, false, 2},
                               sections{"slt i64 %id, 2", "eq i64 %id, 0", 0, true, 2}}) {
    SCOPED_TRACE(std::string(each.last_step) + ", " + each.leader_code);
    // Not simplified before formation, which would merge the two conditions.
    const formed_kernel kernel(after_a_barrier(each.last_step, each.leader_code), specialisation_of(work),
                               formed_kernel::optimisation::after);
    std::vector<std::int32_t> out(items / group, -1), wanted;
    const void *arguments[] = {in.data(), out.data()};
    kernel.run(work, arguments, group * sizeof(std::int32_t));
    for (std::size_t first = each.leader; first < items; first += group)
      wanted.push_back(in[first] + (each.adds ? in[first + 1] : 0));
    EXPECT_EQ(out, wanted);
    EXPECT_EQ(occurrences(kernel.formed(), "parallel_accesses"), each.loops) << kernel.formed();
  }
}

TEST(barriers, work_in_all_dimensions) {
  // out[id] = id of the opposite work-item, through static local memory
  const std::string text = R"(
@key = internal constant i8 0
@other = internal constant i8 0
define spir_kernel void @kernel(ptr %arguments) {
  %out = load ptr, ptr %arguments
  %local = call ptr @__dpep_static_local_memory(i64 96, i64 4, ptr @key)
  %more = call ptr @__dpep_static_local_memory(i64 24, i64 32, ptr @other)
  %again = call ptr @__dpep_static_local_memory(i64 96, i64 4, ptr @key)
  %x = call i64 @__dpep_local_id(i32 0)
  %y = call i64 @__dpep_local_id(i32 1)
  %z = call i64 @__dpep_local_id(i32 2)
  %z3 = mul i64 %z, 3
  %zy = add i64 %z3, %y
  %zy2 = mul i64 %zy, 2
  %i = add i64 %zy2, %x
  %v = trunc i64 %i to i32
  %mine = getelementptr i32, ptr %local, i64 %i
  store i32 %v, ptr %mine
  %b = getelementptr i8, ptr %more, i64 %i
  store i8 0, ptr %b
  call void @__dpep_group_barrier()
  %opposite = sub i64 23, %i
  %theirs = getelementptr i32, ptr %again, i64 %opposite
  %w = load i32, ptr %theirs
  %o = getelementptr i32, ptr %out, i64 %i
  store i32 %w, ptr %o
  ret void
}
)";
  const geometry work = groups_of({2, 3, 4}, {2, 3, 4}, 3);
  const formed_kernel kernel(text, specialisation_of(work));
  std::vector<int> out(24), expected(24);
  std::iota(expected.rbegin(), expected.rend(), 0);
  const void *arguments[] = {out.data()};
  kernel.run(work, arguments, 4);
  EXPECT_EQ(out, expected);
  EXPECT_EQ(kernel.needs().static_local_bytes, 96 + 24u);
  EXPECT_EQ(kernel.report().static_local_bytes, kernel.needs().static_local_bytes);
}

TEST(barriers, preserve_private_arrays) {
  // A private array is filled through a computed index before the barrier, and added to in a loop around another.
  const std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %array = alloca [8 x i64], align 64
  %out = load ptr, ptr %arguments
  %id = call i64 @__dpep_local_id(i32 0)
  call void @llvm.memset.p0.i64(ptr %array, i8 0, i64 64, i1 false)
  %slot = and i64 %id, 7
  %p = getelementptr i64, ptr %array, i64 %slot
  store i64 %id, ptr %p
  br label %loop
loop:
  %i = phi i64 [0, %0], [%i.next, %loop]
  call void @__dpep_group_barrier()
  %q = getelementptr i64, ptr %array, i64 %i
  %old = load i64, ptr %q
  %new = add i64 %old, 100
  store i64 %new, ptr %q
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, 8
  br i1 %more, label %loop, label %done
done:
  %r = load i64, ptr %p
  %aligned = ptrtoint ptr %array to i64
  %wrong = and i64 %aligned, 63
  %sum = add i64 %r, %wrong
  %o = getelementptr i64, ptr %out, i64 %id
  store i64 %sum, ptr %o
  ret void
}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
)";
  const geometry work = groups_of({20, 1, 1}, {20, 1, 1}, 1);
  const formed_kernel kernel(text, specialisation_of(work));
  std::vector<std::size_t> out(20);
  const void *arguments[] = {out.data()};
  kernel.run(work, arguments);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(out[i], 100 + i);
}

TEST(barriers, have_assertions_between_them_without_divergent_loops) {
  // The failing path ends the kernel; the loop counter must stay uniform.
  const std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %in = load ptr, ptr %arguments
  %id = call i64 @__dpep_local_id(i32 0)
  %local = call ptr @__dpep_local_memory()
  %mine = getelementptr i32, ptr %local, i64 %id
  %p = getelementptr i32, ptr %in, i64 %id
  %x = load i32, ptr %p
  %fine = icmp ult i32 %x, 100
  br i1 %fine, label %loop, label %fails
fails:
  call void @__dpep_assert_fail(ptr null, ptr null, i32 0, ptr null)
  unreachable
loop:
  %i = phi i32 [0, %0], [%i.next, %loop]
  %y = add i32 %x, %i
  store i32 %y, ptr %mine
  call void @__dpep_group_barrier()
  %back = sub i64 15, %id
  %theirs = getelementptr i32, ptr %local, i64 %back
  %z = load i32, ptr %theirs
  call void @__dpep_group_barrier()
  store i32 %z, ptr %p
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, 3
  br i1 %more, label %loop, label %done
done:
  ret void
}
)";
  const geometry work = groups_of({16, 1, 1}, {16, 1, 1}, 1);
  const formed_kernel kernel(text, specialisation_of(work), formed_kernel::optimisation::none);
  EXPECT_FALSE(contains(kernel.formed(), "switch")) << kernel.formed();
  EXPECT_TRUE(contains(kernel.report().remarks, "8 bytes are kept")) << kernel.report().remarks;  // x and z
}

TEST(barriers, work_in_functions_called_by_functions) {
  const std::string text = std::string(R"(
define spir_kernel void @kernel(ptr %arguments) {
  %out = load ptr, ptr %arguments
  %id = call i64 @__dpep_global_id(i32 0)
  %x = uitofp i64 %id to float
  %y = call float @twice(float %x)
  %o = getelementptr float, ptr %out, i64 %id
  store float %y, ptr %o
  ret void
}
define internal float @twice(float %x) {
  %a = call float @reduce(float %x)
  %b = call float @reduce(float 1.0)
  %c = fadd float %a, %b
  ret float %c
}
)") + reduce;
  const geometry work = groups_of({8, 1, 1}, {4, 1, 1}, 1);
  const formed_kernel kernel(text, specialisation_of(work));
  std::vector<float> out(8);
  const void *arguments[] = {out.data()};
  kernel.run(work, arguments);
  EXPECT_EQ(out, (std::vector<float>{10, 10, 10, 10, 26, 26, 26, 26}));
}

TEST(barriers, do_nothing_in_groups_of_one_and_without_groups) {
  const std::string text = std::string(R"(
define spir_kernel void @kernel(ptr %arguments) {
  %out = load ptr, ptr %arguments
  %id = call i64 @__dpep_global_id(i32 0)
  %x = uitofp i64 %id to float
  call void @__dpep_sub_group_barrier()
  %y = call float @reduce(float %x)
  %o = getelementptr float, ptr %out, i64 %id
  store float %y, ptr %o
  ret void
}
)") + reduce;
  for (std::size_t local : {1, 0}) {
    const geometry work = groups_of({5, 1, 1}, {local, 1, 1}, 1);
    const formed_kernel kernel(text, specialisation_of(work));
    EXPECT_FALSE(kernel.report().uses_barriers);
    std::vector<float> out(5);
    const void *arguments[] = {out.data()};
    kernel.run(work, arguments);
    EXPECT_EQ(out, (std::vector<float>{0, 1, 2, 3, 4}));
  }
}

}  // namespace
}  // namespace dpep::test
