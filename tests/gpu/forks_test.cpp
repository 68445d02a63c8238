// Forks of a process that uses a GPU: what its children may not do, and that they end as they should.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include "pretended_gpu.hpp"

static const pid_t home = ::getpid();
/// Asked by LeakSanitizer: a forked child has not the threads that hold what is left.
extern "C" int __lsan_is_turned_off() { return ::getpid() != home; }

namespace dpep::test {
namespace {

/// How a forked child ended that did this, and what it said.
struct child_end {
  int status = -1;
  std::string said;
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
  for (char c = 0; ::read(ends[0], &c, 1) == 1;) end.said += c;
  ::close(ends[0]);
  ::waitpid(child, &end.status, 0);
  return end;
}

TEST_F(PretendedGpu, AForkedChildLetsGoOfQueuesWithoutAWord) {
  auto *const x = allocate<int>(usm_kind::device, 1 << 16);
  for (const bool watched : {false, true}) {
    std::optional<queue> mine(std::in_place, gpu, queue_options{.in_order = true});
    std::atomic<int> after{0};
    event last;
    for (int k = 0; k < 20; ++k) last = mine->fill(x, &k, sizeof k, 1 << 16);
    if (watched) {
      q.host_task([] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); });  // until after the fork
      last = mine->host_task([&] { ++after; }, {&last, 1});
    }
    const child_end end = in_child([&] {
      mine->wait();  // for what is the parent's
      mine.reset();
      last = event();
      if (after) std::fputs("what was to follow was done twice", stderr);
      std::exit(0);  // which the watcher's thread is not there for
    });
    EXPECT_EQ(end.status, 0);
    EXPECT_EQ(end.said, "");
    mine->wait();
    EXPECT_EQ(after, watched ? 1 : 0);
  }
}

TEST_F(PretendedGpu, AForkedChildIsToldWhyItCannotUseTheGpu) {
  auto *const x = allocate<int>(usm_kind::device, 1);
  const int one = 1;
  q.fill(x, &one, sizeof one, 1).wait();
  const child_end end = in_child([&] {
    const auto say = [](const std::string &what) { std::fprintf(stderr, "%s\n", what.c_str()); };
    say(message_of([&] { q.fill(x, &one, sizeof one, 1).wait(); }));
    say(message_of([&] { const queue another(gpu); }));
    say(message_of([&] { allocate<char>(usm_kind::device, std::size_t{300} << 20); }));
    say(message_of([&] { (void)native::stream_of(q); }));
  });
  EXPECT_EQ(end.status, 0);
  std::size_t times = 0;
  for (std::size_t at = 0; (at = end.said.find("forked", at)) != end.said.npos; at += 6) ++times;
  EXPECT_EQ(times, 4u) << end.said;
}

TEST_F(PretendedGpu, AForkWhileOthersSubmitLeavesTheChildNoLock) {
  std::optional<queue> mine(std::in_place, gpu, queue_options{.in_order = true});
  std::atomic<bool> stop{false};
  std::vector<std::thread> others;
  for (int i = 0; i < 3; ++i)
    others.emplace_back([&, x = allocate<int>(usm_kind::device, 1)] {
      for (int k = 0; !stop; ++k) {
        const event e = mine->fill(x, &k, sizeof k, 1);
        e.keep_alive(std::make_shared<int>(k));
        if (k % 64 == 0) e.wait();
      }
    });
  child_end end{.status = 0, .said = ""};
  for (int i = 0; i < 150 && end.status == 0 && end.said.empty(); ++i)
    end = in_child([&] {
      mine->wait();
      mine.reset();
      std::exit(0);
    });
  EXPECT_EQ(end.status, 0);
  EXPECT_EQ(end.said, "");
  stop = true;
  for (std::thread &t : others) t.join();
  mine->wait();
}

}  // namespace
}  // namespace dpep::test
