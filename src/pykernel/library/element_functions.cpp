// Element functions of dpctl.tensor and dpnp in kernels: calls of the functions of elements that arrays use, for all
// functions of the operation table that math_functions.cpp does not define otherwise.
#include <algorithm>

#include <dpep/array_opcodes.hpp>
#include <dpep/array_operations.hpp>
#include <fmt/format.h>

#include "pykernel/library/library.hpp"
#include "pykernel/translate/arithmetic.hpp"
#include "pykernel/translate/numbers.hpp"

namespace dpep::pykernel {
namespace {

using array::signature;

/// A number in private memory, where functions of elements read it, or memory for their result.
node memory_of(translation &ctx, dtype t) { return ctx.ir.private_memory(memory_type_of(t), parts_of(t), false); }

node second_part(translation &ctx, dtype t, node address) {
  return ctx.ir.offset(address, ctx.ir.size(1), bits_of(memory_type_of(t)) / 8);
}

node stored(translation &ctx, const value &x) {
  const dtype t = x.of->element;
  const node address = memory_of(ctx, t);
  ctx.ir.store(address, t == dtype::boolean ? ctx.ir.cast(operation::zext, memory_type_of(t), x.parts[0]) : x.parts[0]);
  if (is_complex(t)) ctx.ir.store(second_part(ctx, t, address), x.parts[1]);
  return address;
}

value loaded(translation &ctx, dtype t, node address, bool weak) {
  const machine_type m = memory_type_of(t);
  const node n = ctx.ir.load(m, address);
  if (is_complex(t)) return {.of = scalar_type(t, weak), .parts = {n, ctx.ir.load(m, second_part(ctx, t, address))}};
  return scalar(ctx, t, t == dtype::boolean ? ctx.ir.compare(operation::ne, n, ctx.ir.integer(m, 0)) : n, weak);
}

/// Whether a number of type `from` may become one of type `to`.
///
/// Args:
///   to_default: integers become float64, not the smallest floating-point type that holds them.
bool converts(dtype from, dtype to, bool to_default) {
  if (from == to) return true;
  if (to_default && is_real(to) && !is_real(from)) return to == dtype::float64;
  if (is_complex(to) && !is_real(from) && !is_complex(from)) return to == dtype::complex128;
  return array::can_cast(from, to);
}

const signature *find_signature(array::opcode code, std::span<const dtype> given) {
  const bool to_default = array::has_property(code, array::operation_properties::DEFAULT_FLOAT);
  const auto fits = [&](dtype from, dtype to) { return converts(from, to, to_default); };
  for (const signature &s : array::info(code).signatures)
    if (std::ranges::equal(given, std::span(s.from).first(given.size()), fits)) return &s;
  return nullptr;
}

value call(translation &ctx, std::string_view name, array::opcode code, const arguments &a) {
  const array::operation &operation = array::info(code);
  const bool scaled = array::facts_of(code).result == array::result_rule::SCALED;  // operands of two types
  const type common =
      operation.inputs == 1 || scaled ? a.positional[0].of : promote(a.positional[0].of, a.positional[1].of);
  std::array<dtype, 2> given = {common->element, scaled ? a.positional[1].of->element : common->element};
  const signature *const s = find_signature(code, std::span(given).first(operation.inputs));
  if (!s)
    fail(ctx, error_kind::typing, a.call,
         fmt::format("{}() is not defined for {}: its types are {}", name, display_name(common),
                     fmt::join(operation.types(), ", ")));
  const node result = memory_of(ctx, s->to);
  std::vector<node> addresses{result};
  for (std::size_t i = 0; i < operation.inputs; ++i)
    addresses.push_back(stored(ctx, convert(ctx, a.positional[i], s->from[i], a.call)));
  ctx.ir.call(machine_type::none, array::library_function(code, std::span(s->from).first(s->inputs)), addresses);
  return loaded(ctx, s->to, result, common->weak && s->to == s->from[0]);
}

}  // namespace

bool is_element_function(std::string_view name, std::size_t operands) {
  const array::elementwise_function *const f = array::find_elementwise_function(name.substr(name.rfind('.') + 1));
  return f && f->result_count == 1 && array::info(f->results[0]).inputs == operands;
}

std::optional<value> element_function(translation &ctx, std::string_view name, const arguments &a) {
  const array::elementwise_function *const f = array::find_elementwise_function(name.substr(name.rfind('.') + 1));
  if (!f) return std::nullopt;
  check_numbers(ctx, name, a);
  const std::size_t inputs = array::info(f->results[0]).inputs;
  check_count(ctx, a, inputs, inputs);
  value first = call(ctx, name, f->results[0], a);
  if (f->result_count == 1) return first;
  return tuple({std::move(first), call(ctx, name, f->results[1], a)});
}

}  // namespace dpep::pykernel
