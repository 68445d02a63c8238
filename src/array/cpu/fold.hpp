// Folds on CPUs.
#pragma once

#include "array/executor.hpp"

namespace dpep::array::cpu {

/// See executor::fold.
event fold(const queue &, const fold_arguments &, const ordered_dependencies &);
void fold_now(const fold_arguments &);

}  // namespace dpep::array::cpu
