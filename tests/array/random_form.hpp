// Random array programs without memory, for tests that do not run them: all operations and reductions, with all their
// types, nested in any way, over sizes and strides that exercise every schedule and vector length.
#pragma once

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include <dpep/array_opcodes.hpp>

#include "array/blocks/blocks.hpp"
#include "array/fusion/program.hpp"

namespace dpep::array::testing {

struct random_form {
  program code;
  program_arguments arguments;  // invalid addresses
  bool aliased = false;
};

class form_maker {
public:
  explicit form_maker(std::uint32_t seed) : random_(seed) {}

  random_form make() {
    choose_axes();
    if (pick(0, 2) == 0) return make_nest();
    for (int k = pick(1, 4); k > 0; --k) load();
    if (pick(0, 4) == 0) ramp();
    if (pick(0, 4) == 0) gather();
    for (int k = pick(0, 1) ? pick(1, 3) : pick(1, 12); k > 0; --k) {
      if (pick(0, 2))
        operate();
      else
        reduce(any_value());
    }
    return finish();
  }

private:
  std::mt19937 random_;
  random_form made_;
  std::uintptr_t next_address_ = std::uintptr_t(1) << 32;

  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  template <class List> auto choice(const List &from) {
    return *(std::begin(from) + pick(0, int(std::size(from)) - 1));
  }
  program &code() { return made_.code; }
  dtype any_type() { return dtype(pick(0, dtype_count - 1)); }
  dtype type_of(value_id v) { return code().code[v].type; }
  value_id any_value() { return value_id(pick(0, int(code().code.size()) - 1)); }

  random_form finish() {
    const auto last = int(code().code.size()) - 1;
    for (int k = std::min(pick(1, 3), last + 1); k-- > 0;) store(value_id(last - k));
    made_.aliased = pick(0, 7) == 0;
    code().verify();
    return std::move(made_);
  }

  /// Nested reductions along axes of a few elements, with operations between them.
  random_form make_nest() {
    for (std::size_t a = 1; a < code().sizes.size(); ++a)
      if (pick(0, 4)) code().sizes[a] = pick(2, 12);
    for (int k = pick(1, 3); k > 0; --k) load();
    for (int k = pick(1, 3); k > 0; --k) operate();
    for (int a = code().axes(); a-- > 1;) {
      reduce(value_id(code().code.size() - 1), axis_set::of(a));
      if (pick(0, 1)) operate_on(value_id(code().code.size() - 1));
    }
    return finish();
  }

  void choose_axes() {
    static constexpr std::int64_t lengths[] = {1,  2,  3,   4,   5,   7,    8,    9,    16,    17,     31,     32,
                                               33, 64, 100, 128, 257, 1000, 4096, 5000, 20000, 100000, 1 << 20};
    double all = 1;
    for (int a = pick(1, 4); a > 0; --a) {
      std::int64_t size = choice(lengths);
      while (all * double(size) > 1e10) size = std::max<std::int64_t>(1, size / 3);
      all *= double(size);
      code().sizes.push_back(size);
    }
  }
  axis_set some_axes() {
    axis_set s;
    for (int a = 0; a < code().axes(); ++a)
      if (pick(0, 3)) s = s | axis_set::of(a);
    return s;
  }

  std::uint16_t memory(dtype type, axis_set along, bool written) {
    std::vector<int> order(code().sizes.size());
    std::iota(order.begin(), order.end(), 0);
    if (pick(0, 2) == 0) std::ranges::shuffle(order, random_);
    memory_operand m{type, written, std::vector<std::int64_t>(order.size(), 0)};
    const auto element = std::int64_t(size_of(type));
    std::int64_t stride = element * (pick(0, 6) ? 1 : 2);
    for (std::size_t k = order.size(); k-- > 0;) {
      const auto a = std::size_t(order[k]);
      if (!along.has(order[k])) continue;
      m.strides[a] = pick(0, 9) ? stride : -stride;
      stride *= code().sizes[a];
      if (pick(0, 7) == 0) stride += 3 * element;
    }
    next_address_ += std::uintptr_t(1) << 40;
    const std::uintptr_t at = next_address_ + std::uintptr_t(pick(0, 2) ? 0 : pick(1, 16) * element);
    made_.arguments.memory.push_back(reinterpret_cast<std::byte *>(at));
    code().memory.push_back(std::move(m));
    return std::uint16_t(code().memory.size() - 1);
  }

