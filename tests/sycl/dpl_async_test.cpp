// oneapi::dpl: asynchronous algorithms.
#include <numeric>

#include <oneapi/dpl/async>

#include "dpl_sequences.hpp"
#include "shared_array.hpp"

namespace {

using namespace dpl_test;
namespace async = oneapi::dpl::experimental;

TEST(dpl_async, calls_depend_on_events) {
  sycl::queue q;
  const auto p = dpl::execution::make_device_policy(q);
  constexpr std::size_t n = 100000;
  const shared_array<int> a(n, q), b(n, q);
  int *const x = a.get(), *const y = b.get();
  auto filled = async::fill_async(p, x, x + n, 3);
  auto doubled = async::transform_async(p, x, x + n, y, [](int v) { return 2 * v; }, filled);
  auto added = async::for_each_async(p, y, y + n, [](int &v) { v += 1; }, doubled);
  auto sum = async::reduce_async(p, y, y + n, 0, std::plus<>(), added);
  EXPECT_EQ(sum.get(), int(7 * n));
  auto both = async::transform_async(p, x, x + n, y, y, std::minus<>(), added);
  EXPECT_EQ(both.get(), y + n);
  EXPECT_EQ(y[n - 1], -4);
  auto scanned = async::inclusive_scan_async(p, x, x + n, y, std::plus<>(), both);
  async::wait_for_all(scanned, added.event());
  EXPECT_EQ(y[n - 1], int(3 * n));
  EXPECT_EQ(async::transform_reduce_async(p, x, x + n, 0, std::plus<>(), [](int v) { return v - 2; }).get(), int(n));
}
TEST(dpl_async, sorts_keep_their_memory_until_they_are_complete) {
  sycl::queue q;
  const auto p = dpl::execution::make_device_policy(q);
  const shared_array<record> a(random_elements<record>(50000), q);
  async::sort_async(p, a.get(), a.get() + a.size()).wait();
  EXPECT_TRUE(std::is_sorted(a.get(), a.get() + a.size()));
}
TEST(dpl_async, copies_of_the_hosts_memory_are_complete) {
  std::vector<int> a = random_elements<int>(1000), b(1000);
  EXPECT_TRUE(async::copy_async(policy(), a.begin(), a.end(), b.begin()).get() == b.end());
  EXPECT_EQ(a, b);
  async::exclusive_scan_async(policy(), a.begin(), a.end(), b.begin(), 1).wait();
  EXPECT_EQ(b[1], 1 + a[0]);
}

}  // namespace
