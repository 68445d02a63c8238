// Random array programs with their memory: any axes, strides, types and reductions.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include <dpep/array_opcodes.hpp>

#include "array/executor.hpp"
#include "array/fusion/program.hpp"
#include "interpreter.hpp"

namespace dpep::array::testing {

struct random_program {
  program code;
  program_arguments arguments;
  std::vector<std::vector<std::byte>> buffers;  // one for each memory operand
  std::vector<std::size_t> stored;              // operands that are written
};

class program_maker {
public:
  /// The sizes of the axes. `one_short`: two of 64 to 500 elements and one of 1 to 8, in any order; values are often
  /// reduced along the short one and used along it again, as distances between points are. `two_short`: one of 64 to
  /// 3000 elements and two of 2 to 20, as distances to a few centres have.
  enum class axes_of { any_size, one_short, two_short };
  /// Without memory, programs can be prepared but not run.
  explicit program_maker(std::uint32_t seed, std::int64_t most_elements = 30'000, axes_of kind = axes_of::any_size,
                         bool has_memory = true)
      : random_(seed), most_elements_(most_elements), kind_(kind), has_memory_(has_memory) {}

  random_program make() {
    choose_axes();
    const int loads = pick(1, 4);
    for (int k = 0; k < loads; ++k) load();
    if (pick(0, 3) == 0) ramp();
    const int operations = kind_ == axes_of::any_size ? pick(1, 9) : pick(3, 14);
    for (int k = 0; k < operations; ++k) {
      if (kind_ == axes_of::two_short) short_axis_ = (long_axis_ + pick(1, 2)) % 3;
      operate();
    }
    const int stores = pick(1, 3);
    for (int k = 0; k < stores; ++k) store(value_id(made_.code.code.size() - 1 - std::size_t(k)));
    return std::move(made_);
  }

private:
  std::mt19937 random_;
  const std::int64_t most_elements_;
  const axes_of kind_;
  const bool has_memory_;
  int short_axis_ = -1, long_axis_ = -1;
  random_program made_;

  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  template <class T> T choice(std::initializer_list<T> from) { return from.begin()[pick(0, int(from.size()) - 1)]; }
  program &code() { return made_.code; }
  int axes() { return code().axes(); }

  void choose_axes() {
    if (kind_ == axes_of::one_short) {
      short_axis_ = pick(0, 2);
      std::int64_t all = 1;
      for (int a = 0; a < 3; ++a) {
        const std::int64_t size = a == short_axis_ ? pick(1, 8) : pick(64, 500);
        code().sizes.push_back(all * size > most_elements_ ? 64 : size);
        all *= code().sizes.back();
      }
      return;
    }
    if (kind_ == axes_of::two_short) {
      long_axis_ = pick(0, 2);
      for (int a = 0; a < 3; ++a) code().sizes.push_back(pick(2, 20));
      const std::int64_t others =
          code().sizes[0] * code().sizes[1] * code().sizes[2] / code().sizes[std::size_t(long_axis_)];
      code().sizes[std::size_t(long_axis_)] = std::min<std::int64_t>(pick(64, 3000), most_elements_ / others);
      return;
    }
    const int n = pick(1, 4);
    std::int64_t all = 1;
    for (int a = 0; a < n; ++a) {
      std::int64_t size = choice<std::int64_t>({1, 2, 3, 5, 7, 16, 33, 64, 100, 130, 257, 1000, 4100, 20000});
      while (all * size > most_elements_) size = std::max<std::int64_t>(1, size / 3);
      all *= size;
      code().sizes.push_back(size);
    }
  }

