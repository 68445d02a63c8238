// Damaged bitcode: LLVM may crash while it reads it, but the process continues.
#include <sycl/sycl.hpp>

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#ifndef __SYCL_DEVICE_ONLY__
namespace {

constexpr unsigned char image[] = {
#embed DPEP_DEVICE_IMAGE
};

std::string error_of(std::span<const unsigned char> code, const std::string &name) {
  try {
    dpep::kernel::from_bitcode(code, name).prepare(dpep::device("cpu"), {1, {64, 1, 1}, {}, {}});
    return "";
  } catch (const dpep::exception &e) {
    EXPECT_EQ(e.code(), dpep::errc::build);
    return e.what();
  }
}

// The first kernel of this file's image, from the message that lists its kernels.
std::string kernel_name() {
  const std::string list = error_of(image, "none");
  const auto start = list.find("_ZTS");
  return list.substr(start, list.find_first_of(",\n ", start) - start);
}

// The bitcode reader or the verifier refuses most flipped bits; some give another valid kernel, a few crash LLVM.
TEST(damaged_image, any_flipped_bit_is_an_error_or_another_kernel) {
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "a compilation that crashed keeps its memory on purpose, which is a leak to AddressSanitizer";
#endif
  ::setenv("DPEP_CACHE", "off", 1);
  const std::string name = kernel_name();
  ASSERT_EQ(error_of(image, name), "");
  std::mt19937_64 random(3);
  int crashes = 0;
  for (int round = 0; round < 400; ++round) {
    std::vector<unsigned char> bad(std::begin(image), std::end(image));
    const std::uint64_t bit = random() % (8 * bad.size());
    bad[bit / 8] = static_cast<unsigned char>(bad[bit / 8] ^ (1U << bit % 8));
    crashes += error_of(bad, name).find("LLVM crashed") != std::string::npos;
  }
  RecordProperty("crashes", crashes);
  EXPECT_EQ(error_of(image, name), "");  // later compilations work
  ::unsetenv("DPEP_CACHE");
}

}  // namespace
#endif

namespace {

// The kernel in the image.
TEST(damaged_image, undamaged_runs) {
  sycl::queue q;
  float *x = sycl::malloc_shared<float>(64, q);
  q.parallel_for(64, [=](sycl::id<1> i) { x[i] = sycl::exp(-float(i)) * 2; }).wait_and_throw();
  EXPECT_EQ(x[0], 2);
  sycl::free(x, q);
}

}  // namespace
