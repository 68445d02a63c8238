// oneapi::dpl: reductions, scans and both by segment, beside the standard library's or loops.
#include <algorithm>
#include <functional>
#include <numeric>

#include <oneapi/dpl/functional>
#include <oneapi/dpl/numeric>

#include "dpl_sequences.hpp"

namespace {

using namespace dpl_test;

template <class T> class dpl_numbers : public ::testing::Test {};
TYPED_TEST_SUITE(dpl_numbers, elements);

TYPED_TEST(dpl_numbers, reduce) {
  using T = TypeParam;
  for (const std::size_t n : sizes) {
    std::vector<T> a = random_elements<T>(n, 10);
    const T init = random_elements<T>(1, 10, 3)[0];
    const T sum = on_usm([&](auto p, T *x) { return dpl::reduce(p, x, x + n, init); }, a);
    EXPECT_TRUE(same(sum, std::accumulate(a.begin(), a.end(), init, [](T x, T y) { return T(x + y); })));
    const auto larger = [](const T &x, const T &y) { return x < y ? y : x; };
    const T most = on_usm([&](auto p, T *x) { return dpl::reduce(p, x, x + n, init, larger); }, a);
    EXPECT_TRUE(most == std::accumulate(a.begin(), a.end(), init, larger));
    const auto twice = [](const T &x) { return T(x + x); };
    const T doubled =
        on_usm([&](auto p, T *x) { return dpl::transform_reduce(p, x, x + n, init, std::plus<>(), twice); }, a);
    EXPECT_TRUE(
        same(doubled, std::transform_reduce(a.begin(), a.end(), init, [](T x, T y) { return T(x + y); }, twice)));
  }
}
TYPED_TEST(dpl_numbers, scans) {
  using T = TypeParam;
  const auto add = [](const T &x, const T &y) { return T(x + y); };
  for (const std::size_t n : sizes) {
    std::vector<T> a = random_elements<T>(n, 10), to(n), expected(n);
    const T init = random_elements<T>(1, 10, 3)[0];
    on_usm([&](auto p, T *x, T *y) { return dpl::inclusive_scan(p, x, x + n, y) == y + n; }, a, to);
    std::inclusive_scan(a.begin(), a.end(), expected.begin(), add);
    expect_same(to, expected);
    on_usm([&](auto p, T *x, T *y) { return dpl::inclusive_scan(p, x, x + n, y, add, init) == y + n; }, a, to);
    std::inclusive_scan(a.begin(), a.end(), expected.begin(), add, init);
    expect_same(to, expected);
    on_usm([&](auto p, T *x, T *y) { return dpl::exclusive_scan(p, x, x + n, y, init) == y + n; }, a, to);
    std::exclusive_scan(a.begin(), a.end(), expected.begin(), init, add);
    expect_same(to, expected);
    std::vector<T> in_place = a;
    on_usm([&](auto p, T *x) { return dpl::exclusive_scan(p, x, x + n, x, init, add) == x + n; }, in_place);
    expect_same(in_place, expected);
    // The last non-zero element: associative, but not commutative.
    const auto last = [](const T &x, const T &y) { return y == T{} ? x : y; };
    on_usm([&](auto p, T *x, T *y) { return dpl::inclusive_scan(p, x, x + n, y, last) == y + n; }, a, to);
    std::inclusive_scan(a.begin(), a.end(), expected.begin(), last);
    expect_same(to, expected);
    const auto twice = [](const T &x) { return T(x + x); };
    on_usm([&](auto p, T *x, T *y) { return dpl::transform_inclusive_scan(p, x, x + n, y, add, twice) == y + n; }, a,
           to);
    std::transform_inclusive_scan(a.begin(), a.end(), expected.begin(), add, twice);
    expect_same(to, expected);
    on_usm([&](auto p, T *x, T *y) { return dpl::transform_exclusive_scan(p, x, x + n, y, init, add, twice) == y + n; },
           a, to);
    std::transform_exclusive_scan(a.begin(), a.end(), expected.begin(), init, add, twice);
    expect_same(to, expected);
    on_usm([&](auto p, T *x, T *y) { return dpl::adjacent_difference(p, x, x + n, y, add) == y + n; }, a, to);
    std::adjacent_difference(a.begin(), a.end(), expected.begin(), add);
    expect_same(to, expected);
  }
}

template <class T> class dpl_segments : public ::testing::Test {};
using segment_types = ::testing::Types<std::int32_t, double, record>;
TYPED_TEST_SUITE(dpl_segments, segment_types);

TYPED_TEST(dpl_segments, have_sums_and_scans) {
  using T = TypeParam;
  for (const std::size_t n : sizes)
    for (const int range : {1, 3, 100}) {  // keys: one segment, segments of 1.5 elements, most of one
      std::vector<int> keys = random_elements<int>(n, range), key_out(n), expected_keys;
      std::vector<T> values = random_elements<T>(n, 10, 2), sums(n), expected_sums, inclusive(n), exclusive(n);
      const T init = random_elements<T>(1, 10, 3)[0];
      for (std::size_t i = 0; i < n; ++i) {
        const bool starts = i == 0 || keys[i] != keys[i - 1];
        exclusive[i] = starts ? init : T(exclusive[i - 1] + values[i - 1]);
        if (starts) {
          expected_keys.push_back(keys[i]);
          expected_sums.push_back(values[i]);
        } else {
          expected_sums.back() = T(expected_sums.back() + values[i]);
        }
        inclusive[i] = expected_sums.back();
      }
      const auto count = on_usm(
          [&](auto p, int *k, T *v, int *ko, T *so) {
            const auto [k_end, s_end] = dpl::reduce_by_segment(p, k, k + n, v, ko, so);
            EXPECT_EQ(k_end - ko, s_end - so);
            return k_end - ko;
          },
          keys, values, key_out, sums);
      ASSERT_EQ(std::size_t(count), expected_keys.size());
      key_out.resize(std::size_t(count));
      sums.resize(std::size_t(count));
      EXPECT_EQ(key_out, expected_keys);
      expect_same(sums, expected_sums);
      std::vector<T> to(n);
      on_usm([&](auto p, int *k, T *v, T *y) { return dpl::inclusive_scan_by_segment(p, k, k + n, v, y) == y + n; },
             keys, values, to);
      expect_same(to, inclusive);
      on_usm(
          [&](auto p, int *k, T *v, T *y) { return dpl::exclusive_scan_by_segment(p, k, k + n, v, y, init) == y + n; },
          keys, values, to);
      expect_same(to, exclusive);
    }
}

TEST(dpl_number_forms, have_the_same_results) {
  const auto dot = [](auto p, auto a, auto b) { return dpl::transform_reduce(p, a, a + 1000, b, 0); };
  std::vector<int> a = random_elements<int>(1000), b = random_elements<int>(1000, 50, 2);
  const int expected = std::inner_product(a.begin(), a.end(), b.begin(), 0);
  EXPECT_EQ(on_usm(dot, a, b), expected);
  EXPECT_EQ(in_buffers(dot, a, b), expected);
  EXPECT_EQ(in_vectors(dot, a, b), expected);
  const auto sum_of_scan = [](auto p, auto x, auto y) {
    dpl::inclusive_scan(p, x, x + 1000, y);
    return dpl::reduce(p, y, y + 1000, 0, dpl::maximum<int>());
  };
  const int all = std::accumulate(a.begin(), a.end(), 0);
  EXPECT_EQ(in_buffers(sum_of_scan, a, b), all);
  EXPECT_EQ(in_vectors(sum_of_scan, a, b), all);
}
TEST(dpl_number_forms, take_zipped_and_computed_elements) {
  std::vector<float> x = random_elements<float>(1000), y = random_elements<float>(1000, 9, 2);
  const auto both = dpl::make_zip_iterator(x.begin(), y.begin());
  const float sum = dpl::transform_reduce(policy(), both, both + 1000, 0.0f, std::plus<>(),
                                          [](auto p) { return std::get<0>(p) * std::get<1>(p); });
  EXPECT_EQ(sum, std::inner_product(x.begin(), x.end(), y.begin(), 0.0f));
  const dpl::counting_iterator<long> i(0);
  EXPECT_EQ(dpl::reduce(policy(), i, i + 1000001, 0L), 500000500000L);
}

}  // namespace
