// Programs as cache keys and listings, and their verification.
#include "array/fusion/program.hpp"

#include <cstring>
#include <stdexcept>

#include <fmt/format.h>

namespace dpep::array {
namespace {

std::string text_of(axis_set axes, int count) {
  std::string text = "{";
  for (int a = 0; a < count; ++a)
    if (axes.has(a)) text += fmt::format("{}{}", text.size() > 1 ? "," : "", a);
  return text + "}";
}

std::string text_of(const program &p, const instruction &i) {
  switch (i.what) {
  case step::load:
    return fmt::format("load m{}", i.operand);
  case step::scalar:
    return fmt::format("scalar s{}", i.operand);
  case step::iota:
    return fmt::format("ramp r{}", i.operand);
  case step::gather:
    return fmt::format("gather m{} at {}", i.operand, i.inputs[0]);
  case step::element: {
    std::string text(name_of(i.code, i.function));
    for (const value_id v : i.inputs)
      if (v != no_value) text += fmt::format(" {}", v);
    return text;
  }
  case step::reduce:
    return fmt::format("reduce {} {} over {}", name_of(i.how), i.inputs[0], text_of(i.over, p.axes()));
  case step::store:
    return fmt::format("store {} m{}", i.inputs[0], i.operand);
  }
  return {};
}

std::string text_of(const std::vector<wrap> &wraps) {
  std::string text;
  for (const wrap &w : wraps) text += fmt::format(" wraps along {} at {}", w.axis, w.at);
  return text;
}

template <class T> void append(std::string &to, const T &x) {
  char bytes[sizeof x];
  std::memcpy(bytes, &x, sizeof x);
  to.append(bytes, sizeof x);
}

}  // namespace

std::string readable_name(const program &p) {
  std::string name = "array:";
  for (const instruction &i : p.code) {
    if (name.size() > 60) return name + "…";
    if (i.what == step::gather) name += " gather";
    if (i.what == step::element) name += " " + std::string(name_of(i.code, i.function));
    if (i.what == step::reduce) name += " " + std::string(name_of(i.how));
  }
  return name.back() == ':' ? "array: copy" : name;
}

std::string program::structure() const {
  std::string key;
  append(key, std::uint16_t(sizes.size()));
  append(key, std::uint16_t(memory.size()));
  append(key, scalars);
  append(key, ramps);
  for (const memory_operand &m : memory) {
    append(key, m.type);
    append(key, m.written);
    for (const std::int64_t s : m.strides) append(key, char(s == 0 ? 0 : s == std::int64_t(size_of(m.type)) ? 1 : 2));
  }
  for (const instruction &i : code) {
    append(key, i.what);
    append(key, i.type);
    append(key, i.code);
    append(key, i.how);
    append(key, i.axes);
    append(key, i.over);
    append(key, i.operand);
    append(key, i.inputs);
    append(key, i.function);
  }
  return key;
}

std::string program::describe() const {
  std::string text = fmt::format("axes ({})\n", fmt::join(sizes, ", "));
  for (std::size_t m = 0; m < memory.size(); ++m)
    text += fmt::format("  m{} {}{} strides ({}){}\n", m, name_of(memory[m].type), memory[m].written ? " written" : "",
                        fmt::join(memory[m].strides, ", "), text_of(memory[m].wraps));
  for (std::size_t v = 0; v < code.size(); ++v)
    text += fmt::format("  {:<3} {} {}{}\n", v, text_of(*this, code[v]), name_of(code[v].type),
                        text_of(code[v].axes, axes()));
  return text;
}

void program::verify() const {
  const auto fail = [&](const std::string &what) {
    throw std::logic_error(fmt::format("array program: {}\n{}", what, describe()));
  };
  if (sizes.size() > 64) fail("more than 64 axes");
  for (const std::int64_t s : sizes)
    if (s < 0) fail("the size of an axis is negative");
  const axis_set all = axis_set::first(axes());
  for (std::size_t m = 0; m < memory.size(); ++m)
    if (memory[m].strides.size() != sizes.size()) fail(fmt::format("m{} does not have one stride for each axis", m));
  for (std::size_t v = 0; v < code.size(); ++v) {
    const instruction &i = code[v];
    const auto check = [&](bool holds, std::string_view what) {
      if (!holds) fail(fmt::format("instruction {}: {}", v, what));
    };
    const int n = int(i.inputs.size());
    check(all.contains(i.axes) && all.contains(i.over), "it uses an axis that does not exist");
    axis_set joined;
    for (std::size_t k = 0; k < std::size_t(n); ++k) {
      check(i.inputs[k] < v, "an input is not computed before it");
      check(code[i.inputs[k]].what != step::store, "an input is a store, which has no value");
      joined = joined | code[i.inputs[k]].axes;
    }
    switch (i.what) {
    case step::load:
    case step::store:
      check(i.operand < memory.size(), "its memory operand does not exist");
      check(n == (i.what == step::store), "wrong number of inputs");
      check(i.what == step::load || memory[i.operand].written,
            "it stores into an operand that is not marked as written");
      check(memory[i.operand].type == (n ? code[i.inputs[0]].type : i.type), "its type is not the operand's");
      break;
    case step::gather:
      check(i.operand < memory.size(), "its memory operand does not exist");
      check(n == 1 && code[i.inputs[0]].type == dtype::int64, "it needs offsets of type int64");
      check(memory[i.operand].type == i.type, "its type is not the operand's");
      check(i.axes.contains(joined), "it lacks an axis of its offsets");
      break;
    case step::scalar:
      check(i.operand < scalars && i.axes.empty(), "its scalar does not exist, or it has axes");
      break;
    case step::iota:
      check(i.operand < ramps, "its ramp does not exist");
      break;
    case step::element: {
      const int expected = i.code == user_code ? int(i.function->from.size()) : info(i.code).inputs;
      check(n == expected, "wrong number of inputs");
      check(i.axes.contains(joined), "it lacks an axis of an input");
      break;
    }
    case step::reduce:
      check(n == 1, "wrong number of inputs");
      check(i.how != reduction::mean && i.how != reduction::variance && i.how != reduction::deviation,
            "a reduction that must be composed of others");
      check((i.axes & i.over).empty(), "its result has a reduced axis");
      check(i.axes.contains(joined - i.over), "it lacks an axis of its input that is not reduced");
      break;
    }
  }
}

namespace {

/// The addresses from an operand's first element in memory to its last. They are numbers: memory that is not allocated
/// yet has the address 0.
struct operand_range {
  std::intptr_t first, last;
};

operand_range range_of(const program &p, std::size_t operand, const std::byte *at) {
  const auto start = reinterpret_cast<std::intptr_t>(at);
  operand_range r{start, start + std::intptr_t(size_of(p.memory[operand].type))};
  for (std::size_t a = 0; a < p.sizes.size(); ++a) {
    const std::int64_t far = p.memory[operand].strides[a] * (p.sizes[a] - 1);
    (far < 0 ? r.first : r.last) += far;
  }
  return r;
}

}  // namespace

bool is_aliased(const program &p, const program_arguments &arguments) {
  for (std::size_t w = 0; w < p.memory.size(); ++w) {
    if (!p.memory[w].written) continue;
    const operand_range to = range_of(p, w, arguments.memory[w]);
    for (std::size_t m = 0; m < p.memory.size(); ++m) {
      if (m == w) continue;
      const operand_range other = range_of(p, m, arguments.memory[m]);
      if (to.first < other.last && other.first < to.last) return true;
    }
  }
  return false;
}

}  // namespace dpep::array
