// range, id, item, nd_item and group: arithmetic on the host, and the queries of work-items.
#include <set>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "shared_array.hpp"

namespace {

/// The results of a work-item's queries.
struct seen {
  std::size_t id[3], size[3], offset[3], linear;
  bool operator==(const seen &) const = default;
};
struct seen_nd {
  std::size_t global[3], local[3], group[3], global_size[3], local_size[3], group_count[3];
  std::size_t global_linear, local_linear, group_linear, times;
  bool operator==(const seen_nd &) const = default;
};

template <class T> void put(std::size_t (&to)[3], const T &from) {
  for (int d = 0; d < T::dimensions; d++) to[d] = from[d];
}

template <int D> sycl::range<D> some_range() {
  if constexpr (D == 1)
    return {60};
  else if constexpr (D == 2)
    return {6, 10};
  else
    return {3, 4, 5};
}
template <int D> sycl::range<D> some_local_range() {
  if constexpr (D == 1)
    return {12};
  else if constexpr (D == 2)
    return {3, 5};
  else
    return {1, 2, 5};
}
template <int D> sycl::id<D> some_offset() {
  if constexpr (D == 1)
    return {7};
  else if constexpr (D == 2)
    return {7, 2};
  else
    return {7, 2, 9};
}

/// Calls f(index, position) for all indices, the last dimension fastest: SYCL's linear order.
template <int D, class F> void for_each_index(const sycl::range<D> &r, F f) {
  for (std::size_t n = 0; n < r.size(); n++) {
    sycl::id<D> index;
    std::size_t left = n;
    for (int d = D - 1; d >= 0; d--) index[d] = left % r[d], left /= r[d];
    f(index, n);
  }
}

template <class D> class indices : public testing::Test {};
using dimensions =
    testing::Types<std::integral_constant<int, 1>, std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(indices, dimensions);

}  // namespace

TYPED_TEST(indices, items_of_a_range) {
  constexpr int D = TypeParam::value;
  sycl::queue q;
  const sycl::range<D> r = some_range<D>();
  const shared_array<seen> out(r.size(), q);
  q.parallel_for(r, [p = out.get()](sycl::item<D> i) {
     seen s{};
     put(s.id, i.get_id());
     put(s.size, i.get_range());
     put(s.offset, i.get_offset());
     s.linear = i.get_linear_id();
     p[s.linear] = s;
   }).wait();
  for_each_index(r, [&](const sycl::id<D> &index, std::size_t n) {
    seen expected{};
    put(expected.id, index);
    put(expected.size, r);
    expected.linear = n;
    ASSERT_EQ(out[n], expected) << n;
  });
}

TYPED_TEST(indices, items_of_a_range_with_an_offset) {
  constexpr int D = TypeParam::value;
  sycl::queue q;
  const sycl::range<D> r = some_range<D>();
  const sycl::id<D> offset = some_offset<D>();
  const shared_array<seen> out(r.size(), q);
  q.submit([&](sycl::handler &h) {
     h.parallel_for(r, offset, [p = out.get()](sycl::item<D> i) {
       seen s{};
       put(s.id, i.get_id());
       put(s.size, i.get_range());
       put(s.offset, i.get_offset());
       s.linear = i.get_linear_id();
       p[s.linear] = s;
     });
   }).wait();
  for_each_index(r, [&](const sycl::id<D> &index, std::size_t n) {
    seen expected{};
    put(expected.id, index + offset);
    put(expected.size, r);
    put(expected.offset, offset);
    expected.linear = n;
    ASSERT_EQ(out[n], expected) << n;
  });
}

