// oneapi::dpl's kernels for GPUs, which CPUs run here too: tiles of work-groups, beside loops of the standard library.
#include <algorithm>
#include <array>
#include <numeric>
#include <thread>

#include <oneapi/dpl/algorithm>
#include <oneapi/dpl/numeric>

#include "dpl_sequences.hpp"

namespace {

using namespace dpl_test;
namespace detail = dpl::detail;

/// A composition of affine functions: associative, but not commutative.
template <class T> struct affine {
  T factor, offset;
  friend bool operator==(const affine &, const affine &) = default;
};
template <class T> affine<T> operator+(const affine<T> &f, const affine<T> &g) {
  return {static_cast<T>(f.factor * g.factor), static_cast<T>(f.offset * g.factor + g.offset)};
}
template <class T> T element_of(std::mt19937 &generator) {
  const auto number = static_cast<std::uint32_t>(generator());
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<T>(number % 100);
  else
    return {number | 1, number >> 7};
}

sycl::queue &queue() {
  static sycl::queue made;
  return made;
}
/// An array that host and device access, at a distance from the start of an allocation.
template <class T> class shared_elements {
public:
  explicit shared_elements(std::size_t n, std::size_t offset = 0)
      : memory_(sycl::malloc_shared<T>(n + offset + 1, queue())), data_(memory_ + offset), n_(n) {}
  shared_elements(const std::vector<T> &from, std::size_t offset) : shared_elements(from.size(), offset) {
    std::copy(from.begin(), from.end(), data_);
  }
  shared_elements(const shared_elements &) = delete;
  ~shared_elements() { sycl::free(memory_, queue()); }
  T *data() const { return data_; }
  std::vector<T> values() const { return {data_, data_ + n_}; }

private:
  T *memory_, *data_;
  std::size_t n_;
};
template <class T> std::vector<T> elements_of(std::size_t n) {
  std::mt19937 generator(static_cast<unsigned>(n));
  std::vector<T> made(n);
  for (T &x : made) x = element_of<T>(generator);
  return made;
}

// Parts of a sub-group, tiles and what is next to them, and more tiles than a sub-group has work-items.
constexpr std::size_t lengths[] = {1,    2,    31,   33,   255,   257,   2047,  2048,  2049,  4096,
                                   4097, 8191, 8192, 8193, 12289, 16383, 24577, 70001, 300007};
constexpr std::size_t offsets[] = {0, 1};  // from an address that is aligned for vectors

template <class T> class dpl_groups : public ::testing::Test {};
using tile_elements = ::testing::Types<std::uint8_t, std::uint16_t, float, double, std::int64_t, affine<std::uint32_t>,
                                       affine<std::uint64_t>>;
TYPED_TEST_SUITE(dpl_groups, tile_elements);

TYPED_TEST(dpl_groups, scans) {
  using T = TypeParam;
  const auto add = [](const T &x, const T &y) { return static_cast<T>(x + y); };
  for (const std::size_t n : lengths)
    for (const std::size_t offset : offsets) {
      SCOPED_TRACE(testing::Message() << n << " elements from " << offset);
      const std::vector<T> a = elements_of<T>(n);
      std::vector<T> expected(n);
      const T init = a[n / 2];
      const shared_elements<T> from(a, offset), to(n);
      const auto expect_result = [&](auto is_inclusive, T *result, const detail::maybe<T> &first) {
        detail::call c(queue());
        detail::grouped_scan<is_inclusive, T>(c, n, detail::loader_of(from.data()), result, first, add);
        c.finish();
        const std::vector<T> values(result, result + n);
        EXPECT_TRUE(values == expected);
      };
      std::inclusive_scan(a.begin(), a.end(), expected.begin(), add);
      expect_result(std::true_type(), to.data(), {});
      std::inclusive_scan(a.begin(), a.end(), expected.begin(), add, init);
      expect_result(std::true_type(), to.data() + 1, {init, true});
      std::exclusive_scan(a.begin(), a.end(), expected.begin(), init, add);
      expect_result(std::false_type(), to.data(), {init, true});
      expect_result(std::false_type(), from.data(), {init, true});  // in place
    }
}
TEST(dpl_group_scans, of_transformed_elements_of_other_types) {
  for (const std::size_t n : lengths) {
    const std::vector<std::uint16_t> a = elements_of<std::uint16_t>(n);
    const shared_elements<std::uint16_t> from(a, 0);
    const shared_elements<double> to(n);
    const auto f = [](std::uint16_t x) { return x + 0.5f; };
    std::vector<double> expected(n);
    std::transform_inclusive_scan(a.begin(), a.end(), expected.begin(), std::plus<>(), f, 0.25);
    detail::call c(queue());
    detail::grouped_scan<true, double>(c, n, detail::loader_of(from.data(), f), to.data(),
                                       detail::maybe<double>{0.25, true}, std::plus<>());
    c.finish();
    EXPECT_EQ(to.values(), expected) << n;
  }
}
TYPED_TEST(dpl_groups, compactions) {
  using T = TypeParam;
  for (const std::size_t n : lengths)
    for (const int limit : {0, 40, 256}) {
      SCOPED_TRACE(testing::Message() << n << " elements, limit " << limit);
      const std::vector<T> a = elements_of<T>(n);
      const auto is_kept = [=](const T &x) {
        std::uint8_t first;
        __builtin_memcpy(&first, &x, 1);
        return first < limit;
      };
      std::vector<T> expected;
      std::copy_if(a.begin(), a.end(), std::back_inserter(expected), is_kept);
      const auto expect_kept = [&](const T *data, const auto &keep) {
        const shared_elements<T> to(n);
        detail::call c(queue());
        const std::uint64_t *const kept = detail::grouped_compact(c, n, keep, data, to.data());
        c.wait_for_host();
        ASSERT_EQ(*kept, expected.size());
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), to.data()));
      };
      for (const std::size_t offset : offsets) {
        const shared_elements<T> from(a, offset);
        const T *const data = from.data();
        expect_kept(data, [=](std::size_t i) { return is_kept(data[i]); });
        expect_kept(data, detail::loader_of(data, is_kept));
      }
    }
}

