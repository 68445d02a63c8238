// What integer arithmetic on local ids gives for one work-item, found by doing it: there are few work-items, and no
// pattern has to be guessed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "jit/spmd/work_item.hpp"

namespace dpep::jit::spmd {

/// Values of the arguments that tell work-items apart.
struct item_place {
  std::array<std::uint64_t, 3> local_id{};
  std::optional<std::uint64_t> sub_group{};  // empty: any
};

/// Empty where it depends on anything else, or is no integer of at most 64 bits.
std::optional<std::uint64_t> value_at(const llvm::Value *, const work_item_function &, const item_place &);

}  // namespace dpep::jit::spmd
