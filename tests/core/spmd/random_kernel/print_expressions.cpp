// The printer: the frame of a kernel, and expressions.
#include <cstring>

#include "spmd/random_kernel/group_functions.hpp"
#include "spmd/random_kernel/printer.hpp"

namespace dpep::test::random_program {

std::string printer::kernel() {
  line("define spir_kernel void @kernel(ptr %arguments) {");
  preamble();
  print(program_.group_code);
  print(program_.item_code);
  results();
  line("ret void\n}");
  return text_ + group_functions();
}

void printer::preamble() {
  std::vector<text> pointers;
  for (const char *stem : {"in", "out"})
    for (const type t : all_types) pointers.push_back(number(t, stem).substr(1));
  for (const char *each : {"same", "counts32", "counts64", "words", "result"}) pointers.emplace_back(each);
  for (std::size_t i = 0; i < pointers.size(); ++i) {
    line("%a." + pointers[i] + " = getelementptr ptr, ptr %arguments, i64 " + decimal(i));
    line("%" + pointers[i] + " = load ptr, ptr %a." + pointers[i]);
  }
  line("%a.items = getelementptr ptr, ptr %arguments, i64 " + decimal(pointers.size()));
  line("%items = load i64, ptr %a.items");
  // linear numbers of the work-item in the launch and in its group, of the group, and the group's size
  for (unsigned d = 0; d < 3; ++d) {
    const text n = decimal(d), of = "(i32 " + n + ")";
    for (const char *which :
         {"global_id", "global_size", "global_offset", "local_id", "local_size", "group_id", "group_count"})
      line(text("%") + which + n + " = call i64 @__dpep_" + which + of);
    line("%at" + n + " = sub i64 %global_id" + n + ", %global_offset" + n);
  }
  const auto linear = [&](const text &result, const text &at, const text &size) {
    line(result + ".z = mul i64 %" + at + "2, %" + size + "1\n" + result + ".zy = add i64 " + result + ".z, %" + at +
         "1");
    line(result + ".y = mul i64 " + result + ".zy, %" + size + "0\n" + result + " = add i64 " + result + ".y, %" + at +
         "0");
  };
  linear("%g", "at", "global_size");
  linear("%l", "local_id", "local_size");
  linear("%grp", "group_id", "group_count");
  line("%n.xy = mul i64 %local_size0, %local_size1\n%n = mul i64 %n.xy, %local_size2");
  line("%own = mul i64 %g, " + decimal(own_elements));
  line("%lane = call i32 @__dpep_sub_group_local_id()\n%sg.size = call i32 @__dpep_sub_group_size()");
  line("%sg = call i32 @__dpep_sub_group_id()");
  if (program_.launch.grouped)
    line("%local = call ptr @__dpep_local_memory()\n"
         "%bins = call ptr @__dpep_static_local_memory(i64 64, i64 16, ptr @histogram)");
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const text at = "%v" + decimal(i);
    line(at + " = alloca " + name_of(variables[i]));
    store(variables[i], constant(variables[i], i), at);
  }
  for (std::size_t i = 0; i < uniform_variables.size(); ++i) {
    const text at = "%u" + decimal(i);
    line(at + " = alloca " + name_of(uniform_variables[i]));
    store(uniform_variables[i], constant(uniform_variables[i], i), at);
  }
  for (unsigned i = 0; i < most_loops; ++i) line("%c" + decimal(i) + " = alloca i32\nstore i32 0, ptr %c" + decimal(i));
  for (unsigned i = 0; i < first_field; ++i) {
    const text of = "[" + decimal(arrays[i].length) + " x " + name_of(arrays[i].of) + "]", at = "%array" + decimal(i);
    line(at + " = alloca " + of + "\nstore " + of + " zeroinitializer, ptr " + at);
  }
  for (const type t : all_types) line(text("%behind.") + name_of(t) + " = alloca " + name_of(t));
  line("%fields = alloca [4 x {i32, float, i16}]\nstore [4 x {i32, float, i16}] zeroinitializer, ptr %fields");
}

