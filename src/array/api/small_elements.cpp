// Element operations on few elements: one call of a block kernel, on the calling thread.
#include "array/api/small_elements.hpp"

#include <algorithm>

#include "array/graph/array_object.hpp"
#include "array/blocks/blocks.hpp"
#include "array/executor.hpp"
#include "array/api/resolve.hpp"
#include "array/base/scalars.hpp"
#include "array/graph/deferred_queue.hpp"

namespace dpep::array {
namespace {

// Up to here a call costs less than noting, scheduling and launching it would; and as many elements have room on the
// stack when an operand must be cast or repeated first.
constexpr std::int64_t most = 4096, most_in_room = 1024;

struct block_operand {
  const void *data;
  blocks::form form;
};

/// The operand in the signature's type: as it is, or cast into `room`.
block_operand prepared(const operand &o, std::int64_t count, dtype type, std::byte *room) {
  if (o.number) {
    write_element(room, type, *o.number);
    return {room, blocks::form::one};
  }
  auto &a = *static_cast<array_object *>(o.array->get());
  const auto form = a.layout.size == count ? blocks::form::vector : blocks::form::one;
  const void *data = a.first();
  if (a.type == type) return {data, form};
  blocks::find_cast(a.type, type)(static_cast<std::size_t>(a.layout.size), &data, room);
  return {room, form};
}

/// Whether a block may write there while reading here: the very same elements, or none of them.
bool harmless(const void *read, const void *written, std::size_t read_bytes, std::size_t written_bytes) {
  const auto *r = static_cast<const std::byte *>(read), *w = static_cast<const std::byte *>(written);
  return r == w || r + read_bytes <= w || w + written_bytes <= r;
}

ndarray empty_result(const array_object &model, dtype type, usm_kind kind) {
  layout l = model.layout;
  l.offset = 0;
  std::int64_t stride = 1;
  for (std::size_t i = l.shape.size(); i-- > 0;) {      // axes of length 1 may have had any
    if (l.strides[i] != stride) l.strides[i] = stride;  // a store now would stall the copy that comes next
    stride *= std::max<std::int64_t>(l.shape[i], 1);
  }
  return make_empty(model.queue, type, std::move(l), kind);
}

/// Where a launch is needed anyway: without a node and a program, if operands are as the kernel takes them.
ndarray launched(opcode code, const signature &s, std::span<const operand> operands, const array_object &model,
                 usm_kind kind) {
  const std::int64_t count = model.layout.size;
  plain_operands plain;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    plain.numbers[k] = operands[k].number ? &*operands[k].number : nullptr;
    if (operands[k].number) continue;
    plain.arrays[k] = static_cast<array_object *>(operands[k].array->get());
    if (plain.arrays[k]->type != s.from[k] || plain.arrays[k]->layout.size != count) return {};
  }
  if (count == 0) return {};
  const ndarray result = empty_result(model, s.to, kind);
  executor_of(model.queue).run_small(code, s, plain, *static_cast<array_object *>(result.get()), count);
  return result;
}

/// Whether a test fails for any of the elements.
template <class T, class Test> bool any_fails(const void *elements, std::int64_t count, Test test) {
  const auto *const x = static_cast<const T *>(elements);
  bool found = false;
  for (std::int64_t i = 0; i < count; ++i) found |= !test(x[i]);
  return found;
}

}  // namespace

bool holds_at_once(const ndarray &x, quick_fact fact) {
  auto *const a = static_cast<array_object *>(x.get());
  if (!a || a->pending() || !a->layout.row_major || a->layout.size > most_in_room || !idle(a->queue) ||
      !executor_of(a->queue).runs_inline())
    return false;
  const std::int64_t count = a->layout.size;
  const void *const elements = a->first();
  const auto holds = [&]<class T>(T) {
    if (fact == quick_fact::no_infinity) return !any_fails<T>(elements, count, [](T e) { return !__builtin_isinf(e); });
    return !any_fails<T>(elements, count, [](T e) { return e >= T(0); });
  };
  switch (a->type) {
  case dtype::float16:
    return holds(static_cast<_Float16>(0));
  case dtype::float32:
    return holds(0.0f);
  case dtype::float64:
    return holds(0.0);
  default:
    break;
  }
  if (fact == quick_fact::no_infinity) return kind_of(a->type) != dtype_kind::complex;
  const auto integers_hold = [&]<class T>(T) { return !any_fails<T>(elements, count, [](T e) { return e >= 0; }); };
  switch (a->type) {
  case dtype::int8:
    return integers_hold(std::int8_t());
  case dtype::int16:
    return integers_hold(std::int16_t());
  case dtype::int32:
    return integers_hold(std::int32_t());
  case dtype::int64:
    return integers_hold(std::int64_t());
  default:
    return kind_of(a->type) != dtype_kind::complex;  // bools and integers without a sign
  }
}

