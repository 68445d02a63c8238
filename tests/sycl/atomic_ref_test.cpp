// sycl::atomic_ref under contention on the device, and each of its operations alone.
#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "on_device.hpp"

namespace {

using sycl::memory_order, sycl::memory_scope;
constexpr auto global_space = sycl::access::address_space::global_space;
template <class T, memory_order Order = memory_order::relaxed>
using ref = sycl::atomic_ref<T, Order, memory_scope::device, global_space>;

constexpr std::size_t work_items = 20000;

/// The variable after f(atomic reference, i) by all work-items.
template <class T, class F> T contended(T start, F f) {
  sycl::queue q;
  T *const x = sycl::malloc_shared<T>(1, q);
  *x = start;
  q.parallel_for(sycl::range<1>(work_items), [=](sycl::id<1> i) { f(ref<T>(*x), i[0]); });
  q.wait_and_throw();
  const T result = *x;
  sycl::free(x, q);
  return result;
}

template <class T> class atomic_refs : public testing::Test {};
using number_types = testing::Types<int, unsigned, long, unsigned long long, float, double>;
TYPED_TEST_SUITE(atomic_refs, number_types);

TYPED_TEST(atomic_refs, add_and_subtract_under_contention) {
  using T = TypeParam;
  EXPECT_EQ(contended<T>(5, [](auto x, std::size_t) { x.fetch_add(2); }), static_cast<T>(5 + 2 * work_items));
  EXPECT_EQ(contended<T>(static_cast<T>(3 * work_items), [](auto x, std::size_t) { x -= 3; }), T(0));
  EXPECT_EQ(contended<T>(0,
                         [](auto x, std::size_t) {
                           x.fetch_add(1, memory_order::acq_rel, memory_scope::work_group);
                           x.fetch_sub(1, memory_order::seq_cst, memory_scope::system);
                         }),
            T(0));
}

TYPED_TEST(atomic_refs, find_minimum_and_maximum_under_contention) {
  using T = TypeParam;
  const auto value = [](std::size_t i) { return static_cast<T>(i * 7919 % 20011); };
  T least = value(0), most = value(0);
  for (std::size_t i = 0; i < work_items; i++) {
    least = std::min(least, value(i));
    most = std::max(most, value(i));
  }
  EXPECT_EQ(contended<T>(30000, [=](auto x, std::size_t i) { x.fetch_min(value(i)); }), least);
  EXPECT_EQ(contended<T>(0, [=](auto x, std::size_t i) { x.fetch_max(value(i), memory_order::acq_rel); }), most);
}

TYPED_TEST(atomic_refs, find_minimum_and_maximum_in_local_memory) {
  using T = TypeParam;
  constexpr std::size_t groups = 5, size = 100, bins = 7;
  sycl::queue q;
  T *const found = sycl::malloc_shared<T>(2 * groups * bins, q);
  const auto value = [](std::size_t i) { return static_cast<T>(i * 7919 % 20011); };
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<T, 1> least(bins, h), most(bins, h);
    h.parallel_for(sycl::nd_range<1>(groups * size, size), [=](sycl::nd_item<1> item) {
      const std::size_t me = item.get_local_id(0), bin = me * me % bins;
      if (me < bins) least[me] = 30000, most[me] = 0;
      sycl::group_barrier(item.get_group());
      using local = sycl::atomic_ref<T, memory_order::relaxed, memory_scope::work_group,
                                     sycl::access::address_space::local_space>;
      local(least[bin]).fetch_min(value(item.get_global_id(0)));
      local(most[bin]).fetch_max(value(item.get_global_id(0)));
      sycl::group_barrier(item.get_group());
      if (me >= bins) return;
      T *const own = found + 2 * (item.get_group(0) * bins + me);
      own[0] = least[me], own[1] = most[me];
    });
  });
  q.wait_and_throw();
  for (std::size_t group = 0; group < groups; group++)
    for (std::size_t bin = 0; bin < bins; bin++) {
      T least = 30000, most = 0;
      for (std::size_t me = 0; me < size; me++)
        if (me * me % bins == bin) {
          least = std::min(least, value(group * size + me));
          most = std::max(most, value(group * size + me));
        }
      EXPECT_EQ(found[2 * (group * bins + bin)], least);
      EXPECT_EQ(found[2 * (group * bins + bin) + 1], most);
    }
  sycl::free(found, q);
}

TYPED_TEST(atomic_refs, compare_exchange_loses_no_update) {
  using T = TypeParam;
  const auto add_weakly = [](auto x, std::size_t) {
    T old = x.load();
    while (!x.compare_exchange_weak(old, static_cast<T>(old + 1))) {}
  };
  const auto add_strongly = [](auto x, std::size_t) {
    T old = x;
    while (!x.compare_exchange_strong(old, static_cast<T>(old + 1), memory_order::acq_rel, memory_order::acquire)) {}
  };
  EXPECT_EQ(contended<T>(0, add_weakly), static_cast<T>(work_items));
  EXPECT_EQ(contended<T>(0, add_strongly), static_cast<T>(work_items));
}

