// The runtime's effects on the process: threads, fork, exit, environment variables and the trace.
//
// Tests that affect the process run in a child: they are death tests of GoogleTest, in the style that executes the
// program again.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include <dpep/memory.hpp>

#include "runtime/kernels.hpp"
#include "runtime/trace.hpp"

namespace dpep::testing {
namespace {

struct arguments {
  int *values;
};
const auto increment = each<arguments, [](const arguments &a, std::size_t i) { ++a.values[i]; }>;

std::size_t thread_count() {
  std::size_t n = 0;
  for ([[maybe_unused]] const auto &entry : std::filesystem::directory_iterator("/proc/self/task")) ++n;
  return n;
}

class ProcessDeathTest : public ::testing::Test {
protected:
  ProcessDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

/// Evaluates `check` in a new process, and expects true.
#define EXPECT_IN_CHILD(check) EXPECT_EXIT({ std::exit((check)() ? 0 : 1); }, ::testing::ExitedWithCode(0), "")

TEST_F(ProcessDeathTest, no_thread_is_started_before_it_is_needed) {
  EXPECT_IN_CHILD([] {
    const std::size_t before = thread_count();
    const queue q{device()};
    const auto code = load(q.get_device(), increment);
    int value = 0;
    launch(q, code, flat(1), arguments{&value}).wait();
    free(allocate(usm_kind::shared, 100, 64, q.get_context(), q.get_device()), q.get_context());
    return thread_count() == before && value == 1;
  });
}

TEST_F(ProcessDeathTest, after_a_fork_the_child_can_run_all_kinds_of_work) {
  if (under_thread_sanitizer)
    GTEST_SKIP() << "ThreadSanitizer lets no forked child of a multithreaded process start threads";
  EXPECT_IN_CHILD([] {
    const queue q{device()};
    const auto code = load(q.get_device(), increment);
    std::vector<int> values(1'000'000);
    launch(q, code, flat(values.size()), arguments{values.data()});  // may be running during the fork
    q.host_task([] { std::this_thread::sleep_for(std::chrono::milliseconds(10)); });
    const pid_t child = fork();
    if (child == 0) {
      launch(q, code, flat(values.size()), arguments{values.data()}).wait();
      std::atomic<int> done = 0;  // the queues' tasks run in any order
      q.host_task([&] { ++done; });
      const queue mine{device()};
      mine.host_task([&] { ++done; }).wait();
      q.wait();
      _exit(values.front() == 2 && values.back() == 2 && done == 2 ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    launch(q, code, flat(values.size()), arguments{values.data()}).wait();
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 && values.back() == 2;
  });
}

TEST_F(ProcessDeathTest, a_fork_during_submissions_leaves_no_lock_held_and_no_pending_command_in_the_child) {
  if (under_thread_sanitizer)
    GTEST_SKIP() << "ThreadSanitizer lets no forked child of a multithreaded process start threads";
  EXPECT_IN_CHILD([] {
    const queue q(device(), queue_options{.in_order = true});
    const auto code = load(q.get_device(), increment);
    std::atomic<bool> stop = false;
    std::vector<std::thread> submitters;
    for (const std::size_t size : {1, 1000, 100'000})  // the short ones run inline
      submitters.emplace_back([&, values = std::vector<int>(size)]() mutable {
        while (!stop) launch(q, code, flat(values.size()), arguments{values.data()}).wait();
      });
    bool succeeded = true;
    for (int i = 0; i < 50 && succeeded; ++i) {
      const pid_t child = fork();
      if (child == 0) {
        alarm(20);
        std::vector<int> values(100'000);
        launch(q, code, flat(values.size()), arguments{values.data()}).wait();
        q.wait();
        _exit(values.front() == 1 && values.back() == 1 ? 0 : 1);
      }
      int status = -1;
      waitpid(child, &status, 0);
      succeeded = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    stop = true;
    for (std::thread &t : submitters) t.join();
    return succeeded;
  });
}

TEST_F(ProcessDeathTest, exit_waits_for_running_work_but_not_for_blocked_work) {
  EXPECT_EXIT(
      {
        static const queue q{device()};  // destroyed during exit
        static user_event never;
        q.host_task([] { std::fprintf(stderr, "never"); }, after(never));
        q.host_task([] {
          std::this_thread::sleep_for(std::chrono::milliseconds(30));
          std::fprintf(stderr, "finished");
        });
        std::exit(0);
      },
      ::testing::ExitedWithCode(0), "^finished$");
}

TEST_F(ProcessDeathTest, exit_from_a_host_task_does_not_wait_for_itself) {
  EXPECT_EXIT(
      {
        const queue q{device()};
        q.host_task([] { std::exit(3); }).wait();
      },
      ::testing::ExitedWithCode(3), "");
}

TEST_F(ProcessDeathTest, the_environment_selects_devices_and_threads) {
  EXPECT_IN_CHILD([] {
    setenv("ONEAPI_DEVICE_SELECTOR", "*:gpu", 1);
    try {
      device d;
      return d.info().type == device_type::gpu;
    } catch (const exception &e) {
      return std::string(e.what()).find("ONEAPI_DEVICE_SELECTOR='*:gpu'") != std::string::npos;
    }
  });
  EXPECT_IN_CHILD([] {
    setenv("ONEAPI_DEVICE_SELECTOR", "gpu", 1);
    try {
      device d;
    } catch (const exception &e) {
      return e.code() == errc::invalid;
    }
    return false;
  });
  EXPECT_IN_CHILD([] {
    setenv("ONEAPI_DEVICE_SELECTOR", "native_cpu:0.0", 1);
    return all_devices().size() == 1 && device().info().max_compute_units <= std::thread::hardware_concurrency() &&
           !device().parent();
  });
  EXPECT_IN_CHILD([] {
    setenv("ONEAPI_DEVICE_SELECTOR", "native_cpu:*;native_cpu:0.0", 1);  // a device and its sub-device
    const std::vector<device> all = all_devices();
    return all.size() == 2 && all[0] != all[1] && all[0] == device() &&
           all[1].info().max_compute_units <= all[0].info().max_compute_units;
  });
  EXPECT_IN_CHILD([] {
    setenv("DPEP_NUM_THREADS", "1", 1);
    return device("cpu").info().max_compute_units == 1;
  });
}

TEST_F(ProcessDeathTest, the_trace_has_kernels_copies_and_other_scopes) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("dpep_trace_" + std::to_string(getpid()))).string();
  setenv("DPEP_TRACE_TEST_PATH", path.c_str(), 0);  // the child executes the program again and must use the same path
  EXPECT_IN_CHILD([] {
    setenv("DPEP_TRACE", std::getenv("DPEP_TRACE_TEST_PATH"), 1);
    const queue q{device()};
    std::vector<int> values(1'000'000);
    launch(q, load(q.get_device(), increment, "my \"kernel\""), flat(values.size()), arguments{values.data()}).wait();
    q.copy(values.data(), values.data() + 500'000, 1000);
    q.wait();
    { const runtime::trace::scope compiling("compile it", "compile"); }
    return true;
  });
  std::stringstream text;
  text << std::ifstream(std::getenv("DPEP_TRACE_TEST_PATH")).rdbuf();
  const std::string trace = text.str();
  for (const char *part :
       {R"("name":"my \"kernel\"","cat":"kernel")", R"("name":"copy")", R"("cat":"compile")", "\n]\n"})
    EXPECT_NE(trace.find(part), std::string::npos) << part << " in " << trace;
  std::filesystem::remove(std::getenv("DPEP_TRACE_TEST_PATH"));
}

}  // namespace
}  // namespace dpep::testing
