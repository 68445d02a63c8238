// Programs of several sources: functions called across them, and kernels that have the same names in each.
#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "external_function.hpp"
#include "shared_array.hpp"

namespace {

struct kernel {
  int *p;
  void operator()() const { p[0] = 111; }
};

void run(sycl::queue &q, int *p) {
  q.single_task([=] { p[1] = 1; });
  q.single_task(kernel{p}).wait();
  q.parallel_for<class shared_name>(1, [=](sycl::id<1>) { p[2] = 11; }).wait();
}

}  // namespace

TEST(translation_units, call_each_others_functions_in_kernels) {
  sycl::queue q;
  const shared_array<double> p(10, q);
  q.parallel_for(10, [p = p.get()](sycl::id<1> i) { p[i] = cube(double(i)); }).wait();
  for (int i = 0; i < 10; i++) ASSERT_EQ(p[i], i * i * i);
  EXPECT_EQ(cube(3), 27);  // on the host, too
}

TEST(translation_units, mark_functions_at_any_place_of_their_declarations) {
  sycl::queue q;
  const shared_array<int> p(4, q);
  q.single_task([p = p.get()] {
     p[0] = successor(10);
     p[1] = predecessor(10);
     p[2] = twice(10);
     p[3] = power<3>::of(10);
   }).wait();
  EXPECT_EQ(p.values(), (std::vector{11, 9, 20, 1000}));
}

TEST(translation_units, call_functions_with_barriers) {
  sycl::queue q;
  const shared_array<int> p(32, q);
  std::iota(p.get(), p.get() + 32, 0);
  q.parallel_for(sycl::nd_range<1>(32, 8), [p = p.get()](sycl::nd_item<1> i) { rotate_in_group(i, p); }).wait();
  for (int i = 0; i < 32; i++) ASSERT_EQ(p[i], i / 8 * 8 + (i + 1) % 8);
}

TEST(translation_units, have_kernels_of_the_same_name) {
  sycl::queue q;
  const shared_array<int> p(3, q);
  run(q, p.get());
  q.wait();
  EXPECT_EQ(p.values(), (std::vector{111, 1, 11}));
  EXPECT_EQ(run_kernel_of_other_unit(q, p.get()), 222 + 2 + 22);
  EXPECT_EQ(p.values(), (std::vector{222, 2, 22}));
}

TEST(translation_units, name_kernels_of_others) {
  const sycl::kernel_id id = sycl::get_kernel_id<named_in_other_unit>();
  const std::vector<sycl::kernel_id> all = sycl::get_kernel_ids();
  EXPECT_NE(std::find(all.begin(), all.end(), id), all.end());
  EXPECT_THROW(sycl::get_kernel_id<class launched_nowhere>(), sycl::exception);
}
