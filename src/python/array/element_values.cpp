// Arrays without axes and without memory: the values that x[i] returns in loops over elements, and operations on them.
#include <cstring>
#include <memory>
#include <new>

#include <dpep/array_opcodes.hpp>
#include <dpep/array_single_elements.hpp>

#include "arrays.hpp"

namespace dpep::python {
namespace {

using array::opcode;

/// The number that an int or a float is; nothing for others.
std::optional<array::scalar> plain_number(PyObject *x) noexcept {
  if (PyFloat_CheckExact(x)) return array::scalar::of(PyFloat_AS_DOUBLE(x));
  if (!PyLong_CheckExact(x)) return {};
  int overflow = 0;
  const std::int64_t integer = PyLong_AsLongLongAndOverflow(x, &overflow);
  return overflow ? std::nullopt : std::optional(array::scalar::of(integer));
}

/// The address of an operand beside an element of this dtype: an element of the same dtype, or a number that it has,
/// which is written to `number`. Null for others.
const void *operand_beside(PyObject *x, dtype type, std::byte *number) noexcept {
  if (const auto given = plain_number(x)) return array::write_number(number, type, *given) ? number : nullptr;
  const element_value *const value = is_array(x) ? value_of(x) : nullptr;
  return value && value->type == type ? value->bytes : nullptr;
}

/// Whether two elements, of which one may be null, are on one queue and in one kind of memory.
bool are_together(const element_value *x, const element_value *y) noexcept {
  return !x || !y || (x->kind == y->kind && x->queue == y->queue);
}

/// Whether bools have the operation in both packages.
bool is_for_bools(opcode code) noexcept {
  return code == opcode::bitwise_and || code == opcode::bitwise_or || code == opcode::bitwise_xor ||
         code == opcode::equal || code == opcode::not_equal;
}

PyObject *made_of(const element_value &like, opcode code, std::span<const void *const> operands,
                  PyObject *to) noexcept {
  alignas(16) std::byte result[16];
  const auto type = array::apply_to_elements(code, like.type, operands, result);
  if (!type || (to && *type != like.type)) return nullptr;
  PyObject *const made = to ? Py_NewRef(to) : make_value(like.queue, like.kind, *type, false);
  if (made) std::memcpy(value_of(made)->bytes, result, sizeof result);
  return made;
}

}  // namespace

PyObject *make_value(const queue &q, usm_kind kind, dtype type, bool element) noexcept {
  struct object_with_value {
    python_array array;
    element_value value;
  };
  auto *const object = static_cast<object_with_value *>(PyObject_Malloc(sizeof(object_with_value)));
  if (!object) return PyErr_NoMemory();
  PyObject *const self = &object->array.ob_base;
  PyObject_Init(self, types().of[static_cast<int>(package::dpnp)]);
  initialize(self, {});
  new (&object->value) element_value{q, kind, type, {}};
  object->array.element = element;
  object->array.value = &object->value;
  return self;
}

PyObject *read_value(const ndarray &x, std::span<const std::int64_t> indices) noexcept {
  alignas(16) std::byte bytes[16] = {};
  if (!array::read_element_now(x, indices, bytes)) return nullptr;
  PyObject *const made = make_value(x.get_queue(), x.memory_kind(), x.type(), true);
  if (made) std::memcpy(value_of(made)->bytes, bytes, sizeof bytes);
  return made;
}

bool write_value(const ndarray &x, std::span<const std::int64_t> indices, PyObject *value) noexcept {
  alignas(16) std::byte number[16];
  const void *const from = operand_beside(value, x.type(), number);
  return from && array::write_element_now(x, indices, from);
}

const ndarray &array_of_value(PyObject *x) {
  auto *const o = reinterpret_cast<python_array *>(x);
  element_value *const value = o->value;
  o->array = array::array_of_element(value->bytes, value->type, {value->queue, value->kind});
  o->value = nullptr;
  std::destroy_at(value);
  return o->array;
}

PyObject *compute_values(opcode code, PyObject *a, PyObject *b, PyObject *to) noexcept {
  const element_value *const x = is_array(a) ? value_of(a) : nullptr, *const y =
                                                                          b && is_array(b) ? value_of(b) : nullptr;
  if ((!x && !y) || !are_together(x, y)) return nullptr;
  const element_value &like = x ? *x : *y;
  if (like.type == dtype::boolean && !is_for_bools(code)) return nullptr;
  code = code_in(package::dpnp, code);
  if (code == opcode::pow) {
    const auto exponent = x && b ? plain_number(b) : std::nullopt;
    if (!exponent) return nullptr;
    code = array::power_by(like.type, *exponent);
    b = nullptr;
    if (code == opcode::pow) return nullptr;
  }
  alignas(16) std::byte numbers[2][16];
  const void *const operands[] = {operand_beside(a, like.type, numbers[0]),
                                  b ? operand_beside(b, like.type, numbers[1]) : nullptr};
  if (!operands[0] || (b && !operands[1])) return nullptr;
  return made_of(like, code, {operands, b ? 2u : 1u}, to);
}

}  // namespace dpep::python
