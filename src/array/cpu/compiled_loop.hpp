// Fused runs: element operations that follow each other, compiled as one function.
//
// The machine computes a program with block kernels, one operation after another on blocks in the first-level cache.
// A run of element operations over the same axes can be one loop instead, whose intermediate values stay in registers.
// Runs that are met often are compiled in the background, and take over when they are ready; results are the same to
// the last bit, because each operation rounds as its block kernel does.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <dpep/array_operations.hpp>

#include "array/blocks/blocks.hpp"
#include "array/operations/user_function.hpp"
#include "backend/backend.hpp"

namespace dpep::array {

/// What a run computes. Values are numbered: inputs first, then operations in their order.
///
/// A run goes over a block of elements, or, where `row` is set, over rows of so many elements each: then operations may
/// reduce rows, and there are values of which a row has one (inputs of form::one, reductions, and operations on those).
struct element_run {
  struct input {
    dtype type;
    blocks::form form;
  };
  struct operation {
    opcode code;
    dtype type;  // of the result
    std::array<std::uint16_t, most_inputs> operands{};
    std::uint8_t count = 0;                  // of operands
    std::optional<reduction> reduces = {};   // operand 0 along the row, instead of `code`
    ref<const user_function> function = {};  // user_code
  };
  std::vector<input> inputs;
  std::vector<operation> operations;
  std::vector<std::uint16_t> results;  // the values that are stored, each an operation's
  std::int64_t row = 0;

  dtype type_of(std::uint16_t value) const {
    return value < inputs.size() ? inputs[value].type : operations[value - inputs.size()].type;
  }
  /// Of users; a run that has some has no rows.
  function_list functions() const;
  /// Runs of the same text compute the same.
  std::string key() const;
};

/// Whether the operation can be part of a run: from operands of these types.
bool can_fuse(opcode, std::span<const dtype> operands, dtype result) noexcept;

/// Whether rows of so many elements of this type can be reduced in a run, to the last bit as block kernels do it.
bool can_reduce_rows(reduction, dtype, std::int64_t row) noexcept;

/// A kernel in LLVM IR whose only work-item does `count` elements (rows); where there are functions of a user's, which
/// may branch and loop as kernels do, it has a work-item for each element. Its arguments: the count, the inputs'
/// addresses, the results' addresses, 8 bytes each; of rows, as many distances in bytes from one row to the next.
std::string generate(const element_run &, std::string_view name);

/// A run's compiled function, once there is one.
class fused_run {
public:
  /// The run of this text on this device: one object for all programs that contain it.
  static std::shared_ptr<fused_run> find(const element_run &, backend::device &);

  /// Null until it is compiled.
  backend::work_function function() const noexcept { return function_.load(std::memory_order_acquire); }
  /// Someone is going to use it. The second time, compiling starts in the background: an expression that is met once
  /// costs no compilation.
  void ask() noexcept;
  /// Compiles now, unless that was done.
  backend::work_function compile();

  fused_run(element_run run, backend::device &device) : run_(std::move(run)), device_(device) {}

private:
  const element_run run_;
  backend::device &device_;
  std::atomic<backend::work_function> function_{nullptr};
  std::atomic<std::uint32_t> asked_{0};
  std::mutex compiling_;
  ref<const backend::code> code_;
  std::weak_ptr<fused_run> self_;
};

}  // namespace dpep::array