  // Allocates memory for these axes: any order of axes, gaps, and directions.
  std::uint16_t memory(dtype type, axis_set along, bool written) {
    std::vector<int> order(code().sizes.size());
    std::iota(order.begin(), order.end(), 0);
    if (pick(0, 1)) std::ranges::shuffle(order, random_);
    memory_operand m{type, written, std::vector<std::int64_t>(std::size_t(axes()), 0)};
    const auto element = std::int64_t(size_of(type));
    std::int64_t stride = element * (pick(0, 4) ? 1 : 2), first = 0;
    for (std::size_t k = order.size(); k-- > 0;) {
      const auto a = std::size_t(order[k]);
      if (!along.has(order[k])) continue;
      const bool backwards = pick(0, 7) == 0;
      m.strides[a] = backwards ? -stride : stride;
      if (backwards) first += stride * (code().sizes[a] - 1);
      stride *= code().sizes[a];
      if (pick(0, 5) == 0) stride += 3 * element;
    }
    std::vector<std::byte> buffer(has_memory_ ? std::size_t(stride + element) : 0);
    for (std::size_t at = 0; at + std::size_t(element) <= buffer.size(); at += std::size_t(element)) {
      const double x = std::uniform_real_distribution<double>(-1, 1)(random_);
      number n{type == dtype::boolean ? x > 0 : pick(-3, 3), {x, type == dtype::complex128 ? -x / 2 : 0}};
      write(buffer.data() + at, type, n);
    }
    made_.buffers.push_back(std::move(buffer));
    made_.arguments.memory.push_back(has_memory_ ? made_.buffers.back().data() + first : nullptr);
    code().memory.push_back(std::move(m));
    return std::uint16_t(code().memory.size() - 1);
  }

  // Whether rounding errors of the value matter, so that comparisons with it are unpredictable.
  std::vector<bool> inexact_;

  static instruction made(step what) {
    instruction i{};
    i.what = what;
    i.inputs = {no_value, no_value, no_value};
    return i;
  }
  value_id append(instruction i) {
    bool inexact = false;
    for (const value_id v : i.inputs) inexact = inexact || (v != no_value && inexact_[v]);
    const bool real = !is_integer(i.type);
    inexact = inexact || (i.what == step::element && i.code == opcode::sin) ||
              (i.what == step::element && i.type == dtype::complex128) || (i.what == step::iota && real) ||
              (i.what == step::reduce && i.how == reduction::sum && real);
    inexact_.push_back(inexact);
    code().code.push_back(i);
    return value_id(code().code.size() - 1);
  }
  axis_set some_axes() {
    axis_set s;
    for (int a = 0; a < axes(); ++a)
      if (pick(0, 3)) s = s | axis_set::of(a);
    return s;
  }

  void load() {
    instruction i = made(step::load);
    i.type = choice({dtype::float64, dtype::float64, dtype::float32, dtype::float32, dtype::int32, dtype::boolean,
                     dtype::complex128, dtype::int64});
    i.axes = pick(0, 2) ? axis_set::first(axes()) : some_axes();
    i.operand = memory(i.type, i.axes, false);
    append(i);
  }
  value_id constant(dtype type) {
    instruction i = made(step::scalar);
    i.type = type;
    i.operand = code().scalars++;
    made_.arguments.scalars.push_back(is_integer(type) ? scalar::of(std::int64_t(pick(0, 2)))
                                                       : scalar::of(0.25 * pick(-3, 3)));
    return append(i);
  }
  void ramp() {
    instruction i = made(step::iota);
    i.type = choice({dtype::float64, dtype::int64, dtype::int32});
    i.axes = axis_set::of(pick(0, axes() - 1));
    i.operand = code().ramps++;
    made_.arguments.ramps.emplace_back(is_integer(i.type) ? scalar::of(std::int64_t(1)) : scalar::of(0.5),
                                       is_integer(i.type) ? scalar::of(std::int64_t(2)) : scalar::of(0.001));
    append(i);
  }

  value_id element(opcode code, dtype type, value_id a, value_id b = no_value, value_id c = no_value) {
    instruction i = made(step::element);
    i.code = code;
    i.type = type;
    i.inputs = {a, b, c};
    for (const value_id v : i.inputs)
      if (v != no_value) i.axes = i.axes | made_.code.code[v].axes;
    return append(i);
  }
  dtype type_of(value_id v) { return code().code[v].type; }
  value_id cast(value_id v, dtype to) {
    if (type_of(v) == to) return v;
    // computed values may be too large for an integer
    if (is_integer(to) && !is_integer(type_of(v)) && code().code[v].what != step::load) return constant(to);
    return element(opcode::cast, to, v);
  }
  value_id any_value() { return value_id(pick(0, int(code().code.size()) - 1)); }
  value_id value_of(dtype type) { return cast(any_value(), type); }

