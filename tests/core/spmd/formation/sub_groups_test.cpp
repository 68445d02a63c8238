// Sub-groups: their ids, shuffles between their lanes, and their barriers together with those of the work-group.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

struct shape {
  std::array<std::size_t, 3> local;
  std::uint32_t dimensions, sub_group_size;
  std::size_t size() const { return local[0] * local[1] * local[2]; }
};

constexpr shape shapes[] = {
    {{1, 1, 1}, 1, 16},   {{7, 1, 1}, 1, 16},  {{16, 1, 1}, 1, 16}, {{31, 1, 1}, 1, 16}, {{64, 1, 1}, 1, 16},
    {{100, 1, 1}, 1, 16}, {{64, 1, 1}, 1, 8},  {{30, 1, 1}, 1, 8},  {{12, 1, 1}, 1, 4},  {{9, 1, 1}, 1, 1},
    {{16, 4, 1}, 2, 16},  {{4, 16, 1}, 2, 16}, {{7, 5, 1}, 2, 8},   {{8, 2, 3}, 3, 8},   {{32, 2, 3}, 3, 8},
    {{3, 5, 2}, 3, 4},    {{1, 1, 24}, 3, 8},  {{1, 20, 1}, 2, 16},
};

constexpr auto optimisations = {formed_kernel::optimisation::none, formed_kernel::optimisation::standard};

/// Runs two work-groups of each shape and compares their results, `width` numbers for each work-item, with
/// `expected(shape, argument, results of a group)`.
template <class Expected> void check(const std::string &text, std::size_t width, Expected expected) {
  for (const shape &s : shapes)
    for (const auto how : optimisations) {
      const geometry work = groups_of({2 * s.local[0], s.local[1], s.local[2]}, s.local, s.dimensions);
      const formed_kernel kernel(text, specialisation_of(work, s.sub_group_size), how);
      for (const std::uint64_t argument : {0, 1, 3}) {
        std::vector<std::uint64_t> out(2 * s.size() * width, 99), wanted(s.size() * width, 99);
        expected(s, argument, wanted);
        struct {
          void *out;
          std::uint64_t argument;
        } arguments{out.data(), argument};
        kernel.run(work, &arguments);
        for (std::size_t group = 0; group < 2; ++group)
          for (std::size_t i = 0; i < wanted.size(); ++i)
            ASSERT_EQ(out[group * wanted.size() + i], wanted[i])
                << "number " << i % width << " of work-item " << i / width << " of " << s.local[0] << "x" << s.local[1]
                << "x" << s.local[2] << ", sub-groups of " << s.sub_group_size << ", argument " << argument << "\n"
                << kernel.formed();
      }
    }
}

// %o: the address of the work-item's row of results; %me: its linear id; %n: the argument
std::string kernel_of(std::size_t width, const std::string &body) {
  return R"(
define spir_kernel void @kernel(ptr %arguments) {
  %out = load ptr, ptr %arguments
  %a.n = getelementptr i64, ptr %arguments, i64 1
  %n = load i64, ptr %a.n
  %x = call i64 @__dpep_local_id(i32 0)
  %y = call i64 @__dpep_local_id(i32 1)
  %z = call i64 @__dpep_local_id(i32 2)
  %sx = call i64 @__dpep_local_size(i32 0)
  %sy = call i64 @__dpep_local_size(i32 1)
  %sz = call i64 @__dpep_local_size(i32 2)
  %zy = mul i64 %z, %sy
  %row = add i64 %zy, %y
  %rows = mul i64 %row, %sx
  %me = add i64 %rows, %x
  %sxy = mul i64 %sx, %sy
  %sxyz = mul i64 %sxy, %sz
  %g = call i64 @__dpep_group_id(i32 0)
  %before = mul i64 %g, %sxyz
  %i = add i64 %before, %me
  %o = getelementptr [)" +
         std::to_string(width) + R"( x i64], ptr %out, i64 %i
  %lane = call i32 @__dpep_sub_group_local_id()
  %lanes = call i32 @__dpep_sub_group_size()
)" + body +
         "\n}\n";
}

