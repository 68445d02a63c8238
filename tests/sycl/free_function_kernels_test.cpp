// Functions that are kernels (extension sycl_ext_oneapi_free_function_kernels).
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include <sycl/sycl.hpp>

#include "error_of.hpp"
#include "free_function_kernel.hpp"

namespace syclex = sycl::ext::oneapi::experimental;
namespace this_work_item = sycl::ext::oneapi::this_work_item;

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
void iota(float start, float *out) {  // { a brace in a comment
  const std::size_t id = this_work_item::get_nd_item<1>().get_global_linear_id();
  out[id] = start + static_cast<float>(id);
}

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<2>))
void iota(int start, int *out);
void iota(int, int *);

namespace {

namespace inner {

struct point {
  double x;
  char name;
};

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::single_task_kernel)) void store(point p, double *out, char c) noexcept {
  out[0] = p.x;
  out[1] = p.name;
  out[2] = c;
}

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<3>))
void nothing() {}

void no_kernel(int *) {}

}  // namespace inner

template <class T> SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>)) void twice(T *values) {
  values[this_work_item::get_nd_item<1>().get_global_id(0)] *= T(2);
}

constexpr auto *iota_float = static_cast<void (*)(float, float *)>(&iota);
constexpr auto *iota_int = static_cast<void (*)(int, int *)>(&iota);

TEST(free_function_kernels, are_told_from_other_functions) {
  static_assert(syclex::is_nd_range_kernel_v<iota_float, 1> && !syclex::is_nd_range_kernel_v<iota_float, 2>);
  static_assert(syclex::is_nd_range_kernel_v<iota_int, 2> && !syclex::is_single_task_kernel_v<iota_int>);
  static_assert(syclex::is_single_task_kernel_v<inner::store> && syclex::is_kernel_v<inner::store>);
  static_assert(syclex::is_kernel_v<inner::nothing> && syclex::is_nd_range_kernel_v<inner::nothing, 3>);
  static_assert(!syclex::is_kernel_v<inner::no_kernel> && !syclex::is_nd_range_kernel_v<inner::no_kernel, 0>);
  static_assert(syclex::nd_range_kernel_key::value_t<3>::dimensions == 3);
}

TEST(free_function_kernels, are_launched_by_set_args) {
  sycl::queue q;
  float *const out = sycl::malloc_shared<float>(64, q);
  const auto bundle = syclex::get_kernel_bundle<iota_float, sycl::bundle_state::executable>(q.get_context());
  const sycl::kernel k = bundle.ext_oneapi_get_kernel<iota_float>();
  EXPECT_TRUE(bundle.ext_oneapi_has_kernel<iota_float>());
  EXPECT_FALSE(bundle.ext_oneapi_has_kernel<iota_int>());
  EXPECT_EQ(k.get_info<sycl::info::kernel::num_args>(), 2u);
  q.submit([&](sycl::handler &h) {
     h.set_args(2.5f, out);
     h.parallel_for(sycl::nd_range<1>(64, 16), k);
   }).wait();
  std::vector<float> expected(64);
  std::iota(expected.begin(), expected.end(), 2.5f);
  EXPECT_EQ(std::vector<float>(out, out + 64), expected);
  const auto wrong = test::error_of([&] {
    q.submit([&](sycl::handler &h) {
      h.set_args(2.5, out);  // a double
      h.parallel_for(sycl::nd_range<1>(64, 16), k);
    });
  });
  EXPECT_EQ(wrong.code, sycl::errc::kernel_argument);
  const auto missing = test::error_of([&] {
    q.submit([&](sycl::handler &h) {
      h.set_arg(1, out);
      h.parallel_for(sycl::nd_range<1>(64, 16), k);
    });
  });
  EXPECT_EQ(missing.code, sycl::errc::kernel_argument);
  sycl::free(out, q);
}

TEST(free_function_kernels, are_launched_by_name) {
  sycl::queue q{sycl::property::queue::in_order()};
  double *const out = sycl::malloc_shared<double>(3, q);
  syclex::single_task(q, syclex::kernel_function<inner::store>, inner::point{1.25, 'a'}, out, 'b');
  q.wait();
  EXPECT_EQ(out[0], 1.25);
  EXPECT_EQ(out[1], 'a');
  EXPECT_EQ(out[2], 'b');
  q.submit([&](sycl::handler &h) {
    h.set_args(inner::point{2, 'c'}, out, 'd');
    h.single_task(syclex::get_kernel_bundle<inner::store, sycl::bundle_state::executable>(q.get_context())
                      .get_kernel(syclex::get_kernel_id<inner::store>()));
  });
  q.wait();
  EXPECT_EQ(out[1], 'c');
  EXPECT_EQ(out[2], 'd');
  syclex::nd_launch(q, sycl::nd_range<3>({2, 2, 2}, {1, 2, 2}), syclex::kernel_function<inner::nothing>);
  q.wait();
  float *const values = sycl::malloc_shared<float>(32, q);
  q.submit([&](sycl::handler &h) {
    syclex::nd_launch(h, syclex::launch_config(sycl::nd_range<1>(32, 8)), syclex::kernel_function<iota_float>, 1,
                      values);  // 1 is converted
  });
  q.wait();
  EXPECT_EQ(values[31], 32.0f);
  syclex::nd_launch(q, sycl::nd_range<1>(32, 8), syclex::kernel_function<twice<float>>, values);
  q.wait();
  EXPECT_EQ(values[31], 64.0f);
  sycl::free(values, q);
  sycl::free(out, q);
}

TEST(free_function_kernels, may_be_defined_in_another_unit) {
  sycl::queue q;
  int *const out = sycl::malloc_shared<int>(4 * 8, q);
  syclex::nd_launch(q, sycl::nd_range<2>({4, 8}, {2, 8}), syclex::kernel_function<iota_int>, 100, out);
  q.wait();
  for (int i = 0; i < 32; ++i) EXPECT_EQ(out[i], 100 + i);
  std::fill_n(out, 4, 0);
  syclex::nd_launch(q, sycl::nd_range<1>(4, 2), syclex::kernel_function<declared_in_a_header>, out);
  q.wait();
  EXPECT_EQ(out[3], 9);
  sycl::free(out, q);
}

TEST(free_function_kernels, are_functions_too) {
  double out[3];
  inner::store({3, 'x'}, out, 'y');
  EXPECT_EQ(out[2], 'y');
  sycl::queue q;
  double *const from_kernel = sycl::malloc_shared<double>(3, q);
  q.single_task([=] { inner::store({4, 'x'}, from_kernel, 'z'); }).wait();
  EXPECT_EQ(from_kernel[0], 4);
  EXPECT_EQ(from_kernel[2], 'z');
  sycl::free(from_kernel, q);
}

}  // namespace
