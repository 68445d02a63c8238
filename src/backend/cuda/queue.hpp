// A GPU's queue: puts work into streams, or holds it back where what it waits for is in none.
#pragma once

#include "backend/cuda/event.hpp"

namespace dpep::backend::cuda {

class gpu_queue final : public queue, public native_streams {
public:
  explicit gpu_queue(ref<queue_core> core) : core_(std::move(core)) {}
  ~gpu_queue() override { core_->retire(); }

  ref<event> launch(launch_command &, std::span<const dpep::event> after) override;
  ref<event> submit(command, std::span<const dpep::event> after) override;
  void wait() noexcept override;
  bool waits_for_caller() const override;
  std::vector<ref<event>> pending() const override;
  bool empty() const noexcept override;
  std::uintptr_t native_stream() override;
  void come_before(std::uintptr_t stream) override;
  void come_after(std::uintptr_t stream) override;

private:
  enum class manner { plain, quiet, barrier };
  template <class Work, class Keep>
  ref<event> put(std::span<const dpep::event> after, manner, Work &&now, Keep &&later);
  ref<event> put_on_host(std::function<void()>, std::span<const dpep::event> after);
  lane &choose(std::span<const dpep::event> after);
  void finish_what_is_held_back();

  const ref<queue_core> core_;
};

}  // namespace dpep::backend::cuda