template <class T> class dpl_group_numbers : public ::testing::Test {};
TYPED_TEST_SUITE(dpl_group_numbers, numbers);

TYPED_TEST(dpl_group_numbers, reductions) {
  using T = TypeParam;
  for (const std::size_t n :
       {std::size_t{1}, std::size_t{255}, std::size_t{4096}, std::size_t{4097}, std::size_t{300001}}) {
    const std::vector<T> a = random_elements<T>(n, 100, static_cast<unsigned>(n));
    const shared_elements<T> from(a, 1);
    const auto load = detail::loader_of(from.data());
    const auto add = [](T x, T y) { return static_cast<T>(x + y); };
    detail::call sum(queue());
    EXPECT_EQ(detail::reduce_in_groups<T>(sum, n, load, add), std::accumulate(a.begin(), a.end(), T(), add));
    using element = detail::positioned<T>;
    const auto smallest = [&](auto less) {
      detail::call c(queue());
      return detail::reduce_in_groups<element>(
                 c, n, [=](std::size_t i) { return element{load(i), i}; },
                 detail::smaller_position<T, decltype(less)>{less})
          .at;
    };
    EXPECT_EQ(smallest(std::less<>()), static_cast<std::size_t>(std::min_element(a.begin(), a.end()) - a.begin()));
    EXPECT_EQ(smallest(std::greater<>()), static_cast<std::size_t>(std::max_element(a.begin(), a.end()) - a.begin()));
  }
}

template <std::size_t bytes> struct padded_record {
  std::uint16_t key;
  std::uint8_t others[bytes - 4];
  std::uint16_t tag;
};
template <class T> class dpl_group_sorts : public ::testing::Test {};
using sort_elements =
    ::testing::Types<padded_record<6>, padded_record<8>, padded_record<16>, padded_record<32>, padded_record<64>>;
TYPED_TEST_SUITE(dpl_group_sorts, sort_elements);

TYPED_TEST(dpl_group_sorts, keep_the_order_of_equal_elements) {
  using T = TypeParam;
  const auto less = [](const T &a, const T &b) { return a.key < b.key; };
  for (const std::size_t n : {1, 2, 255, 257, 769, 1792, 3840, 3841, 4353, 9001, 20000, 60001})
    for (const unsigned range : {1u, 7u, 60000u}) {
      SCOPED_TRACE(testing::Message() << n << " elements, keys below " << range);
      std::mt19937 generator(range);
      std::vector<T> a(n);
      for (std::size_t i = 0; i < n; ++i) {
        a[i] = {};
        a[i].key = static_cast<std::uint16_t>(generator() % range);
        a[i].tag = static_cast<std::uint16_t>(i);
      }
      const shared_elements<T> data(a, 1), spare(n);
      detail::call c(queue());
      EXPECT_EQ((detail::grouped_merge_sort<T, decltype(less)>::sort(c, data.data(), spare.data(), n, less)),
                data.data());
      c.finish();
      std::stable_sort(a.begin(), a.end(), less);
      const std::vector<T> sorted = data.values();
      EXPECT_TRUE(std::equal(a.begin(), a.end(), sorted.begin(),
                             [](const T &x, const T &y) { return x.key == y.key && x.tag == y.tag; }));
    }
}

// A comparison sees elements only, also where one of the sequences that are merged has ended.
TEST(dpl_group_sorts, compare_elements_only) {
  constexpr std::uint32_t n = 20011;
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  const shared_elements<std::uint32_t> data(order, 0), spare(n), outside(1);
  *outside.data() = 0;
  const auto less = [counter = outside.data()](std::uint32_t a, std::uint32_t b) {
    if (a >= n || b >= n)
      sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed, sycl::memory_scope::device>(*counter).fetch_add(1);
    return a * 7919u % n < b * 7919u % n;
  };
  detail::call c(queue());
  detail::grouped_merge_sort<std::uint32_t, decltype(less)>::sort(c, data.data(), spare.data(), n, less);
  c.finish();
  EXPECT_EQ(*outside.data(), 0u);
  const std::vector<std::uint32_t> sorted = data.values();
  EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end(),
                             [](std::uint32_t a, std::uint32_t b) { return a * 7919u % n < b * 7919u % n; }));
}

TEST(dpl_group_scans, of_several_threads_have_memory_of_their_own) {
  constexpr std::size_t n = 30000;
  std::vector<std::thread> threads;
  std::array<bool, 4> are_right{};
  for (std::size_t t = 0; t < are_right.size(); ++t)
    threads.emplace_back([&, t] {
      bool right = true;
      for (int round = 0; round < 5; ++round) {
        const std::vector<std::uint32_t> a(n, static_cast<std::uint32_t>(t + 1));
        const shared_elements<std::uint32_t> from(a, 0), to(n);
        detail::call c(queue());
        detail::grouped_scan<true, std::uint32_t>(c, n, detail::loader_of(from.data()), to.data(),
                                                  detail::maybe<std::uint32_t>{}, std::plus<>());
        c.finish();
        for (std::size_t i = 0; i < n; ++i) right &= to.data()[i] == (i + 1) * (t + 1);
      }
      are_right[t] = right;
    });
  for (std::thread &t : threads) t.join();
  for (const bool right : are_right) EXPECT_TRUE(right);
}

}  // namespace
