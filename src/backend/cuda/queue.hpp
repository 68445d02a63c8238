// The queue of a GPU: puts tasks into streams, or holds them back while a dependency is in no stream.
#pragma once

#include "backend/cuda/event.hpp"
#include "backend/cuda/staging.hpp"

namespace dpep::backend::cuda {

class gpu_queue final : public queue, public native_queue {
public:
  gpu_queue(ref<queue_core> core, std::shared_ptr<staging> s) : core_(std::move(core)), staging_(std::move(s)) {}
  ~gpu_queue() override { core_->retire(); }

  ref<event> launch(launch_command &, std::span<const dpep::event> after) override;
  ref<event> submit(command, std::span<const dpep::event> after) override;
  ref<prepared_graph> prepare(std::span<const graph_step>) override;
  void wait() noexcept override;
  bool waits_for_caller() const override;
  std::vector<ref<event>> pending() const override;
  bool empty() const noexcept override;
  std::uintptr_t native_stream() override;
  void order_before(std::uintptr_t stream) override;
  void order_after(std::uintptr_t stream) override;

private:
  enum class submission_kind { plain, ordering_only, barrier };
  template <class Work, class MakeDeferred>
  ref<event> enqueue(std::span<const dpep::event> after, submission_kind, Work &&, MakeDeferred &&,
                     const dpep::event *replaced = nullptr);
  ref<event> enqueue_host_task(std::function<void()>, std::span<const dpep::event> after);
  queue_stream &choose_stream(std::span<const dpep::event> after);

  const ref<queue_core> core_;
  const std::shared_ptr<staging> staging_;  // of the device
};

}  // namespace dpep::backend::cuda
