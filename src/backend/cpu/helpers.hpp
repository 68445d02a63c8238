// Threads that help the calling thread with short kernels.
//
// Waking a thread takes tens of microseconds, as long as a short kernel. So threads of the executor wait for such
// kernels without sleeping: they are asked to when short kernels follow one another closely, and go back to other work,
// or to sleep, soon after the last one.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include "backend/common/host_threads.hpp"
#include "backend/cpu/work.hpp"

namespace dpep::backend::cpu {

class helpers : public std::enable_shared_from_this<helpers> {
public:
  /// `post` has a thread of the executor, which may be asleep, run a job.
  helpers(unsigned concurrency, std::function<void(job)> post)
      : most_(concurrency > 0 ? concurrency - 1 : 0), post_(std::move(post)) {}

  /// Runs all units of a kernel, and returns when they are done; returns an error, or null. Learns the kernel's cost.
  std::exception_ptr run(const kernel_view &kernel, std::size_t units) noexcept;

  /// Has a helper that waits run a job of the executor. False if none does.
  bool take(job) noexcept;
  /// The time that a kernel may take on one thread to be run like this, rather than as a task: 0 without helpers.
  float longest() const noexcept;

  /// Count the jobs that wait for a thread of the executor: helpers make way for them.
  void job_waits() noexcept { waiting_jobs_.fetch_add(1, std::memory_order_relaxed); }
  void job_begins() noexcept { waiting_jobs_.fetch_sub(1, std::memory_order_relaxed); }
  /// Has the helpers leave, and waits until they have, but not for long.
  void close() noexcept;

private:
  /// A kernel, on the stack of the thread that launched it.
  struct shared_kernel;
  // The place of a helper: null if there is none, a mark of its state, or the kernel it is offered.
  struct alignas(64) place {
    std::atomic<shared_kernel *> offered{nullptr};
    job posted{};
    bool leave() noexcept;  // makes it empty; false if it is offered something
  };
  static constexpr std::size_t places = 15;

  std::uint32_t share(const kernel_view &kernel, std::size_t units, std::size_t helping,
                      std::exception_ptr &error) noexcept;
  void ask_for(std::size_t wanted) noexcept;
  static void help(void *self) noexcept;
  void serve() noexcept;

  const std::size_t most_;
  const std::function<void(job)> post_;
  std::array<place, places> places_;
  alignas(64) std::atomic<std::uint32_t> present_{0}, coming_{0};
  std::atomic<std::uint32_t> waiting_jobs_{0};
  std::atomic<bool> closing_{false};
  // of short kernels that helpers could have shared: the time of the last one, and how many followed one another
  alignas(64) std::atomic<std::uint64_t> last_{0};
  std::atomic<std::uint32_t> in_a_row_{0};
};

}  // namespace dpep::backend::cpu
