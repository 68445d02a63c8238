// oneapi::dpl::ranges and oneapi::dpl::experimental::ranges beside the standard library's range algorithms.
#include <algorithm>
#include <array>
#include <numeric>
#include <ranges>
#include <span>

#include <oneapi/dpl/algorithm>
#include <oneapi/dpl/ranges>

#include "dpl_sequences.hpp"
#include "error_of.hpp"

namespace {

using namespace dpl_test;

/// USM memory that the host reads, as a span.
template <class T> class shared_span {
public:
  explicit shared_span(const std::vector<T> &values) : n_(values.size()), memory_(sycl::malloc_shared<T>(n_ + 1, q_)) {
    std::copy(values.begin(), values.end(), memory_);
  }
  explicit shared_span(std::size_t n) : shared_span(std::vector<T>(n)) {}
  shared_span(const shared_span &) = delete;
  ~shared_span() { sycl::free(memory_, q_); }
  std::span<T> get() const { return {memory_, n_}; }
  std::vector<T> values() const { return {memory_, memory_ + n_}; }

private:
  sycl::queue q_;
  std::size_t n_;
  T *memory_;
};

template <class T> class dpl_ranges : public ::testing::Test {};
using some_numbers = ::testing::Types<std::int32_t, double, std::uint8_t>;  // the algorithms' own tests have all
TYPED_TEST_SUITE(dpl_ranges, some_numbers);

template <class T> constexpr auto is_small = [](const T &x) { return x < T(40); };

TYPED_TEST(dpl_ranges, functions_of_each_element) {
  using T = TypeParam;
  for (const std::size_t n : sizes) {
    const std::vector<T> values = random_elements<T>(n), others = random_elements<T>(n, 100, 2);
    const shared_span<T> a(values), b(others), c(n), shorter(n / 2);
    std::vector<T> expected(n);
    const auto twice = [](const T &x) { return T(2 * x); };
    const auto result = dpl::ranges::transform(policy(), a.get(), c.get(), twice);
    std::ranges::transform(values, expected.begin(), twice);
    expect_same(c.values(), expected);
    EXPECT_TRUE(result.in == a.get().end() && result.out == c.get().end());

    EXPECT_EQ(dpl::ranges::transform(policy(), a.get(), shorter.get(), twice).in - a.get().begin(),
              std::ptrdiff_t(n / 2));
    expect_same(shorter.values(), std::vector<T>(expected.begin(), expected.begin() + std::ptrdiff_t(n / 2)));

    dpl::ranges::transform(policy(), a.get(), b.get(), c.get(), std::plus<>(), twice, std::negate<>());
    std::ranges::transform(values, others, expected.begin(), std::plus<>(), twice, std::negate<>());
    expect_same(c.values(), expected);

    // Views of the standard library are arguments of kernels.
    const auto numbers = std::views::iota(std::size_t{5}, n + 5);
    dpl::ranges::transform(policy(), numbers, c.get(), [](std::size_t i) { return T(i % 100); });
    for (std::size_t i = 0; i < n; ++i) expected[i] = T((i + 5) % 100);
    expect_same(c.values(), expected);
    const auto doubled = a.get() | std::views::transform(twice) | std::views::reverse;
    dpl::ranges::copy(policy(), doubled, c.get());
    std::ranges::copy(values | std::views::transform(twice) | std::views::reverse, expected.begin());
    expect_same(c.values(), expected);

    dpl::ranges::for_each(policy(), c.get() | std::views::drop(n / 3), [](T &x) { x = T(x + 1); });
    std::ranges::for_each(expected | std::views::drop(n / 3), [](T &x) { x = T(x + 1); });
    expect_same(c.values(), expected);
    dpl::ranges::fill(policy(), c.get() | std::views::take(n / 2), 7);
    std::ranges::fill(expected | std::views::take(n / 2), T(7));
    expect_same(c.values(), expected);
    dpl::ranges::replace(policy(), c.get(), T(7), 9);
    dpl::ranges::replace_if(policy(), c.get(), is_small<T>, 3);
    std::ranges::replace(expected, T(7), T(9));
    std::ranges::replace_if(expected, is_small<T>, T(3));
    expect_same(c.values(), expected);
    dpl::ranges::replace_copy(policy(), a.get(), c.get(), T(8), T(9));
    std::ranges::replace_copy(values, expected.begin(), T(8), T(9));
    expect_same(c.values(), expected);
    dpl::ranges::reverse_copy(policy(), a.get(), c.get());
    std::ranges::reverse_copy(values, expected.begin());
    expect_same(c.values(), expected);
    dpl::ranges::reverse(policy(), c.get());
    expect_same(c.values(), values);
    dpl::ranges::swap_ranges(policy(), a.get(), b.get());
    expect_same(a.values(), others);
    expect_same(b.values(), values);
  }
}

TYPED_TEST(dpl_ranges, selections) {
  using T = TypeParam;
  for (const std::size_t n : sizes) {
    const std::vector<T> values = random_elements<T>(n);
    const shared_span<T> a(values), c(n);
    std::vector<T> expected(n);
    const auto check = [&](std::ptrdiff_t count, std::ptrdiff_t expected_count, const shared_span<T> &made) {
      ASSERT_EQ(count, expected_count);
      std::vector<T> all = made.values(), wanted = expected;
      all.resize(std::size_t(count)), wanted.resize(std::size_t(count));
      expect_same(all, wanted);
    };
    check(dpl::ranges::copy_if(policy(), a.get(), c.get(), is_small<T>).out - c.get().begin(),
          std::ranges::copy_if(values, expected.begin(), is_small<T>).out - expected.begin(), c);
    check(dpl::ranges::remove_copy_if(policy(), a.get(), c.get(), is_small<T>).out - c.get().begin(),
          std::ranges::remove_copy_if(values, expected.begin(), is_small<T>).out - expected.begin(), c);
    check(dpl::ranges::unique_copy(policy(), a.get(), c.get()).out - c.get().begin(),
          std::ranges::unique_copy(values, expected.begin()).out - expected.begin(), c);

    const shared_span<T> shorter(n / 5);  // the elements that fit, and where the first that does not is
    const auto bounded = dpl::ranges::copy_if(policy(), a.get(), shorter.get(), is_small<T>);
    std::size_t read = 0, kept = 0;
    for (; read < n && (kept < n / 5 || !is_small<T>(values[read])); ++read)
      if (is_small<T>(values[read])) expected[kept++] = values[read];
    EXPECT_EQ(bounded.in - a.get().begin(), std::ptrdiff_t(read));
    check(bounded.out - shorter.get().begin(), std::ptrdiff_t(kept), shorter);

    const shared_span<T> d(values);
    expected = values;
    check(dpl::ranges::remove_if(policy(), d.get(), is_small<T>).begin() - d.get().begin(),
          std::ranges::remove_if(expected, is_small<T>).begin() - expected.begin(), d);
    const shared_span<T> e(random_elements<T>(n, 2));
    expected = e.values();
    check(dpl::ranges::unique(policy(), e.get()).begin() - e.get().begin(),
          std::ranges::unique(expected).begin() - expected.begin(), e);
    if (n > 1) {
      const auto error = test::error_of([&] { dpl::ranges::unique_copy(policy(), a.get(), shorter.get()); });
      EXPECT_TRUE(error.mentions("oneapi::dpl::ranges::unique_copy: the result has ")) << error.message;
    }
  }
}

TYPED_TEST(dpl_ranges, searches_and_comparisons) {
  using T = TypeParam;
  const auto halved = [](const T &x) { return T(x / 2); };
  for (const std::size_t n : sizes) {
    const std::vector<T> values = random_elements<T>(n);
    std::vector<T> changed = values;
    if (n) changed[n / 2] = T(101);
    const shared_span<T> a(values), b(changed);
    const auto at = [&](auto found) { return found - a.get().begin(); };
    const auto host = [&](auto found) { return found - values.begin(); };
    EXPECT_EQ(at(dpl::ranges::find(policy(), a.get(), T(30))), host(std::ranges::find(values, T(30))));
    EXPECT_EQ(at(dpl::ranges::find(policy(), a.get(), T(7), halved)), host(std::ranges::find(values, T(7), halved)));
    EXPECT_EQ(at(dpl::ranges::find_if(policy(), a.get(), is_small<T>)),
              host(std::ranges::find_if(values, is_small<T>)));
    EXPECT_EQ(at(dpl::ranges::find_if_not(policy(), a.get(), is_small<T>)),
              host(std::ranges::find_if_not(values, is_small<T>)));
    EXPECT_EQ(at(dpl::ranges::adjacent_find(policy(), a.get())), host(std::ranges::adjacent_find(values)));
    EXPECT_EQ(at(dpl::ranges::is_sorted_until(policy(), a.get())), host(std::ranges::is_sorted_until(values)));
    EXPECT_EQ(at(dpl::ranges::is_heap_until(policy(), a.get())), host(std::ranges::is_heap_until(values)));
    EXPECT_EQ(at(dpl::ranges::min_element(policy(), a.get())), host(std::ranges::min_element(values)));
    EXPECT_EQ(at(dpl::ranges::max_element(policy(), a.get(), {}, halved)),
              host(std::ranges::max_element(values, {}, halved)));
    EXPECT_EQ(at(dpl::ranges::minmax_element(policy(), a.get()).max), host(std::ranges::minmax_element(values).max));
    EXPECT_EQ(dpl::ranges::count(policy(), a.get(), T(3)), std::ranges::count(values, T(3)));
    EXPECT_EQ(dpl::ranges::count_if(policy(), a.get(), is_small<T>, halved),
              std::ranges::count_if(values, is_small<T>, halved));
    EXPECT_EQ(dpl::ranges::any_of(policy(), a.get(), is_small<T>), std::ranges::any_of(values, is_small<T>));
    EXPECT_EQ(dpl::ranges::all_of(policy(), a.get(), is_small<T>), std::ranges::all_of(values, is_small<T>));
    EXPECT_EQ(dpl::ranges::none_of(policy(), a.get(), is_small<T>), std::ranges::none_of(values, is_small<T>));
    EXPECT_EQ(dpl::ranges::contains(policy(), a.get(), T(3)), std::ranges::count(values, T(3)) > 0);
    EXPECT_TRUE(dpl::ranges::equal(policy(), a.get(), a.get()));
    EXPECT_EQ(dpl::ranges::equal(policy(), a.get(), b.get()), n == 0);
    EXPECT_EQ(at(dpl::ranges::mismatch(policy(), a.get(), b.get()).in1),
              host(std::ranges::mismatch(values, changed).in1));
    EXPECT_EQ(dpl::ranges::lexicographical_compare(policy(), a.get(), b.get()), n > 0);
    const std::array<T, 2> pair{T(11), T(12)};
    const shared_span<T> wanted(std::vector<T>(pair.begin(), pair.end()));
    EXPECT_EQ(at(dpl::ranges::search(policy(), a.get(), wanted.get()).begin()),
              host(std::ranges::search(values, pair).begin()));
    EXPECT_EQ(at(dpl::ranges::find_end(policy(), a.get(), wanted.get()).begin()),
              host(std::ranges::find_end(values, pair).begin()));
    const bool starts = n > 1 && values[0] == pair[0] && values[1] == pair[1];
    EXPECT_EQ(dpl::ranges::starts_with(policy(), a.get(), wanted.get()), starts);
    EXPECT_TRUE(dpl::ranges::starts_with(policy(), a.get(), a.get() | std::views::take(n / 2)));
    EXPECT_TRUE(dpl::ranges::ends_with(policy(), a.get(), a.get() | std::views::drop(n / 2)));
    EXPECT_EQ(dpl::ranges::ends_with(policy(), a.get(), b.get()), n == 0);
    EXPECT_EQ(dpl::ranges::contains_subrange(policy(), a.get(), wanted.get()),
              !std::ranges::search(values, pair).empty());
    const auto last = std::find(values.rbegin(), values.rend(), T(30));
    EXPECT_EQ(dpl::ranges::find_last(policy(), a.get(), T(30)).size(),
              last == values.rend() ? 0u : std::size_t(last - values.rbegin()) + 1);
    EXPECT_EQ(dpl::ranges::find_last_if_not(policy(), b.get(), [](const T &x) { return x != T(101); }).size(),
              n - n / 2);
    EXPECT_EQ(at(dpl::ranges::find_first_of(policy(), a.get(), wanted.get())),
              host(std::ranges::find_first_of(values, pair)));
    EXPECT_EQ(at(dpl::ranges::search_n(policy(), a.get(), 2, T(4)).begin()),
              host(std::ranges::search_n(values, 2, T(4)).begin()));
  }
}

TYPED_TEST(dpl_ranges, sorts_and_sorted_ranges) {
  using T = TypeParam;
  for (const std::size_t n : sizes) {
    std::vector<T> x = random_elements<T>(n), y = random_elements<T>(n, 100, 2);
    const shared_span<T> a(x), b(y), c(2 * n);
    EXPECT_TRUE(dpl::ranges::sort(policy(), a.get()) == a.get().end());
    std::ranges::sort(x);
    expect_same(a.values(), x);
    dpl::ranges::sort(policy(), b.get(), std::ranges::greater());
    std::ranges::sort(y, std::ranges::greater());
    expect_same(b.values(), y);
    dpl::ranges::stable_sort(policy(), b.get(), {}, std::negate<>());
    std::ranges::stable_sort(y, {}, std::negate<>());
    expect_same(b.values(), y);
    dpl::ranges::sort(policy(), b.get());
    std::ranges::sort(y);
    EXPECT_TRUE(dpl::ranges::is_sorted(policy(), b.get()));
    EXPECT_EQ(dpl::ranges::includes(policy(), a.get(), b.get()), std::ranges::includes(x, y));
    std::vector<T> expected(2 * n);
    const auto check = [&](std::ptrdiff_t made, std::ptrdiff_t wanted) {
      ASSERT_EQ(made, wanted);
      std::vector<T> all = c.values(), some = expected;
      all.resize(std::size_t(made)), some.resize(std::size_t(made));
      expect_same(all, some);
    };
    const auto to = c.get().begin();
    const auto end = expected.begin();
    check(dpl::ranges::merge(policy(), a.get(), b.get(), c.get()).out - to, std::ranges::merge(x, y, end).out - end);
    check(dpl::ranges::set_union(policy(), a.get(), b.get(), c.get()).out - to,
          std::ranges::set_union(x, y, end).out - end);
    check(dpl::ranges::set_intersection(policy(), a.get(), b.get(), c.get()).out - to,
          std::ranges::set_intersection(x, y, end).out - end);
    check(dpl::ranges::set_difference(policy(), a.get(), b.get(), c.get()).out - to,
          std::ranges::set_difference(x, y, end).out - end);
    check(dpl::ranges::set_symmetric_difference(policy(), a.get(), b.get(), c.get()).out - to,
          std::ranges::set_symmetric_difference(x, y, end).out - end);
  }
}

TEST(dpl_ranges_of_other_kinds, members_are_projections) {
  const std::vector<record> values = random_elements<record>(1000);
  const shared_span<record> a(values);
  std::vector<record> expected = values;
  dpl::ranges::stable_sort(policy(), a.get(), {}, &record::key);
  std::ranges::stable_sort(expected, {}, &record::key);
  expect_same(a.values(), expected);
  EXPECT_EQ(dpl::ranges::count(policy(), a.get(), 5, &record::key), std::ranges::count(values, 5, &record::key));
}

TEST(dpl_ranges_of_other_kinds, vectors_and_host_policies) {
  std::vector<int> values = random_elements<int>(1000), expected = values;
  dpl::ranges::sort(policy(), values);
  std::ranges::sort(expected);
  expect_same(values, expected);
  dpl::ranges::sort(dpl::execution::par, values, std::ranges::greater());
  std::ranges::sort(expected, std::ranges::greater());
  expect_same(values, expected);
  std::vector<int> to(500);
  dpl::ranges::transform(dpl::execution::seq, std::views::iota(0, 1000), to, std::negate<>());
  EXPECT_EQ(to[499], -499);
  EXPECT_EQ(dpl::ranges::count_if(dpl::execution::par_unseq, to, [](int x) { return x < -9; }), 490);
}

TEST(dpl_views, of_buffers_and_memory) {
  namespace views = dpl::experimental::ranges::views;
  namespace ranges = dpl::experimental::ranges;
  for (const std::size_t n : {std::size_t{10}, std::size_t{100000}}) {
    const std::vector<int> values = random_elements<int>(n);
    std::vector<int> from = values, to(n), expected(n);
    {
      sycl::buffer<int> a(from.data(), n), b(to.data(), n);
      const auto doubled = views::all(a) | views::transform([](int x) { return 2 * x; }) | views::reverse();
      EXPECT_EQ(doubled.size(), n);
      ranges::copy(policy(), doubled, views::all_write(b));
    }
    std::ranges::transform(values, expected.rbegin(), [](int x) { return 2 * x; });
    expect_same(to, expected);
    const shared_span<int> c(values), d(n);
    const auto memory = views::subrange(c.get().data(), c.get().data() + n);
    const auto result = views::subrange(d.get().data(), d.get().data() + n);
    EXPECT_EQ(ranges::reduce(policy(), memory, 0), std::accumulate(values.begin(), values.end(), 0));
    EXPECT_EQ(ranges::reduce(policy(), memory | views::take(5) | views::drop(2), 0), values[2] + values[3] + values[4]);
    EXPECT_EQ(ranges::find(policy(), memory, 30), std::ranges::find(values, 30) - values.begin());
    EXPECT_EQ(ranges::count_if(policy(), views::iota(0, int(n)), [](int i) { return i % 3 == 0; }),
              std::ptrdiff_t((n + 2) / 3));
    ranges::for_each(policy(), views::zip(memory, result, views::iota(0, int(n))),
                     [](auto all) { std::get<1>(all) = std::get<0>(all) + std::get<2>(all); });
    for (std::size_t i = 0; i < n; ++i) expected[i] = values[i] + int(i);
    expect_same(d.values(), expected);
    EXPECT_EQ(ranges::inclusive_scan(policy(), memory, result), std::ptrdiff_t(n));
    std::inclusive_scan(values.begin(), values.end(), expected.begin());
    expect_same(d.values(), expected);
    ranges::transform(policy(), memory, result, result, std::plus<>());
    std::ranges::transform(values, expected, expected.begin(), std::plus<>());
    expect_same(d.values(), expected);
    ranges::sort(policy(), memory, std::greater<>());
    expected = values;
    std::ranges::sort(expected, std::greater<>());
    expect_same(c.values(), expected);
    EXPECT_EQ(ranges::min_element(policy(), memory), std::ranges::min_element(expected) - expected.begin());
    std::vector<int> distinct = expected;
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    EXPECT_EQ(ranges::unique_copy(policy(), memory, result), std::ptrdiff_t(distinct.size()));
  }
}

TEST(dpl_heaps, end_where_an_element_is_larger_than_its_parent) {
  for (const std::size_t n : sizes)
    for (const std::size_t broken : {n, n / 2, std::size_t{1}}) {
      std::vector<int> a = random_elements<int>(n);
      std::make_heap(a.begin(), a.end());
      if (broken < n) a[broken] = 1000;
      EXPECT_EQ(on_usm([&](auto p, int *x) { return dpl::is_heap_until(p, x, x + n) - x; }, a),
                std::is_heap_until(a.begin(), a.end()) - a.begin());
      EXPECT_EQ(
          in_buffers([&](auto p, auto x) { return dpl::is_heap(p, x, x + std::ptrdiff_t(n), std::greater<>()); }, a),
          std::is_heap(a.begin(), a.end(), std::greater<>()));
    }
  std::vector<int> host{3, 2, 1};
  EXPECT_TRUE(dpl::is_heap(dpl::execution::par, host.begin(), host.end()));
}

}  // namespace
