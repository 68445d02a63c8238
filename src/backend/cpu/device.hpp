// The CPU, or a part of its cores, as a device.
#pragma once

#include <memory>

#include "backend/backend.hpp"
#include "backend/cpu/executor.hpp"
#include "backend/virtual_memory.hpp"

namespace dpep::backend::cpu {

class cpu_device final : public device, public virtual_memory {
public:
  cpu_device(device_info, std::shared_ptr<executor>);

  const device_info &info() const noexcept override { return info_; }
  backend::capabilities capabilities() const noexcept override {
    return {.host_accessible = true, .runs_inline = true, .memory_in_order = true};
  }
  std::unique_ptr<queue> make_queue(const queue_options &, ref<error_slot>) override;
  void *allocate(usm_kind, std::size_t bytes, std::size_t alignment, block_use) noexcept override;
  void free(usm_kind, void *, std::size_t bytes) noexcept override;
  std::uint64_t free_memory() const noexcept override;
  std::size_t max_concurrent_groups(const code &, std::size_t group_items, std::size_t local_bytes) const override;
  ref<const code> load(const code_object &, const code_needs &) override;
  std::string_view code_format() const noexcept override { return "x86-64"; }
  std::span<const symbol> symbols() const noexcept override;
  std::vector<partition_domain> affinity_domains() const override;
  std::vector<std::unique_ptr<device>> partition(std::span<const std::uint32_t> compute_units) override;
  std::vector<std::unique_ptr<device>> partition(partition_domain) override;

  bool maps_memory() const noexcept override { return true; }
  std::size_t granularity(bool recommended) const override;
  std::uintptr_t reserve(std::uintptr_t start, std::size_t bytes) override;
  void release(std::uintptr_t start, std::size_t bytes) noexcept override;
  std::optional<physical> create(std::size_t bytes) override;
  void destroy(physical) noexcept override;
  void map(std::uintptr_t at, std::size_t bytes, physical, std::size_t offset, memory_access) override;
  void set_access(std::uintptr_t at, std::size_t bytes, memory_access) override;
  void unmap(std::uintptr_t at, std::size_t bytes, physical) override;

private:
  std::unique_ptr<device> make_sub_device(std::uint32_t compute_units, std::vector<unsigned> cpus) const;

  const device_info info_;
  const std::shared_ptr<executor> threads_;
};

/// Opens the back end: always one platform with one device.
discovery open() noexcept;

}  // namespace dpep::backend::cpu
