// The fast path: another launch of a short kernel on an idle queue allocates nothing.
#include <atomic>
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "shared_array.hpp"

// AddressSanitizer has an operator new, which the program must not replace in part; the tests are skipped then.
#if __has_feature(address_sanitizer)
#define COUNTS_ALLOCATIONS 0
#else
#define COUNTS_ALLOCATIONS 1
#endif

namespace {
std::atomic<long> allocations = 0;
}

#if COUNTS_ALLOCATIONS
// The program's operator new, which libdpep's allocations use as well.
void *operator new(std::size_t bytes) {
  allocations++;
  if (void *p = std::malloc(bytes ? bytes : 1)) return p;
  throw std::bad_alloc();
}
void operator delete(void *p) noexcept { std::free(p); }
void operator delete(void *p, std::size_t) noexcept { std::free(p); }
#endif

namespace {

class launch_cost : public testing::Test {
protected:
  sycl::queue q{sycl::property::queue::in_order()};
  shared_array<int> values{16, q};
  int *p = values.get();

  void SetUp() override {
    if (!COUNTS_ALLOCATIONS) GTEST_SKIP() << "AddressSanitizer has the operator new";
  }

  template <class Launch> long allocations_of(const Launch &launch) const {
    for (int i = 0; i < 10; i++) launch();
    q.wait();
    const long before = allocations;
    for (int i = 0; i < 100; i++) launch();
    const long after = allocations;
    q.wait();
    EXPECT_EQ(p[5], 110);
    return after - before;
  }
};

}  // namespace

TEST_F(launch_cost, of_a_kernel_is_no_allocation) {
  EXPECT_EQ(allocations_of([&] { q.parallel_for(16, [p = p](sycl::id<1> i) { p[i]++; }); }), 0);
}

TEST_F(launch_cost, of_a_command_group_is_no_allocation) {
  EXPECT_EQ(allocations_of([&] {
              q.submit([&](sycl::handler &h) {
                h.parallel_for(sycl::nd_range<1>(16, 4), [p = p](sycl::nd_item<1> i) { p[i.get_global_id(0)]++; });
              });
            }),
            0);
}
