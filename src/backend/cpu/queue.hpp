// The queue of a CPU: runs short work inline on the calling thread, and creates tasks for the rest.
#pragma once

#include <mutex>

#include "backend/cpu/event.hpp"

namespace dpep::backend::cpu {

class cpu_queue final : public queue {
public:
  cpu_queue(std::shared_ptr<executor>, ref<error_slot>, const queue_options &);

  ref<event> launch(launch_command &, std::span<const dpep::event> after) override;
  ref<event> submit(command, std::span<const dpep::event> after) override;
  std::size_t run_short(std::span<const graph_step>, std::span<const dpep::event> after, ref<event> &failed) override;
  void wait() noexcept override { core_->wait(); }
  bool waits_for_caller() const override { return task::any_waits_for_caller(pending()); }
  std::vector<ref<event>> pending() const override { return core_->pending_tasks(); }
  bool empty() const noexcept override { return core_->empty(); }

private:
  bool may_run_inline(std::span<const dpep::event> after, std::unique_lock<std::mutex> &);
  ref<event> complete_inline(std::uint64_t start, const std::exception_ptr &error);
  template <class Run> bool try_run_inline(Run &&run, std::span<const dpep::event> after, ref<event> &done);
  ref<event> enqueue(ref<task>, std::span<const dpep::event> after);
  template <class Work, class... Arguments>
  ref<event> enqueue(std::uint64_t submitted, std::span<const dpep::event> after, std::size_t units, Arguments &&...);

  const ref<queue_core> core_;
};

}  // namespace dpep::backend::cpu
