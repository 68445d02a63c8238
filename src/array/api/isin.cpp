// Membership: few test elements are compared with each element, integers of a small range are looked up in a table, and
// others are searched for among the sorted test elements.
#include <dpep/array_indexing.hpp>
#include <dpep/array_opcodes.hpp>
#include <dpep/array_sets.hpp>
#include <dpep/array_sorting.hpp>

#include <optional>

#include "array/graph/array_object.hpp"
#include "array/graph/deferred_queue.hpp"

namespace dpep::array {
namespace {

ndarray apply(opcode code, const operand &a, const operand &b) {
  const operand both[] = {a, b};
  return element(code, both);
}

/// The operand as an array of the dtype.
ndarray array_of(const operand &x, dtype type, const placement &where) {
  if (x.array) return astype(*x.array, type, casting::unsafe, order::keep, false);
  const ndarray one = empty({}, type, where);
  assign(one, *x.number);
  return one;
}

ndarray is_any_of(const ndarray &x, const ndarray &test, bool invert) {
  ndarray found;
  for (std::int64_t i = 0; i < test.size(); ++i) {
    const index which{index::kind::integer, i};
    const ndarray one = view(test, {&which, 1});
    const ndarray same = apply(invert ? opcode::not_equal : opcode::equal, {.array = &x}, {.array = &one});
    found =
        found ? apply(invert ? opcode::logical_and : opcode::logical_or, {.array = &found}, {.array = &same}) : same;
  }
  return found;
}

struct integer_range {
  scalar least, greatest;
  std::int64_t length;  // 0 if it is not less than 2^63
};
integer_range range_of(const ndarray &x) {
  const ndarray least = reduce(reduction::min, x), greatest = reduce(reduction::max, x);
  integer_range r{item(least), item(greatest), 0};
  const std::uint64_t distance = std::uint64_t(r.greatest.integer) - std::uint64_t(r.least.integer);
  if (distance < std::uint64_t(INT64_MAX)) r.length = std::int64_t(distance) + 1;
  return r;
}

/// The distance of integers from the least one; without meaning for those out of the range.
ndarray distances(const ndarray &x, const integer_range &r) {
  const dtype wide = x.type() == dtype::uint64 ? dtype::uint64 : dtype::int64;
  const ndarray from = astype(x, wide, casting::unsafe, order::keep, false);
  const ndarray distance = apply(opcode::subtract, {.array = &from}, {.number = &r.least});
  return astype(distance, dtype::int64, casting::unsafe, order::keep, false);
}

/// Looks integers up in a table of their range. Nothing if the range is too large, or the elements too few.
std::optional<ndarray> look_up(const ndarray &x, const ndarray &test, bool invert) {
  constexpr std::int64_t least_elements = 4096, most_bytes_each = 6;  // as many as NumPy allows
  const dtype_kind kind = kind_of(x.type());
  if ((kind != dtype_kind::signed_integer && kind != dtype_kind::unsigned_integer) || x.size() < least_elements)
    return {};
  const composition few_programs(x.get_queue());
  const integer_range r = range_of(test);
  if (r.length == 0 || r.length / most_bytes_each > x.size() + test.size()) return {};
  const std::int64_t shape[] = {r.length};
  const placement where{x.get_queue(), x.memory_kind()};
  const ndarray table = full(shape, scalar::of(false), dtype::boolean, where);
  const ndarray known = distances(test, r), wanted = distances(x, r);
  put_elements(table, {&known, 1}, 0, full({}, scalar::of(true), dtype::boolean, where), index_mode::clip);
  ndarray found = take_elements(table, {&wanted, 1}, 0, index_mode::clip);
  for (const auto &[limit, compare] :
       {std::pair(&r.least, opcode::greater_equal), std::pair(&r.greatest, opcode::less_equal)}) {
    const ndarray within = apply(compare, {.array = &x}, {.number = limit});
    found = apply(opcode::logical_and, {.array = &found}, {.array = &within});
  }
  if (!invert) return found;
  const operand one[] = {{.array = &found}};
  return element(opcode::logical_not, one);
}

ndarray search(const ndarray &x, const ndarray &test, bool invert) {
  const ndarray sorted = sort(test, 0, false);
  const ndarray position = searchsorted(sorted, x, side::left);
  const ndarray nearest = take_elements(sorted, {&position, 1}, 0, index_mode::clip);
  return apply(invert ? opcode::not_equal : opcode::equal, {.array = &x}, {.array = &nearest});
}

}  // namespace

ndarray isin(const operand &elements, const operand &test, bool invert) {
  constexpr std::int64_t few = 8;
  std::vector<ndarray> arrays;
  for (const operand *x : {&elements, &test})
    if (x->array) arrays.push_back(*x->array);
  const placement where = common_placement(arrays, "isin");
  const operand both[] = {elements, test};
  const resolved types = resolve(opcode::equal, both, where.queue.get_device());
  const dtype type = supported(promote(types.inputs[0], types.inputs[1]), where.queue.get_device());
  const std::int64_t flat[] = {-1};
  const ndarray x = array_of(elements, type, where), known = reshape(array_of(test, type, where), flat);
  if (known.size() == 0) return full(x.shape(), scalar::of(invert), dtype::boolean, where);
  if (known.size() <= few) return is_any_of(x, known, invert);
  if (const std::optional<ndarray> found = look_up(x, known, invert)) return *found;
  return search(x, known, invert);
}

}  // namespace dpep::array