// The final values of variables, and sums of arrays.
void printer::results() {
  const text first = assign("mul i64 %g, " + decimal(random_program::results));
  unsigned offset = 0;
  const auto keep = [&](type of, const text &value) {
    const text index = assign("add i64 " + first + ", " + decimal(offset++));
    store(of, value, element("i64", "%result", index));
  };
  for (std::size_t i = 0; i < variables.size(); ++i) keep(variables[i], load(variables[i], "%v" + decimal(i)));
  for (std::size_t i = 0; i < uniform_variables.size(); ++i)
    keep(uniform_variables[i], load(uniform_variables[i], "%u" + decimal(i)));
  text integers = "0", floats = constant(type::f64, 0);
  for (std::uint32_t i = 0; i < arrays.size(); ++i)
    for (unsigned j = 0; j < arrays[i].length; ++j) {
      const text x = load(arrays[i].of, array_element(i, decimal(j)));
      if (is_float(arrays[i].of))
        floats = assign("fadd double " + floats + ", " + convert(arrays[i].of, type::f64, x));
      else
        integers =
            assign("add i32 " + assign("mul i32 " + integers + ", 31") + ", " + convert(arrays[i].of, type::i32, x));
    }
  keep(type::i32, integers);
  keep(type::f64, floats);
}

std::string printer::constant(type of, std::uint64_t value) {
  if (!is_float(of)) return decimal(value);
  if (of == type::f16)  // LLVM expects bits
    return std::array{"0xH0000", "0xH3C00", "0xH4000", "0xH4200", "0xH4400",
                      "0xH4500", "0xH4600", "0xH4700", "0xH4800", "0xH4880"}[value];
  return decimal(value) + ".0";
}

std::string printer::evaluate(const expression &e) {
  using kind = expression::kind;
  switch (e.what) {
  case kind::constant:
    return constant(e.of, e.number);
  case kind::variable:
    return load(e.of, "%v" + decimal(e.number));
  case kind::uniform:
    return load(e.of, "%u" + decimal(e.number));
  case kind::counter:
    return load(e.of, "%c" + decimal(e.number));
  case kind::id:
    return identity(e);
  case kind::in:
    return input(e);
  case kind::out:
    return load(e.of, own_element(e.of, decimal(e.number)));
  case kind::array:
    return load(e.of, array_element(e.number, masked(evaluate(e.operands[0]), arrays[e.number].length)));
  case kind::unary:
    return make_unary(e, evaluate(e.operands[0]));
  case kind::binary: {
    const text x = evaluate(e.operands[0]), y = evaluate(e.operands[1]);
    return make_binary(e, x, y);
  }
  case kind::compare: {
    const text x = evaluate(e.operands[0]), y = evaluate(e.operands[1]);
    return assign("zext i1 " + make_compare(e.how, e.operands[0].of, x, y) + " to " + name_of(e.of));
  }
  case kind::select: {
    const text which = condition(e.operands[0]), yes = evaluate(e.operands[1]), no = evaluate(e.operands[2]);
    return assign("select i1 " + which + ", " + name_of(e.of) + " " + yes + ", " + name_of(e.of) + " " + no);
  }
  case kind::convert:
    return convert(e.operands[0].of, e.of, evaluate(e.operands[0]));
  case kind::vector:
    return own_vector(e);
  }
  return {};
}

std::string printer::identity(const expression &e) {
  static constexpr std::array names{"%g", "%l", "%grp", "%n", "%lane", "%sg.size", "%sg", "%global_id0"};
  const auto which = static_cast<id>(e.number);
  const bool narrow = which == id::lane || which == id::sub_group_size || which == id::sub_group;
  const text x = names[e.number];
  if (narrow == (e.of == type::i32)) return x;
  return assign(narrow ? "sext i32 " + x + " to i64" : "trunc i64 " + x + " to i32");
}

