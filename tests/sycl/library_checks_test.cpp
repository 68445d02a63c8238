// The standard library's own checks in kernels: they end the kernel with an error, not the process.
#define _GLIBCXX_ASSERTIONS 1
#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <sycl/sycl.hpp>

#include "error_of.hpp"

namespace {

template <class F> test::caught_error error_in(F kernel) {
  return test::error_of([&] {
    sycl::queue q;
    q.single_task(kernel).wait_and_throw();
    q.wait_and_throw();
  });
}

TEST(library_checks, pass_unnoticed_when_they_hold) {
  sycl::queue q;
  auto *sum = sycl::malloc_shared<int>(1, q);
  q.single_task([=] {
     const std::array<int, 4> a{1, 2, 3, 4};
     *sum = 0;
     for (std::size_t i = 0; i < 4; i++) *sum += a[i] + a.at(i);
   }).wait();
  EXPECT_EQ(*sum, 20);
  sycl::free(sum, q);
}

TEST(library_checks, index_out_of_range_names_the_condition) {
  sycl::queue q;
  auto *index = sycl::malloc_shared<std::size_t>(2, q);
  index[0] = 9;
  const test::caught_error error = error_in([=] {
    const std::array<int, 4> a{1, 2, 3, 4};
    index[1] = std::size_t(a[index[0]]);
  });
  EXPECT_TRUE(error.mentions("__n < this->size()")) << error.message;
  sycl::free(index, q);
}

TEST(library_checks, checked_access_ends_the_kernel_instead_of_throwing) {
  sycl::queue q;
  auto *index = sycl::malloc_shared<std::size_t>(2, q);
  index[0] = 9;
  const test::caught_error error = error_in([=] {
    const std::array<int, 4> a{1, 2, 3, 4};
    index[1] = std::size_t(a.at(index[0]));
  });
  EXPECT_TRUE(error.mentions("array::at")) << error.message;
  sycl::free(index, q);
}

}  // namespace
