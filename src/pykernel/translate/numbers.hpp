// Numbers: constants, conversions, truth values; and tuples and objects.
#pragma once

#include "pykernel/translate/translation.hpp"

namespace dpep::pykernel {

// Python constants.
value integer(translation &, std::int64_t);
value truth_value(translation &, bool);
value real(translation &, double);
inline value none() { return {.of = none_type()}; }
value tuple(std::vector<value> members, std::vector<std::string> names = {}, std::string name = {});
value object(entity);

/// A scalar whose value is computed by `n`.
value scalar(translation &, dtype, node n, bool weak = false, bool nonnegative = false);
/// A length or index: a Python int that is not negative.
inline value size_value(translation &ctx, node n) { return scalar(ctx, dtype::int64, n, true, true); }

value convert(translation &, const value &, type to, const expression &at);
inline value convert(translation &ctx, const value &v, dtype to, const expression &at) {
  return convert(ctx, v, scalar_type(to), at);
}
/// The truth value of `v`, as an i1.
node truth(translation &, const value &v, const expression &at);
/// An integer as an i64. `what` names it in the error message.
node integer_node(translation &, const value &, const expression &at, const char *what);
/// The value of a compile-time constant. `what` names it in the error message.
std::int64_t constant_integer(const translation &, const value &, const expression &at, const std::string &what);

}  // namespace dpep::pykernel