std::string printer::input(const expression &e) {
  const text base = number(e.of, "in"), c = decimal(e.number);
  const auto times = [&](unsigned n) {
    return assign("add i64 " + assign("mul i64 %g, " + decimal(n)) + ", " + decimal(e.number % n));
  };
  text index = "%g";
  switch (static_cast<input_index>(e.how)) {
  case input_index::own:
    break;
  case input_index::strided2:
    index = times(2);
    break;
  case input_index::strided3:
    index = times(3);
    break;
  case input_index::strided4:
    index = times(4);
    break;
  case input_index::ahead:
    index = assign("add i64 %g, " + c);
    break;
  case input_index::reversed:
    index = assign("sub i64 " + assign("sub i64 %items, %g") + ", 1");
    break;
  case input_index::own_int:
    index = assign("sext i32 " + assign("add nsw i32 " + assign("trunc i64 %g to i32") + ", " + c) + " to i64");
    break;
  case input_index::flipped:
    index = assign("xor i64 %g, " + c);
    break;
  case input_index::row: {
    const text row = masked(load(type::i32, "%c" + c), 4);
    index = assign("add i64 %g, " + assign("mul i64 %items, " + row));
    break;
  }
  case input_index::behind: {
    // the previous element, if there is one
    const text of = name_of(e.of), some = name("some"), met = name("met"), narrow = assign("trunc i64 %g to i32");
    store(e.of, constant(e.of, 0), "%behind." + of);
    line("br i1 " + assign("icmp uge i32 " + narrow + ", " + c) + ", label " + some + ", label " + met + "\n" +
         label(some));
    const text before = assign("zext nneg i32 " + assign("sub nsw i32 " + narrow + ", " + c) + " to i64");
    store(e.of, load(e.of, element(of, base, before)), "%behind." + of);
    line("br label " + met + "\n" + label(met));
    return load(e.of, "%behind." + of);
  }
  case input_index::gathered:
  case input_index::same:
    index = masked(evaluate(e.operands[0]), 16);
    break;
  }
  return load(e.of, element(name_of(e.of), base, index));
}

std::string printer::own_vector(const expression &e) {
  const text of = text("<4 x ") + name_of(e.of) + ">";
  const text whole = assign("load " + of + ", ptr " + element(name_of(e.of), number(e.of, "in"), "%own") + ", align " +
                            decimal(bytes_of(e.of)));
  const text factor = evaluate(e.operands[0]);
  const text first = assign("insertelement " + of + " poison, " + name_of(e.of) + " " + factor + ", i32 0");
  const text splat = assign("shufflevector " + of + " " + first + ", " + of + " poison, <4 x i32> zeroinitializer");
  const text made = assign(text(is_float(e.of) ? "fmul " : "mul ") + of + " " + whole + ", " + splat);
  return assign("extractelement " + of + " " + made + ", i32 " + decimal(e.number));
}

std::string printer::array_element(std::uint32_t number, const text &index) {
  if (number < first_field) return element(name_of(arrays[number].of), "%array" + decimal(number), index);
  return assign("getelementptr {i32, float, i16}, ptr %fields, i64 " + index + ", i32 " +
                decimal(number - first_field));
}

std::string printer::make_unary(const expression &e, const text &x) {
  const text of = name_of(e.of), bits = decimal(bits_of(e.of));
  const auto call = [&](const char *function) {
    const text suffix = is_float(e.of) ? ".f" : ".i";
    return assign("call " + of + " @llvm." + function + suffix + bits + "(" + of + " " + x + ")");
  };
  switch (static_cast<unary>(e.how)) {
  case unary::negate:
    return is_float(e.of) ? assign("fneg " + of + " " + x) : assign("sub " + of + " 0, " + x);
  case unary::complement:
    return assign("xor " + of + " " + x + ", -1");
  case unary::population_count:
    return call("ctpop");
  case unary::byte_swap:
    return call("bswap");
  case unary::absolute:
    return call("fabs");
  case unary::square_root:
    return call("sqrt");
  case unary::floor:
    return call("floor");
  }
  return {};
}

