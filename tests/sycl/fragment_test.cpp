// Subsets of sub-groups, and exchanges that only some work-items reach (extension sycl_ext_oneapi_non_uniform_groups).
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <vector>

#include <sycl/sycl.hpp>

#include "error_of.hpp"

namespace {

namespace syclex = sycl::ext::oneapi::experimental;

constexpr std::size_t items = 128;
constexpr std::uint32_t lanes = 32;  // in a sub-group, on all devices
constexpr syclex::properties in_sub_groups{syclex::sub_group_size<lanes>};

/// The results of a kernel of four sub-groups that stores a number for each work-item.
template <class F> std::vector<int> results_of(const F &f) {
  sycl::queue q;
  int *const out = sycl::malloc_shared<int>(items, q);
  std::fill_n(out, items, -1);
  q.parallel_for(sycl::nd_range<1>(items, 64), in_sub_groups, [=](sycl::nd_item<1> it) {
     f(it, out);
   }).wait_and_throw();
  const std::vector<int> result(out, out + items);
  sycl::free(out, q);
  return result;
}
/// The values that `f` has for each global id.
std::vector<int> expected(const std::function<int(int)> &f) {
  std::vector<int> all(items);
  for (int i = 0; i < int(items); ++i) all[std::size_t(i)] = f(i);
  return all;
}
/// The sum of f over the ids of i's sub-group for which `in` is the same as for i.
int sum_like(int i, const std::function<bool(int)> &in, const std::function<int(int)> &f) {
  int sum = 0;
  for (int other = i / int(lanes) * int(lanes), end = other + int(lanes); other < end; ++other)
    if (in(other) == in(i)) sum += f(other);
  return sum;
}
bool divides(int i) { return i % 3 == 0; }

TEST(fragments, are_made_by_a_predicate) {
  static_assert(sycl::is_group_v<syclex::fragment<sycl::sub_group>>);
  static_assert(syclex::is_user_constructed_group_v<syclex::ballot_group<sycl::sub_group>>);
  static_assert(!syclex::is_fixed_topology_group_v<syclex::fragment<sycl::sub_group>>);
  const auto ranks = results_of([](sycl::nd_item<1> it, int *out) {
    const std::size_t i = it.get_global_id(0);
    const auto part = syclex::binary_partition(it.get_sub_group(), i % 3 == 0);
    out[i] = int(part.get_local_linear_id() + 100 * part.get_local_linear_range() + 10000 * part.get_group_linear_id() +
                 100000 * part.get_group_linear_range() + (part.leader() ? 1000000 : 0));
  });
  EXPECT_EQ(ranks, expected([](int i) {
              const int size = sum_like(i, divides, [](int) { return 1; });
              const int rank = sum_like(i, divides, [i](int other) { return other < i; });
              return rank + 100 * size + 10000 * divides(i) + 200000 + (rank == 0 ? 1000000 : 0);
            }));
}

TEST(fragments, have_group_algorithms_where_all_call_them) {
  const auto sums = results_of([](sycl::nd_item<1> it, int *out) {
    const int i = int(it.get_global_id(0));
    const auto part = syclex::get_ballot_group(it.get_sub_group(), i % 3 == 0);
    out[i] = sycl::reduce_over_group(part, i, sycl::plus<>());
  });
  EXPECT_EQ(sums, expected([](int i) { return sum_like(i, divides, [](int x) { return x; }); }));
}

TEST(fragments, have_group_algorithms_in_branches) {
  const auto sums = results_of([](sycl::nd_item<1> it, int *out) {
    const int i = int(it.get_global_id(0));
    const bool takes = i % 3 == 0;
    const auto part = syclex::binary_partition(it.get_sub_group(), takes);
    if (takes) {
      sycl::group_barrier(part);
      out[i] = sycl::reduce_over_group(part, i, sycl::plus<>());
    } else {
      out[i] = sycl::inclusive_scan_over_group(part, 1, sycl::plus<>());
    }
  });
  EXPECT_EQ(sums, expected([](int i) {
              if (divides(i)) return sum_like(i, divides, [](int x) { return x; });
              return 1 + sum_like(i, divides, [i](int other) { return other < i; });
            }));
}

TEST(fragments, exchange_values_in_branches) {
  const auto values = results_of([](sycl::nd_item<1> it, int *out) {
    const int i = int(it.get_global_id(0));
    const bool takes = i % 3 == 0;
    const auto part = syclex::binary_partition(it.get_sub_group(), takes);
    if (!takes) return;
    const auto me = part.get_local_linear_id(), size = part.get_local_linear_range();
    const int next = sycl::select_from_group(part, i, (me + 1) % size), first = sycl::group_broadcast(part, i);
    const int left = sycl::shift_group_left(part, i), right = sycl::shift_group_right(part, i, 2);
    const long before = sycl::exclusive_scan_over_group(part, long{i}, sycl::plus<>());
    const bool any = sycl::any_of_group(part, i % 6 == 3), all = sycl::all_of_group(part, i % 3 == 0),
               none = sycl::none_of_group(part, i > 1000);
    const bool right_places =
        (me + 1 >= size || left == next) && (me < 2 || right == i - 6) && sycl::permute_group_by_xor(part, i, 0) == i;
    out[i] = next + (first << 8) + (any && all && none && right_places ? 1 << 16 : 0) + int(before << 17);
  });
  EXPECT_EQ(values, expected([](int i) {
              if (!divides(i)) return -1;
              const int start = i / int(lanes) * int(lanes), first = (start + 2) / 3 * 3;
              const int next = i + 3 < start + int(lanes) ? i + 3 : first;
              const int before = sum_like(i, divides, [i](int other) { return other < i ? other : 0; });
              return next + (first << 8) + (1 << 16) + (before << 17);
            }));
}

TEST(fragments, are_divided_again) {
  const auto sums = results_of([](sycl::nd_item<1> it, int *out) {
    const int i = int(it.get_global_id(0));
    const bool outer = i % 3 == 0, inner = i % 2 == 0;
    const auto part = syclex::binary_partition(it.get_sub_group(), outer);
    if (!outer) return;
    const auto half = syclex::binary_partition(part, inner);
    out[i] = sycl::reduce_over_group(half, i, sycl::maximum<>());
    if (inner) out[i] += 1000 * sycl::reduce_over_group(half, 1, sycl::plus<>());
  });
  EXPECT_EQ(sums, expected([](int i) {
              if (!divides(i)) return -1;
              int most = 0, count = 0;
              for (int other = i / int(lanes) * int(lanes), end = other + int(lanes); other < end; ++other)
                if (divides(other) && other % 2 == i % 2) most = other, ++count;
              return most + (i % 2 == 0 ? 1000 * count : 0);
            }));
}

TEST(fragments, exchange_values_in_loops_of_different_lengths) {
  const auto sums = results_of([](sycl::nd_item<1> it, int *out) {
    const int i = int(it.get_global_id(0));
    int sum = 0;
    auto left = syclex::binary_partition(it.get_sub_group(), true);
    for (int round = 0; round < 8; ++round) {
      const bool stays = i % 8 > round;
      const auto now = syclex::binary_partition(it.get_sub_group(), stays);
      if (stays) sum += sycl::reduce_over_group(now, 1, sycl::plus<>());
    }
    out[i] = sum + int(left.get_local_linear_range());
  });
  EXPECT_EQ(sums, expected([](int i) {
              int sum = int(lanes);
              for (int round = 0; round < i % 8; ++round) sum += (7 - round) * int(lanes) / 8;
              return sum;
            }));
}

TEST(fragments, work_with_barriers_of_the_work_group) {
  const auto values = results_of([](sycl::nd_item<1> it, int *out) {
    const int i = int(it.get_global_id(0));
    const bool takes = it.get_local_id(0) % 4 == 1;
    const auto part = syclex::binary_partition(it.get_sub_group(), takes);
    int mine = i;
    if (takes) mine = sycl::reduce_over_group(part, i, sycl::minimum<>());
    out[i] = mine;
    sycl::group_barrier(it.get_group());
    const int other = out[i / 64 * 64 + (i + 32) % 64];
    sycl::group_barrier(it.get_group());
    out[i] = other;
  });
  EXPECT_EQ(values, expected([](int i) {
              const int other = i / 64 * 64 + (i + 32) % 64;
              return other % 4 == 1 ? other / int(lanes) * int(lanes) + 1 : other;
            }));
}

// Beyond SYCL, which leaves such shuffles undefined: on CPUs, the work-items that come to one exchange their values.
TEST(shuffles_in_branches, give_the_work_items_that_reach_them_their_values) {
  if (!sycl::device().is_cpu()) GTEST_SKIP() << "on GPUs, shuffles wait for the whole sub-group";
  const auto exchange = [](sycl::nd_item<1> it, int *out) {
    const auto i = it.get_global_id(0);
    out[i] = sycl::select_from_group(it.get_sub_group(), int(i) * 10, it.get_sub_group().get_local_linear_id() ^ 2);
  };
  EXPECT_EQ(results_of([=](sycl::nd_item<1> it, int *out) {
              if (it.get_sub_group().get_local_linear_id() % 2 == 0) exchange(it, out);
            }),
            expected([](int i) { return i % 2 == 0 ? (i ^ 2) * 10 : -1; }));
  EXPECT_EQ(results_of([=](sycl::nd_item<1> it, int *out) {
              if (it.get_global_id(0) < 76) exchange(it, out);
            }),
            expected([](int i) { return i < 76 ? (i ^ 2) * 10 : -1; }));
  EXPECT_EQ(results_of([=](sycl::nd_item<1> it, int *out) {
              const auto i = it.get_global_id(0);
              int sum = 0;
              if (i % 4 != 3) {
                const int doubled = int(i) * 2;
                if (i < 100) {
                  sum = sycl::select_from_group(it.get_sub_group(), doubled, i % lanes / 4 * 4);
                  sum += sycl::select_from_group(it.get_sub_group(), sum + int(i), i % lanes / 4 * 4 + 1);
                } else {
                  sum = sycl::select_from_group(it.get_sub_group(), doubled + 1, i % lanes / 4 * 4 + 2);
                }
                sum += doubled;
              }
              out[i] = sum;
            }),
            expected([](int i) {
              const int first = i / 4 * 4;
              if (i % 4 == 3) return 0;
              return i < 100 ? 2 * first + 2 * first + first + 1 + 2 * i : 2 * (first + 2) + 1 + 2 * i;
            }));
  EXPECT_EQ(results_of([=](sycl::nd_item<1> it, int *out) {
              const auto i = it.get_global_id(0);
              int sum = 0;
              for (std::size_t round = 0; round < i % 4 + 1; ++round)  // pairs of lanes leave together
                sum += sycl::select_from_group(it.get_sub_group(), int(i), i % lanes ^ 8);
              out[i] = sum;
            }),
            expected([](int i) { return (i % 4 + 1) * (i ^ 8); }));
  sycl::queue q;
  int *const flags = sycl::malloc_shared<int>(items, q);
  for (int i = 0; i < int(items); ++i) flags[i] = i / 4 % 3;
  EXPECT_EQ(results_of([=](sycl::nd_item<1> it, int *out) {
              if (flags[it.get_global_id(0)] == 1)
                exchange(it, out);
              else if (flags[it.get_global_id(0)] == 2)
                exchange(it, out);
            }),
            expected([](int i) { return i / 4 % 3 ? (i ^ 2) * 10 : -1; }));
  for (int i = 0; i < int(items); ++i) flags[i] = i / 4 % 5;
  EXPECT_EQ(results_of([=](sycl::nd_item<1> it, int *out) {
              const auto i = it.get_global_id(0);
              switch (flags[i]) {
              case 0:
              case 3:
                exchange(it, out);
                break;
              case 1:
                out[i] = 5;
                break;
              case 2:
                exchange(it, out);
                out[i] += 1;
                break;
              default:
                break;
              }
            }),
            expected([](int i) {
              const int flag = i / 4 % 5;
              return flag == 1 ? 5 : flag == 4 ? -1 : (i ^ 2) * 10 + (flag == 2);
            }));
  sycl::free(flags, q);
}

TEST(shuffles_in_branches, are_errors_with_checks) {
  if (!sycl::device().is_cpu()) GTEST_SKIP() << "only CPUs have these checks";
  setenv("DPEP_CHECK", "1", 1);
  const test::caught_error error = test::error_of([] {
    results_of([](sycl::nd_item<1> it, int *out) {
      const auto i = it.get_global_id(0);
      if (it.get_sub_group().get_local_linear_id() % 2 == 0)
        out[i] = sycl::shift_group_left(it.get_sub_group(), int(i));
    });
  });
  unsetenv("DPEP_CHECK");
  EXPECT_EQ(error.code, sycl::errc::kernel);
  EXPECT_TRUE(error.mentions("not all work-items of a sub-group")) << error.message;
}

TEST(fragments, count_together_opportunistically) {
  sycl::queue q;
  unsigned *const counter = sycl::malloc_shared<unsigned>(1, q);
  int *const seen = sycl::malloc_shared<int>(items, q);
  *counter = 0;
  std::fill_n(seen, items, 0);
  q.parallel_for(sycl::nd_range<1>(items, 64), [=](sycl::nd_item<1> it) {
     if (it.get_global_id(0) % 3) return;
     const syclex::opportunistic_group active = syclex::this_kernel::get_opportunistic_group();
     unsigned old = 0;
     if (active.leader())
       old = sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::device>(*counter).fetch_add(
           active.get_local_linear_range());
     seen[sycl::group_broadcast(active, old) + active.get_local_linear_id()] += 1;
   }).wait_and_throw();
  EXPECT_EQ(*counter, 43u);
  for (unsigned i = 0; i < items; ++i) EXPECT_EQ(seen[i], i < 43 ? 1 : 0) << i;
  sycl::free(counter, q);
  sycl::free(seen, q);
}

template <class G> constexpr int kind = 0;
template <class G> constexpr int kind<syclex::ballot_group<G>> = 1;
template <> constexpr int kind<syclex::opportunistic_group> = 2;
template <class G> constexpr int kind<syclex::tangle_group<G>> = 3;

TEST(fragments, have_a_type_for_each_way_to_make_them) {
  using group = sycl::sub_group;
  static_assert(kind<syclex::fragment<group>> == 0 && kind<syclex::ballot_group<group>> == 1 &&
                kind<syclex::opportunistic_group> == 2 && kind<syclex::tangle_group<group>> == 3);
  static_assert(
      std::is_same_v<decltype(syclex::get_ballot_group(std::declval<group>(), true)), syclex::ballot_group<group>>);
  static_assert(sycl::is_group_v<syclex::ballot_group<group>> && sycl::is_group_v<syclex::tangle_group<group>>);
  EXPECT_EQ(results_of([](sycl::nd_item<1> it, int *out) {
              const auto part = syclex::get_ballot_group(it.get_sub_group(), divides(int(it.get_global_id(0))));
              out[it.get_global_id(0)] =
                  10 * kind<std::remove_const_t<decltype(part)>> +
                  (part.get_group_linear_id() == std::uint32_t(divides(int(it.get_global_id(0)))));
            }),
            expected([](int) { return 11; }));
  const sycl::device d;
  EXPECT_TRUE(d.has(sycl::aspect::ext_oneapi_ballot_group) && d.has(sycl::aspect::ext_oneapi_fixed_size_group) &&
              d.has(sycl::aspect::ext_oneapi_opportunistic_group));
}

TEST(fragments, of_work_items_that_run_together_are_refused_before_the_kernel_runs) {
  EXPECT_FALSE(sycl::device().has(sycl::aspect::ext_oneapi_tangle_group));
  EXPECT_EQ(test::error_of([] {
              results_of([](sycl::nd_item<1> it, int *out) {
                const auto part = syclex::get_tangle_group(it.get_sub_group());
                out[it.get_global_id(0)] = sycl::reduce_over_group(part, 1, sycl::plus<int>());
              });
            }).code,
            sycl::errc::kernel_not_supported);
}

}  // namespace
