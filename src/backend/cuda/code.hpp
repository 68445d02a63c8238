// A kernel that is loaded on a GPU: its module and function.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backend/abi.hpp"
#include "backend/backend.hpp"
#include "backend/cuda/device_context.hpp"

namespace dpep::backend::cuda {

/// The smallest block of a launch without work-groups.
constexpr unsigned min_block_size = 32;

class loaded_code final : public code {
public:
  /// A variable of the module that the loader sets.
  struct variable {
    std::string symbol;
    std::uint64_t value;
  };
  loaded_code(std::shared_ptr<device_context>, const code_object &, const code_needs &, std::span<const variable>);
  ~loaded_code() override;
  loaded_code(const loaded_code &) = delete;

  function_handle function() const noexcept { return function_; }
  bool prints() const noexcept { return prints_; }
  /// Block size for launches without work-groups: the one with the highest occupancy.
  unsigned block_size() const noexcept { return block_size_; }
  /// Whether the kernel has assertions, or raises exceptions.
  bool can_fail() const noexcept { return can_fail_; }
  /// Whether the kernel may be launched before earlier work in the stream is complete (programmatic dependent launch).
  bool allows_early_launch() const noexcept { return allows_early_launch_; }

private:
  const std::shared_ptr<device_context> context_;
  module_handle module_ = nullptr;
  function_handle function_ = nullptr;
  unsigned block_size_ = abi::max_block_size;
  bool prints_ = false, can_fail_ = false, allows_early_launch_ = false;
};

/// Assembles PTX with the driver. Throws errc::build with the assembler's log.
std::vector<std::byte> assemble(device_context &, std::span<const std::byte> ptx);

}  // namespace dpep::backend::cuda
