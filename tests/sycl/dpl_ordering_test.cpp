// oneapi::dpl: sorts, merges, set operations and binary searches beside the standard library's.
#include <algorithm>
#include <limits>
#include <numeric>

#include <oneapi/dpl/algorithm>

#include "dpl_sequences.hpp"

namespace {

using namespace dpl_test;

template <class T> class dpl_sorts : public ::testing::Test {};
TYPED_TEST_SUITE(dpl_sorts, elements);

TYPED_TEST(dpl_sorts, are_stable) {
  using T = TypeParam;
  for (const std::size_t n : sizes) {
    const std::vector<T> from = random_elements<T>(n);
    std::vector<T> a = from, expected = from;
    on_usm([&](auto p, T *x) { return dpl::stable_sort(p, x, x + n), 0; }, a);
    std::stable_sort(expected.begin(), expected.end());
    expect_same(a, expected);
    a = from;
    on_usm([&](auto p, T *x) { return dpl::sort(p, x, x + n), 0; }, a);
    EXPECT_TRUE(a == expected);
    EXPECT_TRUE(on_usm([&](auto p, T *x) { return dpl::is_sorted(p, x, x + n); }, a));
    a = expected = from;
    const auto larger = [](const T &x, const T &y) { return y < x; };
    on_usm([&](auto p, T *x) { return dpl::stable_sort(p, x, x + n, larger), 0; }, a);
    std::stable_sort(expected.begin(), expected.end(), larger);
    expect_same(a, expected);
    if constexpr (!std::is_same_v<T, record>) {
      a = from;
      on_usm([&](auto p, T *x) { return dpl::sort(p, x, x + n, std::greater<T>()), 0; }, a);
      expect_same(a, expected);
    }
  }
}
TYPED_TEST(dpl_sorts, of_keys_move_values) {
  using T = TypeParam;
  for (const std::size_t n : sizes) {
    std::vector<T> keys = random_elements<T>(n), values_in_order(n);
    std::vector<int> order(n), values(n);
    std::iota(order.begin(), order.end(), 0);
    values = order;
    const std::vector<T> from = keys;
    std::stable_sort(order.begin(), order.end(),
                     [&](int i, int k) { return from[std::size_t(i)] < from[std::size_t(k)]; });
    on_usm([&](auto p, T *k, int *v) { return dpl::sort_by_key(p, k, k + n, v), 0; }, keys, values);
    EXPECT_EQ(values, order);
    EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
  }
}
TYPED_TEST(dpl_sorts, merge_sequences_and_their_sets) {
  using T = TypeParam;
  for (const std::size_t n : sizes)
    for (const std::size_t m : {std::size_t{0}, std::size_t{50}, 2 * n}) {
      std::vector<T> a = random_elements<T>(n, n > 1000 ? 250 : 30), b = random_elements<T>(m, n > 1000 ? 250 : 30, 2);
      std::stable_sort(a.begin(), a.end());
      std::stable_sort(b.begin(), b.end());
      const auto check = [&](const char *name, auto device, auto host) {
        std::vector<T> to(n + m), expected(n + m);
        const auto count =
            on_usm([&](auto p, T *x, T *y, T *z) { return device(p, x, x + n, y, y + m, z) - z; }, a, b, to);
        const auto end = host(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
        EXPECT_EQ(count, end - expected.begin()) << name << ", " << n << " and " << m << " elements";
        to.resize(std::size_t(count));
        expected.erase(end, expected.end());
        expect_same(to, expected);
      };
#define CHECK(name) check(#name, [](auto... x) { return dpl::name(x...); }, [](auto... x) { return std::name(x...); })
      CHECK(merge);
      CHECK(set_union);
      CHECK(set_intersection);
      CHECK(set_difference);
      CHECK(set_symmetric_difference);
#undef CHECK
      const auto includes = [&](auto p, T *x, T *y) { return dpl::includes(p, x, x + n, y, y + m); };
      EXPECT_EQ(on_usm(includes, a, b), std::includes(a.begin(), a.end(), b.begin(), b.end()));
      std::vector<T> part;
      for (std::size_t i = 0; i < n; i += 3) part.push_back(a[i]);
      EXPECT_TRUE(on_usm([&](auto p, T *x, T *y) { return dpl::includes(p, x, x + n, y, y + part.size()); }, a, part));
    }
}
TYPED_TEST(dpl_sorts, binary_searches_of_each_element) {
  using T = TypeParam;
  for (const std::size_t n : sizes) {
    std::vector<T> sorted = random_elements<T>(n), needles = random_elements<T>(1000, 120, 2);
    std::stable_sort(sorted.begin(), sorted.end());
    std::vector<int> low(1000), high(1000), found(1000);
    on_usm(
        [&](auto p, T *x, T *y, int *l, int *h, int *f) {
          dpl::lower_bound(p, x, x + n, y, y + 1000, l);
          dpl::upper_bound(p, x, x + n, y, y + 1000, h);
          return dpl::binary_search(p, x, x + n, y, y + 1000, f) == f + 1000;
        },
        sorted, needles, low, high, found);
    for (std::size_t i = 0; i < 1000; ++i) {
      ASSERT_EQ(low[i], std::lower_bound(sorted.begin(), sorted.end(), needles[i]) - sorted.begin());
      ASSERT_EQ(high[i], std::upper_bound(sorted.begin(), sorted.end(), needles[i]) - sorted.begin());
      ASSERT_EQ(found[i], std::binary_search(sorted.begin(), sorted.end(), needles[i]));
    }
  }
}

TEST(dpl_sort_forms, have_the_same_results) {
  const auto sorted = [](auto p, auto x, auto y) {
    dpl::sort(p, x, x + 1000);
    dpl::sort_by_key(p, y, y + 1000, x, std::greater<>());
    return 0;
  };
  const std::vector<int> from = random_elements<int>(1000), keys = random_elements<int>(1000, 500, 2);
  std::vector<int> a = from, b = keys, expected;
  on_usm(sorted, a, b);
  EXPECT_TRUE(std::is_sorted(b.begin(), b.end(), std::greater<>()));
  expected = a;
  a = from, b = keys;
  in_buffers(sorted, a, b);
  EXPECT_EQ(a, expected);
  a = from, b = keys;
  in_vectors(sorted, a, b);
  EXPECT_EQ(a, expected);
}
TEST(dpl_sort_forms, take_zipped_sequences) {
  std::vector<int> a = random_elements<int>(5000), b(5000);
  std::iota(b.begin(), b.end(), 0);
  const auto both = dpl::make_zip_iterator(a.begin(), b.begin());
  const std::vector<int> from = a;
  dpl::sort(policy(), both, both + 5000, [](const auto &x, const auto &y) { return std::get<0>(x) < std::get<0>(y); });
  EXPECT_TRUE(std::is_sorted(a.begin(), a.end()));
  for (std::size_t i = 0; i < 5000; ++i) ASSERT_EQ(a[i], from[std::size_t(b[i])]);
}
TEST(dpl_sort_forms, keep_the_order_of_zeros) {
  std::vector<float> a;
  for (int i = 0; i < 10000; ++i) a.push_back(i % 3 ? i % 2 ? -0.0f : 0.0f : float(i % 7 - 3));
  std::vector<float> expected = a;
  std::stable_sort(expected.begin(), expected.end());
  dpl::stable_sort(policy(), a.begin(), a.end());
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(std::signbit(a[i]), std::signbit(expected[i])) << i;
}
TEST(dpl_sort_forms, of_all_integers_use_their_whole_range) {
  std::vector<std::uint64_t> a;
  for (int i = 0; i < 64; ++i) a.push_back(std::uint64_t{1} << (63 - i)), a.push_back(~a.back());
  std::vector<std::int16_t> b;
  for (int i = -32768; i < 32768; ++i) b.push_back(static_cast<std::int16_t>(i * 77));
  dpl::sort(policy(), a.begin(), a.end());
  dpl::sort(policy(), b.begin(), b.end());
  EXPECT_TRUE(std::is_sorted(a.begin(), a.end()));
  EXPECT_TRUE(std::is_sorted(b.begin(), b.end()));
}

}  // namespace