std::string store_result(int column, const std::string &value) {
  const std::string at = std::to_string(column);
  return "  %o" + at + " = getelementptr i64, ptr %o, i64 " + at + "\n  store i64 %" + value + ", ptr %o" + at + "\n";
}

TEST(sub_groups, have_consecutive_work_items) {
  // With and without an operation of the sub-group.
  for (const std::string together : {"", "  call void @__dpep_sub_group_barrier()\n"})
    check(kernel_of(6, together + R"(
  %group = call i32 @__dpep_sub_group_id()
  %group.64 = zext i32 %group to i64
  %count = call i32 @__dpep_sub_group_count()
  %count.64 = zext i32 %count to i64
  %lane.64 = zext i32 %lane to i64
  %lanes.64 = zext i32 %lanes to i64
  %most = call i32 @__dpep_sub_group_max_size()
  %most.64 = zext i32 %most to i64
)" + store_result(0, "group.64") +
                           store_result(1, "count.64") + store_result(2, "lane.64") + store_result(3, "lanes.64") +
                           store_result(4, "most.64") + store_result(5, "me") + "  ret void"),
          6, [](const shape &s, std::size_t, std::vector<std::uint64_t> &wanted) {
            const std::size_t most = s.sub_group_size, size = s.size(), count = (size + most - 1) / most;
            for (std::size_t i = 0; i < size; ++i) {
              const std::array<std::uint64_t, 6> row{i / most, count, i % most, std::min(most, size - i / most * most),
                                                     most,     i};
              std::ranges::copy(row, wanted.begin() + static_cast<std::ptrdiff_t>(6 * i));
            }
          });
}

/// The results of a sub-group's work-items are those of `f(first work-item, lane, lanes)`.
template <class F> auto by_lane(std::size_t width, F f) {
  return [=](const shape &s, std::uint64_t argument, std::vector<std::uint64_t> &wanted) {
    const std::size_t most = s.sub_group_size;
    for (std::size_t i = 0; i < s.size(); ++i) {
      const std::size_t first = i / most * most;
      const auto row = f(first, i - first, std::min(most, s.size() - first), argument);
      for (std::size_t k = 0; k < width; ++k) wanted[width * i + k] = row[k];
    }
  };
}

TEST(sub_groups, shuffle_values) {
  check(kernel_of(5, R"(
  %me.32 = trunc i64 %me to i32
  %v = mul i32 %me.32, %me.32
  %last = sub i32 %lanes, 1
  %mirror = sub i32 %last, %lane
  %a = call i32 @__dpep_sub_group_shuffle32(i32 %v, i32 %mirror)
  %v.64 = mul i64 %me, 10000000000
  %up = add i32 %lane, 1
  %inside = icmp ult i32 %up, %lanes
  %next = select i1 %inside, i32 %up, i32 %lane
  %b = call i64 @__dpep_sub_group_shuffle64(i64 %v.64, i32 %next)
  %c = call i32 @__dpep_sub_group_shuffle32(i32 %v, i32 0)
  %n.32 = trunc i64 %n to i32
  %n.in = urem i32 %n.32, %lanes
  %d = call i32 @__dpep_sub_group_shuffle32(i32 %v, i32 %n.in)
  %times = mul i32 %a, 7
  %wild = urem i32 %times, %lanes
  %e = call i64 @__dpep_sub_group_shuffle64(i64 %v.64, i32 %wild)
  %a.64 = zext i32 %a to i64
  %c.64 = zext i32 %c to i64
  %d.64 = zext i32 %d to i64
)" + store_result(0, "a.64") +
                         store_result(1, "b") + store_result(2, "c.64") + store_result(3, "d.64") +
                         store_result(4, "e") + "  ret void"),
        5, by_lane(5, [](std::size_t first, std::size_t lane, std::size_t lanes, std::uint64_t n) {
          const auto square = [&](std::size_t l) { return (first + l) * (first + l); };
          const std::uint64_t mirrored = square(lanes - 1 - lane), big = 10000000000;
          return std::array<std::uint64_t, 5>{mirrored, big * (first + std::min(lane + 1, lanes - 1)), square(0),
                                              square(n % lanes), big * (first + mirrored * 7 % lanes)};
        }));
}

