// typeid of half, which older C++ runtimes lack.
#include <typeinfo>

#include <gtest/gtest.h>

#include <sycl/sycl.hpp>

TEST(half, has_type_info) {
  EXPECT_STREQ(typeid(sycl::half).name(), "DF16_");
  EXPECT_TRUE(typeid(sycl::half *) != typeid(const sycl::half *));
  try {
    throw sycl::half(1.5f);
  } catch (const sycl::half &x) {
    EXPECT_EQ(static_cast<float>(x), 1.5f);
  }
}
