// Fusion: makes a program that computes the values of nodes in one pass.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "array/fusion/program.hpp"
#include "array/graph/node.hpp"
#include "array/graph/storage.hpp"

namespace dpep::array {

/// A node whose values a pass stores, and the destination: a layout of the node's shape.
struct target {
  ref<node> value;
  ref<storage> memory;  // null: allocated at the submission
  layout to;
  usm_kind kind = usm_kind::unknown;  // of memory to be allocated
  bool updates_node = true;           // afterwards the node reads its values from there
};

/// The target for a node: with the layout and kind of memory of its array, if there is one.
target target_of(node &);

/// A program with its memory.
struct fused_program {
  std::shared_ptr<const program> code;
  program_arguments arguments;
  std::vector<ref<storage>> operand_memory;   // memory that it reads
  std::vector<target> stores;                 // the targets, and other nodes that are worth storing
  std::vector<std::uint16_t> store_operands;  // the memory operand of each store, whose address is missing
  /// Nodes that this pass computes and does not store, and that are used elsewhere.
  struct unstored {
    ref<node> value;
    double nanoseconds;  // beyond those of loading the values, if they were stored
    double spent = 0;    // on former values: see fusion::spent_on_former_values
  };
  std::vector<unstored> recomputed_later;
};

struct fusion_result {
  fused_program fused;
  /// Nodes to be stored first, inputs before consumers. If not empty, one pass cannot compute the targets before that,
  /// and `fused` must not be used.
  std::vector<ref<node>> prerequisites;
};

struct fuse_options {
  bool same_indices = false;        // targets, of one shape, are computed at the same indices
  bool same_space = false;          // targets with another iteration space than the first become prerequisites
  bool limit_compile_time = false;  // for executors that compile programs
  bool store_pending = true;        // also store values of pending arrays that the pass computes, if that is cheap
};

/// Makes the program that computes the targets in one pass. No target may be empty. Requires the deferred queue's lock.
fusion_result fuse(std::span<const target>, fuse_options = {});
/// For tests: how many calls of fuse() have found a plan.
std::uint64_t plans_found() noexcept;

}  // namespace dpep::array
