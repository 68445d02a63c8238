// Extensions: sub-group masks and free functions that enqueue commands.
#include <bit>
#include <vector>

#include <gtest/gtest.h>

#include "shared_array.hpp"

namespace {
namespace oneapi = sycl::ext::oneapi;
namespace experimental = sycl::ext::oneapi::experimental;
using oneapi::sub_group_mask;

#if SYCL_EXT_ONEAPI_SUB_GROUP_MASK < 1 || SYCL_EXT_ONEAPI_ENQUEUE_FUNCTIONS < 1
#error "the extensions' feature-test macros are missing"
#endif
}  // namespace

TEST(sub_group_masks, of_a_ballot_have_the_items_with_the_predicate) {
  sycl::queue q;
  constexpr std::size_t count = 256;
  const shared_array<std::uint64_t> masks(count, q), expected(count, q);
  const shared_array<std::uint32_t> sizes(count, q);
  q.parallel_for(sycl::nd_range<1>(count, 128), [m = masks.get(), e = expected.get(),
                                                 s = sizes.get()](sycl::nd_item<1> item) {
     const sycl::sub_group g = item.get_sub_group();
     const auto predicate = [](std::size_t i) { return i % 3 == 0 || i % 7 == 1; };
     const std::size_t i = item.get_global_id(0), first = i - g.get_local_linear_id();
     const sub_group_mask mask = oneapi::group_ballot(g, predicate(i));
     mask.extract_bits(m[i]);
     for (std::size_t k = 0; k < g.get_local_linear_range(); k++) e[i] |= std::uint64_t{predicate(first + k)} << k;
     s[i] = mask.size() == g.get_max_local_range()[0] && mask.test(g.get_local_id()) == predicate(i) &&
            oneapi::group_ballot(g).count() == g.get_local_linear_range();
   }).wait();
  EXPECT_EQ(masks.values(), expected.values());
  EXPECT_EQ(sizes.values(), std::vector<std::uint32_t>(count, 1));
}

TEST(sub_group_masks, are_sets_of_bits) {
  sycl::queue q;
  const shared_array<std::uint64_t> results(32, q);
  const auto work = sycl::nd_range<1>(32, 32);
  q.parallel_for(work, [r = results.get()](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(32)]] {
     sub_group_mask a = oneapi::group_ballot(item.get_sub_group(), item.get_local_id(0) % 2 == 1);
     if (item.get_local_id(0) != 0) return;
     int n = 0;
     const auto put = [&](auto value) { r[n++] = static_cast<std::uint64_t>(value); };
     const auto bits = [](const sub_group_mask &m) {
       std::uint64_t b = 1;
       m.extract_bits(b);
       return b;
     };
     put(bits(a));
     put(a.size());
     put(a.count());
     put(a.find_low()[0]);
     put(a.find_high()[0]);
     put(a.any() && !a.all() && !a.none() && (a | ~a).all());
     put(bits(a << 3));
     put(bits(a >> 3));
     put(bits(a << 32));
     a.reset_low();
     put(bits(a));
     a.reset_high();
     put(bits(a));
     a.flip();
     put(bits(a));
     a.flip(0);
     a[1] = false;
     a[2] = !a[2];
     a.set(3);
     put(bits(a));
     a.insert_bits(std::uint8_t(0x35), 28);
     put(bits(a));
     sycl::marray<std::uint8_t, 2> two;
     a.extract_bits(two, 28);
     put(two[0]);
     put(two[1]);
     a.set();
     put(a.all());
     put(bits(a & sub_group_mask(0x0f)));
     put(bits(a ^ sub_group_mask(sycl::marray<std::uint8_t, 1>(0x0f))));
     a.reset();
     put(a.none() && a == sub_group_mask());
     put(a.find_low()[0]);
     put(n);
   }).wait();
  const std::vector<std::uint64_t> expected{
      0xaaaaaaaa, 32,         16,         1, 31, 1, 0x55555550, 0x15555555, 0, 0xaaaaaaa8, 0x2aaaaaa8,
      0xd5555557, 0xd5555558, 0x55555558, 5, 0,  1, 0x0f,       0xfffffff0, 1, 32,         21};
  EXPECT_EQ(std::vector<std::uint64_t>(results.get(), results.get() + expected.size()), expected);
}

