// DPEP_CHECK: what users do wrong with local memory is an error that names the kernel; the process goes on.
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "on_device.hpp"

namespace {

class shifts_its_tile;

/// What waiting says for a kernel that writes `shift` elements beside its own in the first of two accessors.
std::string run(std::size_t shift) {
  sycl::queue q{sycl::cpu_selector_v};
  int *const out = sycl::malloc_shared<int>(32, q);
  std::string message;
  q.submit([&](sycl::handler &h) {
    const sycl::local_accessor<int> tile(32, h), other(32, h);
    h.parallel_for<shifts_its_tile>(sycl::nd_range<1>(32, 32), [=](sycl::nd_item<1> item) {
      const std::size_t i = item.get_local_id(0);
      other[i] = 1;
      tile[i + shift] = static_cast<int>(i);
      sycl::group_barrier(item.get_group());
      out[i] = tile[31 - i] + other[i];
    });
  });
  try {
    q.wait_and_throw();
    for (int i = 0; i < 32; i++) EXPECT_EQ(out[i], 31 - i + 1);
  } catch (const sycl::exception &error) {
    message = error.what();
  }
  sycl::free(out, q);
  return message;
}

TEST(Check, FindsAnElementBehindALocalAccessorEvenWhereAnotherOneLies) {
  setenv("DPEP_CHECK", "1", 1);
  EXPECT_EQ(run(0), "");
  const std::string message = run(1);
  EXPECT_NE(message.find("shifts_its_tile"), std::string::npos) << message;
  EXPECT_NE(message.find("element 32 of 32"), std::string::npos) << message;
  EXPECT_EQ(run(0), "");
  unsetenv("DPEP_CHECK");
}

}  // namespace
