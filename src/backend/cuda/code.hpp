// Machine code of a kernel in a GPU: the module, its function, and where its failed assertions are written.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "backend/cuda/card.hpp"

namespace dpep::backend::cuda {

/// What a failed assertion leaves, or a kernel in Python that raises, in host memory that the GPU writes:
/// src/device/gpu/failure.cpp has the other side.
struct failure_record {
  std::uint32_t state;      // 0: none; 2: complete
  std::uint32_t round = 1;  // the first work-item that fails in a round writes the record; taking it begins the next
  enum : std::uint32_t { assertion, python, python_index } kind;
  std::uint32_t line, axis;
  std::int64_t index, length;
  std::uint64_t item[3];  // all ones: not known
  char text[256], file[256], function[256];

  /// In the words that the CPU has for it; of a launch of so many dimensions.
  std::string describe(std::size_t dimensions) const;
};

/// Of a launch without work-groups; src/jit/targets/nvptx_form.cpp tells the driver's assembler.
constexpr unsigned largest_block = 256, smallest_block = 32;

class loaded_code final : public code {
public:
  loaded_code(std::shared_ptr<card>, const code_object &, const code_needs &);
  ~loaded_code() override;
  loaded_code(const loaded_code &) = delete;

  function_handle function() const noexcept { return function_; }
  bool prints() const noexcept { return prints_; }
  /// Work-items of a block of a launch without work-groups: as many as let a multiprocessor have most at once.
  unsigned block() const noexcept { return block_; }
  bool can_fail() const noexcept { return record_ != nullptr; }
  /// What went wrong in the kernel, launched over so many dimensions, since this was asked last.
  std::optional<std::string> take_failure(std::size_t dimensions) const noexcept;

private:
  const std::shared_ptr<card> card_;
  module_handle module_ = nullptr;
  function_handle function_ = nullptr;
  failure_record *record_ = nullptr;
  unsigned block_ = largest_block;
  bool prints_ = false;
};

/// Machine code out of PTX, by the driver's assembler. Throws errc::build with its words.
std::vector<std::byte> assemble(card &, std::span<const std::byte> ptx);

}  // namespace dpep::backend::cuda
