// Barriers and local memory: in straight code, in loops, in called functions, under uniform conditions.
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "error_of.hpp"
#include "shared_array.hpp"

namespace {

constexpr std::size_t items = 96, group = 32;

/// For each work-item: the value that the opposite work-item of its group has written.
template <class Local> int opposite(const Local &local, const sycl::nd_item<1> &i) {
  return local[i.get_local_range(0) - 1 - i.get_local_id(0)];
}

__attribute__((noinline)) void exchange(int *local, int *out, const sycl::nd_item<1> &i) {
  local[i.get_local_id(0)] = int(i.get_global_id(0));
  sycl::group_barrier(i.get_group());
  out[i.get_global_id(0)] = local[i.get_local_range(0) - 1 - i.get_local_id(0)];
}

std::vector<int> opposite_ids() {
  std::vector<int> expected(items);
  for (std::size_t i = 0; i < items; i++) expected[i] = int(i / group * group + group - 1 - i % group);
  return expected;
}

class barriers : public testing::Test {
protected:
  sycl::queue q;
  shared_array<int> out{items, q};
  int *p = out.get();
};

}  // namespace

TEST_F(barriers, separate_writes_from_reads) {
  q.submit([&](sycl::handler &h) {
     const sycl::local_accessor<int, 1> local(group, h);
     h.parallel_for(sycl::nd_range<1>(items, group), [=, p = p](sycl::nd_item<1> i) {
       local[i.get_local_id(0)] = int(i.get_global_id(0));
       sycl::group_barrier(i.get_group());
       p[i.get_global_id(0)] = opposite(local, i);
     });
   }).wait();
  EXPECT_EQ(out.values(), opposite_ids());
}

TEST_F(barriers, may_stand_in_a_called_function) {
  q.submit([&](sycl::handler &h) {
     const sycl::local_accessor<int, 1> local(group, h);
     h.parallel_for(sycl::nd_range<1>(items, group), [=, p = p](sycl::nd_item<1> i) { exchange(&local[0], p, i); });
   }).wait();
  EXPECT_EQ(out.values(), opposite_ids());
}

TEST_F(barriers, may_stand_in_a_loop) {
  // A tree sum, which needs a barrier in each of its steps.
  q.submit([&](sycl::handler &h) {
     const sycl::local_accessor<int, 1> local(group, h);
     h.parallel_for(sycl::nd_range<1>(items, group), [=, p = p](sycl::nd_item<1> i) {
       const std::size_t me = i.get_local_id(0);
       local[me] = int(i.get_global_id(0));
       i.barrier(sycl::access::fence_space::local_space);
       for (std::size_t half = i.get_local_range(0) / 2; half > 0; half /= 2) {
         if (me < half) local[me] += local[me + half];
         i.barrier(sycl::access::fence_space::local_space);
       }
       p[i.get_global_id(0)] = local[0];
     });
   }).wait();
  for (std::size_t i = 0; i < items; i++) {
    const int first = int(i / group * group);
    ASSERT_EQ(p[i], int(group) * first + int(group * (group - 1) / 2)) << i;
  }
}

TEST_F(barriers, keep_private_values_across) {
  q.submit([&](sycl::handler &h) {
     const sycl::local_accessor<int, 1> local(group, h);
     h.parallel_for(sycl::nd_range<1>(items, group), [=, p = p](sycl::nd_item<1> i) {
       const int me = int(i.get_global_id(0));
       int history[4];
       for (int round = 0; round < 4; round++) {
         local[i.get_local_id(0)] = me + round;
         sycl::group_barrier(i.get_group());
         history[round] = opposite(local, i);
         sycl::group_barrier(i.get_group());
       }
       p[me] = history[0] + 2 * history[1] + 3 * history[2] + 4 * history[3] + 1000 * me;
     });
   }).wait();
  const std::vector<int> other = opposite_ids();
  for (int i = 0; i < int(items); i++) ASSERT_EQ(p[i], other[i] * 10 + 2 * 1 + 3 * 2 + 4 * 3 + 1000 * i) << i;
}

