// Instructions of the intermediate form, and constant folding.
#include "pykernel/translate/ir_builder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace dpep::pykernel {
namespace {

using enum operation;

/// Wraps an integer to the width of a type, and sign-extends it.
std::int64_t wrapped(machine_type t, std::int64_t x) {
  switch (t) {
  case machine_type::i1:
    return x & 1;
  case machine_type::i8:
    return static_cast<std::int8_t>(x);
  case machine_type::i16:
    return static_cast<std::int16_t>(x);
  case machine_type::i32:
    return static_cast<std::int32_t>(x);
  default:
    return x;
  }
}

std::uint64_t without_sign(machine_type t, std::int64_t x) {
  const int bits = bits_of(t);
  return bits == 64 ? std::uint64_t(x) : std::uint64_t(x) & ((std::uint64_t(1) << bits) - 1);
}

std::optional<std::int64_t> fold(operation what, machine_type t, std::int64_t x, std::int64_t y) {
  const auto a = static_cast<std::uint64_t>(x), b = static_cast<std::uint64_t>(y);
  const int bits = bits_of(t);
  switch (what) {
  case add:
    return wrapped(t, std::int64_t(a + b));
  case sub:
    return wrapped(t, std::int64_t(a - b));
  case mul:
    return wrapped(t, std::int64_t(a * b));
  case bit_and:
    return x & y;
  case bit_or:
    return x | y;
  case bit_xor:
    return wrapped(t, x ^ y);
  case shl:
    return y >= 0 && y < bits ? std::optional(wrapped(t, std::int64_t(a << b))) : std::nullopt;
  case ashr:
    return y >= 0 && y < bits ? std::optional(x >> y) : std::nullopt;
  case sdiv:
    return y != 0 && y != -1 ? std::optional(x / y) : std::nullopt;
  case srem:
    return y != 0 && y != -1 ? std::optional(x % y) : std::nullopt;
  case udiv:
    return y != 0 ? std::optional(wrapped(t, std::int64_t(without_sign(t, x) / without_sign(t, y)))) : std::nullopt;
  case urem:
    return y != 0 ? std::optional(wrapped(t, std::int64_t(without_sign(t, x) % without_sign(t, y)))) : std::nullopt;
  case eq:
    return x == y;
  case ne:
    return x != y;
  case slt:
    return x < y;
  case sle:
    return x <= y;
  case ult:
    return without_sign(t, x) < without_sign(t, y);
  case ule:
    return without_sign(t, x) <= without_sign(t, y);
  default:
    return std::nullopt;
  }
}

/// Folds a double-precision operation, which has the same result on every device.
std::optional<double> fold_real(operation what, double x, double y) {
  switch (what) {
  case fadd:
    return x + y;
  case fsub:
    return x - y;
  case fmul:
    return x * y;
  case fdiv:
    return x / y;
  default:
    return std::nullopt;
  }
}

std::optional<bool> fold_comparison(operation what, double x, double y) {
  switch (what) {
  case feq:
    return x == y;
  case fne:
    return x != y;
  case flt:
    return x < y;
  case fle:
    return x <= y;
  default:
    return std::nullopt;
  }
}

}  // namespace

node ir_builder::append(instruction i) {
  i.line = line;
  i.site = site;
  const bool compares = i.what >= feq && i.what <= fle;
  if (compares || (is_float(i.type) &&
                   ((i.what >= fadd && i.what <= fneg) || i.what == operation::select || i.what == operation::call)))
    i.number = fast;
  ir_->instructions.push_back(i);
  const auto n = static_cast<node>(ir_->instructions.size() - 1);
  ir_->blocks[block_].push_back(n);
  return n;
}

node ir_builder::integer(machine_type t, std::int64_t x) {
  return append({.what = operation::integer, .type = t, .number = wrapped(t, x)});
}
node ir_builder::real(machine_type t, double x) {
  return append({.what = operation::real, .type = t, .number = std::bit_cast<std::int64_t>(x)});
}

std::optional<std::int64_t> ir_builder::known(node n) const {
  if (at(n).what != operation::integer) return std::nullopt;
  return at(n).number;
}

std::optional<double> ir_builder::known_real(node n) const {
  if (at(n).what != operation::real) return std::nullopt;
  return std::bit_cast<double>(at(n).number);
}