ndarray small_element(opcode code, std::span<const operand> operands, const element_options &options) {
  const std::size_t inputs = operands.size();
  if (inputs != info(code).inputs || code == opcode::cast) return {};

  const array_object *model = nullptr;  // the operand that has the result's shape
  for (const operand &o : operands) {
    if (!o.array) {
      if (!o.number) return {};
      continue;
    }
    const auto *a = static_cast<const array_object *>(o.array->get());
    if (!a || a->pending() || !a->layout.row_major || a->layout.size > most) return {};
    if (!model) {
      model = a;
      continue;
    }
    if (a->queue != model->queue) return {};
    if (a->layout.dimensions() == 0) continue;
    if (model->layout.dimensions() != 0 && !(a->layout.shape == model->layout.shape)) return {};
    model = a;
  }
  if (!model || (options.layout == order::column_major && !model->layout.column_major)) return {};
  const device &where = model->queue.get_device();
  const bool launches = !executor_of(model->queue).runs_inline();
  if (launches ? options.out || deferred_queue::of(model->queue).has_work() : !idle(model->queue)) return {};

  const signature &s =
      options.type ? choose_signature_in(*options.type, code, operands) : choose_signature(code, operands, where);
  const std::int64_t count = model->layout.size;
  usm_kind kind = model->kind;
  for (const operand &o : operands) {
    if (o.array) kind = coerced(kind, static_cast<const array_object *>(o.array->get())->kind);
    // numbers that do not fit are refused with the whole story elsewhere
    else if (o.number->what == scalar::kind::integer && !fits(*o.number, s.from[std::size_t(&o - operands.data())]))
      return {};
  }

  if (launches) return launched(code, s, operands, *model, kind);
  if (count > most_in_room)
    for (std::size_t i = 0; i < inputs; ++i)
      if (operands[i].array && operands[i].array->type() != s.from[i] && operands[i].array->size() == count) return {};
  alignas(64) std::byte rooms[3][std::size_t{most_in_room} * 16];
  using blocks::form;
  std::array<const void *, 3> data{};
  std::array<form, 3> forms{form::vector, form::vector, form::vector};
  for (std::size_t i = 0; i < inputs; ++i) {
    const auto [at, given] = prepared(operands[i], count, s.from[i], rooms[i]);
    data[i] = at, forms[i] = given;
  }
  if (count == 1) forms = {form::vector, form::vector, form::vector};
  if (inputs == 3 || !blocks::has_form(code, forms[0], forms[1])) {
    for (std::size_t i = 0; i < inputs; ++i) {
      if (forms[i] == form::vector) continue;
      if (count > most_in_room) return {};
      std::byte value[16];
      const std::size_t bytes = size_of(s.from[i]);
      std::copy_n(static_cast<const std::byte *>(data[i]), bytes, value);
      blocks::fill(rooms[i], value, bytes, static_cast<std::size_t>(count));
      data[i] = rooms[i], forms[i] = form::vector;
    }
  }

  ndarray result;
  if (options.out) {
    auto &out = implementation_of(*options.out, info(code).name.data());
    check_out(out, model->layout.shape, s.to, model->queue, info(code).name.data());
    if (out.pending() || !out.layout.row_major) return {};
    const std::size_t bytes = static_cast<std::size_t>(count) * size_of(s.to);
    for (std::size_t i = 0; i < inputs; ++i)
      if (!harmless(data[i], out.first(), static_cast<std::size_t>(count) * size_of(s.from[i]), bytes)) return {};
    result = *options.out;
  } else {
    result = empty_result(*model, s.to, kind);
  }
  auto &to = *static_cast<array_object *>(result.get());
  if (count > 0) blocks::find(code, s, forms[0], forms[1])(static_cast<std::size_t>(count), data.data(), to.first());
  return result;
}

}  // namespace dpep::array
