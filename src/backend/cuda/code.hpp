// Machine code of a kernel in a GPU: the module and its function.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "backend/cuda/device_context.hpp"

namespace dpep::backend::cuda {

/// Of a launch without work-groups; src/jit/targets/nvptx/form.cpp tells the driver's assembler.
constexpr unsigned largest_block = 256, smallest_block = 32;

/// Of a launch: of the 4096 that every driver takes, less the launch's own. Code with that many may read more.
constexpr std::size_t most_argument_bytes = 4000;

class loaded_code final : public code {
public:
  loaded_code(std::shared_ptr<card>, const code_object &, const code_needs &);
  ~loaded_code() override;
  loaded_code(const loaded_code &) = delete;

  function_handle function() const noexcept { return function_; }
  bool prints() const noexcept { return prints_; }
  /// Work-items of a block of a launch without work-groups: as many as let a multiprocessor have most at once.
  unsigned block() const noexcept { return block_; }
  /// Whether it has assertions, or raises.
  bool can_fail() const noexcept { return can_fail_; }
  /// Whether the driver may put it on the device while what is before it in the stream runs.
  bool may_come_early() const noexcept { return may_come_early_; }

private:
  const std::shared_ptr<card> card_;
  module_handle module_ = nullptr;
  function_handle function_ = nullptr;
  unsigned block_ = largest_block;
  bool prints_ = false, can_fail_ = false, may_come_early_ = false;
};

/// Machine code out of PTX, by the driver's assembler. Throws errc::build with its words.
std::vector<std::byte> assemble(card &, std::span<const std::byte> ptx);

}  // namespace dpep::backend::cuda
