// A value while it is translated: its type, and the machine numbers that it consists of.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pykernel/translate/builder.hpp"
#include "pykernel/syntax/entity.hpp"
#include "pykernel/types/types.hpp"

namespace dpep::pykernel {

/// parts of
///   a scalar: the number; complex: both parts. Truths are i1 here and bytes in memory;
///   an array: address, the shape, and, unless it is contiguous, strides in elements;
///   an atomic reference: the address.
/// Tuples have members instead; texts and objects nothing that exists when the kernel runs.
struct value {
  type of = nullptr;
  std::vector<node> parts{};
  std::vector<value> members{};
  std::optional<std::int64_t> known{};  // a constant integer or truth
  bool natural = false;                 // an integer that is never negative
  std::string text{};
  std::shared_ptr<const entity> object{};
};

machine machine_of(dtype);  // of one part
/// The machine types of all parts, members included.
std::vector<machine> machines_of(type);
/// All parts, members included.
void append_parts(const value &, std::vector<node> &to);
/// Its inverse; `parts` is advanced.
value value_of(type, const node *&parts);

inline int parts_of(dtype t) { return is_complex(t) ? 2 : 1; }

}  // namespace dpep::pykernel
