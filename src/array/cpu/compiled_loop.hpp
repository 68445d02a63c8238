// Compiled loops: sequences of element operations compiled as one function.
//
// The CPU executor computes a program with block kernels: one operation after another, on blocks in the first-level
// cache. Consecutive element operations over the same axes can be one loop instead, whose intermediate values stay in
// registers. Loops of programs that are executed again are compiled in the background and used as soon as they are
// ready. Results are bitwise the same, because each operation rounds as its block kernel does.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <dpep/array_operations.hpp>

#include "array/blocks/blocks.hpp"
#include "array/fusion/program.hpp"
#include "array/operations/user_function.hpp"
#include "backend/backend.hpp"

namespace dpep::array {

/// Positions, which argmax and argmin find, are counted from this number on where addresses stand for them: position 0
/// is not the null pointer, because adding to that is undefined behaviour.
inline constexpr std::uint64_t first_position = std::uint64_t{1} << 62;

/// The operations of a loop over elements. Values are numbered: inputs first, then operations in order.
///
/// The loop is over a block of elements or, if row_length is not 0, over rows of that many elements each. Loops over
/// rows may contain reductions of rows, and values with one element for each row: inputs of form::one, reductions, and
/// operations on those.
///
/// A loop over a block that has whole chunks (chunk_of) may contain reductions of the block. It has a result for each
/// piece, whose length is max_chain_length chunks. Or it may contain short rows that are repeated along the block.
///
/// A loop over a block may contain inner loops over short axes. Then each value has a set of short axes along which it
/// varies, and reductions are over short axes. All elements of the block are independent of each other.
struct element_loop {
  struct input {
    dtype type;
    blocks::form form;
    axis_set axes = {};  // the short axes along which it varies
    // Instead of a value in memory: a number that its address is, for the positions that argmax and argmin find.
    bool is_position = false;
    bool is_repeated = false;     // with chunks: the elements of the first chunk repeat in all others
    bool is_overwritten = false;  // with short axes: results have its location; they are stored after all loads
  };
  struct operation {
    opcode code;
    dtype type;  // of the result
    std::array<std::uint16_t, max_inputs> operands{};
    std::uint8_t count = 0;  // of operands
    // Instead of `code`: reduces operand 0 along the row, into the state that is operand 1, if there is one. With short
    // axes: reduces it along those in `over`; operand 1 of argmax and argmin is the position.
    std::optional<reduction> reduces = {};
    ref<const user_function> function = {};  // user_code
    axis_set axes = {}, over = {};           // the short axes of the result, and those that are reduced
    // With short axes: the last operand is a state, of which the reduction is a part. It is continued, or the reduction
    // of the cell's elements is merged into it.
    enum class state : std::uint8_t { none, continued, merged } of_segment = state::none;
  };
  std::vector<input> inputs;
  std::vector<operation> operations;
  std::vector<std::uint16_t> results;  // the values that are stored; each is the result of an operation
  std::int64_t row_length = 0;
  std::int64_t chunk = 0;                     // the length of chunks, if there are repeated rows
  std::vector<std::int64_t> short_axes = {};  // their lengths; loops over later ones are inside of those over earlier

  dtype type_of(std::uint16_t value) const {
    return value < inputs.size() ? inputs[value].type : operations[value - inputs.size()].type;
  }
  /// Whether it is over chunks, of which the block has a whole number.
  bool has_chunks() const noexcept {
    const bool reduces = std::ranges::any_of(operations, [](const operation &o) { return o.reduces.has_value(); });
    return chunk != 0 || (row_length == 0 && short_axes.empty() && reduces);
  }
  /// The users' functions that it calls. Loops over rows contain none.
  function_list functions() const;
  /// A text that identifies the computation: loops with equal keys share one compiled function.
  std::string key() const;
};

/// Whether loops keep elements of the type in registers as they are; others are computed by block kernels.
bool has_registers(dtype) noexcept;

/// Whether a loop may contain the operation on operands of these types. False for user_code, which has no body here.
bool can_fuse(opcode, std::span<const dtype> operands, dtype result) noexcept;

/// Whether a loop can reduce rows of this length with bitwise the same result as block kernels.
bool can_reduce_rows(reduction, dtype, std::int64_t row_length) noexcept;

/// Whether a loop can reduce blocks of these elements.
bool can_reduce_blocks(reduction, dtype) noexcept;
/// The elements of a chunk. In a loop that reduces a block, a vector for each chain of the reductions.
std::size_t chunk_of(const element_loop &) noexcept;

/// Whether a loop over short axes can contain the reduction.
bool can_reduce_short_axis(reduction, dtype) noexcept;

/// Whether the loop's kernel has a work-item for each element, so that the kernel vectoriser, which handles branches
/// and loops, compiles it. This is so for users' functions, for library functions that branch on large arguments
/// (sin, cos, tan), and for loops over short axes.
bool has_item_per_element(const element_loop &) noexcept;

/// Generates a kernel in LLVM IR. Its single work-item computes `count` elements (rows). If the loop calls users'
/// functions, which may contain branches and loops as kernels do, the kernel has a work-item for each element instead.
/// Arguments, 8 bytes each: the count, the addresses of the inputs, the addresses of the results; for loops over rows,
/// followed by the distance in bytes between rows for each address; for those over short axes, by the strides of all
/// addresses along the first axis, those along the second, and so on.
std::string loop_ir(const element_loop &, std::string_view name);

/// The compiled function of an element_loop; compiled on request.
class compiled_loop {
public:
  /// Returns the object for this computation on this device. Programs that contain the same loop share it.
  static std::shared_ptr<compiled_loop> find(const element_loop &, backend::device &);

  /// The compiled function; null until it is compiled.
  backend::work_function function() const noexcept { return function_.load(std::memory_order_acquire); }
  /// Requests the function: for a new program, or for one that is executed again. The latter, or the eighth new
  /// program, starts compilation in the background: expressions that are evaluated once cost no compilation, but loops
  /// with ever new sizes, whose programs are all new, become fast.
  void request(bool again) noexcept;
  /// Compiles the function now, unless it is compiled already.
  backend::work_function compile();

  compiled_loop(element_loop loop, backend::device &device) : loop_(std::move(loop)), device_(device) {}

private:
  const element_loop loop_;
  backend::device &device_;
  std::atomic<backend::work_function> function_{nullptr};
  std::atomic<std::uint32_t> requests_{0};
  std::mutex compiling_;
  ref<const backend::code> code_;
  std::weak_ptr<compiled_loop> self_;
};

}  // namespace dpep::array
