// Values defined in a loop and used after barriers: they have the value of the iteration in which they were defined.
#include <gtest/gtest.h>

#include <functional>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

constexpr std::size_t items = 24, group = 12;

/// Runs the kernel, which stores a number to `out` for each work-item that depends on its local id only.
void expect(const std::string &body, const std::function<std::uint64_t(std::uint64_t)> &expected) {
  const std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %out = load ptr, ptr %arguments
  %given = getelementptr ptr, ptr %arguments, i64 1
  %rounds = load i64, ptr %given
  %id = call i64 @__dpep_local_id(i32 0)
  %i = call i64 @__dpep_global_id(i32 0)
  %place = getelementptr i64, ptr %out, i64 %i
  br label %loop
)" + body + "}\n";
  const geometry work = groups_of({items, 1, 1}, {group, 1, 1}, 1);
  using enum formed_kernel::optimisation;
  for (const auto how : {none, standard, after})
    for (const std::uint32_t width : {1u, 0u}) {
      const formed_kernel kernel(text, specialisation_of(work), how, {jit::x86_target(), width});
      std::vector<std::uint64_t> out(items);
      struct {
        std::uint64_t *out;
        std::uint64_t rounds;
      } arguments{out.data(), 5};
      kernel.run(work, &arguments);
      for (std::size_t i = 0; i < items; ++i)
        ASSERT_EQ(out[i], expected(i % group)) << "of work-item " << i << ", width " << width << "\n"
                                               << kernel.formed();
    }
}

TEST(spilled_values, are_not_recomputed_from_an_iteration_that_did_not_run) {
  expect(R"(
loop:
  %round = phi i64 [0, %0], [%next, %loop.next]
  %scaled = mul i64 %id, 100
  %value = add i64 %scaled, %round
  call void @__dpep_group_barrier()
  br label %loop.next
loop.next:
  %next = add i64 %round, 1
  %more = icmp ult i64 %next, %rounds
  br i1 %more, label %loop, label %done
done:
  store i64 %value, ptr %place
  ret void
)",
         [](std::uint64_t id) { return 100 * id + 4; });
}

TEST(spilled_values, are_those_of_the_last_iteration_of_each_work_item) {
  // The counter is uniform in the loop, since all work-items are in the same iteration, but not after it.
  expect(R"(
loop:
  %round = phi i64 [0, %0], [%next, %loop]
  %scaled = mul i64 %round, 100
  %value = add i64 %scaled, %id
  %next = add i64 %round, 1
  %more = icmp ult i64 %round, %id
  br i1 %more, label %loop, label %wait
wait:
  call void @__dpep_group_barrier()
  store i64 %value, ptr %place
  ret void
)",
         [](std::uint64_t id) { return 101 * id; });
}

TEST(spilled_values, are_not_overwritten_by_those_of_a_possible_next_iteration) {
  // The loop has two latches. At the first, the next iteration's counter is stored before it is known to run.
  expect(R"(
loop:
  %round = phi i64 [0, %0], [%next, %early], [%next, %late]
  %scaled = mul i64 %id, 100
  %value = add i64 %scaled, %round
  call void @__dpep_group_barrier()
  br label %early
early:
  %next = add i64 %round, 1
  %odd = and i64 %next, 1
  %again = icmp ne i64 %odd, 0
  br i1 %again, label %loop, label %late
late:
  %sum = load i64, ptr %place
  %sum.next = add i64 %sum, %value
  store i64 %sum.next, ptr %place
  %more = icmp ult i64 %next, %rounds
  br i1 %more, label %loop, label %done
done:
  ret void
)",
         [](std::uint64_t id) { return 1 + 3 + 5 + 300 * id; });
}

TEST(spilled_values, survive_loops_with_assertions) {
  // A work-item whose assertion fails leaves the loop, so the analysis sees temporal divergence.
  expect(R"(
loop:
  %round = phi i64 [0, %0], [%next, %checked]
  %sum = phi i64 [0, %0], [%sum.next, %checked]
  %room = add i64 %id, %round
  %wrong = icmp ugt i64 %room, 1000
  br i1 %wrong, label %fails, label %fine
fails:
  call void @__dpep_assert_fail(ptr null, ptr null, i32 1, ptr null)
  unreachable
fine:
  call void @__dpep_group_barrier()
  br label %checked
checked:
  %next = add i64 %round, 1
  %term = mul i64 %rounds, %next
  %sum.next = add i64 %sum, %term
  %more = icmp ult i64 %next, %rounds
  br i1 %more, label %loop, label %done
done:
  store i64 %sum.next, ptr %place
  ret void
)",
         [](std::uint64_t) { return 5 * (1 + 2 + 3 + 4 + 5); });
}

