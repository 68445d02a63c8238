// Single elements of arrays as bytes in host memory.
#include <dpep/array_single_elements.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

#include <dpep/array_opcodes.hpp>

#include "array/base/scalars.hpp"
#include "array/blocks/blocks.hpp"
#include "array/executor.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array {
namespace {

array_object &object_of(const ndarray &x) { return implementation_of(x, "index"); }

/// The element's address; null for indices that are out of bounds or not one for each axis.
std::byte *address_of(array_object &a, std::span<const std::int64_t> indices) {
  const layout &l = a.layout;
  if (indices.size() != l.shape.size()) return nullptr;
  std::int64_t at = l.offset;
  for (std::size_t axis = 0; axis < indices.size(); ++axis) {
    const std::int64_t n = l.shape[axis], i = indices[axis];
    if (i < -n || i >= n) return nullptr;
    at += (i < 0 ? i + n : i) * l.strides[axis];
  }
  return a.memory()->base() + at * static_cast<std::int64_t>(size_of(a.type));
}

/// Copies an element. A call of memcpy for a size that is not constant takes longer than the rest.
void copy_element(void *to, const void *from, std::size_t bytes) noexcept {
  switch (bytes) {
  case 1:
    std::memcpy(to, from, 1);
    return;
  case 2:
    std::memcpy(to, from, 2);
    return;
  case 4:
    std::memcpy(to, from, 4);
    return;
  case 8:
    std::memcpy(to, from, 8);
    return;
  default:
    std::memcpy(to, from, 16);
    return;
  }
}

template <class T> T value_in(const void *element) noexcept {
  T x;
  std::memcpy(&x, element, sizeof x);
  return x;
}

/// The operations that loops use most, without a search for the kernel.
std::optional<dtype> apply_to_doubles(opcode code, double x, double y, void *result) noexcept {
  const auto number = [result](double z) {
    std::memcpy(result, &z, sizeof z);
    return dtype::float64;
  };
  const auto truth = [result](bool b) {
    std::memcpy(result, &b, sizeof b);
    return dtype::boolean;
  };
  switch (code) {
  case opcode::add:
    return number(x + y);
  case opcode::subtract:
    return number(x - y);
  case opcode::multiply:
    return number(x * y);
  case opcode::divide:
    return number(x / y);
  case opcode::less:
    return truth(x < y);
  case opcode::less_equal:
    return truth(x <= y);
  case opcode::greater:
    return truth(x > y);
  case opcode::greater_equal:
    return truth(x >= y);
  case opcode::equal:
    return truth(x == y);
  case opcode::not_equal:
    return truth(x != y);
  default:
    return {};
  }
}

}  // namespace

bool read_element_now(const ndarray &x, std::span<const std::int64_t> indices, void *to) noexcept {
  array_object &a = object_of(x);
  if (a.pending() || !idle(a.queue) || !executor_of(a.queue).runs_inline()) return false;
  if (runtime::implementation_of(a.queue).errors().has_work()) return false;  // which a wait for the element raises
  const std::byte *const from = address_of(a, indices);
  if (from) copy_element(to, from, size_of(a.type));
  return from;
}

bool write_element_now(const ndarray &x, std::span<const std::int64_t> indices, const void *from) noexcept {
  array_object &a = object_of(x);
  if (a.pending() || !a.writable.load(std::memory_order_relaxed) || !executor_of(a.queue).runs_inline() ||
      !may_write_now(a))
    return false;
  std::byte *const to = address_of(a, indices);
  if (to) copy_element(to, from, size_of(a.type));
  return to;
}

scalar number_in(const void *element, dtype type) noexcept { return read_element(element, type); }

bool write_number(void *element, dtype type, const scalar &x) noexcept {
  const dtype_kind kind = kind_of(type);
  const bool is_integer = x.what == scalar::kind::integer, is_real = x.what == scalar::kind::real;
  if (type == dtype::complex128 && x.what != scalar::kind::boolean) {
    double parts[] = {x.number.real(), x.number.imag()};
    if (is_integer && !write_number(parts, dtype::float64, x)) return false;
    std::memcpy(element, parts, sizeof parts);
    return true;
  }
  if (kind == dtype_kind::real) {
    if (type == dtype::float16 || (!is_integer && !is_real)) return false;
    const std::int64_t most = type == dtype::float64 ? std::int64_t{1} << 53 : std::int64_t{1} << 24;
    if (is_integer && (x.beyond_int64 || x.integer > most || x.integer < -most)) return false;
    const double number = is_integer ? static_cast<double>(x.integer) : x.number.real();
    if (type == dtype::float64) {
      std::memcpy(element, &number, sizeof number);
      return true;
    }
    const auto narrow = static_cast<float>(number);
    if (std::isinf(narrow) != std::isinf(number)) return false;
    std::memcpy(element, &narrow, sizeof narrow);
    return true;
  }
  if ((kind != dtype_kind::signed_integer && kind != dtype_kind::unsigned_integer) || !is_integer || !fits(x, type))
    return false;
  write_element(element, type, x);
  return true;
}

ndarray array_of_element(const void *element, dtype type, const placement &where) {
  if (is_host_accessible(where.queue) && idle(where.queue)) {
    const ndarray made = make_empty(where.queue, type, layout::contiguous({}), where.kind);
    std::memcpy(object_of(made).first(), element, size_of(type));
    return made;
  }
  return from_host({const_cast<void *>(element), type, {}, {}}, type, where);
}

std::optional<dtype> apply_to_elements(opcode code, dtype type, std::span<const void *const> operands,
                                       void *result) noexcept {
  if (type == dtype::float64 && operands.size() == 2)
    if (const auto found = apply_to_doubles(code, value_in<double>(operands[0]), value_in<double>(operands[1]), result))
      return found;
  if (code == opcode::divide && (type == dtype::int64 || type == dtype::int32)) {
    const auto number = [&](std::size_t k) {
      return type == dtype::int64 ? static_cast<double>(value_in<std::int64_t>(operands[k]))
                                  : static_cast<double>(value_in<std::int32_t>(operands[k]));
    };
    return apply_to_doubles(code, number(0), number(1), result);
  }
  for (const signature &s : info(code).signatures) {
    if (s.inputs != operands.size() || s.from[0] != type || (s.inputs == 2 && s.from[1] != type)) continue;
    blocks::find(code, s)(1, operands.data(), result);
    return s.to;
  }
  return {};
}

}  // namespace dpep::array
