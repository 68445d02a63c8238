// Barriers of all work-groups of a launch (extension sycl_ext_oneapi_root_group).
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include <sycl/sycl.hpp>

#include "error_of.hpp"

namespace {

namespace syclex = sycl::ext::oneapi::experimental;
using info = syclex::info::kernel_queue_specific::max_num_work_groups;

constexpr syclex::properties synchronised{syclex::use_root_sync};

/// The largest number of work-groups that the device runs side by side, of the kernel with that name.
template <class Name, int D> std::size_t most_groups(const sycl::queue &q, sycl::range<D> local) {
  return sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context())
      .template get_kernel<Name>()
      .template ext_oneapi_get_info<info>(q, local, 0);
}

class rounds;
TEST(root_groups, see_what_other_work_groups_wrote_before_the_barrier) {
  sycl::queue q;
  constexpr std::size_t local = 32;
  const std::size_t groups = std::min<std::size_t>(most_groups<rounds>(q, sycl::range(local)), 24);
  ASSERT_GE(groups, 2u);
  const std::size_t count = groups * local;
  int *const values = sycl::malloc_shared<int>(count, q), *const sums = sycl::malloc_shared<int>(count, q);
  q.parallel_for<rounds>(sycl::nd_range<1>(count, local), synchronised, [=](sycl::nd_item<1> it) {
     const auto root = it.ext_oneapi_get_root_group();
     const std::size_t me = root.get_local_linear_id();
     values[me] = static_cast<int>(me);
     int sum = 0;
     for (int round = 0; round < 5; ++round) {
       sycl::group_barrier(root);
       sum += values[(me + local * std::size_t(round + 1)) % count];
       sycl::group_barrier(root);
       values[me] += 1000;
     }
     sums[me] = sum;
   }).wait();
  for (std::size_t i = 0; i < count; ++i) {
    int sum = 0;
    for (std::size_t round = 0; round < 5; ++round)
      sum += static_cast<int>((i + local * (round + 1)) % count + 1000 * round);
    ASSERT_EQ(sums[i], sum) << i;
  }
  sycl::free(values, q);
  sycl::free(sums, q);
}

class own_properties;
struct with_own_properties {
  int *counts;
  int *seen;
  void operator()(sycl::nd_item<2> it) const {
    const auto root = syclex::this_work_item::get_root_group<2>();
    sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(*counts) += 1;
    sycl::group_barrier(root);
    if (it.get_local_linear_id() == 0) seen[it.get_group_linear_id()] = *counts;
  }
  auto get(syclex::properties_tag) const { return syclex::properties{syclex::use_root_sync}; }
};
TEST(root_groups, may_be_a_property_of_the_function_object) {
  sycl::queue q;
  int *const counts = sycl::malloc_shared<int>(1, q), *const seen = sycl::malloc_shared<int>(6, q);
  for (int repeat = 0; repeat < 3; ++repeat) {
    *counts = 0;
    q.parallel_for<own_properties>(sycl::nd_range<2>({6, 16}, {2, 8}), with_own_properties{counts, seen}).wait();
    EXPECT_EQ(std::vector<int>(seen, seen + 6), std::vector<int>(6, 96));
  }
  sycl::free(counts, q);
  sycl::free(seen, q);
}

TEST(root_groups, know_places_in_the_launch) {
  sycl::queue q;
  std::size_t *const out = sycl::malloc_shared<std::size_t>(12, q);
  q.parallel_for(sycl::nd_range<2>({4, 64}, {2, 32}), [=](sycl::nd_item<2> it) {
     const auto root = it.ext_oneapi_get_root_group();
     if (it.get_global_id() != sycl::id(3, 40)) return;
     using enum syclex::execution_scope;
     out[0] = root.get_local_id()[0];
     out[1] = root.get_local_id()[1];
     out[2] = root.get_local_linear_id();
     out[3] = root.get_local_linear_range();
     out[4] = root.get_group_linear_range() + root.get_group_range()[1] + root.get_group_linear_id();
     out[5] = root.get_linear_id<work_group>();
     out[6] = root.get_linear_range<work_group>();
     out[7] = root.get_id<work_group>()[1];
     out[8] = root.get_range<work_item>()[1];
     out[9] = root.get_linear_id<sub_group>() - 3 * it.get_sub_group().get_group_linear_range();
     out[10] = root.get_linear_range<sub_group>() / it.get_sub_group().get_group_linear_range();
     out[11] = root.leader() ? 1 : 0;
   }).wait();
  const std::size_t sub_group = out[9];
  EXPECT_LT(sub_group, 64u);
  out[9] = 0;
  EXPECT_EQ(std::vector<std::size_t>(out, out + 12),
            (std::vector<std::size_t>{3, 40, 3 * 64 + 40, 256, 2, 3, 4, 1, 64, 0, 4, 0}));
  sycl::free(out, q);
}

class too_many;
TEST(root_groups, are_refused_where_not_all_run_side_by_side) {
  sycl::queue q;
  const std::size_t most = most_groups<too_many>(q, sycl::range<1>(64));
  ASSERT_GE(most, 1u);
  const auto launch = [&](std::size_t groups) {
    q.parallel_for<too_many>(sycl::nd_range<1>(groups * 64, 64), synchronised, [](sycl::nd_item<1> it) {
       sycl::group_barrier(it.ext_oneapi_get_root_group());
     }).wait();
  };
  const test::caught_error refused = test::error_of([&] { launch(most + 1); });
  EXPECT_EQ(refused.code, sycl::errc::nd_range);
  EXPECT_TRUE(refused.mentions("use_root_sync")) << refused.message;
  launch(most);
}

TEST(root_groups, run_in_command_graphs) {
  sycl::queue q;
  int *const values = sycl::malloc_shared<int>(256, q);
  std::fill_n(values, 256, 1);
  syclex::command_graph graph(q.get_context(), q.get_device());
  graph.add([&](sycl::handler &h) {
    h.parallel_for(sycl::nd_range<1>(256, 32), synchronised, [=](sycl::nd_item<1> it) {
      const std::size_t me = it.get_global_linear_id();
      const int other = values[(me + 32) % 256];
      sycl::group_barrier(it.ext_oneapi_get_root_group());
      values[me] += other;
    });
  });
  auto executable = graph.finalize();
  for (int run = 0; run < 3; ++run) q.ext_oneapi_graph(executable).wait();
  EXPECT_EQ(std::vector<int>(values, values + 256), std::vector<int>(256, 8));
  sycl::free(values, q);
}

static_assert(sycl::is_group_v<syclex::root_group<2>>);
static_assert(syclex::is_fixed_topology_group_v<syclex::root_group<1>>);

}  // namespace
