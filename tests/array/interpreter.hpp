// A naive interpreter of array programs, element by element: the reference for the CPU executor's results.
#pragma once

#include <cmath>
#include <complex>
#include <stdexcept>

#include <dpep/array_opcodes.hpp>

#include "array/fusion/program.hpp"

namespace dpep::array::testing {

/// One element of any type: `i` for bools and integers, `c` for floats and complex numbers.
struct number {
  std::int64_t i = 0;
  std::complex<double> c;
};

inline bool is_integer(dtype t) { return kind_of(t) < dtype_kind::real; }

inline number read(const void *p, dtype t) {
  const auto as = [&]<class T>(T) { return *static_cast<const T *>(p); };
  switch (t) {
  case dtype::boolean:
  case dtype::uint8:
    return {as(std::uint8_t()), {}};
  case dtype::int32:
    return {as(std::int32_t()), {}};
  case dtype::int64:
    return {as(std::int64_t()), {}};
  case dtype::float32:
    return {0, as(float())};
  case dtype::float64:
    return {0, as(double())};
  case dtype::complex128:
    return {0, as(std::complex<double>())};
  default:
    throw std::logic_error("interpreter: a type that it does not know");
  }
}
inline void write(void *p, dtype t, const number &x) {
  const auto put = [&](auto v) { *static_cast<decltype(v) *>(p) = v; };
  switch (t) {
  case dtype::boolean:
    return put(std::uint8_t(x.i != 0));
  case dtype::uint8:
    return put(std::uint8_t(x.i));
  case dtype::int32:
    return put(std::int32_t(x.i));
  case dtype::int64:
    return put(x.i);
  case dtype::float32:
    return put(float(x.c.real()));
  case dtype::float64:
    return put(x.c.real());
  case dtype::complex128:
    return put(x.c);
  default:
    throw std::logic_error("interpreter: a type that it does not know");
  }
}
/// The value rounded or wrapped to the type.
inline number rounded(const number &x, dtype t) {
  std::complex<double> place[1];
  write(place, t, x);
  return read(place, t);
}

inline number apply(const instruction &i, dtype from, const number &a, const number &b, const number &c) {
  const bool integers = is_integer(from);
  const auto truth = [](bool x) { return number{x, {}}; };
  const auto wrap = [](auto f, std::int64_t x, std::int64_t y) {
    return std::int64_t(f(std::uint64_t(x), std::uint64_t(y)));
  };
  switch (i.code) {
  case opcode::add:
    if (from == dtype::boolean) return truth(a.i || b.i);
    return {wrap(std::plus<>(), a.i, b.i), a.c + b.c};
  case opcode::subtract:
    return {wrap(std::minus<>(), a.i, b.i), a.c - b.c};
  case opcode::multiply:
    return {wrap(std::multiplies<>(), a.i, b.i), a.c * b.c};
  case opcode::maximum:
    return integers ? number{std::max(a.i, b.i), {}} : a.c.real() >= b.c.real() ? a : b;
  case opcode::less:
    return truth(integers ? a.i < b.i : a.c.real() < b.c.real());
  case opcode::logical_and:
    return truth(a.i && b.i);
  case opcode::square:
    return integers ? number{wrap(std::multiplies(), a.i, a.i), {}} : number{0, a.c * a.c};
  case opcode::pow_3:
    return integers ? number{wrap(std::multiplies(), wrap(std::multiplies(), a.i, a.i), a.i), {}}
                    : number{0, a.c * a.c * a.c};
  case opcode::abs:
    return integers ? number{std::abs(a.i), {}} : number{0, std::abs(a.c)};
  case opcode::sqrt:
    return {0, std::sqrt(a.c)};
  case opcode::negative:
    return {wrap(std::minus<>(), 0, a.i), -a.c};
  case opcode::exp:
    return {0, std::exp(a.c)};
  case opcode::sin:
    return {0, std::sin(a.c)};
  case opcode::where:
    return a.i ? b : c;
  case opcode::clip:
    return integers ? number{std::min(std::max(a.i, b.i), c.i), {}}
                    : number{0, std::min(std::max(a.c.real(), b.c.real()), c.c.real())};
  case opcode::cast:
    if (i.type == dtype::boolean) return truth(integers ? a.i != 0 : a.c != 0.0);
    if (integers) return {a.i, double(a.i)};
    return {is_integer(i.type) ? std::int64_t(a.c.real()) : 0, kind_of(i.type) == dtype_kind::real ? a.c.real() : a.c};
  default:
    throw std::logic_error("interpreter: an operation that it does not know");
  }
}

class interpreter {
public:
  interpreter(const program &p, const program_arguments &a) : p_(p), a_(a) {}

  /// Runs all stores, into the operands that the arguments name.
  void run() {
    for (const instruction &i : p_.code) values_.push_back(compute(i));
  }

private:
  struct dense {  // values over all axes of the program; stride 0 along axes on which they do not depend
    std::vector<std::int64_t> strides;
    std::vector<number> elements;
  };
  const program &p_;
  const program_arguments &a_;
  std::vector<dense> values_;

