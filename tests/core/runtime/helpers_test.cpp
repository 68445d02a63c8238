// Short kernels that several threads run: each unit once, on more than one thread, with the errors of all of them.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "runtime/kernels.hpp"

namespace dpep::testing {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t units = 512;

struct arguments {
  std::uint32_t *counts;       // of executions, for each unit
  std::thread::id *executors;  // of the last execution
  std::size_t faulty;          // the unit that fails
};

/// A unit that takes about 50 ns.
void run_unit(const arguments &a, std::size_t i) {
  for (int k = 0; k < 150; ++k) asm volatile("" : "+r"(k));
  if (i == a.faulty) *static_cast<volatile int *>(nullptr) = 1;
  ++a.counts[i];
  a.executors[i] = std::this_thread::get_id();
}

class helpers : public ::testing::Test {
protected:
  void SetUp() override {
    if (on.info().max_compute_units < 2) GTEST_SKIP() << "with one processor nothing helps";
  }
  event run(const queue &on_queue, std::size_t count = units, std::size_t faulty = units) {
    return launch(on_queue, code, flat(count), arguments{counts.data(), executors.data(), faulty});
  }
  /// Launches until another thread has run a part of a kernel that was complete when the launch returned. False if that
  /// does not happen.
  bool others_help() {
    const auto end = std::chrono::steady_clock::now() + 20s;
    while (std::chrono::steady_clock::now() < end) {
      std::fill(executors.begin(), executors.end(), std::this_thread::get_id());
      const event pending = run(q);
      q.wait();
      for (const std::thread::id &each : executors)
        if (!pending && each != std::this_thread::get_id()) return true;
    }
    return false;
  }

  const device on;
  const queue q{on, {.in_order = true}};
  const ref<const backend::code> code = load(on, each<arguments, run_unit>);
  std::vector<std::uint32_t> counts = std::vector<std::uint32_t>(units);
  std::vector<std::thread::id> executors = std::vector<std::thread::id>(units, std::this_thread::get_id());
};

TEST_F(helpers, share_kernels_that_follow_one_another) { EXPECT_TRUE(others_help()); }

TEST_F(helpers, run_each_unit_once) {
  for (const std::size_t count : {2u, 3u, 63u, 64u, 65u, 100u, 127u, 129u, 191u, 300u, 511u, 512u}) {
    std::fill(counts.begin(), counts.end(), 0);
    for (int k = 0; k < 500; ++k) run(q, count);
    q.wait();
    for (std::size_t i = 0; i < units; ++i) ASSERT_EQ(counts[i], i < count ? 500u : 0u) << i << " of " << count;
  }
}

TEST_F(helpers, report_the_error_of_a_part) {
  if (under_thread_sanitizer) GTEST_SKIP() << "ThreadSanitizer does not support longjmp out of a signal handler";
  ASSERT_TRUE(others_help());
  for (const std::size_t faulty : {std::size_t{0}, units / 2, units - 1}) {
    for (int k = 0; k < 20; ++k) run(q);
    run(q, units, faulty);
    EXPECT_THROW(q.wait_and_throw(), exception) << faulty;
  }
  std::fill(counts.begin(), counts.end(), 0);
  run(q);
  q.wait_and_throw();
  EXPECT_EQ(counts, std::vector<std::uint32_t>(units, 1));
}

TEST_F(helpers, serve_several_threads) {
  constexpr int threads = 6, launches = 2000;
  std::vector<std::vector<std::uint32_t>> all(threads, std::vector<std::uint32_t>(units));
  std::vector<std::thread> callers;
  for (int t = 0; t < threads; ++t)
    callers.emplace_back([&, t] {
      const queue own(on, {.in_order = t % 2 == 0});
      std::vector<std::thread::id> ids(units);
      for (int k = 0; k < launches; ++k) {
        const event done = launch(own, code, flat(units), arguments{all[std::size_t(t)].data(), ids.data(), units});
        if (t % 2 && done) done.wait();
      }
      own.wait();
    });
  for (std::thread &each : callers) each.join();
  for (const auto &each : all) EXPECT_EQ(each, std::vector<std::uint32_t>(units, launches));
}

TEST_F(helpers, come_again_after_a_pause) {
  for (int k = 0; k < 5; ++k) {
    ASSERT_TRUE(others_help());
    std::fill(executors.begin(), executors.end(), std::this_thread::get_id());
    std::this_thread::sleep_for(5ms);
  }
}

TEST_F(helpers, outlive_their_device) {
  for (int k = 0; k < 20; ++k) {
    const auto parts = on.partition_by_counts(std::vector<std::uint32_t>{2});
    const queue own(parts[0], {.in_order = true});
    const auto own_code = load(parts[0], each<arguments, run_unit>);
    std::fill(counts.begin(), counts.end(), 0);
    for (int n = 0; n < 50; ++n) launch(own, own_code, flat(units), arguments{counts.data(), executors.data(), units});
    own.wait();
    EXPECT_EQ(counts, std::vector<std::uint32_t>(units, 50));
  }
}

struct flag_arguments {
  std::atomic<bool> *is_set;
};
void wait_for_flag(const flag_arguments &a, std::size_t) {
  while (!a.is_set->load()) std::this_thread::yield();
}

TEST_F(helpers, leave_kernels_of_unknown_duration_to_tasks) {
  for (int k = 0; k < 5; ++k) {
    ASSERT_TRUE(others_help());
    std::atomic<bool> is_set = false;
    const auto waiting = load(on, each<flag_arguments, wait_for_flag>);
    launch(q, waiting, flat(1000), flag_arguments{&is_set});  // returns before the flag is set
    is_set = true;
    q.wait();
  }
}

TEST_F(helpers, make_way_for_tasks) {
  const queue other(on);
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(others_help());
    std::atomic<bool> is_set = false;
    const auto waiting = load(on, each<flag_arguments, wait_for_flag>);
    const event done = launch(other, waiting, flat(1000), flag_arguments{&is_set});
    for (int n = 0; n < 200; ++n) run(q);
    is_set = true;
    for (int n = 0; n < 200; ++n) run(q);
    done.wait();
    q.wait();
  }
}

using helpers_DeathTest = helpers;

TEST_F(helpers_DeathTest, are_not_expected_in_a_forked_child) {
  if (under_thread_sanitizer)
    GTEST_SKIP() << "ThreadSanitizer lets no forked child of a multithreaded process start threads";
  for (int k = 0; k < 10; ++k) {
    ASSERT_TRUE(others_help());
    const pid_t child = fork();
    if (child == 0) {
      std::fill(counts.begin(), counts.end(), 0);
      for (int n = 0; n < 100; ++n) run(q);
      q.wait();
      _exit(counts == std::vector<std::uint32_t>(units, 100) ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
}

}  // namespace
}  // namespace dpep::testing
