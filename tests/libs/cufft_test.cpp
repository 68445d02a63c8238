// Plans of cuFFT, with a library that computes in the host's memory.
#include <complex>
#include <cstdlib>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "libs/cufft.hpp"

namespace dpep::libs::test {
namespace {

using numbers = std::vector<std::complex<double>>;
constexpr std::uintptr_t context = 77, stream = 5;

const cufft_library &fake() {
  std::string why;
  ::setenv("DPEP_CUDA_LIBRARIES", DPEP_FAKE_CUFFT_FOLDER, 1);
  const cufft_library *const found = find_cufft(13, why);
  ::unsetenv("DPEP_CUDA_LIBRARIES");
  if (!found) throw std::runtime_error(why);
  return *found;
}
int count(const char *function) {
  int (*ask)() = nullptr;
  EXPECT_TRUE(shared_library(fake().path).resolve(ask, function));
  return ask();
}
int waits = 0;  // for the device
const std::function<void()> idle = [] { ++waits; };
cufft_layout lines_of(long long length, long long batch) {
  return {cufft_type::complex128, length, batch, 1, length, 1, length};
}

TEST(cufft, is_found_in_the_folder_of_the_environment) {
  EXPECT_NE(fake().path.find("libcufft.so.12"), std::string::npos) << fake().path;
}

TEST(cufft, transforms_lines_of_any_layout) {
  constexpr long long length = 4, batch = 3;
  numbers x(length * batch), y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = {double(i % 5), double(i % 3)};
  // columns to rows
  const cufft_plan plan(fake(), context, {cufft_type::complex128, length, batch, batch, 1, 1, length}, idle);
  std::vector<std::byte> scratch(plan.scratch_bytes());
  plan.use(stream, scratch.data());
  plan.execute(x.data(), y.data(), 1);
  for (long long line = 0; line < batch; ++line)
    for (long long k = 0; k < length; ++k) {
      std::complex<double> sum = 0;
      for (long long j = 0; j < length; ++j)
        sum += x[std::size_t(j * batch + line)] * std::polar(1.0, 2 * std::numbers::pi * double(j * k) / length);
      EXPECT_NEAR(std::abs(sum - y[std::size_t(line * length + k)]), 0, 1e-12);
    }
}

TEST(cufft, reuses_plans_of_the_same_layout_and_context) {
  const cufft_library &library = fake();
  { const cufft_plan first(library, context, lines_of(10, 2), idle); }
  const int before = count("fake_cufft_made");
  { const cufft_plan again(library, context, lines_of(10, 2), idle); }
  EXPECT_EQ(count("fake_cufft_made"), before);
  const cufft_plan in_use(library, context, lines_of(10, 2), idle);
  EXPECT_EQ(count("fake_cufft_made"), before);
  const cufft_plan beside(library, context, lines_of(10, 2), idle);
  EXPECT_EQ(count("fake_cufft_made"), before + 1) << "a plan is used by one thread at a time";
  const cufft_plan other_batch(library, context, lines_of(10, 3), idle);
  const cufft_plan other_context(library, context + 1, lines_of(10, 2), idle);
  EXPECT_EQ(count("fake_cufft_made"), before + 3);
}

TEST(cufft, keeps_a_bounded_number_of_plans) {
  const cufft_library &library = fake();
  waits = 0;
  for (long long length = 100; length < 300; ++length)
    const cufft_plan used(library, context + 2, lines_of(length, 1), idle);
  EXPECT_LT(count("fake_cufft_plans"), 60);
  EXPECT_GT(waits, 300) << "plans are made and destroyed while the device is idle";
  const int before = count("fake_cufft_made");
  { const cufft_plan recent(library, context + 2, lines_of(299, 1), idle); }
  EXPECT_EQ(count("fake_cufft_made"), before);
}

TEST(cufft, failures_name_the_function_and_the_status) {
  try {
    const cufft_plan refused(fake(), context, lines_of(0, 1), idle);
    ADD_FAILURE() << "no exception was thrown";
  } catch (const exception &e) {
    EXPECT_STREQ(e.what(), "cuFFT failed in cufftMakePlanMany64: status 8");
  }
  const cufft_plan real(fake(), context, {cufft_type::real_to_complex64, 8, 1, 1, 8, 1, 5}, idle);
  EXPECT_THROW(real.execute(nullptr, nullptr, -1), exception);
}

}  // namespace
}  // namespace dpep::libs::test
