// The signals that end kernels, the thread that sends them, and what the interpreter's SIGINT means to the main thread.
//
// A kernel is left by the fault guard's jump, as after a fault, and only from an instruction of its own machine code:
// a library function that it calls may hold a lock. The signal is sent again until it finds the kernel there.
#include "backend/cpu/interrupts.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <mutex>
#include <thread>
#include <vector>

#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <dpep/interrupts.hpp>

#include "backend/common/clock.hpp"
#include "backend/cpu/event.hpp"

namespace dpep::backend {
namespace {

// Where kernels' code is, for the signal handler: entries are filled once and used again, never freed.
struct code_range {
  std::atomic<std::uintptr_t> begin{0}, end{0};  // begin 0: free
  code_range *next = nullptr;
};
constinit std::atomic<code_range *> code_ranges{nullptr};
constinit std::mutex adding_code;

}  // namespace

void add_kernel_code(const void *begin, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  const std::lock_guard lock(adding_code);
  code_range *place = code_ranges.load(std::memory_order_relaxed);
  while (place && place->begin.load(std::memory_order_relaxed)) place = place->next;
  const bool fresh = !place;
  if (fresh) {
    place = new code_range;
    place->next = code_ranges.load(std::memory_order_relaxed);
  }
  place->end.store(first + bytes, std::memory_order_relaxed);
  place->begin.store(first, std::memory_order_release);
  if (fresh) code_ranges.store(place, std::memory_order_release);
}

void remove_kernel_code(const void *begin) noexcept {
  const std::lock_guard lock(adding_code);
  for (code_range *r = code_ranges.load(std::memory_order_relaxed); r; r = r->next)
    if (r->begin.load(std::memory_order_relaxed) == reinterpret_cast<std::uintptr_t>(begin)) return r->begin.store(0);
}

bool is_kernel_code(const void *address) noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for (const code_range *r = code_ranges.load(std::memory_order_acquire); r; r = r->next) {
    const std::uintptr_t begin = r->begin.load(std::memory_order_acquire);
    if (begin && at >= begin && at < r->end.load(std::memory_order_relaxed)) return true;
  }
  return false;
}

namespace cpu {

std::exception_ptr interrupted_mark() noexcept {
  static const std::exception_ptr mark = std::make_exception_ptr(dpep::interrupts::interruption{});
  return mark;
}

namespace interrupts {
namespace {

using dpep::interrupts::interpreter_hooks;

// By default ignored, and used by nobody to end a process: one that comes late does no harm.
constexpr int call_signal = SIGURG;

// Python handles a SIGINT as soon as its main thread comes back to it. One that went unnoticed so long was for others.
constexpr std::uint64_t longest_news = 2'000'000'000;
constexpr timespec pause{0, 2'000'000};

constinit interpreter_hooks heard_by{};
constinit std::atomic<bool> listening{false};
constinit std::atomic<std::uint64_t> heard_at{0};  // when a SIGINT came that may concern a kernel or a wait; 0: none
constinit std::atomic<bool> drop_later{false}, exiting{false};
struct sigaction interpreter_action;  // SIGINT's, before ours

bool heard() noexcept { return heard_at.load(std::memory_order_relaxed) != 0; }
bool on_main_thread() noexcept { return listening.load(std::memory_order_acquire) && ::gettid() == ::getpid(); }

struct called_task {
  ref<event> task;
  const std::atomic<bool> *stop;
};

// Never destroyed: threads may end after static destructors.
struct caller {
  std::mutex mutex;
  sem_t news;
  bool running = false;
  std::vector<std::pair<pid_t, detail::guard_state *>> threads;
  std::vector<called_task> tasks;

