// Errors of tasks: messages, the queue and the wait that report them, and that the process survives faults.
#include <gtest/gtest.h>

#include <csignal>
#include <thread>
#include <vector>

#include "backend/cpu/guard.hpp"
#include "runtime/kernels.hpp"

namespace dpep::testing {
namespace {

struct fault_arguments {
  int *pointer;
  int divisor;
};
struct fault_case {
  const char *name;
  backend::work_function entry;
  const char *message;
};

[[gnu::noinline]] int overflow_stack(volatile char *outer) {
  volatile char frame[4096];
  frame[0] = *outer;
  return *outer == 1 ? 0 : overflow_stack(frame) + frame[0];
}

// no_sanitize: the faults are intended
[[clang::no_sanitize("all")]] void write_null(const void *a, const geometry *, std::size_t, std::size_t, std::byte *,
                                              std::size_t) {
  *static_cast<const fault_arguments *>(a)->pointer = 1;
}
[[clang::no_sanitize("all")]] void divide(const void *a, const geometry *, std::size_t, std::size_t, std::byte *,
                                          std::size_t) {
  const volatile int dividend = 7, divisor = static_cast<const fault_arguments *>(a)->divisor;
  volatile int result = dividend / divisor;
  (void)result;
}
void fail_assert(const void *, const geometry *, std::size_t, std::size_t, std::byte *, std::size_t) {
  backend::cpu::fail_assertion("x > 0", "user.cpp", 12, "my_kernel");
}
[[clang::no_sanitize("all")]] void trap(const void *, const geometry *, std::size_t, std::size_t, std::byte *,
                                        std::size_t) {
  asm volatile("ud2");
}
void recurse(const void *, const geometry *, std::size_t, std::size_t, std::byte *, std::size_t) {
  volatile char start = 0;
  overflow_stack(&start);
}

const std::vector<fault_case> cases{
    {"null_pointer", write_null, "write to address 0x0 (null pointer)"},
    {"division_by_zero", divide, "integer division by zero"},
    {"failed_assert", fail_assert, "assertion 'x > 0' failed in my_kernel (user.cpp:12)"},
    {"trap", trap, "illegal instruction or a trap"},
    {"stack_overflow", recurse, "stack overflow"},
};

class faults : public ::testing::TestWithParam<fault_case> {};
INSTANTIATE_TEST_SUITE_P(kernels, faults, ::testing::ValuesIn(cases),
                         [](const auto &info) { return std::string(info.param.name); });

std::string error_of_wait(const queue &q) {
  try {
    q.wait();
  } catch (const exception &e) {
    EXPECT_EQ(e.code(), errc::kernel);
    return e.what();
  }
  return "";
}

TEST_P(faults, ends_the_kernel_and_is_thrown_once_by_the_next_wait) {
  if (sanitized && GetParam().entry == recurse) GTEST_SKIP() << "sanitizers check the stack themselves";
  if (under_thread_sanitizer && GetParam().entry != fail_assert)
    GTEST_SKIP() << "ThreadSanitizer does not support longjmp out of a signal handler";
  const queue q{device()};
  const auto code = load(q.get_device(), GetParam().entry, "my_kernel");
  for (std::size_t items : {1u, 100'000u}) {  // inline, and as a task
    launch(q, code, flat(items), fault_arguments{});
    const std::string message = error_of_wait(q);
    EXPECT_NE(message.find(GetParam().message), std::string::npos) << message;
    EXPECT_NE(message.find("my_kernel"), std::string::npos) << message;
    EXPECT_NE(message.find("fault_test.cpp"), std::string::npos) << message;
    EXPECT_EQ(error_of_wait(q), "") << "thrown once";
  }
}

TEST_P(faults, leaves_every_thread_able_to_run_and_fault_again) {
  if (sanitized && GetParam().entry == recurse) GTEST_SKIP() << "sanitizers check the stack themselves";
  if (under_thread_sanitizer && GetParam().entry != fail_assert)
    GTEST_SKIP() << "ThreadSanitizer does not support longjmp out of a signal handler";
  std::thread([&] {
    const queue q{device()};
    const auto code = load(q.get_device(), GetParam().entry);
    for (int i = 0; i < 3; ++i) {
      launch(q, code, flat(1), fault_arguments{});
      EXPECT_NE(error_of_wait(q), "");
    }
  }).join();
}

TEST(fault_of_a_copy, is_an_error_of_the_queue) {
  if (under_thread_sanitizer) GTEST_SKIP() << "ThreadSanitizer does not support longjmp out of a signal handler";
  const queue q{device()};
  int value = 0;
  (void)load(q.get_device(), write_null);  // the handlers are installed when the first code is loaded
  q.copy(&value, reinterpret_cast<const void *>(16), 4);
  try {
    q.wait();
    FAIL();
  } catch (const exception &e) {
    EXPECT_NE(std::string(e.what()).find("copy of 4 bytes"), std::string::npos) << e.what();
  }
}

TEST(failure, does_not_prevent_dependent_tasks) {
  const queue q{device()};
  const auto bad = load(q.get_device(), fail_assert);
  user_event gate;
  bool ran = false;
  const event failed = launch(q, bad, flat(1), fault_arguments{}, after(gate));
  q.host_task([&] { ran = true; }, after(failed));
  gate.complete();
  EXPECT_THROW(q.wait(), exception);
  EXPECT_TRUE(ran);
}

TEST(failure, of_a_host_task_is_the_exception_that_it_threw) {
  const queue q{device()};
  struct custom_error {
    int value;
  };
  q.host_task([] { throw custom_error{42}; });
  try {
    q.wait();
    FAIL();
  } catch (const custom_error &e) {
    EXPECT_EQ(e.value, 42);
  }
  q.wait();
}

TEST(failure, is_thrown_by_the_queue_and_not_by_event_wait) {
  const queue q{device()};
  q.host_task([] { throw std::runtime_error("later"); }).wait();
  EXPECT_THROW(q.throw_asynchronous(), std::runtime_error);
}

TEST(failure, is_passed_to_the_asynchronous_handler_only_on_request) {
  std::vector<std::string> seen;
  const device where;
  const queue q(context::default_for(where), where, {}, [&](std::vector<std::exception_ptr> errors) {
    for (const auto &e : errors) {
      try {
        std::rethrow_exception(e);
      } catch (const std::exception &x) {
        seen.push_back(x.what());
      }
    }
  });
  q.host_task([] { throw std::runtime_error("one"); }).wait();
  q.host_task([] { throw std::runtime_error("two"); });
  q.wait();
  EXPECT_TRUE(seen.empty()) << "wait does not call the handler";
  q.wait_and_throw();
  EXPECT_EQ(seen, (std::vector<std::string>{"one", "two"}));
  q.wait_and_throw();
  EXPECT_EQ(seen.size(), 2u);
}

TEST(failure, of_one_queue_is_not_seen_by_another) {
  const queue a{device()}, b{device()};
  a.host_task([] { throw std::runtime_error("mine"); });
  b.host_task([] {});
  b.wait();
  EXPECT_THROW(a.wait(), std::runtime_error);
}

TEST(failure, without_a_wait_is_printed_to_stderr) {
  ::testing::internal::CaptureStderr();
  {
    const queue q{device()};
    q.host_task([] { throw std::runtime_error("unseen"); }).wait();
  }
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("unseen"), std::string::npos);
}

using FaultDeathTest = ::testing::Test;
TEST(FaultDeathTest, outside_of_kernels_faults_are_still_fatal) {
  if (sanitized) GTEST_SKIP() << "sanitizers handle them";
  (void)load(device(), write_null);
  EXPECT_EXIT({ std::raise(SIGSEGV); }, ::testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(
      {
        int *volatile nowhere = nullptr;
        *nowhere = 1;
      },
      ::testing::KilledBySignal(SIGSEGV), "");
}

TEST(FaultDeathTest, outside_of_kernels_faults_reach_the_programs_handler) {
  if (sanitized) GTEST_SKIP() << "sanitizers handle them";
  EXPECT_EXIT(
      {
        struct sigaction handler{};
        handler.sa_handler = [](int) { _exit(7); };
        sigaction(SIGFPE, &handler, nullptr);
        backend::cpu::install_fault_handlers();
        std::raise(SIGFPE);
      },
      ::testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace dpep::testing
