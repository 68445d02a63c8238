// Element operations on few elements: one call of a block kernel, on the calling thread.
#include "array/api/small_elements.hpp"

#include <algorithm>
#include <limits>

#include <dpep/array_opcodes.hpp>

#include "array/api/element_rows.hpp"
#include "array/api/resolve.hpp"
#include "array/api/small_copies.hpp"
#include "array/base/scalars.hpp"
#include "array/blocks/blocks.hpp"
#include "array/executor.hpp"
#include "array/graph/array_work.hpp"
#include "array/graph/deferred_queue.hpp"

namespace dpep::array {
namespace {

// Up to `max_elements`, a call costs less than recording, scheduling and launching. Operands that must be cast or
// repeated first are in buffers on the stack, up to `max_buffered` elements.
constexpr std::int64_t max_elements = 4096, max_buffered = 1024;
// Slices are copied into buffers, too, as long as they fit.
constexpr std::size_t buffer_bytes = 32 * 1024;

/// An operand of a block kernel.
struct block_operand {
  const void *data;
  blocks::form form;
};

/// The operand in the signature's dtype: in place, or cast into the buffer.
block_operand prepared(const operand &o, std::int64_t count, dtype type, std::byte *buffer) {
  if (o.number) {
    write_element(buffer, type, *o.number);
    return {buffer, blocks::form::one};
  }
  auto &a = *static_cast<array_object *>(o.array->get());
  const auto form = a.layout.size == count ? blocks::form::vector : blocks::form::one;
  const void *data = a.first();
  if (a.type == type) return {data, form};
  blocks::find_cast(a.type, type)(static_cast<std::size_t>(a.layout.size), &data, buffer);
  return {buffer, form};
}

/// Whether the strides are positive and descend, as those of slices of row-major arrays do.
bool is_in_row_order(const layout &l) {
  std::int64_t outer = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 0; i < l.shape.size(); ++i) {
    if (l.shape[i] == 1) continue;
    if (l.strides[i] <= 0 || l.strides[i] >= outer) return false;
    outer = l.strides[i];
  }
  return true;
}

/// Whether a block kernel may read and write these bytes: they start at the same address or do not overlap.
bool can_overwrite(const void *read, const void *written, std::size_t read_bytes, std::size_t written_bytes) {
  const auto *r = static_cast<const std::byte *>(read), *w = static_cast<const std::byte *>(written);
  return r == w || r + read_bytes <= w || w + written_bytes <= r;
}

ndarray empty_result(const array_object &model, dtype type, usm_kind kind) {
  if (!model.layout.row_major) return make_empty(model.queue, type, layout::contiguous(model.layout.shape), kind);
  layout l = model.layout;
  l.offset = 0;
  std::int64_t stride = 1;
  for (std::size_t i = l.shape.size(); i-- > 0;) {      // axes of length 1 may have any stride
    if (l.strides[i] != stride) l.strides[i] = stride;  // conditional: an unneeded store would stall the following copy
    stride *= std::max<std::int64_t>(l.shape[i], 1);
  }
  return make_empty(model.queue, type, std::move(l), kind);
}

/// For devices that need a launch: submits the operation without a node and a program, if the operands need no cast and
/// no broadcasting. Else returns an empty handle.
ndarray launch_small(opcode code, const signature &s, std::span<const operand> operands, const array_object &model,
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

/// The memory of `out`, if the calling thread may write results with the model's shape there now; null otherwise.
array_object *writable_now(const ndarray &given, opcode code, const signature &s, const array_object &model) {
  auto &out = implementation_of(given, info(code).name.data());
  check_out(out, model.layout.shape, s.to, model.queue, info(code).name.data());
  return !out.pending() && out.layout.row_major && may_write_now(out) ? &out : nullptr;
}

/// Computes in pieces for which operands are cast, and numbers repeated, in buffers. Arrays are row-major and have the
/// model's size, or one element. Otherwise returns an empty handle.
ndarray element_in_pieces(opcode code, const signature &s, std::span<const operand> operands,
                          const element_options &options, const array_object &model, usm_kind kind) {
  constexpr std::int64_t piece = max_buffered;
  struct source {
    const std::byte *at;
    std::int64_t step;              // bytes of an element; 0 if it is repeated in the buffer
    blocks::element_function cast;  // null: none
  };
  std::array<source, 3> sources{};
  alignas(64) std::byte buffers[3][piece * 16];
  const std::int64_t count = model.layout.size;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    auto *const a = operands[k].array ? static_cast<array_object *>(operands[k].array->get()) : nullptr;
    if (a && a->layout.size == count && a->layout.row_major) {
      sources[k] = {a->first(), static_cast<std::int64_t>(size_of(a->type)),
                    a->type == s.from[k] ? nullptr : blocks::find_cast(a->type, s.from[k])};
      continue;
    }
    if (a && a->layout.size != 1) return {};
    alignas(16) std::byte value[16];
    const block_operand one = prepared(operands[k], count, s.from[k], value);
    std::byte copied[16];
    std::copy_n(static_cast<const std::byte *>(one.data), size_of(s.from[k]), copied);
    blocks::fill(buffers[k], copied, size_of(s.from[k]), piece);
    sources[k] = {buffers[k], 0, nullptr};
  }
  ndarray result;
  if (options.out) {
    array_object *const out = writable_now(*options.out, code, s, model);
    if (!out) return {};
    const std::size_t bytes = static_cast<std::size_t>(count) * size_of(s.to);
    for (const source &from : std::span(sources).first(operands.size())) {
      const auto read = static_cast<std::size_t>(count * from.step);
      if (!can_overwrite(from.at, out->first(), read, bytes) || (from.cast && from.at == out->first())) return {};
    }
    result = *options.out;
  } else {
    result = empty_result(model, s.to, kind);
  }
  std::byte *to = static_cast<array_object *>(result.get())->first();
  const blocks::element_function f = blocks::find(code, s);
  for (std::int64_t first = 0; first < count; first += piece) {
    const auto n = static_cast<std::size_t>(std::min(piece, count - first));
    std::array<const void *, 3> data{};
    for (std::size_t k = 0; k < operands.size(); ++k) {
      const source &from = sources[k];
      data[k] = from.at + first * from.step;
      if (!from.cast) continue;
      from.cast(n, &data[k], buffers[k]);
      data[k] = buffers[k];
    }
    f(n, data.data(), to);
    to += piece * static_cast<std::int64_t>(size_of(s.to));
  }
  return result;
}

template <class T> bool any_negative(const void *elements, std::int64_t count) {
  const auto *const x = static_cast<const T *>(elements);
  bool found = false;
  for (std::int64_t i = 0; i < count; ++i) found |= x[i] < 0;
  return found;
}

}  // namespace