  caller() { sem_init(&news, 0, 0); }
};
caller &current() {
  static auto &it = *new caller;
  return it;
}

/// The signal's handler. The thread may be in a kernel that must end, or in other code.
void on_call(int, siginfo_t *, void *context) {
  const int error = errno;
  detail::guard_state &state = detail::guard;
  const std::atomic<bool> *const stop = state.stop.load(std::memory_order_relaxed);
  const auto *const at = reinterpret_cast<void *>(static_cast<const ucontext_t *>(context)->uc_mcontext.gregs[REG_RIP]);
  if (state.target && stop && is_kernel_code(at)) {
    bool ends = stop->load();
    if (!ends && state.listens && heard()) {
      ends = heard_by.will_raise();
      if (!ends) heard_at.store(0);  // the program handled it
    }
    if (ends) {
      state.report->what = fault::kind::interrupted;
      std::longjmp(*state.target, 1);
    }
  }
  errno = error;
}

void on_interrupt(int number, siginfo_t *info, void *context) {
  const int error = errno;
  const struct sigaction &before = interpreter_action;
  if (before.sa_flags & SA_SIGINFO)
    before.sa_sigaction(number, info, context);
  else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
    before.sa_handler(number);
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  heard_at.store(std::uint64_t(now.tv_sec) * 1'000'000'000 + std::uint64_t(now.tv_nsec) + 1);
  drop_later.store(true, std::memory_order_relaxed);
  sem_post(&current().news);
  errno = error;
}

/// Sends the signal to the threads that must leave a kernel. False when there are none left.
bool call_all(caller &mine, std::vector<called_task> &done) {
  const std::lock_guard lock(mine.mutex);
  const auto finished = std::ranges::partition(
      mine.tasks, [](const called_task &t) { return t.task->status() != event_status::complete; });
  done.assign(std::make_move_iterator(finished.begin()), std::make_move_iterator(finished.end()));
  mine.tasks.erase(finished.begin(), finished.end());
  const std::uint64_t since = heard_at.load();
  if (since && now() > since + longest_news) heard_at.store(0);
  for (const auto &[thread, state] : mine.threads) {
    const std::atomic<bool> *const stop = state->stop.load(std::memory_order_relaxed);
    if (!stop) continue;
    const bool wanted = std::ranges::any_of(mine.tasks, [&](const called_task &t) { return t.stop == stop; });
    if (wanted || (state->listens && heard())) ::syscall(SYS_tgkill, ::getpid(), thread, call_signal);
  }
  return !mine.tasks.empty() || heard();
}

void run_caller(caller &mine) {
  pthread_setname_np(pthread_self(), "dpep signals");
  for (;;) {
    while (sem_wait(&mine.news) != 0) {}
    std::vector<called_task> done;
    while (call_all(mine, done)) nanosleep(&pause, nullptr);
  }
}

/// With the mutex.
void start(caller &mine) noexcept {
  if (mine.running) return;
  struct sigaction ours{};
  ours.sa_sigaction = on_call;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;  // NODEFER: as in guard.cpp
  sigemptyset(&ours.sa_mask);
  sigaction(call_signal, &ours, nullptr);
  sigset_t all, before;  // signals of the process are for others
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  try {
    std::thread([&mine] { run_caller(mine); }).detach();
    mine.running = true;
  } catch (...) {  // no thread: kernels end by themselves or not at all, as they would without this
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

void add_thread(detail::guard_state &state) {
  caller &mine = current();
  const std::lock_guard lock(mine.mutex);
  state.listens = on_main_thread();
  mine.threads.emplace_back(::gettid(), &state);
}

void remove_thread(detail::guard_state &state) noexcept {
  caller &mine = current();
  const std::lock_guard lock(mine.mutex);
  std::erase_if(mine.threads, [&](const auto &t) { return t.second == &state; });
}

void call_out(ref<event> task, const std::atomic<bool> &stop) noexcept {
  caller &mine = current();
  {
    const std::lock_guard lock(mine.mutex);
    start(mine);
    try {
      mine.tasks.push_back({std::move(task), &stop});
    } catch (...) {  // no memory
    }
  }
  sem_post(&mine.news);
}

bool dropping() noexcept { return exiting.load(std::memory_order_relaxed); }
void begin_exit() noexcept {
  if (drop_later.load()) exiting.store(true);
}

void lock() noexcept { current().mutex.lock(); }
void unlock() noexcept { current().mutex.unlock(); }
void forget() noexcept {
  caller &mine = current();
  new (&mine.mutex) std::mutex;
  sem_init(&mine.news, 0, 0);
  mine.running = false;
  mine.tasks.clear();
  std::erase_if(mine.threads, [](const auto &t) { return t.second != &detail::guard; });
  for (auto &[thread, state] : mine.threads) thread = ::gettid();
  detail::guard.listens = on_main_thread();
  exiting.store(false);
}

}  // namespace interrupts
}  // namespace cpu

void drop_work_at_exit(bool yes) noexcept { cpu::interrupts::drop_later.store(yes, std::memory_order_relaxed); }

void listen_for_interrupts() noexcept {
  using namespace cpu::interrupts;
  if (!on_main_thread()) return;
  struct sigaction now{};
  if (sigaction(SIGINT, nullptr, &now) != 0) return;
  const bool ours = (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_interrupt;
  // Only over the interpreter's own: anybody else's may call ours in turn.
  if (!ours && now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN &&
      heard_by.owns_handler(reinterpret_cast<const void *>(now.sa_handler))) {
    interpreter_action = now;
    struct sigaction mine{};
    mine.sa_sigaction = on_interrupt;
    mine.sa_flags = SA_SIGINFO | (now.sa_flags & (SA_ONSTACK | SA_RESTART));
    mine.sa_mask = now.sa_mask;
    sigaction(SIGINT, &mine, nullptr);
  }
  caller &mine = current();
  const std::lock_guard lock(mine.mutex);
  if (!mine.threads.empty()) start(mine);  // not before there is a kernel to be called out of
}

}  // namespace dpep::backend

namespace dpep::interrupts {

using namespace backend::cpu::interrupts;

void set_interpreter_hooks(const interpreter_hooks &l) {
  heard_by = l;
  listening.store(true, std::memory_order_release);
  caller &mine = current();
  const std::lock_guard lock(mine.mutex);
  for (auto &[thread, state] : mine.threads) state->listens = thread == ::getpid();
}

bool on_interpreter_thread() noexcept { return on_main_thread(); }
bool pending() noexcept { return heard() && on_main_thread(); }

void check() {
  if (!pending()) [[likely]]
    return;
  heard_at.store(0);
  try {
    heard_by.handle_signals();
  } catch (...) {
    backend::drop_work_at_exit(true);
    throw interruption{std::current_exception(), {}};
  }
}

void install_handler() noexcept { backend::listen_for_interrupts(); }

void wait(const event &e) {
  // Preparing is a system call, which a wait for nothing need not pay for.
  if (!e || e.status() == event_status::complete || !on_main_thread()) return e ? e.wait() : void();
  install_handler();
  try {
    e.wait_while([] {
      check();
      return true;
    });
  } catch (interruption &i) {
    static_cast<const backend::event &>(*e.get()).add_unfinished(i.unfinished_kernels);
    throw;
  }
  wait_succeeded();
}

void wait_succeeded() noexcept { backend::drop_work_at_exit(false); }

void finish_copy(const event &e) {
  try {
    wait(e);
  } catch (const interruption &) {
    if (e) backend::stop_copy(static_cast<backend::event &>(*e.get()));
    e.wait();
    throw;
  }
}

}  // namespace dpep::interrupts
