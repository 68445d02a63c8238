// Array programs written by hand, one line for each instruction.
#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

#include "array/executor.hpp"

namespace dpep::array {

/// The queue on which tests of the CPU executor run programs.
inline queue &cpu_queue() {
  static queue q{device("cpu")};
  return q;
}

struct program_builder {
  program code;
  program_arguments arguments;

  explicit program_builder(std::vector<std::int64_t> sizes) { code.sizes = std::move(sizes); }

  value_id load(dtype t, void *at, std::vector<std::int64_t> strides) {
    instruction i = made(step::load, t);
    i.axes = varying(strides);
    i.operand = operand(t, at, std::move(strides), false);
    return append(i);
  }
  value_id gather(dtype t, void *at, std::vector<std::int64_t> strides, value_id offset) {
    instruction i = made(step::gather, t);
    i.axes = varying(strides) | code.code[offset].axes;
    i.operand = operand(t, at, std::move(strides), false);
    i.inputs[0] = offset;
    return append(i);
  }
  value_id number(dtype t, double x) {
    instruction i = made(step::scalar, t);
    i.operand = code.scalars++;
    arguments.scalars.push_back(scalar::of(x));
    return append(i);
  }
  value_id element(opcode c, dtype t, std::initializer_list<value_id> inputs) {
    instruction i = made(step::element, t);
    i.code = c;
    std::copy(inputs.begin(), inputs.end(), i.inputs.begin());
    for (const value_id v : inputs) i.axes = i.axes | code.code[v].axes;
    return append(i);
  }
  value_id reduce(reduction how, dtype t, value_id v, axis_set over) {
    instruction i = made(step::reduce, t);
    i.how = how;
    i.over = over;
    i.inputs[0] = v;
    i.axes = code.code[v].axes - over;
    return append(i);
  }
  void store(value_id v, void *at, std::vector<std::int64_t> strides) {
    instruction i = made(step::store, code.code[v].type);
    i.axes = varying(strides);
    i.inputs[0] = v;
    i.operand = operand(i.type, at, std::move(strides), true);
    append(i);
  }

private:
  static instruction made(step what, dtype t) {
    instruction i{};
    i.what = what;
    i.type = t;
    i.inputs = {no_value, no_value, no_value};
    return i;
  }
  static axis_set varying(const std::vector<std::int64_t> &strides) {
    axis_set s;
    for (std::size_t a = 0; a < strides.size(); ++a)
      if (strides[a]) s = s | axis_set::of(int(a));
    return s;
  }
  std::uint16_t operand(dtype t, void *at, std::vector<std::int64_t> strides, bool written) {
    code.memory.push_back({t, written, std::move(strides)});
    arguments.memory.push_back(static_cast<std::byte *>(at));
    return std::uint16_t(code.memory.size() - 1);
  }
  value_id append(const instruction &i) {
    code.code.push_back(i);
    return value_id(code.code.size() - 1);
  }
};

}  // namespace dpep::array
