// Compile-time evaluation of integer arithmetic on local ids for one work-item. A group has few work-items, so this
// replaces pattern matching.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "jit/spmd/work_item.hpp"

namespace dpep::jit::spmd {

/// The ids of one work-item: values of the arguments that differ between work-items.
struct item_ids {
  std::array<std::uint64_t, 3> local_id{};
  std::optional<std::uint64_t> sub_group{};  // empty: unknown
};

/// Returns the value for the work-item; empty if it depends on anything else or is not an integer of at most 64 bits.
std::optional<std::uint64_t> value_at(const llvm::Value *, const work_item_function &, const item_ids &);

}  // namespace dpep::jit::spmd
