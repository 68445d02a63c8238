// Selections by masks: positions of true elements, and copies of the elements at them.
//
// Two passes: the true elements of each block of the mask are counted and the counts accumulated, then each block
// writes from its offset on. The length of the result is read between them.
#include <dpep/array_indexing.hpp>

#include <dpep/array_opcodes.hpp>

#include "array/api/selection.hpp"
#include "array/base/axes.hpp"
#include "array/base/errors.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array {
namespace {

struct selected {
  ndarray mask, sums;  // row-major bools; cumulative counts of the blocks
  std::int64_t found;
  selection_arguments work;
};

/// Counts the true elements. The selection ends with the step `last` on rows of that many bytes.
selected count_true(const ndarray &given, selection_step last, std::int64_t row) {
  executor_of(given.get_queue()).expect_selection(given.get_queue(), last, given.size(), row);
  const ndarray mask = astype(given, dtype::boolean, casting::unsafe, order::row_major, false);
  auto &m = implementation_of(mask, "mask");
  selected s{mask, {}, 0, {}};
  s.work.count = m.layout.size;
  if (s.work.count == 0) return s;
  const std::int64_t blocks = (s.work.count + selection_block - 1) / selection_block;
  s.sums = make_empty(m.queue, dtype::int64, layout::contiguous(std::array{blocks}), m.kind);
  auto &sums = implementation_of(s.sums, "mask");
  s.work.mask = m.first();
  s.work.sums = reinterpret_cast<std::int64_t *>(sums.first());
  submit(m.queue, selection_step::count, s.work, {s.mask, s.sums});
  if (blocks > 1) executor_of(m.queue).scan(accumulation::sum, sums, sums, 0);
  if (is_host_accessible(m.queue) && idle(m.queue)) {
    s.found = s.work.sums[blocks - 1];
  } else {
    const index last{index::kind::integer, blocks - 1};
    s.found = item(view(s.sums, {&last, 1})).integer;
  }
  return s;
}

void check_mask(const char *operation, const ndarray &x, const ndarray &mask, int axis) {
  check_same_queue(mask.get_queue(), x.get_queue(), operation);
  const extents shape = x.shape(), mask_shape = mask.shape();
  const auto first = static_cast<std::size_t>(axis);
  if (first + mask_shape.size() > shape.size())
    refuse(refusal::index, "{}: too many indices: the array has {} axes, but the mask has {} from axis {} on",
           operation, shape.size(), mask_shape.size(), axis);
  for (std::size_t i = 0; i < mask_shape.size(); ++i)
    if (mask_shape[i] != shape[first + i] && mask_shape[i] != 0)
      refuse(refusal::index, "{}: the mask of shape {} does not match the array of shape {} along axis {}: {} and {}",
             operation, text_of(mask_shape), text_of(shape), first + i, mask_shape[i], shape[first + i]);
}

/// The axes with `count` of them, from `axis` on, at the front; or their order restored.
ndarray with_axes_at_front(const ndarray &x, int axis, int count) {
  std::vector<int> axes;
  for (int i = 0; i < count; ++i) axes.push_back(axis + i);
  for (int i = 0; i < x.dimensions(); ++i)
    if (i < axis || i >= axis + count) axes.push_back(i);
  return permute(x, axes);
}

/// Bytes of the elements that one element of the mask selects; the mask's axes are the first.
std::int64_t row_bytes(const ndarray &x, const ndarray &mask) {
  auto row = static_cast<std::int64_t>(size_of(x.type()));
  for (const std::int64_t length : x.shape().subspan(mask.shape().size())) row *= length;
  return row;
}

/// Stores rows, which repeat, where the mask is true.
void store_rows(const ndarray &x, const ndarray &rows, std::int64_t period, selected s, std::int64_t row) {
  const ndarray to = x.row_major() ? x : copy(x, order::row_major);
  s.work.from = implementation_of(rows, "place").first();
  s.work.to = implementation_of(to, "place").first();
  s.work.row = row;
  s.work.period = period;
  evaluate_readers(implementation_of(to, "place"));
  submit(x.get_queue(), selection_step::place, s.work, {s.mask, s.sums, rows, to});
  if (to != x) assign(x, to);
}

}  // namespace

