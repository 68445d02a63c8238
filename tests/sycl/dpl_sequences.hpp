// Sequences for tests of oneapi::dpl: random elements of several types, in USM memory, buffers and vectors.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <tuple>
#include <vector>

#include <oneapi/dpl/execution>
#include <oneapi/dpl/iterator>
#include <sycl/sycl.hpp>

namespace dpl_test {

namespace dpl = oneapi::dpl;

/// An element that is no number: equal by its key, so that tests see whether the order of equals is kept.
struct record {
  std::int32_t key, tag;
  friend bool operator==(const record &a, const record &b) { return a.key == b.key; }
  friend bool operator<(const record &a, const record &b) { return a.key < b.key; }
  friend record operator+(const record &a, const record &b) {
    const auto wrapped = [](std::int32_t x, std::int32_t y) {
      return std::int32_t(std::uint32_t(x) + std::uint32_t(y));
    };
    return {wrapped(a.key, b.key), wrapped(a.tag, b.tag)};
  }
};
inline bool same(const record &a, const record &b) { return a.key == b.key && a.tag == b.tag; }
template <class T> bool same(const T &a, const T &b) { return a == b; }

using elements = ::testing::Types<std::int32_t, std::int64_t, float, double, std::uint8_t, record>;
using numbers = ::testing::Types<std::int32_t, std::int64_t, float, double, std::uint8_t>;
inline constexpr std::size_t sizes[] = {0, 1, 17, 1000, 300001};

/// Integers in [0, range), so that sums of floats are exact.
template <class T> std::vector<T> random_elements(std::size_t n, int range = 100, unsigned seed = 1) {
  std::mt19937 generator(seed);
  std::uniform_int_distribution<int> d(0, range - 1);
  std::vector<T> made(n);
  for (std::size_t i = 0; i < n; ++i) {
    if constexpr (std::is_same_v<T, record>)
      made[i] = {d(generator), static_cast<std::int32_t>(i)};
    else
      made[i] = static_cast<T>(d(generator));
  }
  return made;
}

template <class T> void expect_same(const std::vector<T> &values, const std::vector<T> &expected) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!same(values[i], expected[i])) {
      ADD_FAILURE() << "element " << i << " of " << values.size() << " differs";
      return;
    }
}

inline auto policy() { return dpl::execution::make_device_policy(sycl::queue()); }

/// Calls function(policy, begins of the vectors' copies in device memory...), and copies back.
template <class Function, class... T> auto on_usm(Function function, std::vector<T> &...vectors) {
  sycl::queue q;
  const auto run = [&](T *...p) {
    ((vectors.empty() ? void() : q.copy(vectors.data(), p, vectors.size()).wait()), ...);
    const auto result = function(dpl::execution::make_device_policy(q), p...);
    ((vectors.empty() ? void() : q.copy(p, vectors.data(), vectors.size()).wait()), ...);
    (sycl::free(p, q), ...);
    return result;
  };
  return run(sycl::malloc_device<T>(vectors.size() + 1, q)...);
}
/// The same in buffers.
template <class Function, class... T> auto in_buffers(Function function, std::vector<T> &...vectors) {
  sycl::queue q;
  std::tuple<sycl::buffer<T, 1>...> buffers{sycl::buffer<T, 1>(vectors.data(), sycl::range<1>(vectors.size()))...};
  return std::apply([&](auto &...b) { return function(dpl::execution::make_device_policy(q), dpl::begin(b)...); },
                    buffers);
}
/// The same in the vectors.
template <class Function, class... T> auto in_vectors(Function function, std::vector<T> &...vectors) {
  return function(policy(), vectors.begin()...);
}

}  // namespace dpl_test
