// Programs: computations over an iteration space, which fusion makes of nodes and executors run.
//
// An iteration space has axes. Every value varies along some of them, and memory operands have a stride for each.
// Instructions come after their inputs. Sizes, strides and addresses are only in `sizes`, in operands' strides and in
// `program_arguments`, so programs of one structure share their kernel.
//
// Example, f(y) = mean_i exp(c * sum_k (x_ik - y_jk)^2): axes i, j, k;
//   0 load x{i,k}   1 load y{j,k}   2 subtract 0 1   3 square 2   4 reduce sum 3 over {k}   5 scalar c
//   6 multiply 4 5   7 exp 6   8 reduce sum 7 over {i}   9 scalar 1/n   10 multiply 8 9   11 store 10{j}
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include <dpep/array_operations.hpp>

#include "array/operations/user_function.hpp"

namespace dpep::array {

/// A set of axes of the iteration space, one bit each.
class axis_set {
public:
  constexpr axis_set() noexcept = default;
  constexpr explicit axis_set(std::uint64_t bits) noexcept : bits_(bits) {}
  static constexpr axis_set of(int axis) noexcept { return axis_set(std::uint64_t{1} << axis); }
  static constexpr axis_set first(int n) noexcept {
    return axis_set(n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1);
  }

  constexpr bool has(int axis) const noexcept { return bits_ >> axis & 1; }
  constexpr bool empty() const noexcept { return bits_ == 0; }
  constexpr int count() const noexcept { return std::popcount(bits_); }
  constexpr std::uint64_t bits() const noexcept { return bits_; }
  constexpr bool contains(axis_set s) const noexcept { return (s.bits_ & ~bits_) == 0; }
  friend constexpr axis_set operator|(axis_set a, axis_set b) noexcept { return axis_set(a.bits_ | b.bits_); }
  friend constexpr axis_set operator&(axis_set a, axis_set b) noexcept { return axis_set(a.bits_ & b.bits_); }
  friend constexpr axis_set operator-(axis_set a, axis_set b) noexcept { return axis_set(a.bits_ & ~b.bits_); }
  friend constexpr bool operator==(axis_set, axis_set) noexcept = default;

private:
  std::uint64_t bits_ = 0;
};

using value_id = std::uint16_t;  // index of the instruction that computes the value
inline constexpr value_id no_value = 0xffff;

/// The inputs of an instruction, up to the first no_value.
class input_list {
public:
  constexpr input_list(std::initializer_list<value_id> ids = {}) noexcept {
    ids_.fill(no_value);
    std::copy(ids.begin(), ids.end(), ids_.begin());
  }
  constexpr value_id &operator[](std::size_t i) noexcept { return ids_[i]; }
  constexpr value_id operator[](std::size_t i) const noexcept { return ids_[i]; }
  constexpr std::size_t size() const noexcept {
    return std::size_t(std::find(ids_.begin(), ids_.end(), no_value) - ids_.begin());
  }
  constexpr auto begin() noexcept { return ids_.begin(); }
  constexpr auto end() noexcept { return ids_.begin() + std::ptrdiff_t(size()); }
  constexpr auto begin() const noexcept { return ids_.begin(); }
  constexpr auto end() const noexcept { return ids_.begin() + std::ptrdiff_t(size()); }
  friend constexpr bool operator==(const input_list &, const input_list &) noexcept = default;

private:
  std::array<value_id, max_inputs> ids_;
};

enum class step : std::uint8_t {
  load,     // from memory operand `operand`
  scalar,   // number `operand` of the arguments, as `type`
  iota,     // start + step * the position along the axes, both from ramp `operand` of the arguments
  gather,   // from memory operand `operand` at its position plus input 0, which is int64 and counts elements
  element,  // `code` of the inputs
  reduce,   // `how` of input 0 over the axes in `over`
  store,    // input 0 into memory operand `operand`
};

struct instruction {
  step what;
  dtype type{};     // of the result
  opcode code{};    // element; user_code: `function`
  reduction how{};  // reduce: not mean, variance or deviation, which do not combine pairs
  axis_set axes;    // that the result varies along (store: that the input varies along)
  axis_set over;    // reduce: the reduced axes
  std::uint16_t operand = 0;
  input_list inputs{};
  const user_function *function = nullptr;  // owned by the program
};

/// A jump of an operand's addresses: from position `at` of the axis on, they are `back` bytes lower. A rolled array is
/// read from the middle of its memory to the end, and then from the start.
struct wrap {
  int axis;
  std::int64_t at, back;
  friend bool operator==(const wrap &, const wrap &) noexcept = default;
};

/// Memory that a program reads or writes, with a stride in bytes for each axis: 0 if it does not vary along the axis.
struct memory_operand {
  dtype type;
  bool written = false;
  std::vector<std::int64_t> strides;
  std::vector<wrap> wraps = {};  // at most one an axis; executors get programs without them (divide_at_wraps)
};

struct program {
  std::vector<std::int64_t> sizes;  // of the axes; never 0, and 1 only for a single axis
  std::vector<memory_operand> memory;
  std::vector<instruction> code;
  std::uint16_t scalars = 0, ramps = 0;
  function_list functions;    // user functions of its instructions
  std::uint16_t results = 0;  // values that functions returned as arrays; not in keys

  int axes() const noexcept { return static_cast<int>(sizes.size()); }
  /// A key that is equal for programs that share compiled code: of everything but sizes, arguments, and strides, of
  /// which only the class (0, one element, other) is included.
  std::string structure() const;
  /// A listing for DPEP_DUMP and tests.
  std::string describe() const;
  /// Throws std::logic_error if the program is malformed.
  void verify() const;
};

/// A name for messages and profilers: "array: multiply add".
std::string readable_name(const program &);

/// The arguments of one run of a program.
struct program_arguments {
  std::vector<std::byte *> memory;  // the first element of each memory operand
  std::vector<scalar> scalars;
  std::vector<std::pair<scalar, scalar>> ramps;  // start, step
};

/// Whether a written operand may overlap another operand.
bool is_aliased(const program &, const program_arguments &);

}  // namespace dpep::array
