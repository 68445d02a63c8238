// Writes element operations as LLVM IR.
#include "array/cpu/operation_ir.hpp"

#include <algorithm>

#include "array/cpu/find_loops.hpp"

namespace dpep::array {
namespace {

bool is_integer(dtype t) noexcept {
  return kind_of(t) == dtype_kind::signed_integer || kind_of(t) == dtype_kind::unsigned_integer;
}
bool is_signed(dtype t) noexcept { return kind_of(t) == dtype_kind::signed_integer; }
bool is_supported(dtype t) noexcept { return t == dtype::boolean || is_integer(t) || is_float(t); }

/// The name of the device library's function for float64, or null.
const char *library_name(opcode code) noexcept {
  return has_property(code, operation_properties::LIBM) ? info(code).function.data() : nullptr;
}

/// The predicates of a comparison: for floats (ordered, except "not equal"), for signed and for unsigned integers.
struct predicates {
  const char *real, *with_sign, *without_sign;
};
std::optional<predicates> comparison(opcode code) noexcept {
  switch (code) {
  case opcode::equal:
    return predicates{"oeq", "eq", "eq"};
  case opcode::not_equal:
    return predicates{"une", "ne", "ne"};
  case opcode::less:
    return predicates{"olt", "slt", "ult"};
  case opcode::less_equal:
    return predicates{"ole", "sle", "ule"};
  case opcode::greater:
    return predicates{"ogt", "sgt", "ugt"};
  case opcode::greater_equal:
    return predicates{"oge", "sge", "uge"};
  default:
    return {};
  }
}

const char *rounding(opcode code) noexcept {
  switch (code) {
  case opcode::floor:
    return "floor";
  case opcode::ceil:
    return "ceil";
  case opcode::trunc:
    return "trunc";
  case opcode::round:
  case opcode::rint:
    return "roundeven";
  default:
    return nullptr;
  }
}

std::string cast(ir_writer &w, const std::string &x, dtype from, dtype to) {
  const std::string a = ir_type(from), b = ir_type(to);
  if (from == to) return x;
  if (to == dtype::boolean)
    return w.as_byte(is_float(from) ? w.let("fcmp une {} {}, 0.0", a, x) : w.let("icmp ne {} {}, 0", a, x));
  if (is_float(from)) return w.let("{} {} {} to {}", to == dtype::float64 ? "fpext" : "fptrunc", a, x, b);
  if (is_float(to)) return w.let("{} {} {} to {}", is_signed(from) ? "sitofp" : "uitofp", a, x, b);
  if (size_of(from) == size_of(to)) return x;
  if (size_of(from) > size_of(to)) return w.let("trunc {} {} to {}", a, x, b);
  return w.let("{} {} {} to {}", is_signed(from) ? "sext" : "zext", a, x, b);
}

}  // namespace

std::string ir_type(dtype t) {
  if (t == dtype::float32) return "float";
  if (t == dtype::float64) return "double";
  return fmt::format("i{}", 8 * size_of(t));
}

std::string user_function_type(dtype t) {
  if (t == dtype::float16) return "half";
  if (t == dtype::complex64) return "{ float, float }";
  return t == dtype::complex128 ? "{ double, double }" : ir_type(t);
}

std::string write_extremum(ir_writer &w, bool larger, dtype t, const std::string &x, const std::string &y) {
  const std::string type = ir_type(t);
  std::string take_first;
  if (is_float(t)) {
    const std::string nan = w.let("fcmp uno {} {}, {}", type, x, x);
    const std::string order = w.let("fcmp {} {} {}, {}", larger ? "oge" : "ole", type, x, y);
    take_first = w.let("or i1 {}, {}", nan, order);
  } else {
    take_first = w.let("icmp {}{} {} {}, {}", is_signed(t) ? "s" : "u", larger ? "ge" : "le", type, x, y);
  }
  return w.let("select i1 {}, {} {}, {} {}", take_first, type, x, type, y);
}

namespace {

/// The declaration of a user's function or, if `w` is not null, its call with these values.
std::string with_parameters(ir_writer *w, const element_loop &loop, const element_loop::operation &o,
                            std::span<const std::string> values) {
  std::string text = fmt::format("{} @\"{}\"(", user_function_type(o.type), o.function->symbol);
  const auto add = [&](const std::string &type, const std::string &x) {
    text += fmt::format("{}{} {}", text.back() == '(' ? "" : ", ", type, x);
  };
  for (std::uint8_t k = 0; k < o.count; ++k) {
    const dtype t = loop.type_of(o.operands[k]);
    const std::string type = user_function_type(t);
    if (kind_of(t) != dtype_kind::complex) {
      add(type, w ? values[o.operands[k]] : "");
      continue;
    }
    for (int part = 0; part < 2; ++part)
      add(t == dtype::complex64 ? "float" : "double",
          w ? w->let("extractvalue {} {}, {}", type, values[o.operands[k]], part) : "");
  }
  return text + ")";
}

}  // namespace

std::string write_operation(ir_writer &w, const element_loop &loop, const element_loop::operation &o,
                            std::span<const std::string> values) {
  if (o.function) return w.let("call {}", with_parameters(&w, loop, o, values));
  const auto x = [&](int i) -> const std::string & { return values[o.operands[i]]; };
  const dtype from = loop.type_of(o.operands[0]);
  const std::string type = ir_type(from);
  const bool real = is_float(from);
  if (const char *name = library_name(o.code)) {
    const std::string function = fmt::format("{}{}", name, from == dtype::float32 ? "f" : "");
    return o.count == 1 ? w.let("call {0} @{1}({0} {2})", type, function, x(0))
                        : w.let("call {0} @{1}({0} {2}, {0} {3})", type, function, x(0), x(1));
  }
  if (const auto p = comparison(o.code)) {
    return w.as_byte(
        real ? w.let("fcmp {} {} {}, {}", p->real, type, x(0), x(1))
             : w.let("icmp {} {} {}, {}", is_signed(from) ? p->with_sign : p->without_sign, type, x(0), x(1)));
  }
  if (const char *name = rounding(o.code))
    return w.let("call {0} @llvm.{1}.{2}({0} {3})", type, name, from == dtype::float32 ? "f32" : "f64", x(0));
  const char *f = real ? "f" : "";
  switch (o.code) {
  case opcode::add:
  case opcode::subtract:
  case opcode::multiply: {
    const char *name = o.code == opcode::add ? "add" : o.code == opcode::subtract ? "sub" : "mul";
    return w.let("{}{} {} {}, {}", f, name, type, x(0), x(1));
  }
  case opcode::square:
    return w.let("{}mul {} {}, {}", f, type, x(0), x(0));
  case opcode::divide:
    return w.let("fdiv {} {}, {}", type, x(0), x(1));
  case opcode::reciprocal:
    return w.let("fdiv {} 1.0, {}", type, x(0));
  case opcode::negative:
    return real ? w.let("fneg {} {}", type, x(0)) : w.let("sub {} 0, {}", type, x(0));
  case opcode::positive:
    return x(0);
  case opcode::fabs:
  case opcode::abs: {
    if (real) return w.let("call {0} @llvm.fabs.{1}({0} {2})", type, from == dtype::float32 ? "f32" : "f64", x(0));
    if (!is_signed(from)) return x(0);
    const std::string less = w.let("icmp slt {} {}, 0", type, x(0)), minus = w.let("sub {} 0, {}", type, x(0));
    return w.let("select i1 {}, {} {}, {} {}", less, type, minus, type, x(0));
  }
  case opcode::sqrt:
    return w.let("call {0} @llvm.sqrt.{1}({0} {2})", type, from == dtype::float32 ? "f32" : "f64", x(0));
  case opcode::maximum:
    return write_extremum(w, true, from, x(0), x(1));
  case opcode::minimum:
    return write_extremum(w, false, from, x(0), x(1));
  case opcode::clip:
    return write_extremum(w, false, from, write_extremum(w, true, from, x(0), x(1)), x(2));
  case opcode::bitwise_and:
  case opcode::logical_and:
    return w.let("and {} {}, {}", type, x(0), x(1));
  case opcode::bitwise_or:
  case opcode::logical_or:
    return w.let("or {} {}, {}", type, x(0), x(1));
  case opcode::bitwise_xor:
  case opcode::logical_xor:
    return w.let("xor {} {}, {}", type, x(0), x(1));
  case opcode::bitwise_invert:
    return w.let("xor {} {}, -1", type, x(0));
  case opcode::logical_not:
    return w.let("xor i8 {}, 1", x(0));
  case opcode::isnan:
    return w.as_byte(w.let("fcmp uno {} {}, {}", type, x(0), x(0)));
  case opcode::where: {
    const std::string result = ir_type(o.type);
    return w.let("select i1 {}, {} {}, {} {}", w.as_bit(x(0)), result, x(1), result, x(2));
  }
  case opcode::cast:
    return cast(w, x(0), from, o.type);
  default:
    return x(0);  // unreachable: can_fuse() returns false for it
  }
}

bool can_fuse(opcode code, std::span<const dtype> operands, dtype result) noexcept {
  if (!is_supported(result) || !std::ranges::all_of(operands, is_supported)) return false;
  const dtype from = operands[0];
  const bool real = is_float(from), bits = from == dtype::boolean || is_integer(from);
  if (code == opcode::where) return from == dtype::boolean && operands[1] == result && operands[2] == result;
  if (!std::ranges::all_of(operands, [&](dtype t) { return t == from; })) return false;
  if (library_name(code) || rounding(code)) return real;
  if (comparison(code)) return true;
  switch (code) {
  case opcode::add:
  case opcode::subtract:
  case opcode::multiply:
  case opcode::square:
  case opcode::negative:
  case opcode::positive:
  case opcode::abs:
    return (real || is_integer(from)) && result == from;
  case opcode::divide:
  case opcode::reciprocal:
  case opcode::fabs:
  case opcode::sqrt:
  case opcode::isnan:
    return real;
  case opcode::maximum:
  case opcode::minimum:
    return real || bits;
  case opcode::clip:
    return is_integer(from);  // not floats: the treatment of NaN is defined by the block kernel only
  case opcode::bitwise_and:
  case opcode::bitwise_or:
  case opcode::bitwise_xor:
    return bits;
  case opcode::bitwise_invert:
    return is_integer(from);
  case opcode::logical_and:
  case opcode::logical_or:
  case opcode::logical_xor:
  case opcode::logical_not:
    return from == dtype::boolean;
  // not float to integer: the result of values out of range is defined by the block kernel only
  case opcode::cast:
    return !(real && is_integer(result));
  default:
    return false;
  }
}

std::string declaration_of(const element_loop &loop, const element_loop::operation &o) {
  if (o.function) return fmt::format("declare {}\n", with_parameters(nullptr, loop, o, {}));
  const dtype from = loop.type_of(o.operands[0]);
  const std::string type = ir_type(from), suffix = from == dtype::float32 ? "f32" : "f64";
  if (const char *function = library_name(o.code))
    return fmt::format("declare {0} @{1}{2}({0}{3})\n", type, function, from == dtype::float32 ? "f" : "",
                       o.count == 2 ? ", " + type : "");
  if (const char *rounds = rounding(o.code))
    return fmt::format("declare {0} @llvm.{1}.{2}({0})\n", type, rounds, suffix);
  if (o.code == opcode::sqrt) return fmt::format("declare {0} @llvm.sqrt.{1}({0})\n", type, suffix);
  if ((o.code == opcode::abs || o.code == opcode::fabs) && is_float(from))
    return fmt::format("declare {0} @llvm.fabs.{1}({0})\n", type, suffix);
  return {};
}

std::string declarations(const element_loop &loop) {
  std::string text = has_item_per_element(loop) ? "" : "attributes #0 = { \"dpep-single-item\" }\n";
  std::vector<std::string> declared;
  for (const element_loop::operation &o : loop.operations) {
    if (o.reduces) continue;
    std::string declaration = declaration_of(loop, o);
    if (declaration.empty() || std::ranges::find(declared, declaration) != declared.end()) continue;
    text += declaration;
    declared.push_back(std::move(declaration));
  }
  return text;
}

}  // namespace dpep::array
