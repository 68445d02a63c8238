// Emission of the vector loop that replaces an item loop.
#pragma once

#include "jit/spmd/vector/vector_code.hpp"

namespace dpep::jit::spmd {

/// Emits the vector loop before the item loop. The remainder is one masked vector, or the item loop without a tail.
void emit_vector_loop(const item_loop &, const private_layout &, const shapes &, unsigned lanes,
                      const vector_analyses &, bool with_tail);

}  // namespace dpep::jit::spmd
