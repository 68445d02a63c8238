// Ids and sizes of work-items and work-groups.
#pragma once

#include "pykernel/translate/translation.hpp"

namespace dpep::pykernel {

/// A builtin such as "__dpep_local_id" for a dimension, which is counted as in Python: the last varies fastest.
value item_id(translation &, const char *builtin, int dimension);
/// The linear id from ids and sizes of all dimensions; the last varies fastest.
value linear_id(translation &, const char *ids, const char *sizes);

}  // namespace dpep::pykernel
