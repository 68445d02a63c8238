// sycl::atomic and its free functions, SYCL 1.2.1's atomic operations.
#include <gtest/gtest.h>

#include "shared_array.hpp"

#pragma clang diagnostic ignored "-Wdeprecated-declarations"

namespace {
template <class T> using pointer = sycl::global_ptr<T>;
}

TEST(atomics, of_sycl_1_2_1_have_members_and_free_functions) {
  sycl::queue q;
  const shared_array<int> old(12, q), object(1, q);
  q.single_task([old = old.get(), p = object.get()] {
     sycl::atomic<int> x{pointer<int>(p)};
     sycl::atomic_store(x, 5);
     old[0] = sycl::atomic_load(x);
     old[1] = sycl::atomic_exchange(x, 6);
     int expected = 6;
     old[2] = sycl::atomic_compare_exchange_strong(x, expected, 7);
     old[3] = sycl::atomic_compare_exchange_strong(x, expected, 8);
     old[4] = expected;
     old[5] = sycl::atomic_fetch_add(x, 3);
     old[6] = sycl::atomic_fetch_sub(x, 2);
     old[7] = sycl::atomic_fetch_and(x, 12);
     old[8] = sycl::atomic_fetch_or(x, 1);
     old[9] = sycl::atomic_fetch_xor(x, 15);
     old[10] = sycl::atomic_fetch_min(x, 2);
     old[11] = sycl::atomic_fetch_max(x, 50);
     x.fetch_add(x.load(sycl::memory_order::relaxed), sycl::memory_order::relaxed);
   }).wait();
  EXPECT_EQ(old.values(), (std::vector{5, 5, 1, 0, 7, 7, 10, 8, 8, 9, 6, 2}));
  EXPECT_EQ(object[0], 100);
}

TEST(atomics, of_sycl_1_2_1_take_floats) {
  sycl::queue q;
  const shared_array<float> sum(1, q);
  q.parallel_for(1000, [p = sum.get()](sycl::id<1>) {
     sycl::atomic_fetch_add(sycl::atomic<float>(pointer<float>(p)), 0.5f);
   }).wait();
  EXPECT_EQ(sum[0], 500.0f);
}

TEST(atomics, are_elements_of_accessors_of_mode_atomic) {
  sycl::queue q;
  int sum = 0, single = 0;
  {
    sycl::buffer<int> b(&sum, 1), s(&single, 1);
    q.submit([&](sycl::handler &h) {
      const auto a = b.get_access<sycl::access::mode::atomic>(h);
      const sycl::accessor<int, 0, sycl::access::mode::atomic> zero(s, h);
      const sycl::accessor<int, 1, sycl::access::mode::atomic, sycl::target::local> local(sycl::range<1>(1), h);
      static_assert(std::is_same_v<decltype(a[0]), sycl::atomic<int>>);
      static_assert(std::is_same_v<decltype(local[0]), sycl::atomic<int, sycl::access::address_space::local_space>>);
      h.parallel_for(sycl::nd_range<1>(1000, 10), [=](sycl::nd_item<1> i) {
        if (i.get_local_linear_id() == 0) local[0].store(0);
        sycl::group_barrier(i.get_group());
        sycl::atomic_fetch_add(local[0], 1);
        sycl::group_barrier(i.get_group());
        if (i.get_local_linear_id() == 0) sycl::atomic_fetch_add(a[0], local[0].load());
        static_cast<sycl::atomic<int>>(zero).fetch_add(1);
      });
    });
  }
  EXPECT_EQ(sum, 1000);
  EXPECT_EQ(single, 1000);
}