TEST(enqueue_functions, launch_kernels_on_queues) {
  sycl::queue q{sycl::property::queue::in_order()};
  const shared_array<int> data(16, q), sum(1, q);
  int *const p = data.get(), *const s = sum.get();
  experimental::single_task(q, [=] { p[0] = 1; });
  experimental::parallel_for(q, sycl::range<1>(16), [=](sycl::id<1> i) { p[i] += static_cast<int>(i[0]); });
  experimental::parallel_for(q, sycl::range<2>(4, 4), [=](sycl::item<2> i) { p[i.get_linear_id()] += 1; });
  experimental::nd_launch(q, sycl::nd_range<1>(16, 4), [=](sycl::nd_item<1> i) { p[i.get_global_id(0)] *= 2; });
  experimental::parallel_for(
      q, sycl::range<1>(16), [=](sycl::id<1> i, auto &total) { total += p[i]; }, sycl::reduction(s, sycl::plus<>()));
  q.wait();
  EXPECT_EQ(p[0], 4);
  EXPECT_EQ(p[15], 32);
  EXPECT_EQ(s[0], 2 * (120 + 16 + 1));
  experimental::launch_config config(sycl::range<1>(16));
  experimental::parallel_for(q, config, [=](sycl::id<1> i) { p[i] = 1; });
  experimental::nd_launch(
      q, experimental::launch_config(sycl::nd_range<1>(16, 8), experimental::properties{}),
      [=](sycl::nd_item<1> i, auto &total) { total += p[i.get_global_id(0)]; }, sycl::reduction(s, sycl::plus<>()));
  q.wait();
  EXPECT_EQ(s[0], 2 * 137 + 16);
}

TEST(enqueue_functions, take_handlers) {
  sycl::queue q;
  const shared_array<int> data(4, q);
  int *const p = data.get();
  experimental::submit(
      q, [&](sycl::handler &h) { experimental::parallel_for(h, sycl::range<1>(4), [=](sycl::id<1> i) { p[i] = 1; }); });
  q.wait();
  const sycl::event first = experimental::submit_with_event(q, [&](sycl::handler &h) {
    experimental::nd_launch(h, sycl::nd_range<1>(4, 2), [=](sycl::nd_item<1> i) { p[i.get_global_id(0)] += 1; });
  });
  const sycl::event second = experimental::submit_with_event(q, experimental::properties{}, [&](sycl::handler &h) {
    h.depends_on(first);
    experimental::single_task(h, [=] { p[0] += 1; });
  });
  experimental::submit(q, [&](sycl::handler &h) { experimental::partial_barrier(h, {second}); });
  q.wait();
  EXPECT_EQ(data.values(), (std::vector{3, 2, 2, 2}));
}

TEST(enqueue_functions, move_memory) {
  sycl::queue q{sycl::property::queue::in_order()};
  const shared_array<int> a(4, q), b(4, q);
  experimental::fill(q, a.get(), 7, 4);
  experimental::memcpy(q, b.get(), a.get(), 2 * sizeof(int));
  experimental::copy(q, a.get() + 2, b.get() + 2, 2);
  experimental::memset(q, a.get(), 0, 4 * sizeof(int));
  experimental::prefetch(q, a.get(), 4 * sizeof(int));
  experimental::mem_advise(q, a.get(), 4 * sizeof(int), 0);
  experimental::barrier(q);
  experimental::partial_barrier(q, {});
  experimental::submit(q, [&](sycl::handler &h) { experimental::fill(h, a.get(), 1, 1); });
  q.wait();
  EXPECT_EQ(a.values(), (std::vector{1, 0, 0, 0}));
  EXPECT_EQ(b.values(), std::vector<int>(4, 7));
}

TEST(names, global_abs_and_fabs_take_fractions) {
  static_assert(std::is_same_v<decltype(::fabs(1.0f)), float>);
  EXPECT_EQ(::abs(-1.5), 1.5);
  EXPECT_EQ(::abs(-2), 2);
  EXPECT_EQ(::fabs(-1.5f), 1.5f);
}
