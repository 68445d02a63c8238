// An NVIDIA GPU as a device.
#pragma once

#include <memory>

#include "backend/backend.hpp"
#include "backend/cuda/device_context.hpp"
#include "backend/cuda/memory.hpp"
#include "backend/cuda/staging.hpp"
#include "backend/native.hpp"
#include "backend/virtual_memory.hpp"

namespace dpep::backend::cuda {

class gpu_device final : public device, public native_device, public virtual_memory {
public:
  gpu_device(device_info, std::string processor, std::shared_ptr<device_context>);

  const device_info &info() const noexcept override { return info_; }
  backend::capabilities capabilities() const noexcept override { return {.memory_in_order = true}; }
  std::unique_ptr<queue> make_queue(const queue_options &, ref<error_slot>) override;
  void *allocate(usm_kind, std::size_t bytes, std::size_t alignment, block_use) noexcept override;
  void free(usm_kind, void *, std::size_t bytes) noexcept override;
  std::uint64_t free_memory() const noexcept override;
  std::size_t max_concurrent_groups(const code &, std::size_t group_items, std::size_t local_bytes) const override;
  ref<const code> load(const code_object &, const code_needs &) override;
  std::string_view code_format() const noexcept override { return "nvptx"; }
  std::string_view code_processor() const noexcept override { return processor_; }
  std::vector<std::byte> assemble(std::span<const std::byte> text) override;
  std::span<const symbol> symbols() const noexcept override;
  int native_ordinal() const noexcept override { return context_->number; }
  void check_usable() const override { context_->check_not_lost(); }
  std::uintptr_t native_context() override { return reinterpret_cast<std::uintptr_t>(context_->handle()); }
  void with_context(const std::function<void()> &call) override {
    const scoped_context here(*context_);
    call();
  }
  void synchronize() override {
    const scoped_context here(*context_);
    const std::lock_guard no_capture(context_->capture_mutex);
    context_->check(context_->api.synchronize_context(), "waiting for the device");
  }
  std::unique_ptr<queue> adopt_stream(std::uintptr_t, const queue_options &, ref<error_slot>) override;
  ref<event> adopt_event(std::uintptr_t) override;
  usm_kind kind_of(const void *) const noexcept override;
  bool copy_blocking(void *to, const void *from, std::size_t bytes) noexcept override;
  bool can_access_peer(const native_device &other) const noexcept override {
    return context_->can_access_peer(*static_cast<const gpu_device &>(other).context_);
  }
  bool has_peer_atomics(const native_device &other) const noexcept override {
    return context_->has_peer_atomics(*static_cast<const gpu_device &>(other).context_);
  }
  void set_peer_access(native_device &other, bool allowed) override {
    context_->set_peer_access(*static_cast<gpu_device &>(other).context_, allowed);
  }
  std::vector<partition_domain> affinity_domains() const override { return {}; }
  std::vector<std::unique_ptr<device>> partition(std::span<const std::uint32_t> compute_units) override;
  std::vector<std::unique_ptr<device>> partition(partition_domain) override;

  bool maps_memory() const noexcept override;
  std::size_t granularity(bool recommended) const override;
  std::uintptr_t reserve(std::uintptr_t start, std::size_t bytes) override;
  void release(std::uintptr_t start, std::size_t bytes) noexcept override;
  std::optional<physical> create(std::size_t bytes) override;
  void destroy(physical) noexcept override;
  void map(std::uintptr_t at, std::size_t bytes, physical, std::size_t offset, memory_access) override;
  void set_access(std::uintptr_t at, std::size_t bytes, memory_access) override;
  void unmap(std::uintptr_t at, std::size_t bytes, physical) override;

private:
  const device_info info_;
  const std::string processor_;
  const std::shared_ptr<device_context> context_;
  const std::shared_ptr<staging> staging_;  // shared with queues, whose copies may outlive this object
  memory memory_;
};

/// Starts the driver, unless the system has no device files of NVIDIA's.
discovery open() noexcept;

}  // namespace dpep::backend::cuda
