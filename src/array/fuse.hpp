// Fusion: from nodes whose values are wanted to a program that computes them in one pass.
#pragma once

#include <span>
#include <vector>

#include "array/array_object.hpp"
#include "array/graph.hpp"
#include "array/program.hpp"

namespace dpep::array {

/// A value that a pass stores, and where: a layout of the node's shape.
struct target {
  ref<node> value;
  ref<storage> memory;
  layout to;
};

struct prepared {
  program code;
  program_arguments arguments;
  std::vector<ref<storage>> keeps;  // memory that it reads or writes
};

struct fused {
  prepared work;
  /// Not empty: one pass cannot do it, and could if these were stored first.
  std::vector<ref<node>> first;
};

/// The targets' values in one pass. Targets have elements. Under the stream's mutex.
fused fuse(std::span<const target>);

}  // namespace dpep::array