TYPED_TEST(atomic_refs, each_operation_returns_the_previous_or_new_value) {
  using T = TypeParam;
  T value = 10;
  const sycl::atomic_ref<T, memory_order::acq_rel, memory_scope::system> x(value);
  EXPECT_EQ(x.load(), T(10));
  x.store(11);
  EXPECT_EQ(value, T(11));
  EXPECT_EQ(x.exchange(12), T(11));
  EXPECT_EQ(x = 13, T(13));
  EXPECT_EQ(x += 2, T(15));
  EXPECT_EQ(x -= 5, T(10));
  EXPECT_EQ(x.fetch_min(4), T(10));
  EXPECT_EQ(x.fetch_max(3), T(4));
  EXPECT_EQ(static_cast<T>(x), T(4));
  T expected = 5;
  EXPECT_FALSE(x.compare_exchange_strong(expected, 6));
  EXPECT_EQ(expected, T(4));
  EXPECT_TRUE(x.compare_exchange_strong(expected, 6));
  EXPECT_EQ(value, T(6));
}

TEST(atomic_ref_of_integers, bits_and_increments) {
  EXPECT_EQ(contended<unsigned>(0, [](auto x, std::size_t i) { x |= 1u << i % 32; }), ~0u);
  EXPECT_EQ(contended<unsigned>(~0u, [](auto x, std::size_t i) { x &= ~(1u << i % 31); }), 1u << 31);
  EXPECT_EQ(contended<unsigned>(0, [](auto x, std::size_t) { x ^= 5; }), 0u);
  EXPECT_EQ(contended<int>(0, [](auto x, std::size_t) { ++x; }), static_cast<int>(work_items));
  EXPECT_EQ(contended<int>(0,
                           [](auto x, std::size_t) {
                             x++;
                             x--;
                           }),
            0);
  int value = 6;
  const ref<int, memory_order::seq_cst> x(value);
  EXPECT_EQ(x.fetch_and(3), 6);
  EXPECT_EQ(x.fetch_or(8), 2);
  EXPECT_EQ(x.fetch_xor(1), 10);
  EXPECT_EQ(++x, 12);
  EXPECT_EQ(x++, 12);
  EXPECT_EQ(--x, 12);
}

TEST(atomic_ref_of_pointers, counts_elements) {
  int memory[10] = {};
  int *p = memory;
  const ref<int *> x(p);
  EXPECT_EQ(x.fetch_add(3), memory);
  EXPECT_EQ(x += 2, memory + 5);
  EXPECT_EQ(x.fetch_sub(1), memory + 5);
  EXPECT_EQ(++x, memory + 5);
  EXPECT_EQ(x--, memory + 5);
  EXPECT_EQ(x.load(), memory + 4);
}

TEST(atomic_ref_of_pointers, give_each_element_to_one_work_item) {
  sycl::queue q;
  int *const memory = sycl::malloc_shared<int>(work_items, q);
  int **const next = sycl::malloc_shared<int *>(1, q);
  std::fill(memory, memory + work_items, 0);
  *next = memory;
  q.parallel_for(sycl::range<1>(work_items), [=](sycl::id<1>) { *ref<int *>(*next)++ += 1; });
  q.wait_and_throw();
  EXPECT_EQ(*next, memory + work_items);
  EXPECT_EQ(std::accumulate(memory, memory + work_items, 0), static_cast<int>(work_items));
  EXPECT_EQ(*std::min_element(memory, memory + work_items), 1);
  sycl::free(memory, q);
  sycl::free(next, q);
}

TEST(atomic_ref_in_local_memory, counts_the_work_group) {
  sycl::queue q;
  constexpr std::size_t groups = 16, size = 128;
  int *const counts = sycl::malloc_shared<int>(groups, q);
  q.submit([&](sycl::handler &h) {
    const sycl::local_accessor<int, 1> count(sycl::range<1>(1), h);
    h.parallel_for(sycl::nd_range<1>(groups * size, size), [=](sycl::nd_item<1> item) {
      if (item.get_group().leader()) count[0] = 0;
      sycl::group_barrier(item.get_group());
      sycl::atomic_ref<int, memory_order::relaxed, memory_scope::work_group, sycl::access::address_space::local_space>
          x(count[0]);
      if (item.get_local_id(0) % 2) x++;
      sycl::group_barrier(item.get_group());
      if (item.get_group().leader()) counts[item.get_group(0)] = count[0];
    });
  });
  q.wait_and_throw();
  for (std::size_t i = 0; i < groups; i++) EXPECT_EQ(counts[i], static_cast<int>(size / 2));
  sycl::free(counts, q);
}

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
TEST(atomic, of_sycl_1_2_1_still_counts) {
  sycl::queue q;
  int *const count = sycl::malloc_shared<int>(1, q);
  *count = 0;
  q.parallel_for(sycl::range<1>(work_items),
                 [=](sycl::id<1>) { sycl::atomic<int>(sycl::global_ptr<int>(count)).fetch_add(1); });
  q.wait_and_throw();
  EXPECT_EQ(*count, static_cast<int>(work_items));
  sycl::free(count, q);
}
#pragma clang diagnostic pop

TEST(atomic_fence, publishes_earlier_writes) {
  // Every work-item publishes a value and then counts; the last one to count sees all values.
  sycl::queue q;
  int *const values = sycl::malloc_shared<int>(work_items + 2, q);
  std::fill(values, values + work_items + 2, 0);
  q.parallel_for(sycl::range<1>(work_items), [=](sycl::id<1> i) {
    values[i] = 1;
    sycl::atomic_fence(memory_order::release, memory_scope::device);
    if (ref<int>(values[work_items]).fetch_add(1) != static_cast<int>(work_items) - 1) return;
    sycl::atomic_fence(memory_order::acquire, memory_scope::device);
    int sum = 0;
    for (std::size_t k = 0; k < work_items; k++) sum += values[k];
    values[work_items + 1] = sum;
  });
  q.wait_and_throw();
  EXPECT_EQ(values[work_items + 1], static_cast<int>(work_items));
  sycl::free(values, q);
}

}  // namespace