TEST(sub_groups, shuffle_in_loops) {
  // A sum by butterfly shuffles; the number of iterations is an argument, and each needs all values of the one before.
  check(kernel_of(1, R"(
  %pow = icmp eq i32 %lanes, 8
  br label %loop
loop:
  %k = phi i64 [0, %0], [%k.next, %loop]
  %v = phi i64 [%me, %0], [%w, %loop]
  %up = add i32 %lane, 1
  %at = urem i32 %up, %lanes
  %got = call i64 @__dpep_sub_group_shuffle64(i64 %v, i32 %at)
  %twice = mul i64 %v, 2
  %w = add i64 %got, %twice
  %k.next = add i64 %k, 1
  %more = icmp ule i64 %k.next, %n
  br i1 %more, label %loop, label %done
done:
)" + store_result(0, "w") +
                         "  ret void"),
        1, by_lane(1, [](std::size_t first, std::size_t lane, std::size_t lanes, std::uint64_t n) {
          std::vector<std::uint64_t> v(lanes), w(lanes);
          std::iota(v.begin(), v.end(), first);
          for (std::uint64_t k = 0; k <= n; ++k) {
            for (std::size_t l = 0; l < lanes; ++l) w[l] = v[(l + 1) % lanes] + 2 * v[l];
            v = w;
          }
          return std::array{v[lane]};
        }));
}

TEST(sub_groups, see_the_memory_of_other_lanes_after_a_barrier) {
  check(kernel_of(1, R"(
  %scratch = call ptr @__dpep_group_scratch(i64 8)
  %mine = getelementptr i64, ptr %scratch, i64 %me
  %odd = mul i64 %me, 3
  store i64 %odd, ptr %mine
  call void @__dpep_sub_group_barrier()
  %lane.64 = zext i32 %lane to i64
  %lanes.64 = zext i32 %lanes to i64
  %up = add i64 %lane.64, %n
  %at = urem i64 %up, %lanes.64
  %first = sub i64 %me, %lane.64
  %i.them = add i64 %first, %at
  %theirs = getelementptr i64, ptr %scratch, i64 %i.them
  %got = load i64, ptr %theirs
)" + store_result(0, "got") +
                         "  ret void"),
        1, by_lane(1, [](std::size_t first, std::size_t lane, std::size_t lanes, std::uint64_t n) {
          return std::array<std::uint64_t, 1>{3 * (first + (lane + n) % lanes)};
        }));
}

TEST(sub_groups, diverge_from_each_other_between_barriers_of_the_work_group) {
  // In each of n + 1 iterations, every sub-group adds up its values and its leader publishes the sum. After a barrier
  // of the work-group, only the first sub-group adds all published sums.
  const std::string text = kernel_of(1, R"(
  %scratch = call ptr @__dpep_group_scratch(i64 8)
  %group = call i32 @__dpep_sub_group_id()
  %group.64 = zext i32 %group to i64
  %count = call i32 @__dpep_sub_group_count()
  %leads = icmp eq i32 %lane, 0
  %first.group = icmp eq i32 %group, 0
  %publish = getelementptr i64, ptr %scratch, i64 %group.64
  br label %round
round:
  %k = phi i64 [0, %0], [%k.next, %round.end]
  %v = phi i64 [%me, %0], [%v.next, %round.end]
  br label %add
add:
  %d = phi i32 [1, %round], [%d.next, %add]
  %s = phi i64 [%v, %round], [%s.next, %add]
  %up = add i32 %lane, %d
  %inside = icmp ult i32 %up, %lanes
  %at = select i1 %inside, i32 %up, i32 %lane
  %got = call i64 @__dpep_sub_group_shuffle64(i64 %s, i32 %at)
  %part = select i1 %inside, i64 %got, i64 0
  %s.next = add i64 %s, %part
  %d.next = shl i32 %d, 1
  %more.lanes = icmp ult i32 %d.next, %lanes
  br i1 %more.lanes, label %add, label %added
added:
  br i1 %leads, label %write, label %written
write:
  store i64 %s.next, ptr %publish
  br label %written
written:
  call void @__dpep_group_barrier()
  br i1 %first.group, label %sum, label %summed
sum:
  %j = phi i32 [0, %written], [%j.next, %sum]
  %t = phi i64 [0, %written], [%t.next, %sum]
  %j.64 = zext i32 %j to i64
  %p = getelementptr i64, ptr %scratch, i64 %j.64
  %one = load i64, ptr %p
  %all.lanes = call i64 @__dpep_sub_group_shuffle64(i64 %one, i32 0)
  %t.next = add i64 %t, %all.lanes
  %j.next = add i32 %j, 1
  %more.j = icmp ult i32 %j.next, %count
  br i1 %more.j, label %sum, label %sum.done
sum.done:
  call void @__dpep_sub_group_barrier()
  br i1 %leads, label %sum.write, label %summed
sum.write:
  store i64 %t.next, ptr %scratch
  br label %summed
summed:
  call void @__dpep_group_barrier()
  %total = load i64, ptr %scratch
  call void @__dpep_group_barrier()
  %v.next = add i64 %v, %total
  %k.next = add i64 %k, 1
  br label %round.end
round.end:
  %more = icmp ule i64 %k.next, %n
  br i1 %more, label %round, label %done
done:
)" + store_result(0, "v.next") + "  ret void");
  check(text, 1, [](const shape &, std::uint64_t n, std::vector<std::uint64_t> &wanted) {
    std::iota(wanted.begin(), wanted.end(), 0);
    for (std::uint64_t k = 0; k <= n; ++k) {
      const std::uint64_t total = std::accumulate(wanted.begin(), wanted.end(), std::uint64_t{0});
      for (std::uint64_t &v : wanted) v += total;
    }
  });
}

