// A typed value during translation, and the machine scalars that represent it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pykernel/syntax/entity.hpp"
#include "pykernel/translate/ir_builder.hpp"
#include "pykernel/types/types.hpp"

namespace dpep::pykernel {

struct array_expression;  // array_expressions.hpp

/// A value of a Python expression. `parts` holds, by type,
///   scalar: the number; of complex numbers the real and imaginary part. Bools are i1 here and bytes in memory;
///   array: address, shape, and, unless it is contiguous, strides in elements;
///   atomic reference: address; reduction: address of the work-item's total.
/// Tuples have `members` instead. Strings, objects and elementwise expressions exist at
/// compile time only, in `text`, `object` and `lazy`.
struct value {
  type of = nullptr;
  std::vector<node> parts{};
  std::vector<value> members{};
  std::optional<std::int64_t> known{};  // the value of a compile-time constant integer or bool
  bool nonnegative = false;             // an integer that is known not to be negative
  bool is_short = false;                // an integer that is known to be in [0, 2^31)
  std::string text{};
  std::shared_ptr<const entity> object{};
  std::shared_ptr<const array_expression> lazy{};
  // Of an array: the variable whose elements it has, and the source text of the expression. Empty: not known.
  std::string origin{}, written{};
  bool of_iteration = false;  // an array that an iteration of a loop creates, in memory that all iterations use
};

machine_type machine_type_of(dtype);  // of one part
machine_type memory_type_of(dtype);   // of one part in memory, where bools are bytes
/// The machine types of all parts, including those of tuple members.
std::vector<machine_type> machine_types_of(type);
/// Appends all parts, including those of tuple members.
void append_parts(const value &, std::vector<node> &to);
/// Builds a value from parts in the order of `append_parts`, and advances `parts` past them.
value value_of(type, const node *&parts);

inline int parts_of(dtype t) { return is_complex(t) ? 2 : 1; }

}  // namespace dpep::pykernel
