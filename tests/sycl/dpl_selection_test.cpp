// oneapi::dpl: copy_if, remove, unique, partitions, searches, comparisons and histograms beside the standard library's.
#include <algorithm>
#include <numeric>

#include <oneapi/dpl/algorithm>

#include "dpl_sequences.hpp"

namespace {

using namespace dpl_test;

template <class T> bool is_small(const T &x) {
  if constexpr (std::is_same_v<T, record>)
    return x.key < 40;
  else
    return x < T(40);
}

template <class T> class dpl_selections : public ::testing::Test {};
TYPED_TEST_SUITE(dpl_selections, elements);

TYPED_TEST(dpl_selections, keep_the_order) {
  using T = TypeParam;
  const auto small = [](const T &x) { return is_small(x); };
  for (const std::size_t n : sizes) {
    const std::vector<T> from = random_elements<T>(n);
    std::vector<T> a = from, to(n), expected(n);
    auto end = on_usm([&](auto p, T *x, T *y) { return dpl::copy_if(p, x, x + n, y, small) - y; }, a, to);
    auto last = std::copy_if(from.begin(), from.end(), expected.begin(), small);
    EXPECT_EQ(end, last - expected.begin());
    to.resize(std::size_t(end)), expected.resize(std::size_t(end));
    expect_same(to, expected);

    a = expected = from;
    end = on_usm([&](auto p, T *x) { return dpl::remove_if(p, x, x + n, small) - x; }, a);
    last = std::remove_if(expected.begin(), expected.end(), small);
    EXPECT_EQ(end, last - expected.begin());
    a.resize(std::size_t(end)), expected.resize(std::size_t(end));
    expect_same(a, expected);

    a = expected = random_elements<T>(n, 2);
    end = on_usm([&](auto p, T *x) { return dpl::unique(p, x, x + n) - x; }, a);
    last = std::unique(expected.begin(), expected.end());
    EXPECT_EQ(end, last - expected.begin());
    a.resize(std::size_t(end)), expected.resize(std::size_t(end));
    expect_same(a, expected);

    a = expected = from;
    end = on_usm([&](auto p, T *x) { return dpl::stable_partition(p, x, x + n, small) - x; }, a);
    last = std::stable_partition(expected.begin(), expected.end(), small);
    EXPECT_EQ(end, last - expected.begin());
    expect_same(a, expected);

    std::vector<T> yes(n), no(n);
    a = from;
    end = on_usm(
        [&](auto p, T *x, T *y, T *z) {
          const auto [y_end, z_end] = dpl::partition_copy(p, x, x + n, y, z, small);
          EXPECT_EQ((y_end - y) + (z_end - z), std::ptrdiff_t(n));
          return y_end - y;
        },
        a, yes, no);
    yes.resize(std::size_t(end));
    yes.insert(yes.end(), no.begin(), no.begin() + (std::ptrdiff_t(n) - end));
    expect_same(yes, expected);
  }
}

TYPED_TEST(dpl_selections, searches_find_the_first) {
  using T = TypeParam;
  for (const std::size_t n : sizes)
    for (const std::size_t hit : {std::size_t{0}, n / 2, n, n + 1}) {  // n and n + 1: no match
      std::vector<T> a(n, T{}), b;
      const T wanted = [] {
        if constexpr (std::is_same_v<T, record>)
          return record{55, 0};
        else
          return T(55);
      }();
      if (hit < n) a[hit] = wanted;
      if (hit + 7 < n) a[hit + 7] = wanted;
      b = a;
      const auto same_as = [&](auto device, auto host) {
        const auto found = on_usm([&](auto p, T *x) { return device(p, x) - x; }, a);
        EXPECT_EQ(found, host() - a.begin()) << n << " elements, match at " << hit;
      };
      same_as([&](auto p, T *x) { return dpl::find(p, x, x + n, wanted); },
              [&] { return std::find(a.begin(), a.end(), wanted); });
      same_as([&](auto p, T *x) { return dpl::max_element(p, x, x + n); },
              [&] { return std::max_element(a.begin(), a.end()); });
      same_as([&](auto p, T *x) { return dpl::min_element(p, x, x + n); },
              [&] { return std::min_element(a.begin(), a.end()); });
      same_as([&](auto p, T *x) { return dpl::minmax_element(p, x, x + n).second; },
              [&] { return std::minmax_element(a.begin(), a.end()).second; });
      same_as([&](auto p, T *x) { return dpl::is_sorted_until(p, x, x + n); },
              [&] { return std::is_sorted_until(a.begin(), a.end()); });
      same_as([&](auto p, T *x) { return dpl::adjacent_find(p, x, x + n, std::less<>()); },
              [&] { return std::adjacent_find(a.begin(), a.end(), std::less<>()); });
      EXPECT_EQ(on_usm([&](auto p, T *x) { return dpl::count(p, x, x + n, wanted); }, a),
                std::count(a.begin(), a.end(), wanted));
      EXPECT_EQ(
          on_usm([&](auto p, T *x) { return dpl::any_of(p, x, x + n, [=](const T &v) { return v == wanted; }); }, a),
          hit < n);
      EXPECT_EQ(
          on_usm([&](auto p, T *x) { return dpl::all_of(p, x, x + n, [=](const T &v) { return v == wanted; }); }, a),
          std::all_of(a.begin(), a.end(), [=](const T &v) { return v == wanted; }));
      if (hit < n) b[hit] = T{};
      const auto [d, e] = std::pair(a, b);
      EXPECT_EQ(on_usm([&](auto p, T *x, T *y) { return dpl::mismatch(p, x, x + n, y).first - x; }, a, b),
                std::mismatch(d.begin(), d.end(), e.begin()).first - d.begin());
      EXPECT_EQ(on_usm([&](auto p, T *x, T *y) { return dpl::equal(p, x, x + n, y, y + n); }, a, b), hit >= n);
      EXPECT_EQ(on_usm([&](auto p, T *x, T *y) { return dpl::lexicographical_compare(p, y, y + n, x, x + n); }, a, b),
                hit < n);
      if (n < 20) continue;
      std::vector<T> part(a.begin() + 5, a.begin() + 16);
      EXPECT_EQ(on_usm([&](auto p, T *x, T *y) { return dpl::search(p, x, x + n, y, y + 11) - x; }, a, part),
                std::search(a.begin(), a.end(), part.begin(), part.end()) - a.begin());
      EXPECT_EQ(on_usm([&](auto p, T *x, T *y) { return dpl::find_end(p, x, x + n, y, y + 11) - x; }, a, part),
                std::find_end(a.begin(), a.end(), part.begin(), part.end()) - a.begin());
    }
}

template <class T> class dpl_histograms : public ::testing::Test {};
using histogram_types = ::testing::Types<std::int32_t, float, double>;
TYPED_TEST_SUITE(dpl_histograms, histogram_types);

TYPED_TEST(dpl_histograms, count_elements_in_bins) {
  using T = TypeParam;
  for (const std::size_t n : sizes)
    for (const std::size_t bins : {std::size_t{1}, std::size_t{10}, std::size_t{20000}}) {
      std::vector<T> a = random_elements<T>(n, 120);
      std::vector<int> counts(bins, 77), expected(bins);
      for (const T x : a)
        if (x >= T(10) && x < T(110)) ++expected[std::size_t((double(x) - 10) / 100 * double(bins) + 1e-9)];
      on_usm([&](auto p, T *x, int *h) { return dpl::histogram(p, x, x + n, bins, T(10), T(110), h) == h + bins; }, a,
             counts);
      if (bins <= 10) EXPECT_EQ(counts, expected);
      EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0), std::accumulate(expected.begin(), expected.end(), 0));
    }
  std::vector<T> a = random_elements<T>(10000), edges{T(5), T(10), T(50), T(51)};
  std::vector<int> counts(3), expected(3);
  for (const T x : a)
    for (std::size_t i = 0; i < 3; ++i) expected[i] += x >= edges[i] && x < edges[i + 1];
  on_usm([&](auto p, T *x, T *e, int *h) { return dpl::histogram(p, x, x + 10000, e, e + 4, h) == h + 3; }, a, edges,
         counts);
  EXPECT_EQ(counts, expected);
}

TEST(dpl_selection_forms, have_the_same_results) {
  const auto small = [](auto p, auto x, auto y) {
    const auto end = dpl::copy_if(p, x, x + 1000, y, [](int v) { return v < 40; });
    return std::size_t(dpl::find(p, x, x + 1000, 7) - x) * 1000 + std::size_t(end - y);
  };
  std::vector<int> a = random_elements<int>(1000), to(1000);
  const auto expected = std::size_t(std::find(a.begin(), a.end(), 7) - a.begin()) * 1000 +
                        std::size_t(std::count_if(a.begin(), a.end(), [](int v) { return v < 40; }));
  EXPECT_EQ(on_usm(small, a, to), expected);
  EXPECT_EQ(in_buffers(small, a, to), expected);
  EXPECT_EQ(in_vectors(small, a, to), expected);
}

}  // namespace
