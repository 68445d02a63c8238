// Updates of elements at indices: offsets of the elements in memory, in the order of the indices, for the executor.
#include <dpep/array_updates.hpp>

#include <algorithm>

#include <dpep/array_opcodes.hpp>

#include "array/api/advanced_index.hpp"
#include "array/api/indexing.hpp"
#include "array/base/errors.hpp"
#include "array/base/scalars.hpp"
#include "array/blocks/updates.hpp"
#include "array/executor.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array {
namespace {

/// The array in the dtype, row-major, and in memory that is not that of x.
ndarray apart_from(const ndarray &x, const ndarray &given, dtype type) {
  const ndarray list = astype(given, type, casting::unsafe, order::row_major, false);
  const bool shared = implementation_of(list, "at").memory() == implementation_of(x, "at").memory();
  return list.row_major() && !shared ? list : copy(list, order::row_major);
}

/// Whether the elements are those at one array of indices, along all axes of the result.
bool has_one_list(const indexed_elements &e) {
  return e.indices.size() == 1 && e.indices[0].type() != dtype::uint64 &&
         std::ranges::equal(e.indices[0].shape(), e.through.shape) &&
         std::ranges::all_of(e.through.strides, [](std::int64_t stride) { return stride == 0; });
}

/// The distances of the elements from the first one of `e.through`.
ndarray distances_of(const char *name, const indexed_elements &e, const placement &where) {
  ndarray sum = defer(where.queue, offsets_of(name, e, index_mode::check), where.kind);
  const std::size_t n = e.through.shape.size();
  for (std::size_t axis = 0; axis < n; ++axis) {
    if (e.through.strides[axis] == 0) continue;
    std::vector<std::int64_t> shape(n, 1);
    shape[axis] = e.through.shape[axis];
    const ndarray ramp = reshape(
        arange(scalar::of(std::int64_t{0}), scalar::of(e.through.strides[axis]), shape[axis], dtype::int64, where),
        shape);
    const operand both[] = {{.array = &sum}, {.array = &ramp}};
    sum = element(opcode::add, both);
  }
  const ndarray all = broadcast_to(sum, e.through.shape);
  return all.row_major() ? all : copy(all, order::row_major);
}

std::byte *first_of(const ndarray &x) { return implementation_of(x, "at").first(); }

/// Waits for the array, its indices and values, and calls the executor.
void run(const char *name, const ndarray &part, const indexed_elements &e, update_arguments u) {
  array_object &a = implementation_of(part, name);
  const auto item = static_cast<std::int64_t>(size_of(a.type));
  u.count = e.through.size;
  u.x = a.memory()->base();
  ndarray list;  // kept until the update is complete
  std::vector<std::int64_t> few;
  const bool is_list = has_one_list(e);
  if (is_list) {
    u.length = e.lengths[0], u.stride = e.strides[0];
    list = apart_from(part, e.indices[0], dtype::int64);
    u.x += e.through.offset * item;
  } else if (few = few_offsets_of(e, index_mode::check); !few.empty()) {
    u.indices = few.data();
  } else {
    list = distances_of(name, e, {a.queue, a.kind});
    u.x += e.through.offset * item;
  }
  if (list) u.indices = reinterpret_cast<const std::int64_t *>(first_of(list));
  evaluate_readers(a);
  if (!may_write_now(a)) part.wait();
  if (is_list) {
    const auto [least, greatest] = blocks::limits_of(static_cast<std::size_t>(u.count), u.indices);
    if (least < -u.length || greatest >= u.length)
      refuse(refusal::index, "{}: index {} is out of bounds for axis {} with {} elements", name,
             least < -u.length ? least : greatest, e.first_axis, u.length);
    if (least >= 0 && u.stride == 1) u.length = 0;
  }
  executor_of(a.queue).update_now(u);
}

}  // namespace

bool can_update(const queue &q, opcode code) noexcept {
  const bool is_power = code == opcode::pow || code == opcode::float_power;  // integers to negative powers are errors
  return executor_of(q).has_folds() && !is_power && info(code).inputs <= 2;
}

void update_elements(const char *name, opcode code, const ndarray &x, std::span<const index_part> parts,
                     const operand *value) {
  if (!x.writable()) refuse(refusal::value, "{}: the array is read-only", name);
  const array_index at = parse(x, parts);
  const ndarray &part = at.part;
  const operand operands[] = {{.array = &part}, value ? *value : operand{}};
  const std::span<const operand> given(operands, value ? 2 : 1);
  if (value && value->array) check_same_queue(value->array->get_queue(), x.get_queue(), name);
  const resolved types = resolve(code, given, x.get_queue().get_device());
  if (kind_of(types.result) == dtype_kind::complex && kind_of(x.type()) != dtype_kind::complex &&
      x.type() != dtype::boolean)
    refuse(refusal::type, "{}: the result has dtype {}, which cannot be cast to {}", name, name_of(types.result),
           name_of(x.type()));
  if (at.indices.empty()) {  // no element occurs twice
    const ndarray made = element(code, given);
    return assign(part, made);
  }
  const indexed_elements e = find_elements(name, implementation_of(part, name), at.indices, at.axis, index_mode::check);
  update_arguments u;
  u.code = code;
  u.types = {static_cast<std::uint8_t>(given.size()), types.inputs, types.result};
  u.type = x.type();
  ndarray values;  // kept until the update is complete
  alignas(16) std::byte number[16];
  if (value && value->array) {
    u.is_one_value = value->array->size() == 1;
    const ndarray spread = u.is_one_value ? *value->array : broadcast_to(*value->array, e.through.shape);
    values = apart_from(x, spread, types.inputs[1]);
    u.values = first_of(values);
  } else if (value) {
    write_element(number, types.inputs[1], *value->number);
    u.values = number;
    u.is_one_value = true;
  }
  if (e.through.size > 0) run(name, part, e, u);
}

}  // namespace dpep::array
