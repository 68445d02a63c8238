// Expressions of arrays and numbers, for functions that are composed of array operations.
#pragma once

#include <dpep/array_functions.hpp>
#include <dpep/array_opcodes.hpp>

namespace dpep::array {

/// An array or a number. A number has no dtype and takes that of the array it is combined with.
class term {
public:
  term(ndarray x) : array_(std::move(x)) {}
  term(double x) : number_(scalar::of(x)) {}

  /// Missing for a number.
  const ndarray &array() const noexcept { return array_; }
  operator const ndarray &() const noexcept { return array_; }
  double number() const noexcept { return number_.number.real(); }
  operand get() const noexcept { return array_ ? operand{.array = &array_} : operand{.number = &number_}; }

private:
  ndarray array_;
  scalar number_;
};

inline term apply(opcode code, const term &x) {
  const operand operands[] = {x.get()};
  return element(code, operands);
}
inline term apply(opcode code, const term &x, const term &y) {
  const operand operands[] = {x.get(), y.get()};
  return element(code, operands);
}
inline term apply(opcode code, const term &x, const term &y, const term &z) {
  const operand operands[] = {x.get(), y.get(), z.get()};
  return element(code, operands);
}

inline term operator+(const term &x, const term &y) {
  return !x.array() && !y.array() ? x.number() + y.number() : apply(opcode::add, x, y);
}
inline term operator-(const term &x, const term &y) {
  return !x.array() && !y.array() ? x.number() - y.number() : apply(opcode::subtract, x, y);
}
inline term operator*(const term &x, const term &y) {
  return !x.array() && !y.array() ? x.number() * y.number() : apply(opcode::multiply, x, y);
}
inline term operator/(const term &x, const term &y) { return apply(opcode::divide, x, y); }
inline term operator<(const term &x, const term &y) { return apply(opcode::less, x, y); }
inline term operator<=(const term &x, const term &y) { return apply(opcode::less_equal, x, y); }
inline term operator>=(const term &x, const term &y) { return apply(opcode::greater_equal, x, y); }
inline term operator&&(const term &x, const term &y) { return apply(opcode::logical_and, x, y); }
/// Not an operator, since == of arrays compares handles.
inline term equal(const term &x, const term &y) { return apply(opcode::equal, x, y); }
inline term floor(const term &x) { return apply(opcode::floor, x); }
inline term where(const term &condition, const term &x, const term &y) { return apply(opcode::where, condition, x, y); }

/// The array in the dtype: itself if it has that.
inline ndarray cast(const ndarray &x, dtype type) { return astype(x, type, casting::unsafe, order::keep, false); }
/// Views along the first axis: `count` elements from `start` on, and the subarray at an index.
inline ndarray part(const ndarray &x, std::int64_t start, std::int64_t count, std::int64_t step = 1) {
  const index which{index::kind::slice, start, count, step};
  return view(x, {&which, 1});
}
inline ndarray element_at(const ndarray &x, std::int64_t at) {
  const index which{index::kind::integer, at};
  return view(x, {&which, 1});
}
inline placement placement_of(const ndarray &x) { return {x.get_queue(), x.memory_kind()}; }
/// An array of one axis with numbers of the host.
inline ndarray list_of(std::span<const double> numbers, dtype type, const placement &where) {
  const std::int64_t shape[] = {static_cast<std::int64_t>(numbers.size())}, strides[] = {sizeof(double)};
  return from_host({const_cast<double *>(numbers.data()), dtype::float64, shape, strides}, type, where);
}
inline ndarray list_of(std::span<const std::int64_t> numbers, const placement &where) {
  const std::int64_t shape[] = {static_cast<std::int64_t>(numbers.size())}, strides[] = {sizeof(std::int64_t)};
  return from_host({const_cast<std::int64_t *>(numbers.data()), dtype::int64, shape, strides}, dtype::int64, where);
}

}  // namespace dpep::array
