// The forms of access to elements: accessors without dimensions, indices of the program's own types, swizzles of one
// element, atomic local accessors, and the increments of reducers.
#include <gtest/gtest.h>

#include <vector>

#include <sycl/sycl.hpp>

#include "shared_array.hpp"

namespace {

struct place {
  int at;
  operator sycl::id<1>() const { return sycl::id<1>(static_cast<std::size_t>(at)); }
};

/// No default constructor, and no known identity.
struct sum_of_squares {
  explicit sum_of_squares(int x) : total(x) {}
  int total;
  friend sum_of_squares operator+(const sum_of_squares &a, const sum_of_squares &b) {
    return sum_of_squares(a.total + b.total);
  }
};

}  // namespace

TEST(accessors_without_dimensions, have_one_element_of_a_larger_buffer) {
  sycl::queue q;
  std::vector<int> data{1, 2, 3, 4, 5, 6, 7, 8};
  {
    sycl::buffer<int> b(data);
    {
      const sycl::host_accessor<int, 0> a(b);
      EXPECT_EQ(a.size(), 1u);
      EXPECT_EQ(a.byte_size(), sizeof(int));
      EXPECT_EQ(a.end() - a.begin(), 1);
      *a.rbegin() = 10;
      EXPECT_EQ(*a.cbegin(), 10);
    }
    q.submit([&](sycl::handler &h) {
      const sycl::accessor<int, 0> a(b, h);
      EXPECT_EQ(a.size(), 1u);
      h.single_task([=] { *a.rbegin() += static_cast<int>(a.size()); });
    });
    q.submit([&](sycl::handler &h) {
      const sycl::accessor<int, 0, sycl::access_mode::read_write, sycl::target::host_task> a(b, h);
      h.host_task([=] { *a.rbegin() += static_cast<int>(a.end() - a.begin()); });
    });
    q.submit([&](sycl::handler &h) {
      const sycl::accessor<int, 0> a(b);
      EXPECT_EQ(a.size(), 1u);
      h.require(a);
      h.single_task([=] { *a.begin() += 1; });
    });
  }
  EXPECT_EQ(data, (std::vector<int>{13, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(accessors, take_indices_that_convert_to_an_id) {
  sycl::queue q;
  std::vector<int> data(8);
  {
    sycl::buffer<int> b(data);
    {
      const sycl::host_accessor a(b);
      a[place{3}] = 5;
    }
    q.submit([&](sycl::handler &h) {
      const sycl::accessor a(b, h);
      const sycl::local_accessor<int> l(2, h);
      h.parallel_for(sycl::nd_range<1>(1, 1), [=](sycl::nd_item<1>) {
        l[place{1}] = 7;
        a[place{4}] = l[1];
      });
    });
  }
  EXPECT_EQ(data, (std::vector<int>{0, 0, 0, 5, 7, 0, 0, 0}));
}

TEST(swizzles_of_one_element, compare_as_vecs_of_one_element) {
  sycl::vec<int, 1> v(3), w(3), zero(0);
  sycl::vec<float, 4> f(1, 2, 1, 4);
  const auto number = [](const auto &x) {
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(x)>, sycl::vec<int, 1>>);
    return x[0];
  };
  EXPECT_EQ(number(v.swizzle<0>() && w.swizzle<0>()), -1);
  EXPECT_EQ(number(v.swizzle<0>() && zero.swizzle<0>()), 0);
  EXPECT_EQ(number(v.swizzle<0>() || zero.swizzle<0>()), -1);
  EXPECT_EQ(number(v.swizzle<0>() == w.swizzle<0>()), -1);
  EXPECT_EQ(number(v.swizzle<0>() != w.swizzle<0>()), 0);
  EXPECT_EQ(number(f.swizzle<0>() == f.swizzle<2>()), -1);
  EXPECT_EQ(number(f.swizzle<0>() < f.swizzle<3>()), -1);
  EXPECT_EQ(number(f.swizzle<0>() >= 2), 0);
  EXPECT_EQ(number(3 == v.swizzle<0>()), -1);
  EXPECT_EQ(number(v.swizzle<0>() == w), -1);
  EXPECT_EQ(number(v == w.swizzle<0>()), -1);
}

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
TEST(atomic_local_accessors, have_any_number_of_dimensions) {
  sycl::queue q;
  const shared_array<int> sums(3, q);
  q.submit([&](sycl::handler &h) {
     using mode = sycl::access::mode;
     const sycl::accessor<int, 0, mode::atomic, sycl::target::local> none(h);
     const sycl::accessor<int, 2, mode::atomic, sycl::target::local> two(sycl::range<2>(2, 2), h);
     const sycl::accessor<int, 3, mode::atomic, sycl::target::local> three(sycl::range<3>(1, 2, 2), h);
     h.parallel_for(sycl::nd_range<1>(16, 16), [=, sums = sums.get()](sycl::nd_item<1> item) {
       sycl::atomic<int, sycl::access::address_space::local_space> first = two[1][0], second = three[0][1][1],
                                                                   third = none;
       if (item.get_local_id(0) == 0) {
         first.store(0);
         second.store(0);
         third.store(0);
       }
       sycl::group_barrier(item.get_group());
       two[1][0].fetch_add(1);
       three[sycl::id<3>(0, 1, 1)].fetch_add(2);
       third.fetch_add(3);
       sycl::group_barrier(item.get_group());
       if (item.get_local_id(0) == 0) {
         sums[0] = first.load();
         sums[1] = second.load();
         sums[2] = third.load();
       }
     });
   }).wait();
  EXPECT_EQ(sums[0], 16);
  EXPECT_EQ(sums[1], 32);
  EXPECT_EQ(sums[2], 48);
}
#pragma clang diagnostic pop

TEST(reducers, are_incremented) {
  sycl::queue q;
  const shared_array<int> count(1, q);
  const shared_array<sycl::int2> pairs(1, q);
  const shared_array<int> several(2, q);
  q.parallel_for(sycl::range<1>(100), sycl::reduction(count.get(), sycl::plus<int>()),
                 sycl::reduction(pairs.get(), sycl::plus<sycl::int2>()),
                 sycl::reduction(sycl::span<int, 2>(several.get(), 2), sycl::plus<int>()),
                 [](sycl::id<1>, auto &n, auto &p, auto &s) {
                   n++;
                   ++n;
                   ++p;
                   s[0]++;
                   ++s[1];
                   s[1]++;
                 })
      .wait();
  EXPECT_EQ(count[0], 200);
  EXPECT_EQ(pairs[0].x(), 100);
  EXPECT_EQ(pairs[0].y(), 100);
  EXPECT_EQ(several[0], 100);
  EXPECT_EQ(several[1], 200);
}

TEST(reductions_without_identity, take_types_without_a_default_constructor) {
  sycl::queue q;
  for (const std::size_t n : {1u, 100u, 100000u}) {
    auto *const sum = sycl::malloc_shared<sum_of_squares>(1, q);
    *sum = sum_of_squares(5);
    q.parallel_for(sycl::range<1>(n), sycl::reduction(sum, std::plus<sum_of_squares>()), [](sycl::id<1> i, auto &s) {
       s.combine(sum_of_squares(static_cast<int>(i[0] % 3)));
     }).wait();
    int expected = 5;
    for (std::size_t i = 0; i < n; ++i) expected += static_cast<int>(i % 3);
    EXPECT_EQ(sum->total, expected);
    sycl::free(sum, q);
  }
}
