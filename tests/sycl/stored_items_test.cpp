// Work-items and groups that a kernel stores: their comparison, and their ids and ranges on the host.
#include <vector>

#include <gtest/gtest.h>

#include "shared_array.hpp"

namespace {

template <int Dimensions> sycl::range<Dimensions> sizes(std::size_t z, std::size_t y, std::size_t x) {
  if constexpr (Dimensions == 1)
    return {x};
  else if constexpr (Dimensions == 2)
    return {y, x};
  else
    return {z, y, x};
}

/// Objects without a default constructor, in memory that kernels write to.
template <class T> class stored {
public:
  stored(std::size_t count, const sycl::queue &q) : bytes_(count * sizeof(T), q) {}
  T *get() { return reinterpret_cast<T *>(bytes_.get()); }
  const T &operator[](std::size_t i) { return get()[i]; }

private:
  shared_array<std::byte> bytes_;
};

template <class T> void expect_unlike(const T &a, const T &b) {
  EXPECT_FALSE(a == b);
  EXPECT_TRUE(a != b);
}

template <int Dimensions> void check_stored() {
  SCOPED_TRACE(Dimensions);
  sycl::queue q;
  const auto global = sizes<Dimensions>(2, 6, 8), local = sizes<Dimensions>(2, 3, 4);
  const std::size_t count = global.size();
  stored<sycl::nd_item<Dimensions>> items(count, q);
  stored<sycl::group<Dimensions>> groups(count, q);
  stored<sycl::sub_group> sub_groups(count, q);
  shared_array<std::size_t> lanes(count, q), same(3, q);
  q.parallel_for(sycl::nd_range<Dimensions>(global, local), [i = items.get(), g = groups.get(), s = sub_groups.get(),
                                                             l = lanes.get()](sycl::nd_item<Dimensions> item) {
     const std::size_t at = item.get_global_linear_id();
     i[at] = item;
     g[at] = item.get_group();
     s[at] = item.get_sub_group();
     l[at] = item.get_sub_group().get_local_linear_id();
   }).wait();

  for (std::size_t at = 0; at < count; ++at) {
    const sycl::nd_item<Dimensions> item = items[at];
    EXPECT_EQ(item, items[at]);
    EXPECT_EQ(item.get_global_linear_id(), at);
    EXPECT_EQ(item.get_global_range(), global);
    EXPECT_EQ(item.get_local_range(), local);
    EXPECT_EQ(item.get_group_range(), global / local);
    EXPECT_EQ(item.get_nd_range(), (sycl::nd_range<Dimensions>(global, local)));
    for (int d = 0; d < Dimensions; ++d) {
      EXPECT_EQ(item.get_local_id(d), item.get_global_id(d) % local[d]);
      EXPECT_EQ(item.get_group(d), item.get_global_id(d) / local[d]);
    }
    EXPECT_EQ(item.get_group(), groups[at]);
    EXPECT_EQ(groups[at].get_group_id(), item.get_group().get_group_id());
    EXPECT_EQ(groups[at].get_group_linear_range(), count / local.size());
    EXPECT_EQ(sub_groups[at].get_local_linear_id(), lanes[at]);
    EXPECT_LT(lanes[at], sub_groups[at].get_local_linear_range());
  }
  expect_unlike(items[0], items[1]);
  expect_unlike(groups[0], groups[count - 1]);
  expect_unlike(sub_groups[0], sub_groups[count - 1]);
  EXPECT_EQ(sub_groups[0], sub_groups[1]);

  q.single_task([i = items.get(), g = groups.get(), s = sub_groups.get(), r = same.get(), count] {
     r[0] = (i[0] == i[0]) + 2 * (i[0] == i[1]);
     r[1] = (g[0] == g[0]) + 2 * (g[0] == g[count - 1]);
     r[2] = (s[0] == s[0]) + 2 * (s[0] == s[count - 1]);
   }).wait();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(same[i], 1U) << i;
}

}  // namespace

TEST(stored_items, keep_their_ids) {
  check_stored<1>();
  check_stored<2>();
  check_stored<3>();
}

TEST(stored_items, of_hierarchical_kernels) {
  sycl::queue q;
  stored<sycl::h_item<1>> items(12, q);
  q.submit([&](sycl::handler &h) {
     h.parallel_for_work_group(sycl::range(3), sycl::range(4), [i = items.get()](sycl::group<1> g) {
       g.parallel_for_work_item([&](sycl::h_item<1> item) { i[item.get_global_id(0)] = item; });
     });
   }).wait();
  for (std::size_t at = 0; at < 12; ++at) {
    EXPECT_EQ(items[at], items[at]);
    EXPECT_EQ(items[at].get_global_id(0), at);
    EXPECT_EQ(items[at].get_local_id(0), at % 4);
    EXPECT_EQ(items[at].get_global_range(0), 12U);
    EXPECT_EQ(items[at].get_physical_local_range(0), 4U);
  }
  expect_unlike(items[0], items[1]);
  expect_unlike(items[1], items[5]);
}
