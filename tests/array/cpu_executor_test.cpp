// Programs on the CPU executor: the same values as a naive interpreter's, and the same on any number of threads.
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

queue &cpu() {
  static queue q{device("cpu")};
  return q;
}

/// Runs the program on copies of its buffers; returns them.
std::vector<std::vector<std::byte>> results_of(const random_program &p, const queue &q) {
  auto buffers = p.buffers;
  program_arguments arguments = p.arguments;
  for (std::size_t m = 0; m < buffers.size(); ++m)
    arguments.memory[m] = buffers[m].data() + (p.arguments.memory[m] - p.buffers[m].data());
  run(q, p.code, arguments, {});
  q.wait();
  return buffers;
}

void compare(const random_program &p, std::uint32_t seed) {
  expect_near(p, results_of(p, cpu()), expected_of(p), seed);
}

TEST(CpuExecutor, RandomProgramsGiveTheInterpretersValues) {
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

TEST(CpuExecutor, LargeProgramsGiveThemToo) {  // of many segments
  for (std::uint32_t seed = 100'001; seed <= 100'020; ++seed) {
    compare(program_maker(seed, 600'000).make(), seed);
    if (HasFatalFailure()) return;
  }
}

TEST(CpuExecutor, ThreadsRunProgramsAtTheSameTime) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (std::uint32_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (std::uint32_t seed = 200'001; seed <= 200'030; ++seed) {  // the same ones: they meet in the cache
        const random_program p = program_maker(seed + t / 2).make();
        const auto first = results_of(p, cpu()), second = results_of(p, cpu());
        for (const std::size_t m : p.stored) wrong += first[m] != second[m];
      }
    });
  for (std::thread &t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

TEST(CpuExecutor, OwnersLiveUntilTheProgramIsComplete) {
  program_builder p({4'000'000});
  std::vector<double> a(4'000'000, 1.0);
  double sum = 0;
  p.store(p.reduce(reduction::sum, dtype::float64, p.load(dtype::float64, a.data(), {8}), axis_set::of(0)), &sum, {0});
  auto owner = std::make_shared<int>(1);
  const std::weak_ptr<int> watched = owner;
  const event done = run(cpu(), p.code, p.arguments, {}, {std::move(owner)});
  if (done && done.status() != event_status::complete) {
    // It may be complete by now; if it is not, the owner must be there.
    const bool alive = !watched.expired();
    EXPECT_TRUE(alive || done.status() == event_status::complete);
  }
  done.wait();
  EXPECT_EQ(sum, 4e6);
  cpu().wait();
  EXPECT_TRUE(watched.expired());
}

TEST(CpuExecutor, BadAddressesAreTheQueuesErrors) {
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

TEST(CpuExecutor, ProgramsWaitForTheirDependencies) {
  std::vector<double> a(2'000'000), b(a.size());
  user_event ready;
  program_builder p({2'000'000});
  p.store(p.load(dtype::float64, a.data(), {8}), b.data(), {8});
  const std::vector<event> after{ready};
  const event done = run(cpu(), p.code, p.arguments, after);
  std::ranges::fill(a, 3.0);
  ready.complete();
  done.wait();
  EXPECT_EQ(b, a);
}

}  // namespace
}  // namespace dpep::array
