// The signal that interrupts kernels, the thread that sends it, and the handler of SIGINT.
//
// The signal handler leaves a kernel by the fault guard's longjmp, as after a fault, but only from an instruction of
// the kernel's own machine code: a library function that it calls may hold a lock. The signal is sent again until it
// arrives there.
#include "backend/cpu/interrupts.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <dpep/interrupts.hpp>

#include "backend/common/clock.hpp"

namespace dpep::backend {
namespace cpu {

std::exception_ptr interrupted_mark() noexcept {
  static const std::exception_ptr mark = std::make_exception_ptr(dpep::interrupts::interruption{});
  return mark;
}

namespace interrupts {
namespace {

using dpep::interrupts::interpreter_hooks;

// Ignored by default, and not used to end processes: a late signal does no harm.
constexpr int interrupt_signal = SIGURG;

// Python handles a SIGINT as soon as its main thread returns to the interpreter. A SIGINT that was not taken from here
// for this long, in nanoseconds, was handled by the program.
constexpr std::uint64_t sigint_lifetime = 2'000'000'000;
constexpr std::chrono::milliseconds pause{2};

// Kernels of the interpreter's main thread are looked at in this interval. One that runs for a whole interval is long.
constexpr std::chrono::milliseconds monitoring_interval{20};
constexpr int idle_intervals = 5;  // after so many without a kernel, monitoring ends

constinit interpreter_hooks hooks{};
constinit std::atomic<bool> hooks_set{false};
constinit std::atomic<std::uint64_t> sigint_time{0};  // of the last SIGINT that is not handled; 0: none
// Whether a SIGINT may have come before dpep's handler was installed. Reset when the interpreter has been asked.
constinit std::atomic<bool> sigint_missed{false};
constinit std::atomic<bool> drop_at_exit{false}, exiting{false};
struct sigaction interpreter_action;  // the interpreter's handler of SIGINT; written with the mutex locked

bool sigint_pending() noexcept { return sigint_time.load(std::memory_order_relaxed) != 0; }
bool sigint_possible() noexcept { return sigint_pending() || sigint_missed.load(std::memory_order_relaxed); }
void forget_sigint() noexcept {
  sigint_time.store(0);
  sigint_missed.store(false);
}
bool is_interpreter_thread() noexcept { return hooks_set.load(std::memory_order_acquire) && ::gettid() == ::getpid(); }

/// A task whose kernel is to be interrupted; or no task, and kernels with that flag.
struct target_task {
  ref<event> task;
  const std::atomic<bool> *stop;
};

/// The state of the thread that sends signals. Never destroyed: threads may end after static destructors.
struct interrupter {
  std::mutex mutex;
  sem_t wake;
  bool running = false;
  std::vector<std::pair<pid_t, detail::guard_state *>> threads;
  std::vector<target_task> tasks;

