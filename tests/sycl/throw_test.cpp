// Exceptions thrown in kernels: refused in words that say so.
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "shared_array.hpp"

TEST(Throw, IsRefusedInKernels) {
  sycl::queue q;
  const shared_array<int> p(1, q);
  const auto message_of = [&](auto kernel) {
    try {
      q.single_task(kernel).wait();
    } catch (const sycl::exception &e) {
      EXPECT_EQ(e.code(), sycl::errc::build);
      return std::string(e.what());
    }
    return std::string("nothing was thrown");
  };
  const std::string number = message_of([p = p.get()] {
    if (p[0] == 3) throw 5;
  });
  EXPECT_NE(number.find("kernels cannot throw exceptions, used in"), std::string::npos) << number;
  EXPECT_EQ(number.find("typeinfo"), std::string::npos) << number;
  const std::string object = message_of([p = p.get()] {
    if (p[0] == 3) throw std::runtime_error("three");
  });
  EXPECT_NE(object.find("kernels cannot throw exceptions, used in"), std::string::npos) << object;
}
