// Barriers that the order of work-items makes unnecessary are removed, and all others are kept.
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

/// Each work-item reads an element of local memory, waits, and writes another one, in `rounds` rounds. `read` and
/// `write` compute the addresses %from and %to from %me and %local.
std::string exchange(const std::string &read, const std::string &write, const std::string &between = "") {
  return R"(
define spir_kernel void @kernel(ptr %arguments) {
  %out = load ptr, ptr %arguments
  %local = call ptr @__dpep_local_memory()
  %me = call i64 @__dpep_local_id(i32 0)
  %i = call i64 @__dpep_global_id(i32 0)
)" + read +
         write +
         R"(
  %mine = getelementptr i32, ptr %local, i64 %me
  %start = trunc i64 %i to i32
  store i32 %start, ptr %mine
  %last = icmp eq i64 %me, 63
  br i1 %last, label %more, label %begin
more:
  %behind = getelementptr i32, ptr %mine, i64 1
  store i32 77, ptr %behind
  br label %begin
begin:
  call void @__dpep_group_barrier()
  br label %loop
loop:
  %round = phi i64 [ 0, %begin ], [ %next, %loop ]
  %value = load i32, ptr %from
  %own = load i32, ptr %mine
  %sum = add i32 %value, %own
  %new = xor i32 %sum, 5
)" + between +
         R"(
  call void @__dpep_group_barrier()
  store i32 %new, ptr %to
  call void @__dpep_group_barrier()
  %next = add i64 %round, 1
  %again = icmp ult i64 %next, 4
  br i1 %again, label %loop, label %done
done:
  %result = load i32, ptr %mine
  %q = getelementptr i32, ptr %out, i64 %i
  store i32 %result, ptr %q
  ret void
}
)";
}

constexpr std::size_t size = 64, groups = 3;

std::vector<std::uint32_t> expected(std::size_t (*from)(std::size_t), std::size_t (*to)(std::size_t)) {
  std::vector<std::uint32_t> all;
  for (std::size_t group = 0; group < groups; ++group) {
    std::vector<std::uint32_t> local(size + 1, 77);
    std::iota(local.begin(), local.end() - 1, static_cast<std::uint32_t>(group * size));
    for (int round = 0; round < 4; ++round) {
      std::vector<std::uint32_t> values(size);
      for (std::size_t me = 0; me < size; ++me) values[me] = (local[from(me)] + local[me]) ^ 5;
      for (std::size_t me = 0; me < size; ++me) local[to(me)] = values[me];
    }
    all.insert(all.end(), local.begin(), local.end() - 1);
  }
  return all;
}

/// Runs the kernel, and returns its remarks about regions.
std::string run(const std::string &text, const std::vector<std::uint32_t> &wanted) {
  const geometry work = groups_of({groups * size, 1, 1}, {size, 1, 1}, 1);
  const formed_kernel kernel(text, specialisation_of(work));
  std::vector<std::uint32_t> out(groups * size);
  const void *arguments[] = {out.data()};
  kernel.run(work, arguments, (size + 1) * sizeof(std::uint32_t));
  EXPECT_EQ(out, wanted);
  return kernel.report().remarks;
}

const std::string from_next = "  %n = add i64 %me, 1\n  %from = getelementptr i32, ptr %local, i64 %n\n",
                  to_own = "  %to = getelementptr i32, ptr %local, i64 %me\n";

TEST(ordered_barriers, an_element_that_is_only_read_before_its_own_write) {
  const std::string remarks =
      run(exchange(from_next, to_own), expected([](std::size_t i) { return i + 1; }, [](std::size_t i) { return i; }));
  EXPECT_TRUE(contains(remarks, "0 bytes are kept")) << remarks;
}

TEST(ordered_barriers, an_element_that_a_later_work_item_reads) {
  const std::string from_before = "  %n = sub i64 %me, 1\n  %p = and i64 %n, 63\n"
                                  "  %from = getelementptr i32, ptr %local, i64 %p\n";
  const std::string remarks = run(exchange(from_before, to_own), expected([](std::size_t i) { return (i - 1) & 63; },
                                                                          [](std::size_t i) { return i; }));
  EXPECT_TRUE(contains(remarks, "4 bytes are kept")) << remarks;
}

