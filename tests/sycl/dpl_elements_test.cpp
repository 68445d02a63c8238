// oneapi::dpl: for_each, transform, fill, copies, replacements, reversals and rotations beside the standard library's.
#include <algorithm>
#include <deque>
#include <numeric>
#include <thread>

#include <oneapi/dpl/algorithm>
#include <oneapi/dpl/memory>

#include "dpl_sequences.hpp"
#include "shared_array.hpp"

namespace {

using namespace dpl_test;

template <class T> class dpl_elements : public ::testing::Test {};
TYPED_TEST_SUITE(dpl_elements, elements);

TYPED_TEST(dpl_elements, transforms) {
  using T = TypeParam;
  for (const std::size_t n : sizes) {
    std::vector<T> a = random_elements<T>(n), b = random_elements<T>(n, 50, 2), sum(n), expected(n);
    std::transform(a.begin(), a.end(), b.begin(), expected.begin(), [](const T &x, const T &y) { return T(x + y); });
    const std::size_t end = on_usm(
        [&](auto p, T *x, T *y, T *to) {
          return std::size_t(dpl::transform(p, x, x + n, y, to, [](T u, T v) { return T(u + v); }) - to);
        },
        a, b, sum);
    EXPECT_EQ(end, n);
    expect_same(sum, expected);
    on_usm([&](auto p, T *x,
               T *to) { return dpl::transform(p, x, x + n, to, [](const T &u) { return T(u + u); }) == to + n; },
           a, sum);
    std::transform(a.begin(), a.end(), expected.begin(), [](const T &x) { return T(x + x); });
    expect_same(sum, expected);
  }
}
TYPED_TEST(dpl_elements, copies_fills_and_replacements) {
  using T = TypeParam;
  for (const std::size_t n : sizes) {
    const T one = random_elements<T>(1, 100, 7)[0], two = random_elements<T>(1, 100, 8)[0];
    const std::vector<T> from = random_elements<T>(n);
    std::vector<T> a = from, to(n), expected(n);
    on_usm([&](auto p, T *x, T *y) { return dpl::copy(p, x, x + n, y) == y + n; }, a, to);
    expect_same(to, from);
    on_usm([&](auto p, T *x) { return dpl::fill(p, x, x + n, one), dpl::fill_n(p, x, n / 2, two) == x + n / 2; }, to);
    std::fill(expected.begin(), expected.end(), one);
    std::fill_n(expected.begin(), n / 2, two);
    expect_same(to, expected);
    on_usm([&](auto p, T *x) { return dpl::replace(p, x, x + n, one, two), 0; }, a);
    expected = from;
    std::replace(expected.begin(), expected.end(), one, two);
    expect_same(a, expected);
    on_usm([&](auto p, T *x) { return dpl::generate(p, x, x + n, [=] { return one; }), 0; }, a);
    expect_same(a, std::vector<T>(n, one));
  }
}
TYPED_TEST(dpl_elements, reversals_and_rotations) {
  using T = TypeParam;
  for (const std::size_t n : sizes) {
    const std::vector<T> from = random_elements<T>(n);
    for (const std::size_t by : {std::size_t{0}, n / 3, n}) {
      std::vector<T> a = from, expected = from, to(n);
      on_usm([&](auto p, T *x) { return dpl::reverse(p, x, x + n), 0; }, a);
      std::reverse(expected.begin(), expected.end());
      expect_same(a, expected);
      const auto end = on_usm([&](auto p, T *x) { return dpl::rotate(p, x, x + by, x + n) - x; }, a);
      EXPECT_EQ(end, std::rotate(expected.begin(), expected.begin() + std::ptrdiff_t(by), expected.end()) -
                         expected.begin());
      expect_same(a, expected);
      on_usm([&](auto p, T *x, T *y) { return dpl::reverse_copy(p, x, x + n, y) == y + n; }, a, to);
      expect_same(to, std::vector<T>(expected.rbegin(), expected.rend()));
      const auto left = on_usm([&](auto p, T *x) { return dpl::shift_left(p, x, x + n, std::ptrdiff_t(by)) - x; }, a);
      const auto kept = std::shift_left(expected.begin(), expected.end(), std::ptrdiff_t(by)) - expected.begin();
      EXPECT_EQ(left, kept);
      a.resize(std::size_t(left));
      expected.resize(std::size_t(kept));
      expect_same(a, expected);
    }
  }
}

TEST(dpl_forms, of_memory_have_the_same_results) {
  const auto add_one = [](auto p, auto first, auto to) {
    return std::size_t(dpl::transform(p, first, first + 1000, to, [](int x) { return x + 1; }) - to);
  };
  const std::vector<int> from = random_elements<int>(1000);
  std::vector<int> expected = from;
  for (int &x : expected) ++x;
  std::vector<int> a = from, b(1000);
  EXPECT_EQ(on_usm(add_one, a, b), 1000u);
  EXPECT_EQ(b, expected);
  std::fill(b.begin(), b.end(), 0);
  EXPECT_EQ(in_buffers(add_one, a, b), 1000u);
  EXPECT_EQ(b, expected);
  std::fill(b.begin(), b.end(), 0);
  EXPECT_EQ(in_vectors(add_one, a, b), 1000u);
  EXPECT_EQ(b, expected);
  const std::deque<int> d(from.begin(), from.end());
  std::deque<int> to(1000);
  EXPECT_TRUE(dpl::transform(policy(), d.begin(), d.end(), to.begin(), [](int x) { return x + 1; }) == to.end());
  EXPECT_TRUE(std::equal(to.begin(), to.end(), expected.begin()));
}
TEST(dpl_forms, a_buffer_may_be_source_and_destination) {
  std::vector<int> a(1000, 1);
  {
    sycl::buffer<int> b(a);
    for (int i = 0; i < 3; ++i) {
      dpl::for_each(policy(), dpl::begin(b), dpl::end(b), [](int &x) { x *= 2; });
      dpl::transform(policy(), dpl::begin(b), dpl::end(b), dpl::begin(b), [](int x) { return x + 1; });
    }
    sycl::queue().submit([&](sycl::handler &h) {
      const sycl::accessor all(b, h, sycl::read_write);
      h.parallel_for(sycl::range<1>(1000), [=](sycl::id<1> i) { all[i] += 1; });
    });
  }
  EXPECT_EQ(a, std::vector<int>(1000, 16));
}
TEST(dpl_forms, threads_take_turns_with_a_buffer) {
  std::vector<int> a(1000, 0);
  {
    sycl::buffer<int> b(a);
    const auto add = [&] {
      for (int i = 0; i < 100; ++i) dpl::for_each(policy(), dpl::begin(b), dpl::end(b), [](int &x) { x += 1; });
    };
    std::thread other(add);
    add();
    other.join();
  }
  EXPECT_EQ(a, std::vector<int>(1000, 200));
}
TEST(dpl_forms, parts_of_sequences_keep_their_neighbours) {
  std::vector<int> a(100, 1);
  dpl::fill(policy(), a.begin() + 10, a.begin() + 20, 5);
  {
    sycl::buffer<int> b(a);
    dpl::fill(policy(), dpl::begin(b) + 30, dpl::begin(b) + 40, 6);
  }
  EXPECT_EQ(std::accumulate(a.begin(), a.end(), 0), 80 + 50 + 60);
  EXPECT_EQ(a[9] + a[20] + a[29] + a[40], 4);
}
TEST(dpl_iterators, compute_their_elements) {
  const std::vector<int> from = random_elements<int>(1000);
  std::vector<int> a = from, b(1000), c(1000);
  std::vector<std::int64_t> order(1000);
  std::iota(order.rbegin(), order.rend(), 0);
  const dpl::counting_iterator<int> count(5);
  dpl::copy(policy(), count, count + 1000, b.begin());
  EXPECT_EQ(b[0] + b[999], 5 + 1004);
  const auto twice = dpl::make_transform_iterator(a.begin(), [](int x) { return 2 * x; });
  EXPECT_EQ(twice[3], 2 * from[3]);
  dpl::copy(policy(), twice, twice + 1000, b.begin());
  for (std::size_t i = 0; i < 1000; ++i) EXPECT_EQ(b[i], 2 * from[i]);
  sycl::queue q;
  const shared_array<int> source(from, q);  // a permutation's source is memory that the device reads
  const auto turned = dpl::make_permutation_iterator(source.get(), order.begin());
  dpl::copy(policy(), turned, turned + 1000, b.begin());
  EXPECT_TRUE(std::equal(b.begin(), b.end(), from.rbegin()));
  const auto by_function = dpl::make_permutation_iterator(source.get(), [](std::ptrdiff_t i) { return 999 - i; });
  dpl::copy(policy(), by_function, by_function + 1000, c.begin());
  EXPECT_EQ(c, b);
  dpl::copy(policy(), a.rbegin(), a.rend(), c.begin());
  EXPECT_EQ(c, b);
  const auto both = dpl::make_zip_iterator(a.begin(), b.begin());
  dpl::for_each(policy(), both, both + 1000, [](auto pair) { std::get<0>(pair) += std::get<1>(pair); });
  for (std::size_t i = 0; i < 1000; ++i) EXPECT_EQ(a[i], from[i] + from[999 - i]);
  const auto targets = dpl::make_zip_iterator(c.begin(), dpl::discard_iterator());
  dpl::transform(policy(), a.begin(), a.end(), targets, [](int x) { return std::make_tuple(x, x); });
  EXPECT_EQ(c, a);
}
TEST(dpl_calls, with_a_condition_leave_other_elements) {
  std::vector<int> a{1, 2, 3, 4}, b{9, 9, 9, 9};
  dpl::transform_if(
      policy(), a.begin(), a.end(), b.begin(), [](int x) { return x * 10; }, [](int x) { return x % 2 == 0; });
  EXPECT_EQ(b, (std::vector<int>{9, 20, 9, 40}));
}
TEST(dpl_calls, with_policies_of_the_host_are_those_of_the_standard_library) {
  std::vector<int> a{3, 1, 2};
  dpl::sort(dpl::execution::par, a.begin(), a.end());
  EXPECT_EQ(a, (std::vector<int>{1, 2, 3}));
  dpl::for_each(dpl::execution::seq, a.begin(), a.end(), [&](int &x) { x += static_cast<int>(a.size()); });
  EXPECT_EQ(a, (std::vector<int>{4, 5, 6}));
  EXPECT_EQ(dpl::count(dpl::execution::unseq, a.begin(), a.end(), 5), 1);
}
TEST(dpl_calls, on_the_default_policy) {
  std::vector<int> a(100, 2), b(100);
  dpl::uninitialized_copy(dpl::execution::dpcpp_default, a.begin(), a.end(), b.begin());
  EXPECT_EQ(a, b);
  const auto named = dpl::execution::make_device_policy<class a_kernel>(dpl::execution::dpcpp_default);
  dpl::uninitialized_fill(named, b.begin(), b.end(), 7);
  EXPECT_EQ(b, std::vector<int>(100, 7));
}

}  // namespace