  interrupter() { sem_init(&wake, 0, 0); }
};
interrupter &current() {
  static auto &it = *new interrupter;
  return it;
}

/// Handler of interrupt_signal. The thread may be in a kernel that must end, or in other code.
void on_interrupt_signal(int, siginfo_t *, void *context) {
  const int error = errno;
  detail::guard_state &state = detail::guard;
  const std::atomic<bool> *const stop = state.stop.load(std::memory_order_relaxed);
  const auto *const at = reinterpret_cast<void *>(static_cast<const ucontext_t *>(context)->uc_mcontext.gregs[REG_RIP]);
  if (state.target && stop && is_kernel_code(at)) {
    bool ends = stop->load();
    if (!ends && state.is_interpreter_thread && sigint_possible()) {
      ends = hooks.will_raise();
      if (ends)
        drop_at_exit.store(true, std::memory_order_relaxed);
      else
        forget_sigint();  // there was none, or the program has handled it
    }
    if (ends) {
      state.report->what = fault::kind::interrupted;
      std::longjmp(*state.target, 1);
    }
  }
  errno = error;
}

/// Handler of SIGINT. Calls the interpreter's handler first.
void on_sigint(int number, siginfo_t *info, void *context) {
  const int error = errno;
  const struct sigaction &before = interpreter_action;
  if (before.sa_flags & SA_SIGINFO)
    before.sa_sigaction(number, info, context);
  else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
    before.sa_handler(number);
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  sigint_time.store(std::uint64_t(now.tv_sec) * 1'000'000'000 + std::uint64_t(now.tv_nsec) + 1);
  drop_at_exit.store(true, std::memory_order_relaxed);
  sem_post(&current().wake);
  errno = error;
}

/// Installs on_sigint, unless it is installed. Requires the mutex.
void replace_interpreter_handler() noexcept {
  struct sigaction now{};
  if (sigaction(SIGINT, nullptr, &now) != 0) return;
  const bool installed = (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_sigint;
  if (installed || now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN) return;
  // Replaces only the interpreter's handler: another one may call this one, which would call it back. The answer for
  // another handler is kept, since it takes 0.4 ms in a process with large libraries.
  static const void *foreign = nullptr;
  const auto *const handler = reinterpret_cast<const void *>(now.sa_handler);
  if (handler == foreign) return;
  if (!hooks.owns_handler(handler)) {
    foreign = handler;
    return;
  }
  interpreter_action = now;
  struct sigaction ours{};
  ours.sa_sigaction = on_sigint;
  ours.sa_flags = SA_SIGINFO | (now.sa_flags & (SA_ONSTACK | SA_RESTART));
  ours.sa_mask = now.sa_mask;
  sigaction(SIGINT, &ours, nullptr);
  sigint_missed.store(true);  // after the interpreter installed its handler
}

void send_signal(pid_t thread) noexcept { ::syscall(SYS_tgkill, ::getpid(), thread, interrupt_signal); }

/// Sends the signal to the threads that must leave a kernel; returns whether to repeat that.
bool signal_threads(interrupter &shared, std::vector<target_task> &done) {
  const std::lock_guard lock(shared.mutex);
  const auto finished = std::ranges::partition(
      shared.tasks, [](const target_task &t) { return !t.task || t.task->status() != event_status::complete; });
  done.assign(std::make_move_iterator(finished.begin()), std::make_move_iterator(finished.end()));
  shared.tasks.erase(finished.begin(), finished.end());
  const std::uint64_t since = sigint_time.load();
  if (since && now() > since + sigint_lifetime) sigint_time.store(0);
  for (const auto &[thread, state] : shared.threads) {
    const std::atomic<bool> *const stop = state->stop.load(std::memory_order_relaxed);
    if (!stop) continue;
    const bool is_target = std::ranges::any_of(shared.tasks, [&](const target_task &t) { return t.stop == stop; });
    if (is_target || (state->is_interpreter_thread && sigint_pending())) send_signal(thread);
  }
  return !shared.tasks.empty() || sigint_pending();
}

/// Monitors the kernels of the interpreter's main thread. A launch does not look whether the program has replaced the
/// handler of SIGINT since the last one, because that is a system call. So this thread looks during long kernels.
class kernel_monitor {
public:
  /// Returns whether monitoring goes on.
  bool step(interrupter &shared) {
    const std::lock_guard lock(shared.mutex);
    const bool was_on = monitored.load(std::memory_order_relaxed);
    const auto interpreter =
        std::ranges::find_if(shared.threads, [](const auto &t) { return t.second->is_interpreter_thread; });
    if (interpreter == shared.threads.end()) return false;
    const detail::guard_state &state = *interpreter->second;
    const std::uint32_t runs = state.runs.load(std::memory_order_relaxed);
    const bool running = state.stop.load(std::memory_order_relaxed) != nullptr, same = runs == runs_;
    runs_ = runs;
    if (running && same && was_on) {
      if (std::exchange(checked_, runs) != runs) replace_interpreter_handler();
      if (sigint_missed.load(std::memory_order_relaxed)) send_signal(interpreter->first);
    }
    idle_ = running || !same ? 0 : idle_ + 1;
    // After the last step that finds monitoring on there is one more, for a kernel that started at the same time.
    monitored.store(idle_ < idle_intervals, std::memory_order_relaxed);
    return was_on || idle_ < idle_intervals;
  }

private:
  std::uint32_t runs_ = 0, checked_ = 0;
  int idle_ = 0;
};

/// Waits until the thread is woken, or for the interval.
void wait_for(sem_t &wake, std::chrono::nanoseconds interval) noexcept {
  const std::uint64_t end = now() + std::uint64_t(interval.count());
  const timespec until{std::time_t(end / 1'000'000'000), long(end % 1'000'000'000)};
  while (sem_clockwait(&wake, CLOCK_MONOTONIC, &until) != 0 && errno == EINTR) {}
}

void run(interrupter &shared) {
  pthread_setname_np(pthread_self(), "dpep signals");
  kernel_monitor monitor;
  std::vector<target_task> done;
  for (;;) {
    while (sem_wait(&shared.wake) != 0) {}
    for (;;) {
      const bool repeat = signal_threads(shared, done);
      done.clear();
      if (repeat)
        std::this_thread::sleep_for(pause);
      else if (monitor.step(shared))
        wait_for(shared.wake, monitoring_interval);
      else
        break;
    }
  }
}

/// Starts the thread on first use. Requires the mutex.
void start(interrupter &shared) noexcept {
  if (shared.running) return;
  struct sigaction ours{};
  ours.sa_sigaction = on_interrupt_signal;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;  // NODEFER: as in guard.cpp
  sigemptyset(&ours.sa_mask);
  sigaction(interrupt_signal, &ours, nullptr);
  sigset_t all, before;  // the new thread must not take signals that are sent to the process
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  try {
    std::thread([&shared] { run(shared); }).detach();
    shared.running = true;
  } catch (...) {  // no thread: kernels cannot be interrupted
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

void add_thread(detail::guard_state &state) {
  interrupter &shared = current();
  const std::lock_guard lock(shared.mutex);
  state.is_interpreter_thread = is_interpreter_thread();
  shared.threads.emplace_back(::gettid(), &state);
}

void remove_thread(detail::guard_state &state) noexcept {
  interrupter &shared = current();
  const std::lock_guard lock(shared.mutex);
  std::erase_if(shared.threads, [&](const auto &t) { return t.second == &state; });
}

namespace {

bool add_target(target_task target) noexcept {
  interrupter &shared = current();
  {
    const std::lock_guard lock(shared.mutex);
    start(shared);
    try {
      shared.tasks.push_back(std::move(target));
    } catch (...) {
      return false;  // no memory
    }
  }
  sem_post(&shared.wake);
  return true;
}

}  // namespace

void interrupt_kernel(ref<event> task, const std::atomic<bool> &stop) noexcept { add_target({std::move(task), &stop}); }
bool interrupt_kernels(const std::atomic<bool> &stop) noexcept { return add_target({{}, &stop}); }
void end_interrupt(const std::atomic<bool> &stop) noexcept {
  interrupter &shared = current();
  const std::lock_guard lock(shared.mutex);
  std::erase_if(shared.tasks, [&](const target_task &t) { return t.stop == &stop; });
}

bool must_stop() noexcept {
  // will_raise waits for the GIL, whose owner may wait for a lock of the caller: not without need.
  if (!sigint_pending() || !is_interpreter_thread() || !hooks.will_raise()) return false;
  drop_at_exit.store(true, std::memory_order_relaxed);
  return true;
}

bool dropping() noexcept { return exiting.load(std::memory_order_relaxed); }
void begin_exit() noexcept {
  if (drop_at_exit.load()) exiting.store(true);
}

void monitor() noexcept {
  monitored.store(true, std::memory_order_relaxed);
  install_interrupt_handler();
  sem_post(&current().wake);
}

void lock() noexcept { current().mutex.lock(); }
void unlock() noexcept { current().mutex.unlock(); }
void reset() noexcept {
  interrupter &shared = current();
  new (&shared.mutex) std::mutex;
  sem_init(&shared.wake, 0, 0);
  shared.running = false;
  shared.tasks.clear();
  std::erase_if(shared.threads, [](const auto &t) { return t.second != &detail::guard; });
  for (auto &[thread, state] : shared.threads) thread = ::gettid();
  detail::guard.is_interpreter_thread = is_interpreter_thread();
  exiting.store(false);
  monitored.store(false);
}

}  // namespace interrupts
}  // namespace cpu

void drop_work_at_exit(bool yes) noexcept { cpu::interrupts::drop_at_exit.store(yes, std::memory_order_relaxed); }

void install_interrupt_handler() noexcept {
  using namespace cpu::interrupts;
  if (!is_interpreter_thread()) return;
  interrupter &shared = current();
  const std::lock_guard lock(shared.mutex);
  replace_interpreter_handler();
  if (!shared.threads.empty()) start(shared);  // only once a thread may run kernels
}

}  // namespace dpep::backend

namespace dpep::interrupts {

using namespace backend::cpu::interrupts;

void set_interpreter_hooks(const interpreter_hooks &h) {
  hooks = h;
  hooks_set.store(true, std::memory_order_release);
  interrupter &shared = current();
  const std::lock_guard lock(shared.mutex);
  for (auto &[thread, state] : shared.threads) state->is_interpreter_thread = thread == ::getpid();
}

bool on_interpreter_thread() noexcept { return is_interpreter_thread(); }
bool pending() noexcept { return sigint_pending() && is_interpreter_thread(); }

void check() {
  if (!sigint_possible() || !is_interpreter_thread()) [[likely]]
    return;
  forget_sigint();
  try {
    hooks.handle_signals();
  } catch (...) {
    backend::drop_work_at_exit(true);
    throw interruption{std::current_exception(), {}};
  }
}

void install_handler() noexcept { backend::install_interrupt_handler(); }

void wait(const event &e) {
  // A wait for a complete event avoids the system calls of install_handler.
  if (!e || e.status() == event_status::complete || !is_interpreter_thread()) return e ? e.wait() : void();
  install_handler();
  try {
    e.wait_while([] {
      check();
      return true;
    });
  } catch (interruption &i) {
    static_cast<const backend::event &>(*e.get()).append_unfinished_kernels(i.unfinished_kernels);
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
