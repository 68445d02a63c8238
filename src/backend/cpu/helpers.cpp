// Short kernels that several threads run: their launch, and the threads that wait for them.
#include "backend/cpu/helpers.hpp"

#include <algorithm>
#include <thread>

#include "backend/common/clock.hpp"
#include "backend/cpu/interrupts.hpp"
#include "backend/cpu/process_state.hpp"

namespace dpep::backend::cpu {
namespace {

constexpr float shortest_shared = 10'000, shortest_part = 5'000;  // nanoseconds: of a kernel, and of a thread's part
constexpr float longest_shared = 100'000;
constexpr std::uint64_t longest_gap = 300'000;  // between kernels that follow one another closely
constexpr std::uint32_t enough_in_a_row = 4;
constexpr std::uint64_t longest_wait = 100'000;       // of a helper for the next kernel
constexpr std::uint64_t longest_pause = 20'000;       // that a helper waits without yielding its processor
constexpr std::uint64_t longest_job_wait = 50'000;    // of jobs for a thread: others of the executor may be waking up
constexpr std::uint64_t longest_closing = 1'000'000;  // the caller may be a helper itself
constexpr std::size_t parts_of_thread = 3;            // so that threads finish at about the same time

// Orders the asking thread's writes before the helper's reads. oneTBB does that too, but ThreadSanitizer does not see
// it.
constinit std::atomic<std::uint32_t> handover_fence{0};

/// Marks in places: the helper waits, it works, a job is being posted there, a job is posted.
enum class mark : std::uintptr_t { waiting = 1, working, posting, posted };
template <class T> T *value_of(mark m) noexcept { return reinterpret_cast<T *>(m); }

}  // namespace

struct helpers::shared_kernel {
  /// The units of one thread. It takes them part by part, and then those that others have not taken yet. In the next
  /// kernel it gets the same ones, whose memory is in its cache.
  struct alignas(64) range {
    std::atomic<std::size_t> next{0};
    std::size_t end = 0, part = 0;
  };
  kernel_view kernel;
  const std::size_t threads;
  std::array<range, places + 1> ranges{};
  std::array<const place *, places + 1> owners{};  // of ranges: the first one is the caller's
  std::atomic<bool> failed{false};
  std::exception_ptr error{};          // of the thread that has set `failed`
  std::atomic<std::uint32_t> left{0};  // the helpers that are done with it

  shared_kernel(const kernel_view &given, std::size_t units, std::size_t threads) : kernel(given), threads(threads) {
    kernel.stop = &failed;
    const auto begin_of = [&](std::size_t thread) {
      const std::size_t begin = units * thread / threads;
      return begin < 64 * threads || thread == threads ? begin : begin & ~std::size_t{63};  // whole vectors
    };
    for (std::size_t t = 0; t < threads; ++t) {
      const std::size_t begin = begin_of(t), end = begin_of(t + 1);
      const std::size_t part = std::max<std::size_t>((end - begin) / parts_of_thread, 1);
      ranges[t].next.store(begin, std::memory_order_relaxed);
      ranges[t].end = end;
      ranges[t].part = part < 64 ? part : (part + 63) & ~std::size_t{63};
    }
  }

