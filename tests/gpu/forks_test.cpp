// Forks of a process that uses a GPU: errors in the child, and that it exits normally.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include "fake_gpu.hpp"

static const pid_t home = ::getpid();
/// Called by LeakSanitizer: a forked child lacks the threads whose stacks refer to remaining memory.
extern "C" int __lsan_is_turned_off() { return ::getpid() != home; }

namespace dpep::test {
namespace {

/// The exit status and the output of a forked child that has executed a function.
struct child_end {
  int status = -1;
  std::string output;
};
template <class F> child_end in_child(F act) {
  child_end end;
  int ends[2];
  if (::pipe(ends) != 0) return end;
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(5);  // kills it
    ::dup2(ends[1], STDERR_FILENO);
    act();
    ::_exit(0);
  }
  ::close(ends[1]);
  for (char c = 0; ::read(ends[0], &c, 1) == 1;) end.output += c;
  ::close(ends[0]);
  ::waitpid(child, &end.status, 0);
  return end;
}

TEST_F(fake_gpu, a_forked_child_destroys_queues_without_output) {
  auto *const x = allocate<int>(usm_kind::device, 1 << 16);
  for (const bool has_callback : {false, true}) {
    std::optional<queue> mine(std::in_place, gpu, queue_options{.in_order = true});
    std::atomic<int> after{0};
    event last;
    for (int k = 0; k < 20; ++k) last = mine->fill(x, &k, sizeof k, 1 << 16);
    if (has_callback) {
      q.host_task([] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); });  // until after the fork
      last = mine->host_task([&] { ++after; }, {&last, 1});
    }
    const child_end end = in_child([&] {
      mine->wait();  // returns, although the work is the parent's
      mine.reset();
      last = event();
      if (after) std::fputs("the host task also ran in the child", stderr);
      std::exit(0);  // must not wait for the reaper, which the child does not have
    });
    EXPECT_EQ(end.status, 0);
    EXPECT_EQ(end.output, "");
    mine->wait();
    EXPECT_EQ(after, has_callback ? 1 : 0);
  }
}

TEST_F(fake_gpu, a_forked_childs_errors_explain_why_the_gpu_is_unusable) {
  auto *const x = allocate<int>(usm_kind::device, 1);
  const int one = 1;
  q.fill(x, &one, sizeof one, 1).wait();
  const child_end end = in_child([&] {
    const auto say = [](const std::string &what) { std::fprintf(stderr, "%s\n", what.c_str()); };
    say(error_message([&] { q.fill(x, &one, sizeof one, 1).wait(); }));
    say(error_message([&] { const queue another(gpu); }));
    say(error_message([&] { allocate<char>(usm_kind::device, std::size_t{300} << 20); }));
    say(error_message([&] { (void)native::stream_of(q); }));
  });
  EXPECT_EQ(end.status, 0);
  std::size_t times = 0;
  for (std::size_t at = 0; (at = end.output.find("forked", at)) != end.output.npos; at += 6) ++times;
  EXPECT_EQ(times, 4u) << end.output;
}

TEST_F(fake_gpu, a_fork_during_submissions_leaves_no_lock_held_in_the_child) {
  std::optional<queue> mine(std::in_place, gpu, queue_options{.in_order = true});
  std::atomic<bool> stop{false};
  std::vector<std::thread> submitters;
  for (int i = 0; i < 3; ++i)
    submitters.emplace_back([&, x = allocate<int>(usm_kind::device, 1)] {
      for (int k = 0; !stop; ++k) {
        const event e = mine->fill(x, &k, sizeof k, 1);
        e.keep_alive(std::make_shared<int>(k));
        if (k % 64 == 0) e.wait();
      }
    });
  child_end end{.status = 0, .output = ""};
  for (int i = 0; i < 150 && end.status == 0 && end.output.empty(); ++i)
    end = in_child([&] {
      mine->wait();
      mine.reset();
      std::exit(0);
    });
  EXPECT_EQ(end.status, 0);
  EXPECT_EQ(end.output, "");
  stop = true;
  for (std::thread &t : submitters) t.join();
  mine->wait();
}

}  // namespace
}  // namespace dpep::test