TEST_F(barriers, may_stand_under_a_uniform_condition) {
  q.submit([&](sycl::handler &h) {
     const sycl::local_accessor<int, 1> local(group, h);
     h.parallel_for(sycl::nd_range<1>(items, group), [=, p = p](sycl::nd_item<1> i) {
       const std::size_t me = i.get_global_id(0);
       if (i.get_group(0) == 1) {
         local[i.get_local_id(0)] = int(me);
         sycl::group_barrier(i.get_group());
         p[me] = opposite(local, i);
       } else
         p[me] = -1;
     });
   }).wait();
  const std::vector<int> other = opposite_ids();
  for (std::size_t i = 0; i < items; i++) ASSERT_EQ(p[i], i / group == 1 ? other[i] : -1) << i;
}

TEST_F(barriers, work_in_two_dimensions) {
  // A transposition by tiles.
  constexpr std::size_t n = 24, tile = 8;
  const shared_array<int> from(n * n, q), to(n * n, q);
  std::iota(from.get(), from.get() + n * n, 0);
  q.submit([&](sycl::handler &h) {
     const sycl::local_accessor<int, 2> local({tile, tile + 1}, h);
     h.parallel_for(sycl::nd_range<2>({n, n}, {tile, tile}), [=, from = from.get(), to = to.get()](sycl::nd_item<2> i) {
       const sycl::id<2> me = i.get_local_id();
       local[me[0]][me[1]] = from[i.get_global_linear_id()];
       sycl::group_barrier(i.get_group());
       to[(i.get_group(1) * tile + me[0]) * n + i.get_group(0) * tile + me[1]] = local[{me[1], me[0]}];
     });
   }).wait();
  for (std::size_t i = 0; i < n; i++)
    for (std::size_t j = 0; j < n; j++) ASSERT_EQ(to[i * n + j], from[j * n + i]);
}

TEST_F(barriers, local_accessors_do_not_overlap) {
  q.submit([&](sycl::handler &h) {
     const sycl::local_accessor<char, 1> a(3, h);
     const sycl::local_accessor<double, 1> b(group, h);
     const sycl::local_accessor<int, 0> c(h);
     const sycl::local_accessor<short, 3> d({2, 2, 2}, h);
     h.parallel_for(sycl::nd_range<1>(items, group), [=, p = p](sycl::nd_item<1> i) {
       const std::size_t me = i.get_local_id(0);
       if (me == 0) {
         for (char &x : a) x = 1;
         for (short &x : d) x = 3;
         c = 4;
       }
       b[me] = 2;
       sycl::group_barrier(i.get_group());
       int sum = c;
       for (const char x : a) sum += x;
       for (const short x : d) sum += x;
       for (const double x : b) sum += int(x);
       p[i.get_global_id(0)] = sum;
     });
   }).wait();
  EXPECT_EQ(out.values(), std::vector<int>(items, 4 + 3 + 24 + 2 * group));
}

TEST_F(barriers, copies_are_distributed_over_the_group) {
  const shared_array<int> from(items, q);
  std::iota(from.get(), from.get() + items, 100);
  q.submit([&](sycl::handler &h) {
     const sycl::local_accessor<int, 1> local(group, h);
     h.parallel_for(sycl::nd_range<1>(items, group), [=, p = p, from = from.get()](sycl::nd_item<1> i) {
       const std::size_t first = i.get_group(0) * group;
       i.async_work_group_copy(local.get_pointer(), sycl::global_ptr<int>(from + first), group).wait();
       p[i.get_global_id(0)] = opposite(local, i) - 100;
     });
   }).wait();
  EXPECT_EQ(out.values(), opposite_ids());
}

TEST_F(barriers, local_accessors_need_work_groups) {
  const auto launch = [&] {
    q.submit([&](sycl::handler &h) {
      const sycl::local_accessor<int, 1> local(group, h);
      h.parallel_for(items, [=, p = p](sycl::id<1> i) { p[i] = local[0]; });
    });
  };
  EXPECT_EQ(test::error_of(launch).code, sycl::errc::kernel_argument);
}