  value_id append(const instruction &i) {
    code().code.push_back(i);
    return value_id(code().code.size() - 1);
  }
  static instruction of(step what, dtype type) {
    instruction i{};
    i.what = what;
    i.type = type;
    return i;
  }

  void load() {
    instruction i = of(step::load, any_type());
    i.axes = pick(0, 2) ? axis_set::first(code().axes()) : some_axes();
    i.operand = memory(i.type, i.axes, false);
    append(i);
  }
  void gather() {
    const value_id offset = cast(any_value(), dtype::int64);
    instruction i = of(step::gather, any_type());
    const axis_set own = some_axes();
    i.axes = code().code[offset].axes | own;
    i.operand = memory(i.type, own, false);
    i.inputs = {offset};
    append(i);
  }
  value_id number(dtype type) {
    instruction i = of(step::scalar, type);
    i.operand = code().scalars++;
    made_.arguments.scalars.push_back(scalar::of(std::int64_t(1)));
    return append(i);
  }
  void ramp() {
    instruction i = of(step::iota, any_type());
    if (i.type == dtype::boolean) i.type = dtype::int64;
    i.axes = axis_set::of(pick(0, code().axes() - 1));
    i.operand = code().ramps++;
    made_.arguments.ramps.emplace_back(scalar::of(std::int64_t(1)), scalar::of(std::int64_t(2)));
    append(i);
  }
  value_id element(opcode c, dtype type, std::initializer_list<value_id> inputs) {
    instruction i = of(step::element, type);
    i.code = c;
    i.inputs = inputs;
    for (const value_id v : inputs) i.axes = i.axes | code().code[v].axes;
    return append(i);
  }
  value_id cast(value_id v, dtype to) { return type_of(v) == to ? v : element(opcode::cast, to, {v}); }
  value_id value_of(dtype type) { return pick(0, 5) ? cast(any_value(), type) : number(type); }

  void operate() { operate_on(any_value()); }
  void operate_on(value_id a) {
    const auto c = opcode(pick(0, opcode_count - 1));
    const dtype t = type_of(a);
    if (c == opcode::cast) {
      cast(a, any_type());
    } else if (c == opcode::where) {
      const value_id condition = cast(any_value(), dtype::boolean), b = value_of(t);
      element(c, t, {condition, a, b});
    } else if (c == opcode::clip) {
      if (kind_of(t) == dtype_kind::complex) return;
      const value_id low = value_of(t), high = value_of(t);
      element(c, t, {a, low, high});
    } else {
      const signature &s = choice(info(c).signatures);
      const value_id first = cast(a, s.from[0]);
      if (s.inputs == 1)
        element(c, s.to, {first});
      else
        element(c, s.to, {first, value_of(s.from[1])});
    }
  }

  void reduce(value_id a) {
    axis_set over = some_axes();
    if (pick(0, 1)) over = axis_set::of(pick(0, code().axes() - 1));
    if (over.empty()) over = axis_set::first(code().axes());
    reduce(a, over);
  }
  void reduce(value_id a, axis_set over) {
    const auto how = reduction(pick(0, int(reduction::hypot)));
    if (!blocks::find_reducer(how, type_of(a))) a = cast(a, pick(0, 1) ? dtype::float64 : dtype::float32);
    instruction i = of(step::reduce, type_of(a));
    i.how = how;
    i.over = over;
    if (how == reduction::any || how == reduction::all) i.type = dtype::boolean;
    if (how == reduction::argmax || how == reduction::argmin || how == reduction::count_nonzero) i.type = dtype::int64;
    i.axes = code().code[a].axes - over;
    i.inputs = {a};
    append(i);
  }

  void store(value_id v) {
    if (code().code[v].what == step::store) return;
    instruction i = of(step::store, type_of(v));
    i.axes = code().code[v].axes;
    i.inputs = {v};
    i.operand = memory(i.type, i.axes, true);
    append(i);
  }
};

}  // namespace dpep::array::testing
