// Plans: what fusion has decided for a graph, without the graph's memory and numbers. Programs repeat the same lines
// again and again, in loops and in functions, so most graphs have the structure of an earlier one.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "array/fusion/program.hpp"

namespace dpep::array {

/// Nodes are indices in the order in which fusion visits the graph.
struct fusion_plan {
  static constexpr std::int32_t none = -1;

  std::shared_ptr<const program> code;
  /// A memory operand: the node that has the memory, and the distance of the operand's first element from its start.
  struct operand_source {
    std::int32_t node;  // none: a store's
    std::int64_t distance;
  };
  std::vector<operand_source> operands;
  struct scalar_source {
    std::int32_t node;  // none: a constant
    scalar constant;
  };
  std::vector<scalar_source> scalars;
  std::vector<std::int32_t> ramps;
  std::vector<std::int32_t> stores;  // in addition to those of the targets, which come first
  std::vector<std::uint16_t> store_operands;
  struct unstored {
    std::int32_t node;
    double nanoseconds, spent;
  };
  std::vector<unstored> recomputed_later;
  std::vector<std::int32_t> prerequisites;
};

}  // namespace dpep::array