std::string printer::make_binary(const expression &e, const text &x, const text &y) {
  const text of = name_of(e.of), bits = decimal(bits_of(e.of));
  const auto how = static_cast<binary>(e.how);
  const auto with = [&](const char *operation, const text &right) {
    return assign(operation + (" " + of) + " " + x + ", " + right);
  };
  const auto function = [&](const char *which, const text &result) {
    return assign("call " + result + " @llvm." + which + ".i" + bits + "(" + of + " " + x + ", " + of + " " + y + ")");
  };
  if (is_float(e.of)) {
    return with(how == binary::add ? "fadd" : how == binary::sub ? "fsub" : how == binary::mul ? "fmul" : "fdiv", y);
  }
  const auto and_with = [&](unsigned mask) { return assign("and " + of + " " + y + ", " + decimal(mask)); };
  const auto divisor = [&] { return assign("add " + of + " " + and_with(7) + ", 1"); };
  switch (how) {
  case binary::add:
    return with("add", y);
  case binary::sub:
    return with("sub", y);
  case binary::mul:
    return with("mul", y);
  case binary::bit_and:
    return with("and", y);
  case binary::bit_or:
    return with("or", y);
  case binary::bit_xor:
    return with("xor", y);
  case binary::shift_left:
    return with("shl", and_with(bits_of(e.of) - 1));
  case binary::shift_right_logical:
    return with("lshr", and_with(bits_of(e.of) - 1));
  case binary::shift_right_arithmetic:
    return with("ashr", and_with(bits_of(e.of) - 1));
  case binary::divide:
    return with("sdiv", divisor());
  case binary::remainder:
    return with("urem", divisor());
  case binary::minimum:
    return function("smin", of);
  case binary::maximum:
    return function("umax", of);
  case binary::add_with_overflow: {
    const text both = function("uadd.with.overflow", "{" + of + ", i1}");
    const text sum = assign("extractvalue {" + of + ", i1} " + both + ", 0");
    const text carry = assign("extractvalue {" + of + ", i1} " + both + ", 1");
    return assign("add " + of + " " + sum + ", " + assign("zext i1 " + carry + " to " + of));
  }
  }
  return {};
}

std::string printer::make_compare(unsigned how, type of, const text &x, const text &y) {
  static constexpr std::array integers{"icmp ult ", "icmp slt ", "icmp eq "};
  static constexpr std::array floats{"fcmp olt ", "fcmp ugt ", "fcmp oeq "};
  return assign((is_float(of) ? floats : integers)[how] + text(name_of(of)) + " " + x + ", " + y);
}

std::string printer::convert(type from, type to, const text &x) {
  if (from == to) return x;
  const auto cast = [&](const char *how, type a, const text &value, type b) {
    return assign(how + (" " + text(name_of(a))) + " " + value + " to " + name_of(b));
  };
  if (!is_float(from)) {
    if (!is_float(to)) return cast(bits_of(from) < bits_of(to) ? "sext" : "trunc", from, x, to);
    if (to != type::f16) return cast("sitofp", from, x, to);
    return cast("fptrunc", type::f32, cast("sitofp", from, x, type::f32), to);
  }
  if (!is_float(to)) {
    if (from == type::f16) return convert(type::f32, to, cast("fpext", from, x, type::f32));
    const text bits = decimal(bits_of(to)), of = name_of(from);
    return assign(text("call ") + name_of(to) + " @llvm.fptosi.sat.i" + bits + ".f" + decimal(bits_of(from)) + "(" +
                  of + " " + x + ")");
  }
  if (bits_of(from) < bits_of(to)) return cast("fpext", from, x, to);
  if (from == type::f64 && to == type::f16) return convert(type::f32, to, cast("fptrunc", from, x, type::f32));
  return cast("fptrunc", from, x, to);
}

std::string printer::condition(const expression &e) {
  const text x = evaluate(e);
  if (is_float(e.of)) return assign(text("fcmp ogt ") + name_of(e.of) + " " + x + ", " + constant(e.of, 0));
  return assign(text("icmp ne ") + name_of(e.of) + " " + assign(text("and ") + name_of(e.of) + " " + x + ", 3") +
                ", 0");
}

}  // namespace dpep::test::random_program
