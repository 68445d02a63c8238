// Assignment to elements and slices, of numbers and of arrays.
#include <fmt/format.h>

#include "pykernel/translate/translator.hpp"

namespace dpep::pykernel {

void translator::store_subscript(const expression &target, const std::function<value()> &what, std::string_view op,
                                 const expression &at) {
  const value of = evaluate(*target.parts[0]);
  if (!is_array(of.of))
    fail(mistake::typing, target,
         fmt::format("{} is {}, whose elements cannot be assigned to{}", text_of(*target.parts[0]), described(of.of),
                     is_tuple(of.of)  ? ": tuples are constant"
                     : is_item(of.of) ? launched_with()
                                      : ""));
  if (!of.of->writable)
    fail(mistake::typing, target,
         fmt::format("{} is {}, and the kernel writes to it: pass an array that can be written to",
                     text_of(*target.parts[0]), described(of.of)));
  const value to = selection(of, *target.parts[1], target);
  if (to.of->dimensions == 0) {
    const value old = op.empty() ? value() : load(to, to.parts[0]), v = what();
    b.line = target.at.line;
    return store(to, to.parts[0], op.empty() ? v : binary(op, old, v, at), at);
  }
  const value v = what();
  b.line = target.at.line;
  if (is_tuple(v.of)) {
    const auto length = std::int64_t(v.members.size());
    if (to.of->dimensions != 1 || b.known(extent(to, 0)).value_or(length) != length)
      fail(mistake::value, at, fmt::format("{} numbers cannot be assigned to {}", length, described(to.of)));
    b.branch(b.compare(operation::ne, extent(to, 0), b.size(length)),
             [&] { stop("ValueError: a tuple is assigned to a slice of another length", at.at); });
    for (std::int64_t i = 0; i < length; ++i) {
      const node address = element_address(to, {integer(i)}, at);
      const value &member = v.members[std::size_t(i)];
      store(to, address, op.empty() ? member : binary(op, load(to, address), member, at), at);
    }
    return;
  }
  if (!is_array(v.of)) return copy_elements(to, op.empty() ? convert(v, to.of->element, at) : v, op, at, false);
  if (v.of->dimensions > to.of->dimensions)
    fail(mistake::value, at,
         fmt::format("{} cannot be assigned to {}: it has more dimensions", described(v.of), described(to.of)));
  for (int d = 0; d < v.of->dimensions; ++d) {
    const node given = extent(v, d), wanted = extent(to, to.of->dimensions - v.of->dimensions + d);
    const auto known = b.known(given), known_wanted = b.known(wanted);
    if (known == 1) continue;
    if (known && known_wanted && *known != *known_wanted)
      fail(mistake::value, at,
           fmt::format("{} elements cannot be assigned to {} of axis {}", *known, *known_wanted, d));
    b.branch(b.compare(operation::ne, given, wanted),
             [&] { stop("ValueError: an array is assigned to a slice of another shape", at.at); });
  }
  // As if all of it were read first: parts of one array that lie over each other are gone through from the end that is
  // not read again.
  if (v.of->where != to.of->where) return copy_elements(to, v, op, at, false);
  b.branch(
      b.compare(operation::ult, v.parts[0], to.parts[0]), [&] { copy_elements(to, v, op, at, true); },
      [&] { copy_elements(to, v, op, at, false); });
}

/// `from` is a number, or an array whose axes are the last ones of `to`.
void translator::copy_elements(const value &to, const value &from, std::string_view op, const expression &at,
                               bool backwards) {
  if (to.of->dimensions == 0) {
    const value v = is_array(from.of) ? load(from, from.parts[0]) : from;
    return store(to, to.parts[0], op.empty() ? v : binary(op, load(to, to.parts[0]), v, at), at);
  }
  const bool own_axis = is_array(from.of) && from.of->dimensions == to.of->dimensions;
  const bool repeated = own_axis && b.known(extent(from, 0)) == 1;
  const auto part = [&](const value &array, const value &i) {
    return array.of->dimensions == 1 ? place_of_element(array, element_address(array, {i}, at))
                                     : element_or_row(array, i, at);
  };
  const value length = size_value(extent(to, 0));
  loop_over_range(
      [&](const value &counted) {
        value i = counted;
        if (backwards) i = size_value(b.binary(operation::sub, b.add(length.parts[0], b.size(-1)), counted.parts[0]));
        copy_elements(part(to, i), own_axis ? part(from, repeated ? integer(0) : i) : from, op, at, backwards);
      },
      integer(0), length, integer(1), at);
}

}  // namespace dpep::pykernel
