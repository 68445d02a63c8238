// Membership: elements that are found among sorted ones.
#include <dpep/array_indexing.hpp>
#include <dpep/array_sets.hpp>
#include <dpep/array_sorting.hpp>

#include "array/graph/array_object.hpp"

namespace dpep::array {
namespace {

/// The operand as an array of the dtype.
ndarray array_of(const operand &x, dtype type, const placement &where) {
  if (x.array) return astype(*x.array, type, casting::unsafe, order::keep, false);
  const ndarray one = empty({}, type, where);
  assign(one, *x.number);
  return one;
}

}  // namespace

ndarray isin(const operand &elements, const operand &test, bool invert) {
  std::vector<ndarray> arrays;
  for (const operand *x : {&elements, &test})
    if (x->array) arrays.push_back(*x->array);
  const placement where = common_placement(arrays, "isin");
  const operand both[] = {elements, test};
  const resolved types = resolve(opcode::equal, both, where.queue.get_device());
  const dtype type = supported(promote(types.inputs[0], types.inputs[1]), where.queue.get_device());
  const ndarray x = array_of(elements, type, where), known = array_of(test, type, where);
  if (known.size() == 0) return full(x.shape(), scalar::of(invert), dtype::boolean, where);
  const opcode compare = invert ? opcode::not_equal : opcode::equal;
  if (known.size() == 1) {
    const ndarray one = reshape(known, {});
    const operand pair[] = {{.array = &x}, {.array = &one}};
    return element(compare, pair);
  }
  const std::int64_t flat[] = {-1};
  const ndarray sorted = sort(reshape(known, flat), 0, false);
  const ndarray position = searchsorted(sorted, x, side::left);
  const ndarray nearest = take_elements(sorted, {&position, 1}, 0, index_mode::clip);
  const operand pair[] = {{.array = &x}, {.array = &nearest}};
  return element(compare, pair);
}

}  // namespace dpep::array
