// Writes element operations as LLVM IR.
#include "array/cpu/operation_ir.hpp"

#include <algorithm>

namespace dpep::array {
namespace {

/// The instructions of an operation: see src/device/inline/write_bodies.py.
struct operation_body {
  opcode code;
  std::uint8_t operands;
  std::array<dtype, 3> types;  // of the operands; of casts, also the result's
  std::string_view instructions, result, declarations;
};

// Sorted by operation.
constexpr operation_body bodies[] = {

#include <dpep/array_opcodes.hpp>

#include "bodies.inc"
};

struct body_range {
  std::uint16_t first, last;
};
constexpr auto bodies_of = [] {
  std::array<body_range, opcode_count> ranges{};
  for (std::uint16_t k = 0; k < std::size(bodies); ++k) {
    body_range &r = ranges[std::size_t(bodies[k].code)];
    if (r.last == 0) r.first = k;
    r.last = std::uint16_t(k + 1);
  }
  return ranges;
}();

const operation_body *find_body(opcode code, std::span<const dtype> operands, dtype result) noexcept {
  const auto [first, last] = bodies_of[std::size_t(code)];
  const auto found = std::find_if(bodies + first, bodies + last, [&](const operation_body &b) {
    return std::ranges::equal(operands, std::span(b.types).first(b.operands)) &&
           (code != opcode::cast || b.types[1] == result);
  });
  return found == bodies + last ? nullptr : found;
}

/// Writes the instructions; returns the name of the result.
std::string write_body(ir_writer &w, const operation_body &body, std::span<const std::string> operands) {
  std::vector<std::string> values(operands.begin(), operands.end());
  const auto with_names = [&](std::string_view text) {
    std::string named;
    for (std::size_t k = 0; k < text.size();) {
      if (text[k] != '$') {
        named += text[k++];
        continue;
      }
      std::size_t number = 0;
      for (++k; k < text.size() && text[k] >= '0' && text[k] <= '9'; ++k)
        number = 10 * number + std::size_t(text[k] - '0');
      named += values[number];
    }
    return named;
  };
  for (std::string_view rest = body.instructions; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    values.push_back(w.let("{}", with_names(rest.substr(0, end))));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return with_names(body.result);
}

const operation_body *find_body(const element_loop &loop, const element_loop::operation &o) noexcept {
  std::array<dtype, max_inputs> types{};
  for (std::uint8_t k = 0; k < o.count; ++k) types[k] = loop.type_of(o.operands[k]);
  return find_body(o.code, std::span(types).first(o.count), o.type);
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

std::optional<opcode> pair_operation(reduction how) noexcept {
  switch (how) {
  case reduction::sum:
    return opcode::add;
  case reduction::prod:
    return opcode::multiply;
  case reduction::max:
    return opcode::maximum;
  case reduction::min:
    return opcode::minimum;
  default:
    return {};
  }
}

std::string write_pair(ir_writer &w, opcode code, dtype t, const std::string &x, const std::string &y) {
  const dtype types[] = {t, t};
  const std::string operands[] = {x, y};
  return write_body(w, *find_body(code, types, t), operands);
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
  std::vector<std::string> operands;
  for (std::uint8_t k = 0; k < o.count; ++k) operands.push_back(values[o.operands[k]]);
  return write_body(w, *find_body(loop, o), operands);
}

bool has_body(opcode code, std::span<const dtype> operands, dtype result) noexcept {
  return find_body(code, operands, result);
}

bool has_registers(dtype t) noexcept {
  return is_float(t) || (kind_of(t) != dtype_kind::real && kind_of(t) != dtype_kind::complex);
}

bool can_fuse(opcode code, std::span<const dtype> operands, dtype result) noexcept {
  return code != user_code && has_registers(result) && std::ranges::all_of(operands, has_registers) &&
         has_body(code, operands, result);
}

void declare(const element_loop &loop, const element_loop::operation &o, std::set<std::string> &declarations) {
  if (o.function) {
    declarations.insert(fmt::format("declare {}\n", with_parameters(nullptr, loop, o, {})));
    return;
  }
  const operation_body *body = nullptr;
  if (!o.reduces) {
    body = find_body(loop, o);
  } else if (const std::optional<opcode> code = pair_operation(*o.reduces)) {
    const dtype types[] = {o.type, o.type};
    body = find_body(*code, types, o.type);
  }
  for (std::string_view rest = body ? body->declarations : ""; !rest.empty();) {
    const std::size_t line = rest.find('\n') + 1;
    declarations.emplace(rest.substr(0, line));
    rest.remove_prefix(line);
  }
}

bool has_calls(const element_loop &loop) {
  std::set<std::string> declared;
  for (const element_loop::operation &o : loop.operations) declare(loop, o, declared);
  return !std::ranges::all_of(declared, [](const std::string &d) { return d.find("@llvm.") != std::string::npos; });
}

std::string declarations(const element_loop &loop) {
  std::set<std::string> declared;
  for (const element_loop::operation &o : loop.operations) declare(loop, o, declared);
  const bool is_plain = !has_calls(loop) && loop.row_length == 0;
  const char *const plain = !is_plain           ? ""
                            : loop.chunk        ? " \"dpep-plain-loop\"=\"repeated rows\""
                            : loop.has_chunks() ? " \"dpep-plain-loop\"=\"chunks\""
                                                : " \"dpep-plain-loop\"";
  std::string text;
  if (!has_item_per_element(loop)) text = fmt::format("attributes #0 = {{ \"dpep-single-item\"{} }}\n", plain);
  for (const std::string &declaration : declared) text += declaration;
  return text;
}

}  // namespace dpep::array
