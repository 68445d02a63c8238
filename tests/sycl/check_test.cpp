// DPEP_CHECK: an access outside local memory is an error that names the kernel, and the process continues.
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "error_of.hpp"

namespace {

class shifts_its_tile;

/// The error of a wait for a kernel that writes `shift` elements beside its own in the first of two accessors.
test::caught_error run(std::size_t shift) {
  sycl::queue q{sycl::cpu_selector_v};
  int *const out = sycl::malloc_shared<int>(32, q);
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
  const test::caught_error error = test::error_of([&] { q.wait_and_throw(); });
  if (error.message.empty())
    for (int i = 0; i < 32; i++) EXPECT_EQ(out[i], 31 - i + 1);
  sycl::free(out, q);
  return error;
}

TEST(memory_check, finds_an_element_behind_a_local_accessor_even_inside_another_one) {
  setenv("DPEP_CHECK", "1", 1);
  EXPECT_EQ(run(0).message, "");
  const test::caught_error error = run(1);
  EXPECT_TRUE(error.mentions("shifts_its_tile")) << error.message;
  EXPECT_TRUE(error.mentions("element 32 of 32")) << error.message;
  EXPECT_EQ(run(0).message, "");
  unsetenv("DPEP_CHECK");
}

}  // namespace
