// Pending work: its triggers, results that do not depend on when it runs, and its limits.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <thread>

#include <dpep/array_opcodes.hpp>

#include "array/graph/array_work.hpp"
#include "expression.hpp"

namespace dpep::array::tests {
namespace {

using enum opcode;

constexpr std::int64_t large = 20'000;  // too large to be computed at once

ndarray large_array(unsigned seed = 1) { return array_of(numbers(large, seed), {large}); }

std::vector<double> mapped(std::vector<double> x, auto f) {
  for (double &v : x) v = f(v);
  return x;
}

bool is_pending() { return pending(test_queue()).nodes > 0; }

TEST(pending, small_arrays_are_computed_at_once) {
  const ndarray a = array_of({1, 2, 3}, {3});
  const ndarray r = apply(exp, apply(add, a, 1.0));
  EXPECT_FALSE(is_pending());
  EXPECT_NEAR(values_of(r)[2], std::exp(4.0), 1e-12);
}

TEST(pending, large_arrays_are_computed_when_they_are_needed) {
  const ndarray a = large_array();
  counting count;
  const ndarray r = apply(add, a, 1.0);
  EXPECT_TRUE(is_pending());
  EXPECT_EQ(pending(test_queue()).bytes, std::size_t{large} * 8);
  EXPECT_EQ(count.programs(), 0u);
  EXPECT_EQ(values_of(r), mapped(numbers(large), [](double v) { return v + 1; }));
  EXPECT_FALSE(is_pending());
  EXPECT_EQ(pending(test_queue()).bytes, 0u);
}

TEST(pending, values_that_are_never_read_are_not_computed) {
  const ndarray a = large_array();
  counting count;
  { const ndarray r = apply(exp, apply(add, a, 1.0)); }
  EXPECT_FALSE(is_pending());
  EXPECT_EQ(pending(test_queue()).bytes, 0u);
  test_queue().wait();
  EXPECT_EQ(count.programs(), 0u);
}

TEST(pending, waiting_for_the_queue_and_submitting_to_it_run_what_is_pending) {
  const ndarray a = large_array();
  double byte_source[1] = {1}, byte_target[1] = {};
  const auto runs = [&](auto act) {
    const ndarray r = apply(add, a, 1.0);
    EXPECT_TRUE(is_pending());
    act(test_queue());
    EXPECT_FALSE(is_pending());
    EXPECT_EQ(values_of(r)[5], numbers(large)[5] + 1);
  };
  runs([](const queue &q) { q.wait(); });
  runs([](const queue &q) { q.wait_and_throw(); });
  runs([](const queue &q) { q.wait_while([] { return true; }); });
  runs([](const queue &q) { q.barrier().wait(); });
  runs([](const queue &q) { q.host_task([] {}); });
  runs([&](const queue &q) { q.copy(byte_target, byte_source, sizeof byte_source); });
  runs([](const queue &q) { static_cast<void>(q.empty()); });
  runs([](const queue &q) { evaluate_pending(q); });
  runs([](const queue &q) { last_event(q).wait(); });
}

TEST(pending, exposed_memory_is_read_at_the_call) {
  const ndarray a = large_array();
  const ndarray early = apply(add, a, 1.0);
  const auto memory = a.expose();
  EXPECT_FALSE(is_pending());
  const ndarray late = apply(add, a, 2.0);
  EXPECT_FALSE(is_pending());
  late.wait();
  static_cast<double *>(memory.base)[0] = 100;
  EXPECT_EQ(values_of(early)[0], numbers(large)[0] + 1);
  EXPECT_EQ(values_of(late)[0], numbers(large)[0] + 2);
  EXPECT_EQ(values_of(apply(add, a, 1.0))[0], 101);
}

TEST(pending, eager_mode_computes_at_every_call) {
  const ndarray a = large_array();
  set_eager(true);
  counting count;
  const ndarray r = apply(exp, apply(add, a, 1.0));
  set_eager(false);
  EXPECT_FALSE(is_pending());
  EXPECT_EQ(count.programs(), 2u);
}

TEST(hazards, pending_readers_run_before_their_memory_is_overwritten) {
  const ndarray a = large_array();
  const ndarray r = apply(add, a, 1.0);
  assign(a, scalar::of(7.0));
  EXPECT_EQ(values_of(r), mapped(numbers(large), [](double v) { return v + 1; }));
  EXPECT_EQ(values_of(a)[0], 7);
}

TEST(hazards, writes_through_views_are_hazards) {
  const ndarray a = large_array();
  const ndarray r = reduced(reduction::sum, apply(multiply, a, 2.0), {0});
  assign(rows(a, 5, 10, 3), scalar::of(0.0));
  const auto x = numbers(large);
  EXPECT_NEAR(values_of(r)[0], 2 * std::accumulate(x.begin(), x.end(), 0.0), 1e-8);
  EXPECT_EQ(values_of(a)[8], 0);
  EXPECT_EQ(values_of(a)[9], x[9]);
}

TEST(hazards, a_write_elsewhere_in_the_memory_leaves_readers_pending) {
  const ndarray a = array_of(numbers(3 * large), {3 * large});
  const ndarray r = apply(add, rows(a, large, large), 1.0);
  assign(rows(a, 0, large), scalar::of(0.0));
  assign(rows(a, 2 * large, large), scalar::of(0.0));
  EXPECT_TRUE(is_pending());
  EXPECT_EQ(values_of(r)[0], numbers(3 * large)[large] + 1);
}

TEST(hazards, in_place_update_with_a_function_of_the_array_is_one_program) {
  const ndarray a = large_array(1), b = large_array(2);
  const ndarray product = apply(multiply, a, b);  // as Python holds it during the call of `a += a * b`
  counting count;
  apply_in_place(add, a, product);
  const auto x = numbers(large, 1), y = numbers(large, 2);
  EXPECT_EQ(values_of(a)[17], x[17] + x[17] * y[17]);
  EXPECT_EQ(count.programs(), 1u);
  EXPECT_EQ(values_of(product)[17], x[17] * y[17]);
}

TEST(hazards, overlapping_reads_come_before_writes) {
  const ndarray a = large_array();
  const auto x = numbers(large);
  assign(rows(a, 1, large - 1), rows(a, 0, large - 1));
  auto got = values_of(a);
  EXPECT_EQ(got[0], x[0]);
  for (std::size_t i = 1; i < got.size(); ++i) ASSERT_EQ(got[i], x[i - 1]) << i;
  apply_in_place(add, rows(a, 0, large - 1), rows(a, 1, large - 1));
  const auto before = got;
  got = values_of(a);
  for (std::size_t i = 0; i + 1 < got.size(); ++i) ASSERT_EQ(got[i], before[i] + before[i + 1]) << i;
}

TEST(hazards, in_place_update_by_a_reduction_of_the_array) {
  const std::size_t m = 200, n = 150;
  const auto x = numbers(m * n);
  const ndarray a = array_of(x, {200, 150});
  apply_in_place(subtract, a, reduced(reduction::sum, a, {0}, true));
  apply_in_place(add, a, transposed(transposed(a)));
  const auto got = values_of(a);
  for (std::size_t j = 0; j < n; ++j) {
    double sum = 0;
    for (std::size_t i = 0; i < m; ++i) sum += x[i * n + j];
    for (std::size_t i = 0; i < m; ++i) ASSERT_NEAR(got[i * n + j], 2 * (x[i * n + j] - sum), 1e-9);
  }
}

TEST(hazards, an_array_is_added_to_its_own_transpose_in_place) {
  const std::size_t n = 150;
  const auto x = numbers(n * n);
  const ndarray a = array_of(x, {150, 150});
  apply_in_place(add, a, transposed(a));
  const auto got = values_of(a);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) ASSERT_EQ(got[i * n + j], x[i * n + j] + x[j * n + i]);
}

TEST(views_of_pending, share_memory_that_is_computed_later) {
  const ndarray a = large_array();
  const ndarray r = apply(add, a, 1.0);
  const ndarray part = rows(r, 10, 100, 2);
  EXPECT_TRUE(is_pending());
  assign(part, scalar::of(-1.0));
  const auto got = values_of(r);
  EXPECT_EQ(got[9], numbers(large)[9] + 1);
  EXPECT_EQ(got[10], -1);
  EXPECT_EQ(got[11], numbers(large)[11] + 1);
  EXPECT_EQ(values_of(part)[0], -1);
}

TEST(views_of_pending, outlive_the_array) {
  const auto x = numbers(150 * 150);
  const ndarray a = array_of(x, {150, 150});
  ndarray v;
  { v = transposed(apply(add, a, 1.0)); }
  EXPECT_TRUE(is_pending());
  EXPECT_EQ(values_of(v)[1], x[150] + 1);
}

TEST(views_of_pending, of_moved_axes_are_fused) {
  const auto x = numbers(150 * 150);
  const ndarray a = array_of(x, {150, 150});
  counting count;
  ndarray r;
  { r = apply(multiply, transposed(apply(exp, a)), 2.0); }
  r.evaluate();
  EXPECT_EQ(count.programs(), 1u);
  EXPECT_EQ(count.stored(), 1u);
  EXPECT_EQ(values_of(r)[1], std::exp(x[150]) * 2);
}

TEST(views_of_pending, of_parts_are_fused) {
  const auto x = numbers(large);
  const ndarray a = array_of(x, {large});
  counting count;
  ndarray r;
  {
    const ndarray s = apply(add, a, 1.0), odd = rows(s, 1, large / 2, 2);
    const int first[] = {0};
    r = apply(subtract, flip(odd, first), rows(s, 0, large / 2));
  }
  r.evaluate();
  EXPECT_EQ(count.programs(), 1u);
  EXPECT_EQ(count.stored(), 1u);
  const auto got = values_of(r);
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], (x[large - 1 - 2 * i] + 1) - (x[i] + 1));
}

