// The variables that a compiled loop changes: reductions, and values that are returned.
#pragma once

#include "pykernel/translate/translation.hpp"

namespace dpep::pykernel {

/// Gives each reduction's variable its first value: the value before the loop in work-item 0, and the operation's
/// identity in all others.
void begin_reductions(translation &);
/// Stores the outputs, 8 bytes for each machine scalar, in the memory that the argument at `offset` points to. With
/// work-groups, the outputs are those of the whole group, if there are group algorithms for all their reductions.
void store_outputs(translation &, std::int64_t offset);

}  // namespace dpep::pykernel
