// Fusion: from nodes whose values are wanted to a program that computes them in one pass.
#pragma once

#include <span>
#include <vector>

#include "array/graph/array_object.hpp"
#include "array/graph/node.hpp"
#include "array/fusion/program.hpp"

namespace dpep::array {

/// A value that a pass stores, and where: a layout of the node's shape, in memory that may be allocated later.
struct target {
  ref<node> value;
  ref<storage> memory;
  layout to;
  usm_kind kind = usm_kind::unknown;  // of memory to be allocated
  bool marks = true;                  // the node reads from there afterwards
};

/// Where a node's values go: where the array wants them that shows it.
target target_of(node &);

struct composition {
  program code;
  program_arguments arguments;
  std::vector<ref<storage>> keeps;          // memory that it reads
  std::vector<target> stores;               // the targets, and what else is worth storing on the way
  std::vector<std::uint16_t> stores_as;     // the stores' memory operands, whose addresses are missing
  std::vector<ref<node>> recomputed_later;  // pending arrays' values that this pass computes and does not store
};

struct fused {
  composition work;
  /// Not empty: one pass cannot do it, and could if these were stored first.
  std::vector<ref<node>> first;
};

struct fuse_options {
  bool alike = false;         // refuse (by `first`) targets with different iteration spaces
  bool compiled = false;      // the executor compiles programs: bound them by compile time
  bool store_pending = true;  // also store values of pending arrays that the pass computes, if that is cheap
};

/// The program that computes the targets in one pass. No target may be empty. Requires the deferred queue's lock.
fused fuse(std::span<const target>, fuse_options = {});

}  // namespace dpep::array
