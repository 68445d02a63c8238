// Short steps of a graph, executed one after another on the submitting thread.
#include <algorithm>

#include "backend/common/clock.hpp"
#include "backend/common/fork_guard.hpp"
#include "backend/cpu/queue.hpp"

namespace dpep::backend::cpu {
namespace {

/// Executes steps, and learns the costs of kernels. Reading the clock takes as long as a short kernel, so steps of
/// about `interval` nanoseconds are timed together. If they take much longer than expected, the estimates of all their
/// kernels grow in proportion.
class short_steps {
public:
  short_steps(std::span<const graph_step> steps, unsigned threads) : steps_(steps), threads_(threads) {}

  /// Executes steps up to one that is not short or that fails. Returns their number.
  std::size_t run() noexcept {
    for (; next_ < steps_.size() && !error; ++next_)
      if (!std::visit(*this, steps_[next_].what)) break;
    end_interval();
    return next_;
  }
  std::exception_ptr error;  // of the last executed step

  // Execute a step; return false if it is not short.
  bool operator()(const launch_command &launch) noexcept {
    const auto &code = static_cast<const loaded_code &>(*launch.code);
    const std::size_t units = count_units(launch.work, code.needs.grouped);
    if (!is_short(code, launch.work, units, threads_)) return false;
    if (units == 0) return true;
    const kernel_view kernel{code, launch.work, launch.arguments.data(), launch.local_bytes, launch.where};
    const float cost = code.cost.per_unit();
    if (cost == 0) [[unlikely]] {  // timed alone
      end_interval();
      if (!(error = kernel.run(0, units))) code.cost.learn(units, now() - start_);
      start_interval(next_ + 1);
      return true;
    }
    expect(cost * static_cast<float>(units));
    error = kernel.run(0, units);
    return true;
  }
  bool operator()(const copy_command &copy) noexcept {
    if (!is_short(copy, threads_)) return false;
    expect(copy_cost * static_cast<float>(copy.bytes));
    error = copy_work{copy}.run(0, copy.bytes);
    return true;
  }
  bool operator()(const fill_command &fill) noexcept {
    if (!is_short(fill, threads_)) return false;
    expect(fill_cost * static_cast<float>(fill.pattern_bytes * fill.count));
    error = run_fill(fill, 0, fill.count);
    return true;
  }
  bool operator()(const command &other) noexcept {
    if (const auto *const copy = std::get_if<copy_command>(&other)) return (*this)(*copy);
    if (const auto *const fill = std::get_if<fill_command>(&other)) return (*this)(*fill);
    return false;
  }

private:
  static constexpr float interval = 10'000, overhead = 50;  // nanoseconds; the overhead is that of a step

  void start_interval(std::size_t first) noexcept {
    first_ = first;
    expected_ = overhead;
    start_ = now();
  }
  void end_interval() noexcept {
    // The factor is limited, because the thread may have been suspended.
    const float factor = std::min(static_cast<float>(now() - start_) / expected_, 8.0f);
    if (factor > 2) raise_estimates(factor);
    start_interval(next_);
  }
  void expect(float nanoseconds) noexcept {
    if (expected_ > interval) end_interval();
    expected_ += overhead + nanoseconds;
  }
  [[gnu::cold]] void raise_estimates(float factor) const noexcept {
    for (const graph_step &step : steps_.subspan(first_, next_ - first_))
      if (const auto *const launch = std::get_if<launch_command>(&step.what)) {
        const auto &code = static_cast<const loaded_code &>(*launch->code);
        const std::size_t units = count_units(launch->work, code.needs.grouped);
        const float time = factor * code.cost.per_unit() * static_cast<float>(units);
        if (units) code.cost.learn(units, static_cast<std::uint64_t>(time));
      }
  }

  const std::span<const graph_step> steps_;
  const unsigned threads_;
  std::size_t first_ = 0, next_ = 0;  // of the interval, and of all
  float expected_ = overhead;         // nanoseconds of the interval
  std::uint64_t start_ = now();
};

}  // namespace

std::size_t cpu_queue::run_short(std::span<const graph_step> steps, std::span<const dpep::event> after,
                                 ref<event> &failed) {
  if (core_->options.profiling) return 0;  // each step has its own times
  const fork_guard guard;
  std::unique_lock<std::mutex> lock;
  if (!may_run_inline(after, lock)) return 0;
  short_steps all(steps, core_->threads->concurrency());
  const std::size_t executed = all.run();
  if (all.error) failed = complete_inline(0, all.error);
  return executed;
}

}  // namespace dpep::backend::cpu
