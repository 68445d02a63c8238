// Simplification of what a kernel computes with local ids, which are below the work-group's size.
#pragma once

#include "jit/spmd/work_item.hpp"

namespace dpep::jit::spmd {

/// Folds comparisons and conversions of local ids, such as `int(local_id) < 1024` in a work-group of 256, and the
/// branches that depend on them.
void fold_local_id_ranges(work_item_function &);

}  // namespace dpep::jit::spmd