TEST(views_of_pending, of_parts_of_moved_and_broadcast_axes_are_fused) {
  const auto x = numbers(150 * 160), y = numbers(160, 2);
  const ndarray a = array_of(x, {150, 160}), b = array_of(y, {160});
  counting count;
  ndarray r;
  { r = apply(multiply, rows(transposed(apply(add, a, b)), 10, 100), 2.0); }
  r.evaluate();
  EXPECT_EQ(count.programs(), 1u);
  EXPECT_EQ(count.stored(), 1u);
  const auto got = values_of(r);
  for (std::size_t j = 0; j < 100; ++j)
    for (std::size_t i = 0; i < 150; ++i) ASSERT_EQ(got[j * 150 + i], (x[i * 160 + j + 10] + y[j + 10]) * 2);
}

TEST(views_of_pending, in_another_shape_are_fused) {
  const auto x = numbers(large), y = numbers(large / 100, 2);
  const ndarray a = array_of(x, {large}), b = array_of(y, {large / 100});
  counting count;
  ndarray r;
  {
    const std::int64_t shape[] = {100, large / 100};
    r = apply(add, reshape(apply(multiply, a, 2.0), shape), b);
  }
  r.evaluate();
  EXPECT_EQ(count.programs(), 1u);
  EXPECT_EQ(count.stored(), 1u);
  const auto got = values_of(r);
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], x[i] * 2 + y[i % y.size()]);
}