TYPED_TEST(indices, items_of_an_nd_range) {
  constexpr int D = TypeParam::value;
  sycl::queue q;
  const sycl::range<D> global = some_range<D>(), local = some_local_range<D>();
  const shared_array<seen_nd> out(global.size(), q);
  q.parallel_for(sycl::nd_range<D>(global, local), [p = out.get()](sycl::nd_item<D> i) {
     seen_nd &s = p[i.get_global_linear_id()];
     put(s.global, i.get_global_id());
     put(s.local, i.get_local_id());
     put(s.group, i.get_group().get_group_id());
     put(s.global_size, i.get_global_range());
     put(s.local_size, i.get_local_range());
     put(s.group_count, i.get_group_range());
     s.global_linear = i.get_global_linear_id();
     s.local_linear = i.get_local_linear_id();
     s.group_linear = i.get_group_linear_id();
     s.times++;
   }).wait();
  for_each_index(global, [&](const sycl::id<D> &index, std::size_t n) {
    seen_nd expected{};
    const sycl::id<D> in_group = index % sycl::id<D>(local), group = index / sycl::id<D>(local);
    const sycl::range<D> groups = global / local;
    put(expected.global, index);
    put(expected.local, in_group);
    put(expected.group, group);
    put(expected.global_size, global);
    put(expected.local_size, local);
    put(expected.group_count, groups);
    expected.global_linear = n;
    for_each_index(local, [&](const sycl::id<D> &l, std::size_t k) {
      if (l == in_group) expected.local_linear = k;
    });
    for_each_index(groups, [&](const sycl::id<D> &g, std::size_t k) {
      if (g == group) expected.group_linear = k;
    });
    expected.times = 1;
    ASSERT_EQ(out[n], expected) << n;
  });
}

TYPED_TEST(indices, arithmetic_is_element_wise) {
  constexpr int D = TypeParam::value;
  sycl::id<D> a, b;
  for (int d = 0; d < D; d++) a[d] = 10 + d, b[d] = 3 + d;
  const sycl::id<D> sum = a + b, product = a * 2, quotient = 100 / b, shifted = a << 1, less = b < a;
  sycl::id<D> changed = a;
  changed += b;
  changed -= 1;
  changed %= 7;
  for (int d = 0; d < D; d++) {
    EXPECT_EQ(sum[d], a[d] + b[d]);
    EXPECT_EQ(product[d], a[d] * 2);
    EXPECT_EQ(quotient[d], 100 / b[d]);
    EXPECT_EQ(shifted[d], a[d] << 1);
    EXPECT_EQ(less[d], 1u);
    EXPECT_EQ(changed[d], (a[d] + b[d] - 1) % 7);
  }
  EXPECT_EQ(a, a);
  EXPECT_NE(a, b);
  changed = a;
  EXPECT_EQ(++changed, a + 1);
  EXPECT_EQ(changed--, a + 1);
  EXPECT_EQ(changed, a);
}

TEST(indices_of_one_dimension, ids_are_numbers) {
  const sycl::id<1> i = 5;
  const int array[] = {0, 1, 2, 3, 4, 55};
  EXPECT_EQ(array[i], 55);
  EXPECT_TRUE(i == 5);
  EXPECT_TRUE(i < 6);
  EXPECT_FALSE(i < 5);
  EXPECT_EQ(i + 1, sycl::id<1>(6));
  EXPECT_DOUBLE_EQ(i * 0.5, 2.5);
  const std::size_t n = i;
  EXPECT_EQ(n, 5u);
}

TEST(indices_of_one_dimension, ranges_are_deduced) {
  static_assert(std::is_same_v<decltype(sycl::range(1, 2)), sycl::range<2>>);
  static_assert(std::is_same_v<decltype(sycl::id(1, 2, 3)), sycl::id<3>>);
  EXPECT_EQ(sycl::range(2, 3, 4).size(), 24u);
  const sycl::nd_range<2> nd({8, 6}, {4, 2});
  EXPECT_EQ(nd.get_group_range(), sycl::range(2, 3));
}

TEST(indices_of_several_dimensions, equal_a_number_if_all_components_do) {
  EXPECT_TRUE(sycl::id<2>(3, 3) == 3);
  EXPECT_FALSE(sycl::id<2>(3, 4) == 3);
  EXPECT_TRUE(sycl::range<3>(2, 2, 1) != 2);
  EXPECT_TRUE(2 == sycl::range<3>(2, 2, 2));
}
