// Programs on the CPU executor give the values of a naive interpreter, and the same on any number of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <thread>

#include "array/blocks/blocks.hpp"
#include "array/executor.hpp"
#include "build_program.hpp"
#include "random_program.hpp"

namespace dpep::array {
namespace {

using namespace testing;

void compare(const random_program &p, std::uint32_t seed) {
  expect_near(p, results_of(p, cpu_queue()), expected_of(p), seed);
}

TEST(cpu_executor, random_programs_give_the_interpreters_values) {
  const char *const one = std::getenv("DPEP_TEST_SEED");
  const char *const many = std::getenv("DPEP_TEST_PROGRAMS");
  const std::uint32_t first = one ? std::uint32_t(std::atoi(one)) : 1;
  const std::uint32_t count = one ? 1 : many ? std::uint32_t(std::atoi(many)) : 400;
  for (std::uint32_t seed = first; seed < first + count; ++seed) {
    const random_program p = program_maker(seed).make();
    ASSERT_NO_THROW(p.code.verify()) << seed;
    compare(p, seed);
    if (HasFatalFailure()) return;
  }
}

TEST(cpu_executor, large_programs_give_the_interpreters_values) {  // each has many segments
  for (std::uint32_t seed = 100'001; seed <= 100'020; ++seed) {
    compare(program_maker(seed, 600'000).make(), seed);
    if (HasFatalFailure()) return;
  }
}

TEST(cpu_executor, threads_run_programs_at_the_same_time) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (std::uint32_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      // the same seeds, so the threads share cached programs
      for (std::uint32_t seed = 200'001; seed <= 200'030; ++seed) {
        const random_program p = program_maker(seed + t / 2).make();
        const auto first = results_of(p, cpu_queue()), second = results_of(p, cpu_queue());
        for (const std::size_t m : p.stored) wrong += first[m] != second[m];
      }
    });
  for (std::thread &t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

TEST(cpu_executor, owners_live_until_the_program_is_complete) {
  program_builder p({4'000'000});
  std::vector<double> a(4'000'000, 1.0);
  double sum = 0;
  p.store(p.reduce(reduction::sum, dtype::float64, p.load(dtype::float64, a.data(), {8}), axis_set::of(0)), &sum, {0});
  auto owner = std::make_shared<int>(1);
  const std::weak_ptr<int> watched = owner;
  const event done = run(cpu_queue(), p.code, p.arguments, {}, {std::move(owner)});
  if (done && done.status() != event_status::complete) {
    // The program may be complete by now; if it is not, the owner must be alive.
    const bool alive = !watched.expired();
    EXPECT_TRUE(alive || done.status() == event_status::complete);
  }
  done.wait();
  EXPECT_EQ(sum, 4e6);
  cpu_queue().wait();
  EXPECT_TRUE(watched.expired());
}

TEST(cpu_executor, bad_addresses_are_the_queues_errors) {
#if defined(__has_feature) && __has_feature(address_sanitizer)
  GTEST_SKIP() << "AddressSanitizer ends the process";
#endif
  program_builder p({1000});
  const auto nowhere = [](std::uintptr_t address) { return reinterpret_cast<void *>(address); };
  p.store(p.load(dtype::float64, nowhere(64), {8}), nowhere(65536 - 8192), {8});
  queue q{device("cpu")};
  run(q, p.code, p.arguments, {});
  try {
    q.wait();
    FAIL() << "no error";
  } catch (const exception &e) {
    EXPECT_NE(std::string(e.what()).find("array: copy"), std::string::npos) << e.what();
  }
}

TEST(cpu_executor, programs_wait_for_their_dependencies) {
  std::vector<double> a(2'000'000), b(a.size());
  user_event ready;
  program_builder p({2'000'000});
  p.store(p.load(dtype::float64, a.data(), {8}), b.data(), {8});
  const std::vector<event> after{ready};
  const event done = run(cpu_queue(), p.code, p.arguments, dependencies(after));
  std::ranges::fill(a, 3.0);
  ready.complete();
  done.wait();
  EXPECT_EQ(b, a);
}

}  // namespace
}  // namespace dpep::array