node ir_builder::binary(operation what, node a, node b, bool no_wrap) {
  const machine_type t = type_of(a);
  if (t == machine_type::f64) {
    const auto x = known_real(a), y = known_real(b);
    if (x && y)
      if (const auto folded = fold_real(what, *x, *y)) return real(t, *folded);
  }
  if (!is_float(t)) {
    const auto x = known(a), y = known(b);
    if (x && y)
      if (const auto folded = fold(what, t, *x, *y)) return integer(t, *folded);
    if (y &&
        ((*y == 0 && (what == operation::add || what == sub || what == bit_or || what == bit_xor || what == shl)) ||
         (*y == 1 && (what == operation::mul || what == sdiv || what == udiv))))
      return a;
    if (x && ((*x == 0 && (what == operation::add || what == bit_or)) || (*x == 1 && what == operation::mul))) return b;
  }
  return append({.what = what, .type = t, .flag = no_wrap, .a = a, .b = b});
}

node ir_builder::unary(operation what, node a) { return append({.what = what, .type = type_of(a), .a = a}); }

node ir_builder::compare(operation what, node a, node b) {
  const auto x = known(a), y = known(b);
  if (x && y)
    if (const auto folded = fold(what, type_of(a), *x, *y)) return boolean(*folded != 0);
  if (type_of(a) == machine_type::f64)
    if (const auto u = known_real(a), v = known_real(b); u && v)
      if (const auto folded = fold_comparison(what, *u, *v)) return boolean(*folded);
  return append({.what = what, .type = machine_type::i1, .a = a, .b = b});
}

node ir_builder::select(node condition, node yes, node no) {
  if (yes == no) return yes;
  if (const auto c = known(condition)) return *c ? yes : no;
  return append({.what = operation::select, .type = type_of(yes), .a = condition, .b = yes, .c = no});
}

node ir_builder::cast(operation what, machine_type to, node a) {
  if (const auto x = known(a)) {
    if (what == trunc || what == sext) return integer(to, *x);
    if (what == zext) return integer(to, std::int64_t(without_sign(type_of(a), *x)));
    if (what == sitofp) return real(to, double(*x));
  }
  if (const auto x = known_real(a); x && what == fptosi && type_of(a) == machine_type::f64 && std::abs(*x) < 0x1p62)
    return integer(to, std::int64_t(*x));
  if (what == fpcast && type_of(a) == to) return a;
  if (what == fpcast && at(a).what == operation::real && to == machine_type::f64)
    return real(to, std::bit_cast<double>(at(a).number));
  return append({.what = what, .type = to, .a = a});
}

node ir_builder::argument(machine_type t, std::int64_t offset, int bits) {
  return append({.what = operation::argument, .type = t, .c = static_cast<std::uint32_t>(bits), .number = offset});
}
node ir_builder::wrap(node index, node extent) {
  const node negative = compare(slt, index, integer(type_of(index), 0));
  return append({.what = operation::wrap, .type = type_of(index), .a = index, .b = extent, .c = negative});
}
node ir_builder::offset(node address, node index, std::int64_t bytes) {
  if (known(index) == 0) return address;
  return append({.what = operation::offset, .type = machine_type::pointer, .a = address, .b = index, .number = bytes});
}
node ir_builder::load(machine_type t, node address, bool constant) {
  return append({.what = operation::load, .type = t, .flag = constant, .a = address});
}
void ir_builder::store(node address, node value) { append({.what = operation::store, .a = address, .b = value}); }
node ir_builder::private_memory(machine_type element, std::int64_t count, bool zeroed) {
  return append({.what = operation::private_memory,
                 .type = machine_type::pointer,
                 .flag = zeroed,
                 .c = static_cast<std::uint32_t>(element),
                 .number = count});
}

