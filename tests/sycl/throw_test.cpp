// Exceptions thrown in kernels: refused with a message that says so.
#include <stdexcept>

#include <gtest/gtest.h>

#include "error_of.hpp"
#include "shared_array.hpp"

TEST(exceptions_in_kernels, are_refused) {
  sycl::queue q;
  const shared_array<int> p(1, q);
  const auto error_in = [&](auto kernel) { return test::error_of([&] { q.single_task(kernel).wait(); }); };
  const test::caught_error number = error_in([p = p.get()] {
    if (p[0] == 3) throw 5;
  });
  EXPECT_EQ(number.code, sycl::errc::build);
  EXPECT_TRUE(number.mentions("kernels cannot throw exceptions, used in")) << number.message;
  EXPECT_FALSE(number.mentions("typeinfo")) << number.message;
  const test::caught_error object = error_in([p = p.get()] {
    if (p[0] == 3) throw std::runtime_error("three");
  });
  EXPECT_EQ(object.code, sycl::errc::build);
  EXPECT_TRUE(object.mentions("kernels cannot throw exceptions, used in")) << object.message;
}
