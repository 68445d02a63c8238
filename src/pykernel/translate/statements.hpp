// Statements and assignment targets.
#pragma once

#include "pykernel/translate/translation.hpp"

namespace dpep::pykernel {

void body(translation &, const block &);
/// Whether control flow never reaches the end of the block, as far as its structure shows.
bool always_returns(const block &);
/// Assigns to a variable, an element, a slice, or each name of a tuple.
void assign_to(translation &, const expression &target, const value &, const expression &at);

}  // namespace dpep::pykernel