TEST(sub_groups, preserve_private_arrays) {
  check(kernel_of(
            1,
            R"(
  %array = alloca [8 x i64]
  call void @llvm.memset.p0.i64(ptr %array, i8 0, i64 64, i1 false)
  %slot = and i64 %me, 7
  %p = getelementptr i64, ptr %array, i64 %slot
  store i64 %me, ptr %p
  call void @__dpep_sub_group_barrier()
  %q = getelementptr i64, ptr %array, i64 %n
  %r = load i64, ptr %q
  call void @__dpep_group_barrier()
  store i64 5, ptr %q
  %got = call i64 @__dpep_sub_group_shuffle64(i64 %r, i32 0)
  %again = load i64, ptr %p
  %sum = add i64 %again, %got
)" + store_result(0, "sum") +
                "  ret void\n}\ndeclare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\ndefine void @unused() {\nret void"),
        1, by_lane(1, [](std::size_t first, std::size_t lane, std::size_t, std::uint64_t n) {
          const std::uint64_t me = first + lane;
          return std::array<std::uint64_t, 1>{((me & 7) == n ? 5 : me) + ((first & 7) == n ? first : 0)};
        }));
}

TEST(sub_groups, run_the_code_of_the_leader_without_a_loop) {
  const std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %data = load ptr, ptr %arguments
  %id = call i64 @__dpep_local_id(i32 0)
  %i = call i64 @__dpep_global_id(i32 0)
  %p = getelementptr i64, ptr %data, i64 %i
  %x = load i64, ptr %p
  %lane = call i32 @__dpep_sub_group_local_id()
  %l1 = xor i32 %lane, 1
  %y = call i64 @__dpep_sub_group_shuffle64(i64 %x, i32 %l1)
  store i64 %y, ptr %p
  call void @__dpep_group_barrier()
  %leads = icmp eq i64 %id, 0
  br i1 %leads, label %lead, label %done
lead:
  %z = load i64, ptr %p
  %w = add i64 %z, 1000
  store i64 %w, ptr %p
  br label %done
done:
  ret void
}
)";
  const geometry work = groups_of({128, 1, 1}, {64, 1, 1}, 1);
  const formed_kernel kernel(text, specialisation_of(work, 16));
  std::vector<std::uint64_t> data(128);
  std::iota(data.begin(), data.end(), 0);
  const void *arguments[] = {data.data()};
  kernel.run(work, arguments);
  for (std::size_t i = 0; i < 128; ++i) EXPECT_EQ(data[i], (i ^ 1) + (i % 64 ? 0 : 1000));
  // One loop over lanes before the shuffle and one after it; the leader's code is in none.
  EXPECT_EQ(occurrences(kernel.formed(), "!{!\"llvm.loop.parallel_accesses\""), 2u) << kernel.formed();
}