std::vector<ndarray> nonzero(const ndarray &x) {
  auto &a = implementation_of(x, "nonzero");
  if (a.layout.dimensions() == 0) refuse(refusal::value, "nonzero: expected at least one axis, got a 0-d array");
  selected s = count_true(x, selection_step::positions, sizeof(std::int64_t));
  const ndarray flat = make_empty(a.queue, dtype::int64, layout::contiguous(std::array{s.found}), a.kind);
  if (s.found > 0) {
    s.work.to = implementation_of(flat, "nonzero").first();
    submit(a.queue, selection_step::positions, s.work, {s.mask, s.sums, flat});
  }
  if (a.layout.dimensions() == 1) return {flat};
  std::vector<ndarray> result;
  std::int64_t step = a.layout.size;
  for (std::size_t i = 0; i < a.layout.shape.size(); ++i) {
    step /= std::max<std::int64_t>(a.layout.shape[i], 1);
    const scalar by = scalar::of(std::max<std::int64_t>(step, 1)),
                 length = scalar::of(std::max<std::int64_t>(a.layout.shape[i], 1));
    ndarray part = flat;
    if (step > 1) {
      const operand quotient[] = {{.array = &part}, {.number = &by}};
      part = element(opcode::floor_divide, quotient);
    }
    if (i > 0) {
      const operand rest[] = {{.array = &part}, {.number = &length}};
      part = element(opcode::remainder, rest);
    }
    result.push_back(part == flat ? copy(flat) : part);
  }
  return result;
}

ndarray extract_elements(const ndarray &x, const ndarray &mask, int axis) {
  check_mask("extract", x, mask, axis);
  if (axis > 0) {
    const ndarray found = extract_elements(with_axes_at_front(x, axis, mask.dimensions()), mask, 0);
    std::vector<int> axes;
    for (int i = 0; i < axis; ++i) axes.push_back(1 + i);
    axes.push_back(0);
    for (int i = axis + 1; i < found.dimensions(); ++i) axes.push_back(i);
    return permute(found, axes);
  }
  auto &a = implementation_of(x, "extract");
  const std::int64_t row = row_bytes(x, mask);
  selected s = count_true(mask, selection_step::extract, row);
  std::vector<std::int64_t> shape{s.found};
  const extents rest = x.shape().subspan(mask.shape().size());
  shape.insert(shape.end(), rest.begin(), rest.end());
  const ndarray result = make_empty(a.queue, a.type, layout::contiguous(shape), a.kind);
  if (result.size() == 0) return result;
  const ndarray from = x.row_major() ? x : copy(x, order::row_major);
  s.work.from = implementation_of(from, "extract").first();
  s.work.to = implementation_of(result, "extract").first();
  s.work.row = row;
  submit(a.queue, selection_step::extract, s.work, {s.mask, s.sums, from, result});
  return result;
}

/// Stores one value where the mask, which is in memory, is true: elements elsewhere are not read. Returns false if that
/// is not possible, or no faster than a choice that is computed with other operations.
bool filled(const ndarray &x, const ndarray &mask, const ndarray &value) {
  constexpr std::int64_t few = 32768;
  auto &a = implementation_of(x, "assignment");
  auto &m = implementation_of(mask, "assignment");
  if (value.size() != 1 || mask.type() != dtype::boolean || !(m.layout.shape == a.layout.shape)) return false;
  if (a.layout.size <= few || !a.layout.row_major || !m.layout.row_major || a.pending() || m.pending()) return false;
  if (m.memory() == a.memory()) return false;
  const auto row = static_cast<std::int64_t>(size_of(a.type));
  executor_of(a.queue).expect_selection(a.queue, selection_step::fill, 0, row);
  const ndarray element = rows_of(value, x);
  selection_arguments s;
  s.mask = m.first();
  s.from = implementation_of(element, "assignment").first();
  s.to = a.first();
  s.count = a.layout.size;
  s.row = row;
  evaluate_readers(a);
  submit(a.queue, selection_step::fill, s, {mask, element, x});
  return true;
}