TEST(ordered_barriers, elements_that_are_exchanged) {
  const std::string partner = "  %n = xor i64 %me, 1\n  %from = getelementptr i32, ptr %local, i64 %n\n";
  const std::string remarks =
      run(exchange(partner, to_own), expected([](std::size_t i) { return i ^ 1; }, [](std::size_t i) { return i; }));
  EXPECT_TRUE(contains(remarks, "4 bytes are kept")) << remarks;
}

TEST(ordered_barriers, writes_in_reverse) {
  const std::string reversed = "  %w = sub i64 63, %me\n  %to = getelementptr i32, ptr %local, i64 %w\n";
  const std::string remarks = run(exchange(from_next, reversed),
                                  expected([](std::size_t i) { return i + 1; }, [](std::size_t i) { return 63 - i; }));
  EXPECT_TRUE(contains(remarks, "4 bytes are kept")) << remarks;
}

TEST(ordered_barriers, global_memory_that_work_items_exchange) {
  // Each work-item stores before the barrier what another one could load after it.
  const std::string between = "  %g = getelementptr i32, ptr %out, i64 %i\n  store i32 %new, ptr %g\n";
  std::string text = exchange(from_next, to_own, between);
  text = replaced(text, "store i32 %new, ptr %to", "%h = load i32, ptr %g2\n  store i32 %h, ptr %to");
  text = replaced(text, "%mine = ", "%g2 = getelementptr i32, ptr %out, i64 %i\n  %mine = ");
  const std::string remarks = run(text, expected([](std::size_t i) { return i + 1; }, [](std::size_t i) { return i; }));
  EXPECT_FALSE(contains(remarks, "into 3 regions")) << remarks;
}

// A scan: behind the barrier a work-item reads what one before it wrote. In order, but a processor waits for stores of
// vectors that a load reads parts of; only those far away are in the cache.
TEST(ordered_barriers, loads_of_what_was_stored_shortly_before) {
  constexpr const char *text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %out = load ptr, ptr %arguments
  %local = call ptr @__dpep_local_memory()
  %me = call i64 @__dpep_local_id(i32 0)
  %i = call i64 @__dpep_global_id(i32 0)
  %mine = getelementptr i32, ptr %local, i64 %me
  %start = trunc i64 %i to i32
  store i32 %start, ptr %mine
  call void @__dpep_group_barrier()
  %has = icmp uge i64 %me, DISTANCE
  br i1 %has, label %some, label %done
some:
  %n = sub i64 %me, DISTANCE
  %from = getelementptr i32, ptr %local, i64 %n
  %x = load i32, ptr %from
  br label %done
done:
  %before = phi i32 [ 0, %0 ], [ %x, %some ]
  %q = getelementptr i32, ptr %out, i64 %i
  store i32 %before, ptr %q
  ret void
}
)";
  constexpr std::size_t large = 1024;
  for (const std::size_t distance : {1, 16, 100, 512}) {
    const geometry work = groups_of({2 * large, 1, 1}, {large, 1, 1}, 1);
    const formed_kernel kernel(replaced(text, "DISTANCE", std::to_string(distance)), specialisation_of(work));
    std::vector<std::uint32_t> out(2 * large), wanted(2 * large);
    for (std::uint32_t i = 0; i < 2 * large; ++i)
      wanted[i] = i % large < distance ? 0 : i - static_cast<std::uint32_t>(distance);
    const void *arguments[] = {out.data()};
    kernel.run(work, arguments, large * sizeof(std::uint32_t));
    EXPECT_EQ(out, wanted) << distance;
    EXPECT_EQ(contains(kernel.report().remarks, "into 2 regions"), distance < 256) << kernel.report().remarks;
  }
}

}  // namespace
}  // namespace dpep::test
