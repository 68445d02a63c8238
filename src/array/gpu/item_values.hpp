// Generates the code that computes the values of a program for a work-item: at one point of the iteration space, or at
// a few adjacent points.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "array/fusion/simplify.hpp"
#include "array/gpu/device_sizes.hpp"
#include "array/gpu/kernel_text.hpp"

namespace dpep::array::gpu {

/// Written operands of one type whose elements alternate in memory: operand k has the elements k, n + k, 2 n + k and so
/// on, for n operands.
using interleaved_operands = std::vector<std::uint16_t>;
/// The groups of up to 4 such operands.
std::vector<interleaved_operands> find_interleaved(const program &, std::span<std::byte *const> first);

/// A program that is split into kernels. Temporaries between kernels are further memory operands.
struct kernel_program {
  std::string name;  // the name of its kernels
  nest code;
  std::vector<std::size_t> temporaries;     // offsets in the workspace; their operands follow those of the program
  std::vector<std::uint16_t> temporary_of;  // for each value: the operand of its temporary, or no_operand
  std::vector<unsigned> alignment;          // of each operand's first element, in bytes, up to 16
  bool aliased = false;                     // memory that is written may also be read
  device_sizes device;
  std::vector<interleaved_operands> interleaved = {};
  // For each value, from classify_reductions():
  std::vector<bool> inner = {};                // whether it is a reduction that is computed inside a work-item
  std::vector<double> milliseconds = {};       // compile time of each copy of its code, without its inputs
  std::vector<double> step_milliseconds = {};  // compile time of one element of an inner reduction, with its inputs

  static constexpr std::uint16_t no_operand = 0xffff;
  std::size_t operands() const noexcept { return code.memory.size() - temporaries.size(); }
  const instruction &operator[](value_id v) const noexcept { return code.code[v]; }
  axis_set domain(value_id v) const noexcept;  // the axes over which it is computed
  std::int64_t count(axis_set) const noexcept;
};

/// A point of the iteration space: an index for each axis; with lanes, `lanes` adjacent points along `lane_axis`.
struct iteration_point {
  std::vector<std::string> index;
  int lane_axis = -1, lanes = 1;
  axis_set hidden;          // values that do not vary along these axes are not to stay in registers across iterations:
  std::string hidden_zero;  // this is added to their addresses; an i64 0 that the optimiser cannot prove to be 0
};

/// The registers of values at a point. A value is computed when it is first requested.
class item_values {
public:
  item_values(kernel_text &text, const kernel_program &w, iteration_point at)
      : text_(text), program_(w), at_(std::move(at)) {}
  /// For the point `steps` indices after `before` along an axis: addresses are computed from those of `before`.
  item_values(const item_values &before, iteration_point at, int axis, std::int64_t steps)
      : text_(before.text_),
        program_(before.program_),
        at_(std::move(at)),
        addresses_(before.addresses_),
        axis_(axis),
        steps_(steps) {}
  /// For a loop over the axes `inner`: reuses the registers of `outer` that do not vary along them.
  item_values(const item_values &outer, iteration_point at, axis_set inner)
      : item_values(outer.text_, outer.program_, std::move(at)) {
    names_ = outer.names_;
    for (std::size_t v = 0; v < names_.size(); ++v)
      if (!(program_[value_id(v)].axes & inner).empty()) names_[v].clear();
  }

  /// One register, or one for each lane if the value varies along them.
  std::span<const std::string> of(value_id);
  const std::string &of(value_id v, int lane) {
    const auto names = of(v);
    return names[names.size() == 1 ? 0 : std::size_t(lane)];
  }
  /// Emits all loads that the value depends on.
  void emit_loads(value_id);
  /// Computes the address of the operand, for later points to start from.
  void compute_address(std::uint16_t operand) { static_cast<void>(address(operand, 0)); }
  void bind(value_id v, std::vector<std::string> names) { slot(v) = std::move(names); }
  void store(value_id store_instruction);
  /// Executes stores to interleaved operands, in their order. All elements of the point's lanes are adjacent.
  void store_interleaved(std::span<const value_id> store_instructions);
  /// Stores the value in the memory of a temporary.
  void store_temporary(value_id, std::uint16_t operand);
  /// The position, for a reduction or ramp, of the element at this point.
  std::string position(std::span<const std::int64_t> strides, value_id, int lane);
  const iteration_point &point() const noexcept { return at_; }

private:
  kernel_text &text_;
  const kernel_program &program_;
  iteration_point at_;
  std::vector<std::vector<std::string>> names_;
  // of operands: at this point or, if `steps_` is not 0, at the point before
  std::map<std::uint16_t, std::string> addresses_;
  std::set<std::uint16_t> advanced_;  // operands whose address is at this point already
  std::vector<bool> loads_emitted_;   // for each value: emit_loads() has visited it
  int axis_ = -1;
  std::int64_t steps_ = 0;

  std::vector<std::string> &slot(value_id v) {
    if (names_.size() <= v) names_.resize(program_.code.code.size());
    return names_[v];
  }
  bool varies(axis_set axes) const { return at_.lanes > 1 && axes.has(at_.lane_axis); }
  std::string lane_index(int axis, int lane);
  std::string address(std::uint16_t operand, int lane);
  std::string computed_address(std::uint16_t operand, int lane);
  unsigned alignment(std::uint16_t operand, std::int64_t bytes) const;
  bool contiguous(std::uint16_t operand) const;
  std::vector<std::string> load(std::uint16_t operand, bool always);
  void write(std::uint16_t operand, std::span<const std::string> names);
  std::vector<std::string> gather(value_id);
  std::vector<std::string> element(value_id);
  bool is_block_of_random_numbers(value_id) const;
  std::vector<std::string> random_numbers(const user_function &, std::span<const std::span<const std::string>> inputs);
  std::vector<std::string> ramp(value_id);
  std::vector<std::string> reduction_of(value_id);
  void hoist(value_id, axis_set inner);
  void hoist(value_id, axis_set inner, std::vector<bool> &visited);
  bool has_indices_for(axis_set) const;
};

/// Whether one aligned access of this many bytes can load or store adjacent elements along the axis.
bool vectors_fit(const kernel_program &, std::uint16_t operand, int axis, std::int64_t bytes);

/// Whether an inner reduction is unrolled completely, with this many lanes; otherwise it is a loop.
bool is_unrolled(const kernel_program &, value_id, int lanes) noexcept;
/// The limit for the estimated compile time of a kernel: code that takes longer is copied fewer times.
inline constexpr double max_compile_milliseconds = 200;

// -- States of reductions

std::string reducer_name(const kernel_program &, value_id);
std::size_t state_bytes(const kernel_program &, value_id);
std::size_t state_bytes(reduction, dtype);
/// The words that a state consists of: their number and type.
struct state_words {
  std::size_t count;
  std::string type;
  std::size_t bytes;  // of one
};
state_words words_of(std::size_t state_bytes);
/// Copies a state. Both addresses are multiples of the largest power of two, up to 16, that divides `multiple`; of the
/// word size if it is 0.
void copy_state(kernel_text &, std::size_t bytes, const std::string &to, const std::string &from,
                std::size_t multiple = 0);

}  // namespace dpep::array::gpu