  template <class F> void each(axis_set axes, F f) const {
    std::vector<std::int64_t> index(p_.sizes.size(), 0);
    for (std::size_t a = 0; a < index.size(); ++a)
      if (axes.has(int(a)) && p_.sizes[a] == 0) return;
    for (;;) {
      f(index);
      std::size_t a = index.size();
      for (; a-- > 0;) {
        if (!axes.has(int(a))) continue;
        if (++index[a] < p_.sizes[a]) break;
        index[a] = 0;
      }
      if (a == std::size_t(-1)) return;
    }
  }
  static std::int64_t at(const std::vector<std::int64_t> &strides, const std::vector<std::int64_t> &index) {
    std::int64_t sum = 0;
    for (std::size_t a = 0; a < index.size(); ++a) sum += strides[a] * index[a];
    return sum;
  }
  number of(value_id v, const std::vector<std::int64_t> &index) const {
    const dense &d = values_[v];
    return d.elements[std::size_t(at(d.strides, index))];
  }
  static number number_of(const scalar &s, dtype t) {
    const bool whole = s.what == scalar::kind::boolean || s.what == scalar::kind::integer;
    number n{whole ? s.integer : std::int64_t(s.number.real()), whole ? double(s.integer) : s.number};
    return rounded(n, t);
  }

  dense compute(const instruction &i) const {
    dense d;
    d.strides.assign(p_.sizes.size(), 0);
    std::int64_t size = 1;
    for (std::size_t a = p_.sizes.size(); a-- > 0;)
      if (i.axes.has(int(a))) d.strides[a] = size, size *= p_.sizes[a];
    if (i.what != step::store) d.elements.resize(std::size_t(size));
    if (i.what == step::reduce) return reduced(i, std::move(d));
    each(i.axes, [&](const std::vector<std::int64_t> &index) {
      number n;
      switch (i.what) {
      case step::load:
        n = read(a_.memory[i.operand] + at(p_.memory[i.operand].strides, index), i.type);
        break;
      case step::gather: {
        const std::byte *const base = a_.memory[i.operand] + at(p_.memory[i.operand].strides, index);
        n = read(const_cast<std::byte *>(base) + of(i.inputs[0], index).i * std::int64_t(size_of(i.type)), i.type);
        break;
      }
      case step::scalar:
        n = number_of(a_.scalars[i.operand], i.type);
        break;
      case step::iota: {
        std::int64_t position = 0;
        for (std::size_t a = 0; a < index.size(); ++a)
          if (i.axes.has(int(a))) position = position * p_.sizes[a] + index[a];
        const number start = number_of(a_.ramps[i.operand].first, i.type);
        const number step = number_of(a_.ramps[i.operand].second, i.type);
        n = rounded({start.i + position * step.i, start.c + double(position) * step.c}, i.type);
        break;
      }
      case step::element: {
        std::array<number, 3> x;
        for (std::size_t k = 0; k < 3 && i.inputs[k] != no_value; ++k) x[k] = of(i.inputs[k], index);
        n = rounded(apply(i, p_.code[i.inputs[0]].type, x[0], x[1], x[2]), i.type);
        break;
      }
      case step::store:
        write(a_.memory[i.operand] + at(p_.memory[i.operand].strides, index), i.type, of(i.inputs[0], index));
        return;
      case step::reduce:
        return;
      }
      d.elements[std::size_t(at(d.strides, index))] = n;
    });
    return d;
  }

  dense reduced(const instruction &i, dense d) const {
    const dtype from = p_.code[i.inputs[0]].type;
    const bool integers = is_integer(from);
    each(i.axes, [&](std::vector<std::int64_t> index) {
      number sum;
      std::complex<long double>
          exact;  // the reference must be at least as accurate as the CPU executor's pairwise sums
      std::int64_t position = 0;
      switch (i.how) {
      case reduction::prod:
        sum = {1, 1.0};
        break;
      case reduction::all:
        sum = {1, {}};
        break;
      default:
        break;
      }
      bool first = true;
      const std::vector<std::int64_t> kept = index;
      number best;
      each(i.over, [&](const std::vector<std::int64_t> &inner) {
        for (std::size_t a = 0; a < index.size(); ++a)
          if (i.over.has(int(a))) index[a] = inner[a];
        const number x = of(i.inputs[0], index);
        const auto less = [&](const number &l, const number &r) {
          return integers ? l.i < r.i : l.c.real() < r.c.real();
        };
        switch (i.how) {
        case reduction::sum:
          sum.i = std::int64_t(std::uint64_t(sum.i) + std::uint64_t(x.i));
          exact += x.c;
          break;
        case reduction::prod:
          sum = {std::int64_t(std::uint64_t(sum.i) * std::uint64_t(x.i)), sum.c * x.c};
          break;
        case reduction::max:
          if (first || less(sum, x)) sum = x;
          break;
        case reduction::min:
          if (first || less(x, sum)) sum = x;
          break;
        case reduction::argmax:
          if (first || less(best, x)) best = x, sum.i = position;
          break;
        case reduction::argmin:
          if (first || less(x, best)) best = x, sum.i = position;
          break;
        case reduction::any:
          sum.i |= integers ? x.i != 0 : x.c != 0.0;
          break;
        case reduction::all:
          sum.i &= integers ? x.i != 0 : x.c != 0.0;
          break;
        case reduction::count_nonzero:
          sum.i += integers ? x.i != 0 : x.c != 0.0;
          break;
        default:
          throw std::logic_error("interpreter: a reduction that it does not know");
        }
        first = false;
        ++position;
      });
      if (i.how == reduction::sum) sum.c = std::complex<double>(exact);
      d.elements[std::size_t(at(d.strides, kept))] = rounded(sum, i.type);
    });
    return d;
  }
};

}  // namespace dpep::array::testing