TEST(sub_groups, are_kept_in_vector_registers) {
  const std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %data = load ptr, ptr %arguments
  %i = call i64 @__dpep_global_id(i32 0)
  %p = getelementptr float, ptr %data, i64 %i
  %x = load float, ptr %p
  %lane = call i32 @__dpep_sub_group_local_id()
  %x.bits = bitcast float %x to i32
  %l1 = xor i32 %lane, 1
  %y.bits = call i32 @__dpep_sub_group_shuffle32(i32 %x.bits, i32 %l1)
  %y = bitcast i32 %y.bits to float
  %s = fadd float %x, %y
  %s.bits = bitcast float %s to i32
  %l2 = xor i32 %lane, 2
  %z.bits = call i32 @__dpep_sub_group_shuffle32(i32 %s.bits, i32 %l2)
  %z = bitcast i32 %z.bits to float
  %t = fadd float %s, %z
  store float %t, ptr %p
  ret void
}
)";
  const formed_kernel kernel(text, specialisation_of(groups_of({256, 1, 1}, {64, 1, 1}, 1), 16));
  EXPECT_FALSE(contains(kernel.optimised(), "alloca")) << kernel.optimised();
  EXPECT_TRUE(contains(kernel.optimised(), "shufflevector <16 x")) << kernel.optimised();
  EXPECT_EQ(kernel.needs().scratch_bytes, 0u);
  EXPECT_TRUE(contains(kernel.report().remarks, "sub-groups of 16")) << kernel.report().remarks;
  EXPECT_TRUE(contains(kernel.report().remarks, "2 shuffles")) << kernel.report().remarks;
}

// A scan by shuffles, in which only lanes behind the distance add: the values stay in registers.
TEST(sub_groups, scans_by_conditional_sums) {
  std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %in = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %i = call i64 @__dpep_global_id(i32 0)
  %lane = call i32 @__dpep_sub_group_local_id()
  %p = getelementptr i32, ptr %in, i64 %i
  %sum.0 = load i32, ptr %p
  br label %start.1
)";
  int step = 1;
  for (int round = 1; round <= 4; ++round, step *= 2) {
    std::string part = R"(
start.R:
  %at.R = sub i32 %lane, STEP
  %none.R = icmp slt i32 %at.R, 0
  %from.R = select i1 %none.R, i32 0, i32 %at.R
  %got.R = call i32 @__dpep_sub_group_shuffle32(i32 %sum.P, i32 %from.R)
  %has.R = icmp sge i32 %lane, STEP
  br i1 %has.R, label %adds.R, label %joins.R
adds.R:
  %new.R = add i32 %sum.P, %got.R
  br label %joins.R
joins.R:
  %sum.R = phi i32 [ %sum.P, %start.R ], [ %new.R, %adds.R ]
  br label %start.N
)";
    part = replaced(replaced(part, ".R", "." + std::to_string(round)), "STEP", std::to_string(step));
    text += replaced(replaced(part, ".P", "." + std::to_string(round - 1)), ".N", "." + std::to_string(round + 1));
  }
  text += R"(
start.5:
  %q = getelementptr i32, ptr %out, i64 %i
  store i32 %sum.4, ptr %q
  ret void
}
)";
  for (const std::size_t size : {16, 64, 40}) {
    const geometry work = groups_of({3 * size, 1, 1}, {size, 1, 1}, 1);
    const formed_kernel kernel(text, specialisation_of(work, 16));
    std::vector<std::uint32_t> in(3 * size), out(3 * size), wanted(3 * size);
    for (std::uint32_t i = 0; i < in.size(); ++i) {
      in[i] = i * 7 % 31;
      const bool first = i % size % 16 == 0;
      wanted[i] = in[i] + (first ? 0 : wanted[i - 1]);
    }
    const void *arguments[] = {in.data(), out.data()};
    kernel.run(work, arguments);
    EXPECT_EQ(out, wanted) << size;
    if (size % 16 == 0) EXPECT_FALSE(contains(kernel.optimised(), "alloca")) << size;
  }
}

}  // namespace
}  // namespace dpep::test
