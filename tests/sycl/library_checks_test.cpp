// The standard library's own checks in kernels: they end the kernel with an error, not the process.
#define _GLIBCXX_ASSERTIONS 1
#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <sycl/sycl.hpp>

namespace {

template <class F> std::string error_of(F kernel) {
  sycl::queue q;
  try {
    q.single_task(kernel).wait_and_throw();
    q.wait_and_throw();
  } catch (const sycl::exception &e) {
    return e.what();
  }
  return "no error";
}

TEST(LibraryChecks, PassUnnoticedWhenTheyHold) {
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

TEST(LibraryChecks, IndexOutOfRangeNamesTheCondition) {
  sycl::queue q;
  auto *index = sycl::malloc_shared<std::size_t>(2, q);
  index[0] = 9;
  const std::string error = error_of([=] {
    const std::array<int, 4> a{1, 2, 3, 4};
    index[1] = std::size_t(a[index[0]]);
  });
  EXPECT_NE(error.find("__n < this->size()"), std::string::npos) << error;
  sycl::free(index, q);
}

TEST(LibraryChecks, CheckedAccessEndsTheKernelInsteadOfThrowing) {
  sycl::queue q;
  auto *index = sycl::malloc_shared<std::size_t>(2, q);
  index[0] = 9;
  const std::string error = error_of([=] {
    const std::array<int, 4> a{1, 2, 3, 4};
    index[1] = std::size_t(a.at(index[0]));
  });
  EXPECT_NE(error.find("array::at"), std::string::npos) << error;
  sycl::free(index, q);
}

}  // namespace