  void fail(std::exception_ptr raised) noexcept {
    if (!failed.exchange(true, std::memory_order_relaxed)) error = std::move(raised);
  }
  /// Waits until as many helpers are done. Where one takes unusually long, interrupts end its kernel.
  void wait_for(std::uint32_t helpers) noexcept {
    const auto is_done = [&] { return left.load(std::memory_order_acquire) == helpers; };
    bool interrupts = false;
    for (unsigned turn = 1; !is_done(); ++turn) {
      if (turn < 1000) {
        __builtin_ia32_pause();
        continue;
      }
      std::this_thread::yield();
      if (interrupts || turn % 1000) continue;
      if (interrupts::must_stop()) fail(interrupted_mark());
      if (failed.load(std::memory_order_relaxed)) interrupts = interrupts::interrupt_kernels(failed);
    }
    if (interrupts) interrupts::end_interrupt(failed);
  }
  /// Runs units until all have been taken.
  void run(const place *own) noexcept {
    std::size_t first = 0;
    while (owners[first] != own) ++first;
    for (std::size_t t = 0; t < threads; ++t) {
      range &from = ranges[(first + t) % threads];
      while (!failed.load(std::memory_order_relaxed)) {
        if (from.next.load(std::memory_order_relaxed) >= from.end) break;
        const std::size_t begin = from.next.fetch_add(from.part, std::memory_order_relaxed);
        if (begin >= from.end) break;
        const std::size_t end = std::min(begin + from.part, from.end);
        std::exception_ptr raised = kernel.run(begin, end);
        if (raised) fail(std::move(raised));
      }
    }
  }
};

float helpers::longest() const noexcept {
  return present_.load(std::memory_order_relaxed) && !process::forked() ? longest_shared : 0;
}

std::exception_ptr helpers::run(const kernel_view &kernel, std::size_t units) noexcept {
  const loaded_code &code = kernel.code;
  const std::uint64_t start = now();
  const float cost = code.cost.per_unit(), expected = cost * static_cast<float>(units);
  if (expected >= shortest_shared && units > 1 && !code.needs.concurrent_items && !process::forked()) {
    const auto parts = static_cast<std::size_t>(expected / shortest_part);
    const std::size_t wanted = std::min({most_, places, units - 1, parts - 1});
    const std::uint64_t last = last_.exchange(start, std::memory_order_relaxed);
    const bool is_close = start < last + longest_gap;
    const std::uint32_t in_a_row = is_close ? in_a_row_.fetch_add(1, std::memory_order_relaxed) + 1 : 0;
    if (!is_close) in_a_row_.store(0, std::memory_order_relaxed);
    const std::size_t helping = std::min<std::size_t>(present_.load(std::memory_order_relaxed), wanted);
    if ((helping || in_a_row >= enough_in_a_row) && code.sharing.is_worth_it(cost)) {
      if (in_a_row >= enough_in_a_row) ask_for(wanted);
      if (helping) {
        std::exception_ptr error;
        const bool is_shared = share(kernel, units, helping, error) > 0;
        const std::uint64_t time = now() - start;
        if (!error) [[likely]]
          is_shared ? code.sharing.learn(units, time) : code.cost.learn(units, time);
        return error;
      }
    }
  }
  std::exception_ptr error = kernel.run(0, units);
  if (!error) [[likely]]
    code.cost.learn(units, now() - start);
  return error;
}

/// Runs a kernel together with up to `helping` other threads. Returns their number.
std::uint32_t helpers::share(const kernel_view &kernel, std::size_t units, std::size_t helping,
                             std::exception_ptr &error) noexcept {
  shared_kernel work(kernel, units, helping + 1);
  std::array<place *, places> offers;
  std::size_t offered = 0;
  for (place &each : places_) {
    if (offered == helping) break;
    auto *expect = value_of<shared_kernel>(mark::waiting);
    work.owners[offered + 1] = &each;
    if (each.offered.compare_exchange_strong(expect, &work, std::memory_order_release, std::memory_order_relaxed))
      offers[offered++] = &each;
  }
  work.run(nullptr);
  std::uint32_t accepted = 0;
  for (std::size_t k = 0; k < offered; ++k) {
    shared_kernel *expect = &work;
    if (!offers[k]->offered.compare_exchange_strong(expect, value_of<shared_kernel>(mark::waiting),
                                                    std::memory_order_relaxed))
      ++accepted;
  }
  work.wait_for(accepted);
  error = std::move(work.error);
  return accepted;
}

bool helpers::place::leave() noexcept {
  auto *expect = value_of<shared_kernel>(mark::waiting);
  return offered.compare_exchange_strong(expect, nullptr, std::memory_order_relaxed);
}

bool helpers::take(job work) noexcept {
  if (!present_.load(std::memory_order_relaxed)) return false;
  for (place &each : places_) {
    auto *expect = value_of<shared_kernel>(mark::waiting);
    if (!each.offered.compare_exchange_strong(expect, value_of<shared_kernel>(mark::posting), std::memory_order_acquire,
                                              std::memory_order_relaxed))
      continue;
    each.posted = work;
    each.offered.store(value_of<shared_kernel>(mark::posted), std::memory_order_release);
    return true;
  }
  return false;
}

/// Has threads of the executor become helpers, until there are as many as wanted.
void helpers::ask_for(std::size_t wanted) noexcept {
  std::uint32_t coming = coming_.load(std::memory_order_relaxed);
  while (present_.load(std::memory_order_relaxed) + coming < wanted) {
    if (!coming_.compare_exchange_weak(coming, coming + 1, std::memory_order_relaxed)) continue;
    try {
      auto self = std::make_unique<std::shared_ptr<helpers>>(shared_from_this());
      handover_fence.fetch_add(1, std::memory_order_release);
      post_({help, self.release()});
      ++coming;
    } catch (...) {  // no memory: the caller works alone
      coming_.fetch_sub(1, std::memory_order_relaxed);
      return;
    }
  }
}

void helpers::help(void *self) noexcept {
  (void)handover_fence.load(std::memory_order_acquire);
  const std::unique_ptr<std::shared_ptr<helpers>> all(static_cast<std::shared_ptr<helpers> *>(self));
  (*all)->serve();
}

/// Takes a place, and runs the kernels that are offered there until none has come for a while.
void helpers::serve() noexcept {
  process::set_runtime_thread();
  place *mine = nullptr;
  for (place &each : places_) {
    shared_kernel *none = nullptr;
    if (!each.offered.compare_exchange_strong(none, value_of<shared_kernel>(mark::waiting), std::memory_order_relaxed))
      continue;
    mine = &each;
    break;
  }
  if (mine) present_.fetch_add(1, std::memory_order_relaxed);
  coming_.fetch_sub(1, std::memory_order_relaxed);
  if (!mine) return;
  std::uint64_t end = now() + longest_wait, jobs_since = 0;  // since when jobs have been waiting
  const auto is_over = [&] {
    const std::uint64_t time = now();
    if (time + longest_wait > end + longest_pause) std::this_thread::yield();  // to threads that have work
    if (!waiting_jobs_.load(std::memory_order_relaxed))
      jobs_since = 0;
    else if (!jobs_since)
      jobs_since = time;
    return time > end || (jobs_since && time > jobs_since + longest_job_wait) ||
           closing_.load(std::memory_order_relaxed);
  };
  for (unsigned turn = 1;; ++turn) {
    shared_kernel *work = mine->offered.load(std::memory_order_relaxed);
    if (work == value_of<shared_kernel>(mark::waiting) || work == value_of<shared_kernel>(mark::posting)) {
      __builtin_ia32_pause();
      if (turn % 16 == 0 && is_over() && mine->leave()) break;
      continue;
    }
    // The caller may withdraw an offer meanwhile.
    if (!mine->offered.compare_exchange_strong(work, value_of<shared_kernel>(mark::working), std::memory_order_acquire))
      continue;
    if (work == value_of<shared_kernel>(mark::posted)) {
      mine->posted.run(mine->posted.argument);
    } else {
      work->run(mine);
      work->left.fetch_add(1, std::memory_order_release);  // the last access: the caller may return
    }
    mine->offered.store(value_of<shared_kernel>(mark::waiting), std::memory_order_release);
    end = now() + longest_wait;
  }
  present_.fetch_sub(1, std::memory_order_relaxed);
}

void helpers::close() noexcept {
  closing_.store(true, std::memory_order_relaxed);
  const std::uint64_t end = now() + longest_closing;
  while (present_.load(std::memory_order_relaxed) && now() < end) std::this_thread::yield();
}

}  // namespace dpep::backend::cpu