TEST(views_of_pending, of_views_of_any_number_are_computed_and_destroyed_without_recursion) {
  const ndarray a = array_of(numbers(large), {100, large / 100});
  ndarray turned = apply(add, a, 1.0);
  for (int i = 0; i < 300'000; ++i) turned = transposed(turned);
  EXPECT_TRUE(is_pending());
  EXPECT_EQ(values_of(turned)[7], numbers(large)[7] + 1);
  turned = apply(add, a, 2.0);
  for (int i = 0; i < 300'000; ++i) turned = transposed(turned);
  turned = ndarray();
  EXPECT_FALSE(is_pending());
}

TEST(views_of_pending, reinterpret_the_bits_of_the_base) {
  const std::int64_t n = 3000;
  const ndarray a = array_of(numbers(static_cast<std::size_t>(n * 40)), {n, 40});
  const ndarray sums = reduced(reduction::sum, a, {1});
  const ndarray part = apply(multiply, rows(sums, 7, 100), 1.0);
  const auto whole = values_of(sums), some = values_of(part);
  for (std::size_t i = 0; i < some.size(); ++i) ASSERT_EQ(some[i], whole[i + 7]);
}

TEST(views_of_pending, of_costly_values_are_not_computed_again) {
  const ndarray a = large_array();
  counting count;
  const ndarray dear = apply(tan, apply(exp, a));
  const ndarray r = apply(add, rows(dear, 0, 10'000), rows(dear, 10'000, 10'000));
  r.evaluate();
  EXPECT_EQ(count.programs(), 2u);
}

TEST(limits, rows_and_columns_of_pending_results_do_not_multiply) {  // as in Floyd and Warshall's algorithm
  constexpr std::int64_t n = 120, steps = 12;
  const auto x = numbers(n * n);
  ndarray r = astype(array_of(x, {n, n}), dtype::float32);
  std::size_t most = 0;
  for (std::int64_t k = 0; k < steps; ++k) {
    const index column[] = {{index::kind::slice, 0, n, 1}, {index::kind::integer, k}};
    const index row[] = {{index::kind::integer, k}};
    const int last[] = {-1};
    r = apply(minimum, r, apply(add, expand_dims(view(r, column), last), view(r, row)));
    most = std::max(most, pending(test_queue()).nodes);
  }
  EXPECT_LT(most, 60u);
  std::vector<float> wanted(x.begin(), x.end());
  for (std::int64_t k = 0; k < steps; ++k) {
    const auto before = wanted;
    const auto at = [&](std::int64_t i, std::int64_t j) { return before[std::size_t(i * n + j)]; };
    for (std::int64_t i = 0; i < n * n; ++i)
      wanted[std::size_t(i)] = std::min(before[std::size_t(i)], at(i / n, k) + at(k, i % n));
  }
  EXPECT_EQ(values_of(astype(r, dtype::float64)), std::vector<double>(wanted.begin(), wanted.end()));
}

TEST(limits, ten_thousand_operations_without_a_read_stay_bounded) {
  const context &where = test_queue().get_context();
  const ndarray a = large_array();
  reset_peak(where, usm_kind::device);
  const auto before = statistics(where, usm_kind::device).in_use;
  ndarray r = a;
  std::size_t most = 0;
  for (int i = 0; i < 10'000; ++i) {
    r = apply(add, r, 1.0);
    most = std::max(most, pending(test_queue()).nodes);
  }
  EXPECT_LT(most, 1000u);
  // results of 10,000 operations would need more
  EXPECT_LT(statistics(where, usm_kind::device).peak - before, std::size_t{large} * 8 * 150);
  EXPECT_NEAR(values_of(r)[0], numbers(large)[0] + 10'000, 1e-6);
}

TEST(limits, ten_thousand_results_without_a_read_do_not_pile_up_as_pending) {
  const ndarray a = large_array();
  std::vector<ndarray> all;
  for (int i = 0; i < 1'000; ++i) all.push_back(apply(multiply, a, static_cast<double>(i)));
  EXPECT_LT(pending(test_queue()).nodes, 1000u);
  EXPECT_EQ(values_of(all[999])[3], numbers(large)[3] * 999);
  EXPECT_EQ(values_of(all[1])[3], numbers(large)[3]);
}

TEST(limits, memory_of_pending_work_is_released_before_memory_runs_out) {
  const context own({test_queue().get_device()});
  const queue q(own, test_queue().get_device(), {.in_order = true});
  const std::int64_t n = 1 << 18;  // 2 MiB
  set_limit(own, usm_kind::device, 160u << 20);
  ndarray sum = array_of(std::vector<double>(n, 0.0), {n}, q);
  const std::vector<double> ones(n, 1.0);
  for (int i = 0; i < 200; ++i) sum = apply(add, sum, array_of(ones, {n}, q));
  EXPECT_EQ(values_of(sum)[77], 200);
}

TEST(limits, a_set_limit_bounds_the_memory_of_pending_work) {
  const queue q(test_queue().get_device(), {.in_order = true});
  const std::int64_t n = 1 << 15;  // 256 KiB
  EXPECT_GE(pending(q).limit, q.get_device().info().global_mem_size / 4);
  set_pending_limit(q, 1u << 20);
  EXPECT_EQ(pending(q).limit, 1u << 20);
  ndarray sum = array_of(std::vector<double>(n, 0.0), {n}, q);
  const std::vector<double> ones(n, 1.0);
  std::size_t most = 0;
  for (int i = 0; i < 20; ++i) {
    sum = apply(add, sum, array_of(ones, {n}, q));
    EXPECT_LE(pending(q).bytes, 1u << 20);
    most = std::max(most, pending(q).nodes);
  }
  EXPECT_GT(most, 1u);
  EXPECT_EQ(values_of(sum)[77], 20);
  set_pending_limit(q, 0);
  EXPECT_GE(pending(q).limit, q.get_device().info().global_mem_size / 4);
}

// Its exact value: the sum over i, j of (i - j)^2 is n^2 (n^2 - 1) / 6.
TEST(limits, a_hundred_million_differences_are_summed_without_being_stored) {
  constexpr std::int64_t n = 10'000;
  std::vector<double> counted(n);
  std::iota(counted.begin(), counted.end(), 0.0);
  const ndarray a = array_of(counted, {n, 1}), b = array_of(counted, {1, n});
  const context &where = test_queue().get_context();
  test_queue().wait();
  reset_peak(where, usm_kind::device);
  const std::uint64_t before = statistics(where, usm_kind::device).in_use;
  ndarray sum;
  { sum = reduced(reduction::sum, apply(square, apply(subtract, a, b)), {0, 1}); }
  EXPECT_DOUBLE_EQ(values_of(sum)[0], double(n) * double(n) * (double(n) * double(n) - 1) / 6);
  EXPECT_LT(statistics(where, usm_kind::device).peak - before, std::uint64_t{1} << 20);  // the differences have 800 MB
}

TEST(limits, shared_values_do_not_count_twice) {
  ndarray r = large_array();
  counting count;
  for (int i = 0; i < 20; ++i) r = apply(multiply, r, r);
  EXPECT_EQ(count.programs(), 0u);
  EXPECT_NEAR(values_of(r)[0], std::pow(numbers(large)[0], 1 << 20), 1e-12);
  EXPECT_EQ(count.programs(), 1u);
}

TEST(limits, graphs_of_any_length_are_destroyed_without_recursion) {
  ref<node> n = node_of(array_of({1, 2, 3}, {3}));
  const signature s{1, {dtype::float64}, dtype::float64};
  for (int i = 0; i < 200'000; ++i) n = element_node(negative, s, {&n, 1});
  n = nullptr;
}

TEST(limits, long_graphs_are_destroyed_at_the_exit_of_a_thread) {
  const auto long_graph = [] {
    ref<node> n = number_node(scalar::of(1.0), dtype::float64);
    for (int i = 0; i < 100'000; ++i) n = identity_node(std::move(n));
    return n;
  };
  std::thread([&] {
    thread_local ref<node> released_at_exit;  // constructed before the thread destroys its first long graph
    released_at_exit = nullptr;
    long_graph();
    released_at_exit = long_graph();
  }).join();
}

TEST(limits, long_graphs_over_small_arrays_are_computed) {
  ref<node> n = node_of(array_of({1, 2, 3}, {3}));
  const signature s{2, {dtype::float64, dtype::float64}, dtype::float64};
  for (int i = 0; i < 3'000; ++i) {
    const ref<node> both[] = {n, number_node(scalar::of(1.0), dtype::float64)};
    n = element_node(add, s, both);
  }
  EXPECT_EQ(values_of(defer(test_queue(), n, usm_kind::device)), (std::vector<double>{3001, 3002, 3003}));
}

TEST(failures, out_of_memory_leaves_earlier_arrays_and_the_graph_as_they_were) {
  const context own({test_queue().get_device()});
  const queue q(own, test_queue().get_device(), {.in_order = true});
  const auto x = numbers(200'000);
  const ndarray a = array_of(x, {200'000}, q);
  ndarray big = apply(add, with_axis(a, 0), with_axis(array_of(numbers(100), {100}, q), 1));
  const ndarray small = apply(add, a, 1.0);
  set_limit(own, usm_kind::device, 64u << 20);
  EXPECT_THROW(big.wait(), exception);
  try {
    big.wait();
    FAIL() << "no error for 160 MB in 64 MiB";
  } catch (const exception &e) {
    EXPECT_EQ(e.code(), errc::memory_allocation);
  }
  EXPECT_EQ(values_of(a)[7], x[7]);
  EXPECT_EQ(values_of(small)[7], x[7] + 1);
  const ndarray sum = reduced(reduction::sum, big, {1});  // needs no memory for `big`
  EXPECT_NEAR(values_of(sum)[0], std::accumulate(x.begin(), x.end(), 0.0) + 2e5 * numbers(100)[0], 1e-3);
  set_limit(own, usm_kind::device, 0);
  EXPECT_EQ(values_of(rows(big, 0, 1))[7], x[7] + numbers(100)[0]);
}

TEST(failures, are_raised_once_by_a_wait_for_the_queue) {
  const context own({test_queue().get_device()});
  const queue q(own, test_queue().get_device(), {.in_order = true});
  const ndarray a = array_of(numbers(200'000), {200'000}, q);
  const ndarray big = apply(add, with_axis(a, 0), with_axis(array_of(numbers(100), {100}, q), 1));
  set_limit(own, usm_kind::device, 64u << 20);
  EXPECT_THROW(q.wait(), exception);
  EXPECT_NO_THROW(q.wait());
  EXPECT_EQ(values_of(apply(add, a, 1.0))[7], numbers(200'000)[7] + 1);
}

TEST(failures, values_are_recomputed_instead_of_stored_when_memory_is_short) {
  const context own({test_queue().get_device()});
  const queue q(own, test_queue().get_device(), {.in_order = true});
  const ndarray x = array_of(numbers(600 * 200, 1), {600, 200}, q), y = array_of(numbers(800 * 200, 2), {800, 200}, q);
  const auto distances = [&] {
    return reduced(reduction::sum, apply(square, apply(subtract, with_axis(x, 1), with_axis(y, 0))), {2});
  };
  counting with_memory(q);
  {
    const ndarray d = distances();  // costly, so it is normally stored
    reduced(reduction::max, d, {0}).evaluate();
    EXPECT_EQ(with_memory.stored(), 2u);
  }
  q.wait();
  trim(own);
  const auto now = statistics(own, usm_kind::device);
  set_limit(own, usm_kind::device, now.in_use + now.cached + (3u << 20));
  counting without(q);
  const ndarray d = distances();
  const ndarray r = reduced(reduction::max, d, {0});
  r.evaluate();
  EXPECT_EQ(without.stored(), 1u);
}

TEST(order, of_array_work_is_the_program_s_on_an_out_of_order_queue) {
  const queue q(test_queue().get_device(), {.in_order = false});
  const std::int64_t n = 1 << 20;
  const auto x = numbers(n);
  const ndarray a = array_of(x, {n}, q);
  for (int i = 0; i < 50; ++i) {
    const ndarray b = apply(add, a, 1.0);
    b.evaluate();
    apply_in_place(multiply, a, b);
    apply_in_place(minimum, a, b);
  }
  auto wanted = x;
  for (double &v : wanted)
    for (int i = 0; i < 50; ++i) v = std::min(v * (v + 1), v + 1);
  const auto got = values_of(a);
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], wanted[i]) << i;
}

TEST(order, array_work_waits_for_its_given_dependencies) {
  for (const bool in_order : {false, true}) {
    const queue q(test_queue().get_device(), {.in_order = in_order});
    const ndarray a = array_of(numbers(large), {large}, q);
    const user_event gate;
    order_after(q, gate);
    const ndarray b = apply(add, a, 1.0);
    const event done = last_event(q);
    EXPECT_NE(done.status(), event_status::complete);
    gate.complete();
    EXPECT_EQ(values_of(b)[3], numbers(large)[3] + 1);
    EXPECT_EQ(done.status(), event_status::complete);
  }
}

TEST(threads, share_a_queue_and_arrays) {
  const std::int64_t n = large;
  const auto x = numbers(n);
  const ndarray a = array_of(x, {n});
  const ndarray shared = apply(exp, a);  // pending: the first thread computes it
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int round = 0; round < 30; ++round) {
        const ndarray own = array_of(numbers(n, static_cast<unsigned>(t + 2)), {n});
        ndarray r = apply(add, shared, static_cast<double>(t));
        const ndarray kept = apply(multiply, r, own);
        for (int i = 0; i < 10; ++i) r = apply(add, r, a);
        apply_in_place(add, own, r);
        const auto got = values_of(own), also = values_of(kept);
        const auto y = numbers(n, static_cast<unsigned>(t + 2));
        for (std::size_t i = 0; i < got.size(); i += 997) {
          const double e = std::exp(x[i]) + t;
          wrong += std::abs(got[i] - (y[i] + e + 10 * x[i])) > 1e-9;
          wrong += std::abs(also[i] - e * y[i]) > 1e-9;
        }
      }
    });
  for (std::thread &t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

TEST(threads, use_drop_and_view_the_same_pending_array_at_once) {
  const ndarray a = large_array();
  const auto x = numbers(large);
  std::atomic<int> wrong{0};
  for (int round = 0; round < 40; ++round) {
    ndarray pending = apply(exp, a);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, mine = pending, t]() mutable {
        const ndarray part = rows(mine, t, 100, 3);
        const ndarray twice = apply(multiply, mine, 2.0);
        if (t == 0) mine = ndarray();
        if (t == 1) wrong += std::abs(values_of(part)[5] - std::exp(x[16])) > 1e-12;
        if (t == 2) wrong += std::abs(values_of(twice)[5] - 2 * std::exp(x[5])) > 1e-12;
        if (t == 3) test_queue().wait();
      });
    pending = ndarray();
    for (std::thread &t : threads) t.join();
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_FALSE(is_pending());
}

}  // namespace
}  // namespace dpep::array::tests