bool is_known_non_negative(const ndarray &x) {
  auto *const a = static_cast<array_object *>(x.get());
  if (!a) return false;
  const dtype_kind kind = kind_of(a->type);
  if (kind == dtype_kind::boolean || kind == dtype_kind::unsigned_integer) return true;
  if (kind != dtype_kind::signed_integer || a->pending() || !a->layout.row_major || a->layout.size > max_buffered ||
      !idle(a->queue) || !executor_of(a->queue).runs_inline())
    return false;
  const void *const elements = a->first();
  switch (a->type) {
  case dtype::int8:
    return !any_negative<std::int8_t>(elements, a->layout.size);
  case dtype::int16:
    return !any_negative<std::int16_t>(elements, a->layout.size);
  case dtype::int32:
    return !any_negative<std::int32_t>(elements, a->layout.size);
  default:
    return !any_negative<std::int64_t>(elements, a->layout.size);
  }
}

ndarray small_element(opcode code, std::span<const operand> operands, const element_options &options) {
  const std::size_t inputs = operands.size();
  if (inputs != info(code).inputs || code == opcode::cast) return {};

  const array_object *model = nullptr;  // the operand that has the result's shape
  bool any_slice = false, broadcasts = false;
  for (const operand &o : operands) {
    if (!o.array) {
      if (!o.number) return {};
      continue;
    }
    const auto *a = static_cast<const array_object *>(o.array->get());
    if (!a || a->pending() || a->layout.size > max_elements) return {};
    if (!a->layout.row_major) {
      const std::size_t bytes = static_cast<std::size_t>(a->layout.size) * size_of(a->type);
      if (bytes > buffer_bytes || !is_in_row_order(a->layout)) return {};
      any_slice = true;
    }
    if (!model) {
      model = a;
      continue;
    }
    if (a->queue != model->queue) return {};
    if (a->layout.dimensions() == 0) continue;
    if (model->layout.dimensions() != 0 && !(a->layout.shape == model->layout.shape))
      broadcasts = true;
    else
      model = a;
  }
  if (!model || (options.layout == order::column_major && !model->layout.column_major)) return {};
  const device &where = model->queue.get_device();
  const bool launches = !executor_of(model->queue).runs_inline();
  if (launches && defers(model->layout.size, true)) return {};
  if (launches ? options.out || any_slice || broadcasts : !idle(model->queue)) return {};
  if (broadcasts && (inputs != 2 || (!keeps_axes(options.layout) && options.layout != order::row_major))) return {};

  const signature &s =
      options.type ? choose_signature_in(*options.type, code, operands) : choose_signature(code, operands, where);
  const std::int64_t count = model->layout.size;
  usm_kind kind = model->kind;
  for (const operand &o : operands) {
    if (o.array) kind = coerced(kind, static_cast<const array_object *>(o.array->get())->kind);
    // element() throws the error for numbers that do not fit
    else if (o.number->what == scalar::kind::integer && !fits(*o.number, s.from[std::size_t(&o - operands.data())]))
      return {};
  }

  const bool strided_out = options.out && *options.out && !options.out->row_major();
  if (any_slice || broadcasts || strided_out) {
    if (ndarray rows = element_rows(code, s, operands, options.out, kind, max_elements)) return rows;
    if (broadcasts) return {};
  }
  if (launches) return launch_small(code, s, operands, *model, kind);
  if (count > max_buffered)
    for (std::size_t i = 0; i < inputs; ++i)
      if (operands[i].array && operands[i].array->type() != s.from[i] && operands[i].array->size() == count)
        return element_in_pieces(code, s, operands, options, *model, kind);
  alignas(64) std::byte buffers[3][buffer_bytes];
  using blocks::form;
  std::array<const void *, 3> data{};
  std::array<form, 3> forms{form::vector, form::vector, form::vector};
  for (std::size_t i = 0; i < inputs; ++i) {
    auto *const a = operands[i].array ? static_cast<array_object *>(operands[i].array->get()) : nullptr;
    if (a && !a->layout.row_major) {
      if (a->type != s.from[i] || !copy_in_rows(buffers[i], *a)) return {};
      data[i] = buffers[i], forms[i] = form::vector;
      continue;
    }
    const auto [at, given] = prepared(operands[i], count, s.from[i], buffers[i]);
    data[i] = at, forms[i] = given;
  }
  if (count == 1) forms = {form::vector, form::vector, form::vector};
  // Block kernels for clip have no form for numbers; those for maximum and minimum do.
  const bool clips_to_numbers =
      code == opcode::clip && forms[0] == form::vector && forms[1] == form::one && forms[2] == form::one;
  if (!clips_to_numbers && (inputs == 3 || !blocks::has_form(code, forms[0], forms[1]))) {
    for (std::size_t i = 0; i < inputs; ++i) {
      if (forms[i] == form::vector) continue;
      if (count > max_buffered) return element_in_pieces(code, s, operands, options, *model, kind);
      std::byte value[16];
      const std::size_t bytes = size_of(s.from[i]);
      std::copy_n(static_cast<const std::byte *>(data[i]), bytes, value);
      blocks::fill(buffers[i], value, bytes, static_cast<std::size_t>(count));
      data[i] = buffers[i], forms[i] = form::vector;
    }
  }

  ndarray result;
  if (options.out) {
    array_object *const out = writable_now(*options.out, code, s, *model);
    if (!out) return {};
    const std::size_t bytes = static_cast<std::size_t>(count) * size_of(s.to);
    for (std::size_t i = 0; i < inputs; ++i) {
      const bool needed_later = clips_to_numbers && i > 0 && data[i] == out->first();  // by the second kernel
      if (needed_later ||
          !can_overwrite(data[i], out->first(), static_cast<std::size_t>(count) * size_of(s.from[i]), bytes))
        return {};
    }
    result = *options.out;
  } else {
    result = empty_result(*model, s.to, kind);
  }
  auto &to = *static_cast<array_object *>(result.get());
  if (count == 0) return result;
  const auto elements = static_cast<std::size_t>(count);
  if (clips_to_numbers) {
    const signature two{2, {s.to, s.to}, s.to};
    const void *const raised[] = {data[0], data[1]}, *const lowered[] = {to.first(), data[2]};
    blocks::find(opcode::maximum, two, form::vector, form::one)(elements, raised, to.first());
    blocks::find(opcode::minimum, two, form::vector, form::one)(elements, lowered, to.first());
  } else {
    blocks::find(code, s, forms[0], forms[1])(elements, data.data(), to.first());
  }
  return result;
}

}  // namespace dpep::array