node ir_builder::call(machine_type result, std::string_view function, std::initializer_list<node> arguments) {
  return call(result, function, std::vector<node>(arguments));
}
node ir_builder::call(machine_type result, std::string_view function, const std::vector<node> &arguments) {
  const auto first = static_cast<std::uint32_t>(ir_->lists.size());
  ir_->lists.insert(ir_->lists.end(), arguments.begin(), arguments.end());
  return append({.what = operation::call,
                 .type = result,
                 .text = text(function),
                 .first = first,
                 .count = static_cast<std::uint32_t>(arguments.size())});
}
void ir_builder::complex_call(machine_type part, std::string_view function, node to,
                              const std::vector<node> &arguments) {
  const auto first = static_cast<std::uint32_t>(ir_->lists.size());
  ir_->lists.insert(ir_->lists.end(), arguments.begin(), arguments.end());
  append({.what = operation::complex_call,
          .type = part,
          .a = to,
          .text = text(function),
          .first = first,
          .count = static_cast<std::uint32_t>(arguments.size())});
}
node ir_builder::string(std::string_view t) {
  return append({.what = operation::string, .type = machine_type::pointer, .text = text(t)});
}
node ir_builder::atomic(std::string_view what, machine_type t, node address, node value, memory_ordering ordering) {
  return append({.what = operation::atomic,
                 .type = t,
                 .a = address,
                 .b = value,
                 .number = ordering.number(),
                 .text = text(what)});
}
node ir_builder::compare_exchange(node address, node expected, node desired, memory_ordering ordering) {
  return append({.what = operation::compare_exchange,
                 .type = type_of(desired),
                 .a = address,
                 .b = expected,
                 .c = desired,
                 .number = ordering.number()});
}
void ir_builder::fence(memory_ordering ordering) { append({.what = operation::fence, .number = ordering.number()}); }

void ir_builder::fail(std::string_view what, std::string_view file, std::string_view function, bool of_all) {
  const std::uint32_t first = text(what);
  text(file);
  text(function);
  append({.what = operation::fail, .flag = of_all, .number = line, .text = first});
}

void ir_builder::fail_with(std::string_view what, node first, node second, std::string_view file,
                           std::string_view function) {
  const std::uint32_t message = text(what);
  text(file);
  text(function);
  append({.what = operation::fail_with, .a = first, .b = second, .number = line, .text = message});
}

std::uint32_t ir_builder::variable(machine_type t, std::string name) {
  ir_->variables.push_back({t, std::move(name)});
  return static_cast<std::uint32_t>(ir_->variables.size() - 1);
}
node ir_builder::get(std::uint32_t v) {
  return append({.what = operation::get, .type = ir_->variables[v].type, .number = v});
}
void ir_builder::set(std::uint32_t v, node value) { append({.what = operation::set, .a = value, .number = v}); }

bool ir_builder::is_open(std::uint32_t block) const {
  return block == block_ || std::ranges::find(outer_blocks_, block) != outer_blocks_.end();
}

std::uint32_t ir_builder::fill(const body &make) {
  ir_->blocks.emplace_back();
  const auto block = static_cast<std::uint32_t>(ir_->blocks.size() - 1);
  const std::uint32_t outer = std::exchange(block_, block);
  outer_blocks_.push_back(outer);
  make();
  outer_blocks_.pop_back();
  block_ = outer;
  return block;
}

void ir_builder::branch(node condition, const body &yes, const body &no) {
  if (const auto c = known(condition)) {
    if (*c) return yes();
    if (no) no();
    return;
  }
  const std::uint32_t start_line = line;
  const std::uint32_t b = fill(yes), c = no ? fill(no) : 0;
  line = start_line;
  append({.what = operation::branch, .a = condition, .b = b, .c = c});
}

void ir_builder::loop(const std::function<node()> &condition, const body &make) {
  const std::uint32_t start_line = line;
  node value = 0;
  const std::uint32_t b = fill([&] { value = condition(); });
  const std::uint32_t c = fill(make);
  line = start_line;
  append({.what = operation::loop, .a = value, .b = b, .c = c});
}

void ir_builder::scope(std::uint32_t number, const body &make) {
  const std::uint32_t start_line = line;
  const std::uint32_t b = fill(make);
  line = start_line;
  append({.what = operation::scope, .b = b, .number = number});
}

void ir_builder::leave(std::uint32_t scope) { append({.what = operation::leave, .number = scope}); }

std::uint32_t ir_builder::text(std::string_view t) {
  ir_->texts.emplace_back(t);
  return static_cast<std::uint32_t>(ir_->texts.size() - 1);
}

}  // namespace dpep::pykernel