TEST(spilled_values, are_kept_where_a_loop_may_end_after_another_one_was_stored) {
  // The last region of the loop stores the sum of a next round, and then the group leaves the loop, behind which only
  // the loaded value is needed. No region starts with both.
  expect(R"(
loop:
  %round = phi i64 [0, %0], [%next, %added]
  %sum = phi i64 [%id, %0], [%sum.next, %added]
  store i64 %sum, ptr %place
  call void @__dpep_group_barrier()
  %neighbour = xor i64 %i, 1
  %from = getelementptr i64, ptr %out, i64 %neighbour
  %x = load i64, ptr %from
  call void @__dpep_group_barrier()
  br label %added
added:
  %sum.next = add i64 %x, 5
  %next = add i64 %round, 1
  %more = icmp ult i64 %next, %rounds
  br i1 %more, label %loop, label %done
done:
  call void @__dpep_group_barrier()
  %value = mul i64 %x, 3
  store i64 %value, ptr %place
  ret void
)",
         [](std::uint64_t id) { return 3 * ((id ^ 1) + 20); });
}

// An unrolled scan: each step reads the sum of an earlier work-item before a barrier and adds it behind the barrier.
TEST(spilled_values, share_memory_if_their_lives_do_not_overlap) {
  std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %out = load ptr, ptr %arguments
  %local = call ptr @__dpep_local_memory()
  %me = call i64 @__dpep_local_id(i32 0)
  %i = call i64 @__dpep_global_id(i32 0)
  %mine = getelementptr i32, ptr %local, i64 %me
  %id = trunc i64 %i to i32
  %rest = urem i32 %id, 31
  store i32 %rest, ptr %mine
  br label %step.0
)";
  constexpr unsigned steps = 6;
  for (unsigned step = 0; step < steps; ++step) {
    const std::string part = R"(
step.S:
  call void @__dpep_group_barrier()
  %has.S = icmp uge i64 %me, DISTANCE
  br i1 %has.S, label %some.S, label %reads.S
some.S:
  %n.S = sub i64 %me, DISTANCE
  %from.S = getelementptr i32, ptr %local, i64 %n.S
  %x.S = load i32, ptr %from.S
  br label %reads.S
reads.S:
  %before.S = phi i32 [ 0, %step.S ], [ %x.S, %some.S ]
  call void @__dpep_group_barrier()
  %own.S = load i32, ptr %mine
  %new.S = add i32 %own.S, %before.S
  store i32 %new.S, ptr %mine
  br label %step.N
)";
    text += replaced(
        replaced(replaced(part, "step.N", "step." + std::to_string(step + 1)), ".S", "." + std::to_string(step)),
        "DISTANCE", std::to_string(1U << step));
  }
  text += "step." + std::to_string(steps) + R"(:
  %sum = load i32, ptr %mine
  %q = getelementptr i32, ptr %out, i64 %i
  store i32 %sum, ptr %q
  ret void
}
)";
  for (const std::size_t size : {64, 40, 1}) {
    const geometry work = groups_of({3 * size, 1, 1}, {size, 1, 1}, 1);
    const formed_kernel kernel(text, specialisation_of(work));
    std::vector<std::uint32_t> out(3 * size), wanted(3 * size);
    for (std::uint32_t i = 0; i < wanted.size(); ++i) wanted[i] = i % 31 + (i % size == 0 ? 0 : wanted[i - 1]);
    const void *arguments[] = {out.data()};
    kernel.run(work, arguments, size * sizeof(std::uint32_t));
    EXPECT_EQ(out, wanted) << size;
    if (size == 64) EXPECT_TRUE(contains(kernel.report().remarks, " 4 bytes are kept")) << kernel.report().remarks;
  }
}

}  // namespace
}  // namespace dpep::test