ndarray extract(const ndarray &mask, const ndarray &x) {
  if (!std::ranges::equal(mask.shape(), x.shape()))
    refuse(refusal::value, "extract: expected a condition of the array's shape {}, got {}", text_of(x.shape()),
           text_of(mask.shape()));
  return extract_elements(x, mask);
}

void place_elements(const ndarray &x, const ndarray &mask, int axis, const ndarray &values) {
  check_mask("assignment", x, mask, axis);
  check_assignable("assignment", x, values);
  if (mask.size() == 0 && mask.dimensions() > 0) return;
  if (axis == 0 && filled(x, mask, values)) return;
  const int count = mask.dimensions(), behind = x.dimensions() - axis - count;
  const extents given = values.shape();
  const std::size_t own = given.size(), own_behind = static_cast<std::size_t>(behind) + 1;
  if (own < own_behind || given[own - own_behind] == 1) {
    // The values do not depend on the rank of a true element: a choice, which is fused and needs no positions.
    std::vector<int> ones;
    for (int i = 1; i < count; ++i) ones.push_back(static_cast<int>(own - own_behind) + i);
    ndarray spread = astype(values, x.type(), casting::unsafe, order::keep, false);
    if (own >= own_behind && count == 0) {
      const int at[] = {static_cast<int>(own - own_behind)};
      spread = squeeze(spread, at);
    } else if (own >= own_behind && !ones.empty()) {
      spread = expand_dims(spread, ones);
    }
    static_cast<void>(broadcast_layout("assignment", implementation_of(spread, "assignment").layout, x.shape()));
    std::vector<int> trailing;
    for (int i = 0; i < behind; ++i) trailing.push_back(count + i);
    const ndarray condition = trailing.empty() ? mask : expand_dims(mask, trailing);
    const operand choice[] = {{.array = &condition}, {.array = &spread}, {.array = &x}};
    return assign(x, element(opcode::where, choice));
  }
  const selected s = count_true(mask, selection_step::place, row_bytes(with_axes_at_front(x, axis, count), mask));
  std::vector<std::int64_t> shape(x.shape().begin(), x.shape().begin() + axis);
  shape.push_back(s.found);
  shape.insert(shape.end(), x.shape().end() - behind, x.shape().end());
  const ndarray fitting = broadcast_to(values, shape);
  if (fitting.size() == 0) return;
  const ndarray front = with_axes_at_front(x, axis, count);
  store_rows(front, rows_of(with_axes_at_front(fitting, axis, 1), front), s.found, s, row_bytes(front, mask));
}

void place(const ndarray &x, const ndarray &mask, const ndarray &values) {
  if (mask.type() != dtype::boolean)
    refuse(refusal::type, "place: mask must be an array of bools, got {}", name_of(mask.type()));
  check_same_queue(mask.get_queue(), x.get_queue(), "place");
  check_assignable("place", x, values);
  if (!std::ranges::equal(x.shape(), mask.shape()) || values.dimensions() != 1)
    refuse(refusal::value,
           "place: expected a mask of the array's shape {} and values with one axis, got shapes {} and {}",
           text_of(x.shape()), text_of(mask.shape()), text_of(values.shape()));
  const auto row = static_cast<std::int64_t>(size_of(x.type()));
  const selected s = count_true(mask, selection_step::place, row);
  if (s.found == 0) return;
  if (values.size() == 0) refuse(refusal::value, "place: Cannot insert from an empty array");
  store_rows(x, rows_of(values, x), values.size(), s, row);
}

}  // namespace dpep::array