  // The pattern of simulations and classifiers: differences, the sum of their squares or magnitudes along the short
  // axis, a function of that sum, and the differences again.
  void share() {
    const dtype t = choice({dtype::float64, dtype::float64, dtype::float32});
    const value_id a = value_of(t), b = pick(0, 3) ? value_of(t) : constant(t);
    if (inexact_[a] || inexact_[b]) return;
    const value_id d = element(choice({opcode::subtract, opcode::subtract, opcode::add, opcode::multiply}), t, a, b);
    const value_id size = pick(0, 2)   ? element(opcode::multiply, t, d, d)
                          : pick(0, 1) ? element(opcode::square, t, d)
                                       : element(opcode::abs, t, d);
    if (pick(0, 2) == 0) element(opcode::add, t, size, constant(t));
    instruction i = made(step::reduce);
    i.how = pick(0, 3) ? reduction::sum : choice({reduction::max, reduction::min});
    i.over = pick(0, 4) ? axis_set::of(short_axis_) : some_axes();
    if (i.over.empty()) i.over = axis_set::of(short_axis_);
    i.type = t;
    i.axes = code().code[size].axes - i.over;
    i.inputs[0] = size;
    value_id r = append(i);
    if (pick(0, 1)) r = element(opcode::multiply, t, r, constant(t));
    if (pick(0, 3) == 0) r = element(opcode::sqrt, t, element(opcode::abs, t, r));
    if (pick(0, 4)) element(choice({opcode::multiply, opcode::add, opcode::maximum}), t, pick(0, 3) ? d : size, r);
  }

  void operate() {
    if (short_axis_ >= 0 && pick(0, 2) == 0) return share();
    const value_id a = any_value();
    const dtype t = type_of(a);
    switch (pick(0, 7)) {
    case 0:
    case 1:
    case 2: {
      const value_id b = pick(0, 3) ? value_of(t) : constant(t);
      const bool first = pick(0, 1);
      const opcode c = t == dtype::boolean ? opcode::logical_and
                       : t == dtype::complex128
                           ? choice({opcode::add, opcode::multiply, opcode::subtract})
                           : choice({opcode::add, opcode::multiply, opcode::subtract, opcode::maximum});
      element(c, t, first ? a : b, first ? b : a);
      return;
    }
    case 3:
      if (is_integer(t))
        element(opcode::negative, t == dtype::boolean ? dtype::int32 : t,
                cast(a, t == dtype::boolean ? dtype::int32 : t));
      else
        element(t == dtype::complex128 || inexact_[a] ? opcode::negative : opcode::sin, t, a);
      return;
    case 4: {
      if (t == dtype::complex128 || t == dtype::boolean || inexact_[a]) return;
      value_id b = pick(0, 1) ? constant(t) : value_of(t);
      if (inexact_[b]) b = constant(t);
      const value_id condition = element(opcode::less, dtype::boolean, a, b);
      element(opcode::where, t, condition, pick(0, 1) ? a : constant(t), pick(0, 1) ? value_of(t) : constant(t));
      return;
    }
    case 5:
      if (t == dtype::float64 || t == dtype::float32) element(opcode::clip, t, a, constant(t), value_of(t));
      return;
    default:
      reduce(a);
    }
  }

