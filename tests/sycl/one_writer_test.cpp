// Values that one work-item of a group, or some, set for all: optimisation may keep them in registers.
#include <gtest/gtest.h>

#include "shared_array.hpp"

namespace {

namespace oneapi = sycl::ext::oneapi;

constexpr std::size_t groups = 5;

/// Stores 2 if `writes(local id)`, in every group, and reads it behind a barrier. `first` is stored before by all.
template <class T, class Writes> void check(std::size_t size, Writes writes, const char *what) {
  SCOPED_TRACE(testing::Message() << what << ", " << size << " work-items of " << sizeof(T) << " bytes");
  sycl::queue q;
  const shared_array<int> ids(groups * size, q), out(groups * size, q);
  q.parallel_for(sycl::nd_range<1>(groups * size, size), [ids = ids.get(), out = out.get(),
                                                          writes](sycl::nd_item<1> item) {
     const auto g = item.get_group();
     const std::size_t l = item.get_local_id(0), i = item.get_global_id(0);
     const auto value = oneapi::group_local_memory_for_overwrite<T>(g);
     ids[i] = static_cast<int>(l);
     if (writes(l)) *value = T(2);
     sycl::group_barrier(g);
     out[i] = 100 * static_cast<int>(*value);
   }).wait();
  for (std::size_t i = 0; i < groups * size; ++i) ASSERT_EQ(out[i], 200) << i;
}

template <class T> void check_all() {
  for (const std::size_t size : {1u, 7u, 16u, 37u, 64u, 256u}) {
    check<T>(size, [](std::size_t l) { return l == 0; }, "first");
    check<T>(size, [size](std::size_t l) { return l + 1 == size; }, "last");
    check<T>(size, [size](std::size_t l) { return l == size / 2; }, "middle");
    check<T>(size, [](std::size_t l) { return l % 3 == 0; }, "every third");
    check<T>(size, [](std::size_t) { return true; }, "all");
  }
}

TEST(one_writer, sets_the_value_for_its_group) {
  check_all<float>();
  check_all<double>();
  check_all<long>();
  check_all<int>();
  check_all<short>();
}

TEST(one_writer, may_choose_between_values) {
  sycl::queue q;
  for (const std::size_t size : {5u, 16u, 100u, 128u}) {
    const shared_array<float> out(groups * size, q), ids(groups * size, q);
    q.parallel_for(sycl::nd_range<1>(groups * size, size), [ids = ids.get(), out = out.get(),
                                                            size](sycl::nd_item<1> item) {
       const auto g = item.get_group();
       const std::size_t l = item.get_local_id(0), i = item.get_global_id(0), group = item.get_group(0);
       const auto value = oneapi::group_local_memory_for_overwrite<double>(g);
       ids[i] = static_cast<float>(l);
       if (l == (3 * group) % size) {
         if (group % 2)
           *value = 7;
         else
           *value = static_cast<double>(group);
       }
       sycl::group_barrier(g);
       out[i] = static_cast<float>(*value);
     }).wait();
    for (std::size_t i = 0; i < groups * size; ++i) {
      const std::size_t group = i / size;
      ASSERT_EQ(out[i], group % 2 ? 7.0f : static_cast<float>(group)) << i << " of groups of " << size;
    }
  }
}

}  // namespace
