// Copies, fills and hints of command groups and queues in all their forms.
#include <memory>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "shared_array.hpp"

namespace {

/// A buffer of 0, 1, 2, ….
sycl::buffer<int> counting(std::size_t n) {
  std::vector<int> values(n);
  std::iota(values.begin(), values.end(), 0);
  return sycl::buffer<int>(values.begin(), values.end());
}

std::vector<int> contents(sycl::buffer<int> b) {
  const sycl::host_accessor h(b, sycl::read_only);
  return {h.begin(), h.end()};
}

}  // namespace

TEST(copies, between_accessors_and_shared_pointers) {
  sycl::queue q;
  auto b = counting(4);
  const std::shared_ptr<int[]> array(new int[4]());
  const std::shared_ptr<int> pointer(new int[4](), std::default_delete<int[]>());
  const std::shared_ptr<const int[]> constants(new int[4]{5, 6, 7, 8});
  const std::shared_ptr<const int> constant(constants, constants.get());
  q.submit([&](sycl::handler &h) { h.copy(sycl::accessor(b, h, sycl::read_only), array); });
  q.submit([&](sycl::handler &h) { h.copy(sycl::accessor(b, h, sycl::read_only), pointer); });
  q.wait();
  EXPECT_EQ(array[3], 3);
  EXPECT_EQ(pointer.get()[3], 3);
  q.submit([&](sycl::handler &h) { h.copy(constants, sycl::accessor(b, h, sycl::write_only)); });
  EXPECT_EQ(contents(b), (std::vector{5, 6, 7, 8}));
  q.submit([&](sycl::handler &h) { h.copy(array, sycl::accessor(b, h, sycl::write_only)); });
  EXPECT_EQ(contents(b), (std::vector{0, 1, 2, 3}));
  q.copy(constant, sycl::accessor(b, sycl::write_only));
  EXPECT_EQ(contents(b), (std::vector{5, 6, 7, 8}));
  q.copy(sycl::accessor(b, sycl::read_only), array).wait();
  EXPECT_EQ(array[3], 8);
}

TEST(copies, between_accessors_and_pointers_of_other_types) {
  sycl::queue q;
  auto b = counting(4);
  std::vector<float> to(4);
  const std::vector<unsigned> from{9, 8, 7, 6};
  q.submit([&](sycl::handler &h) { h.copy(sycl::accessor(b, h, sycl::read_only), to.data()); }).wait();
  EXPECT_EQ(std::bit_cast<int>(to[3]), 3);
  q.submit([&](sycl::handler &h) { h.copy(from.data(), sycl::accessor(b, h, sycl::write_only)); });
  EXPECT_EQ(contents(b), (std::vector{9, 8, 7, 6}));
}

TEST(copies, of_accessors_of_zero_and_several_dimensions) {
  sycl::queue q;
  auto one = counting(1);
  sycl::buffer<int, 2> square(sycl::range(2, 2));
  int value = 7;
  q.submit([&](sycl::handler &h) { h.copy(&value, sycl::accessor<int, 0>(one, h)); });
  EXPECT_EQ(contents(one), std::vector{7});
  q.submit([&](sycl::handler &h) { h.fill(sycl::accessor<int, 0>(one, h), 8); });
  q.submit([&](sycl::handler &h) { h.copy(sycl::accessor<int, 0, sycl::access_mode::read>(one, h), &value); }).wait();
  EXPECT_EQ(value, 8);
  auto line = counting(4);
  q.submit([&](sycl::handler &h) {
    h.copy(sycl::accessor(line, h, sycl::read_only), sycl::accessor(square, h, sycl::write_only));
  });
  EXPECT_EQ((sycl::host_accessor(square)[1][1]), 3);
}

TEST(copies, of_queues_wait_for_one_event_or_several) {
  sycl::queue q;
  const shared_array<int> a(4, q), b(4, q);
  int *const p = a.get(), *const to = b.get();
  const sycl::event none;
  const auto first = q.fill(p, 1, 4);
  for (const sycl::event &done :
       {q.memset(p, 0, 16, first), q.memset(p, 0, 16, {none, first}), q.memset(p, 0, 16, std::vector{first}),
        q.fill(p, 0, 4, first), q.fill(p, 0, 4, {none, first}), q.memcpy(to, p, 16, first),
        q.memcpy(to, p, 16, {none, first}), q.copy(p, to, 4, first), q.copy(p, to, 4, {none, first}),
        q.prefetch(p, 16, first), q.prefetch(p, 16, {none, first}), q.mem_advise(p, 16, 0, first),
        q.mem_advise(p, 16, 0, {none, first}), q.single_task(first, [] {}), q.single_task({none, first}, [] {}),
        q.parallel_for(4, first, [](sycl::id<1>) {}), q.parallel_for(4, {none, first}, [](sycl::id<1>) {}),
        q.parallel_for({2, 2}, {none, first}, [](sycl::id<2>) {}),
        q.parallel_for(sycl::nd_range<1>(4, 2), {none, first}, [](sycl::nd_item<1>) {})})
    done.wait();
  q.wait();
  const auto filled = q.fill(p, 3, 4, {none, none});
  q.copy(p, to, 4, {none, filled}).wait();
  EXPECT_EQ(b.values(), std::vector<int>(4, 3));
  q.parallel_for(4, {none, filled}, sycl::reduction(to, sycl::plus<>()), [=](sycl::id<1> i, auto &sum) {
     sum += p[i];
   }).wait();
  EXPECT_EQ(to[0], 15);
}