  void reduce(value_id a) {
    axis_set over = short_axis_ >= 0 && pick(0, 3) ? axis_set::of(short_axis_) : some_axes();
    if (over.empty()) over = axis_set::first(axes());
    const dtype t = type_of(a);
    instruction i = made(step::reduce);
    i.over = over;
    i.type = t;
    i.how = t == dtype::complex128
                ? choice({reduction::sum, reduction::any})
                : choice({reduction::sum, reduction::sum, reduction::max, reduction::min, reduction::argmax,
                          reduction::argmin, reduction::any, reduction::all, reduction::count_nonzero});
    const bool compares = i.how != reduction::sum && i.how != reduction::max && i.how != reduction::min;
    if (compares && inexact_[a]) return;
    switch (i.how) {
    case reduction::argmax:
    case reduction::argmin:
      i.type = dtype::int64;
      break;
    case reduction::count_nonzero:
      i.type = dtype::int64;
      break;
    case reduction::any:
    case reduction::all:
      i.type = dtype::boolean;
      break;
    case reduction::sum:
      if (t == dtype::boolean) a = cast(a, i.type = dtype::int64);
      break;
    default:
      break;
    }
    i.axes = code().code[a].axes - over;
    i.inputs[0] = a;
    append(i);
  }

  void store(value_id v) {
    if (code().code[v].what == step::store) return;
    instruction i = made(step::store);
    i.type = type_of(v);
    i.axes = code().code[v].axes;
    i.inputs[0] = v;
    i.operand = memory(i.type, i.axes, true);
    made_.stored.push_back(i.operand);
    append(i);
  }
};

/// Whether two elements are equal up to rounding errors. `single`: part of the program is float32, whose rounding
/// errors may be in wider results.
inline bool near(const number &a, const number &b, dtype t, double scale, bool single) {
  if (is_integer(t)) return a.i == b.i;
  if (std::isnan(a.c.real()) || std::isnan(b.c.real())) return std::isnan(a.c.real()) == std::isnan(b.c.real());
  if (a.c == b.c) return true;
  const double unit = single ? 1.2e-7 : 2.3e-16;
  return std::abs(a.c - b.c) <= unit * 2000 * (scale + std::abs(b.c));
}

/// Copies of the program's buffers, which `execute(arguments)` has changed.
template <class Execute>
std::vector<std::vector<std::byte>> buffers_after(const random_program &p, const Execute &execute) {
  auto buffers = p.buffers;
  program_arguments arguments = p.arguments;
  for (std::size_t m = 0; m < buffers.size(); ++m)
    arguments.memory[m] = buffers[m].data() + (p.arguments.memory[m] - p.buffers[m].data());
  execute(arguments);
  return buffers;
}
/// The interpreter's results.
inline std::vector<std::vector<std::byte>> expected_of(const random_program &p) {
  return buffers_after(p, [&](const program_arguments &arguments) { interpreter(p.code, arguments).run(); });
}
/// The results on the queue.
inline std::vector<std::vector<std::byte>> results_of(const random_program &p, const queue &q) {
  return buffers_after(p, [&](const program_arguments &arguments) {
    run(q, p.code, arguments, {});
    q.wait();
  });
}

/// Fails where a stored element of `got` is not near that of `wanted`.
inline void expect_near(const random_program &p, const std::vector<std::vector<std::byte>> &got,
                        const std::vector<std::vector<std::byte>> &wanted, std::uint32_t seed) {
  bool single = false;
  for (const instruction &i : p.code.code) single = single || i.type == dtype::float32;
  for (const std::size_t m : p.stored) {
    const dtype t = p.code.memory[m].type;
    const std::size_t bytes = size_of(t);
    double scale = 0;
    for (std::size_t at = 0; at + bytes <= wanted[m].size(); at += bytes) {
      const double size = std::abs(read(wanted[m].data() + at, t).c);
      if (std::isfinite(size)) scale = std::max(scale, size);
    }
    for (std::size_t at = 0; at + bytes <= wanted[m].size(); at += bytes) {
      const number a = read(got[m].data() + at, t), b = read(wanted[m].data() + at, t);
      ASSERT_TRUE(near(a, b, t, scale, single)) << "seed " << seed << ", operand " << m << ", byte " << at << ": "
                                                << a.i << " " << a.c << ", wanted " << b.i << " " << b.c << "\n"
                                                << p.code.describe();
    }
  }
}

}  // namespace dpep::array::testing
