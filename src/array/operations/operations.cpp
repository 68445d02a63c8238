// The operations and the element functions of Python: signatures and names, from the rows of the operation table.
#include <dpep/array_operations.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <dpep/array_opcodes.hpp>

#include "array/operations/user_function.hpp"

namespace dpep::array {
namespace {

static_assert(opcode_count <= int(user_code));

constexpr std::string_view codes = "?bBhHiIlLefdFD";  // in the order of dtype's enumerators

constexpr dtype real_part(dtype t) {
  return t == dtype::complex64 ? dtype::float32 : t == dtype::complex128 ? dtype::float64 : t;
}

using enum result_rule;

constexpr bool is_pair(dtype a, dtype b, dtype x, dtype y) { return (a == x && b == y) || (a == y && b == x); }

/// Whether a binary operation with this rule, which computes in the types `types`, has a signature for operands a, b.
template <class Types> constexpr bool has_signature(result_rule r, Types types, dtype a, dtype b) {
  if (r == SCALED) return types.has(a) && (b == dtype::int32 || b == dtype::int64);
  if (a == b) return types.has(a);
  if (r == COMPARISON) return is_pair(a, b, dtype::int64, dtype::uint64);
  if (r == QUOTIENT)
    return is_pair(a, b, dtype::float32, dtype::complex64) || is_pair(a, b, dtype::float64, dtype::complex128);
  return false;
}

constexpr dtype result_of(result_rule r, dtype a, dtype b) {
  switch (r) {
  case BOOL:
  case COMPARISON:
    return dtype::boolean;
  case REAL:
    return real_part(a);
  case NUMBER:
    return a == dtype::boolean ? dtype::int8 : a;
  case INT32:
    return dtype::int32;
  case UINT8:
    return dtype::uint8;
  case QUOTIENT:
    return std::max(a, b);  // a complex and a real operand give a complex quotient
  case SAME:
  case SCALED:
    break;
  }
  return a;
}

struct types_text {
  template <std::size_t n> consteval types_text(const char (&text)[n]) { std::copy_n(text, n - 1, codes_); }
  constexpr bool has(dtype t) const {
    return std::string_view(codes_).find(codes[static_cast<std::size_t>(t)]) != std::string_view::npos;
  }
  char codes_[dtype_count + 1] = {};
};

/// Calls `take` with each signature, in the order of the first operand's type, then the second's.
template <class F> constexpr void each_signature(types_text types, result_rule r, int inputs, F take) {
  for (int i = 0; i < dtype_count; ++i) {
    const auto a = static_cast<dtype>(i);
    if (inputs == 1) {
      if (types.has(a)) take(signature{1, {a}, result_of(r, a, a)});
      continue;
    }
    for (int k = 0; k < dtype_count; ++k) {
      const auto b = static_cast<dtype>(k);
      if (has_signature(r, types, a, b)) take(signature{2, {a, b}, result_of(r, a, b)});
    }
  }
}

template <types_text types, result_rule r, int inputs>
constexpr auto signatures_of = [] {
  constexpr std::size_t count = [] {
    std::size_t n = 0;
    each_signature(types, r, inputs, [&](const signature &) { ++n; });
    return n;
  }();
  std::array<signature, count> list{};
  auto next = list.begin();
  each_signature(types, r, inputs, [&](const signature &s) { *next++ = s; });
  return list;
}();

constexpr auto where_signatures = [] {
  std::array<signature, dtype_count> list{};
  for (int i = 0; i < dtype_count; ++i) {
    const auto t = static_cast<dtype>(i);
    list[std::size_t(i)] = {3, {dtype::boolean, t, t}, t};
  }
  return list;
}();

constexpr auto clip_signatures = [] {
  std::array<signature, dtype_count> list{};
  for (int i = 0; i < dtype_count; ++i) {
    const auto t = static_cast<dtype>(i);
    list[std::size_t(i)] = {3, {t, t, t}, t};
  }
  return list;
}();

constexpr auto cast_signatures = [] {
  std::array<signature, std::size_t{dtype_count} * dtype_count> list{};
  for (int i = 0; i < dtype_count; ++i)
    for (int k = 0; k < dtype_count; ++k)
      list[std::size_t(i * dtype_count + k)] = {1, {static_cast<dtype>(i)}, static_cast<dtype>(k)};
  return list;
}();

constexpr std::string_view name_for_messages(std::string_view function, std::string_view dpctl, std::string_view dpnp) {
  return !dpctl.empty() ? dpctl : !dpnp.empty() ? dpnp : function;
}

constexpr operation table[opcode_count] = {
#define DPEP_ROW(inputs, name, types, rule, dpctl, dpnp)                                                               \
  {opcode::name, #name, name_for_messages(#name, dpctl, dpnp), inputs, signatures_of<types, rule, inputs>},
#define DPEP_UNARY(name, types, result, family, cost, properties, dpctl, dpnp, ...)                                    \
  DPEP_ROW(1, name, types, result, dpctl, dpnp)
#define DPEP_BINARY(name, types, result, family, cost, properties, dpctl, dpnp, ...)                                   \
  DPEP_ROW(2, name, types, result, dpctl, dpnp)
#include <dpep/array_operations.def>
    {opcode::where, "where", "where", 3, where_signatures},
    {opcode::clip, "clip", "clip", 3, clip_signatures},
    {opcode::cast, "cast", "cast", 1, cast_signatures},
};

constexpr auto numpy_codes = [] {
  std::array<opcode, opcode_count> codes{};
  for (const operation &o : table) codes[std::size_t(o.code)] = o.code;
  constexpr std::string_view prefix = "numpy_";
  for (const operation &o : table)
    if (o.function.starts_with(prefix))
      for (const operation &of : table)
        if (of.function == o.function.substr(prefix.size())) codes[std::size_t(of.code)] = o.code;
  return codes;
}();

constexpr elementwise_function functions[] = {
#define DPEP_UNARY(name, types, result, family, cost, properties, dpctl, dpnp, summary, arguments, printed)            \
  {{dpctl, dpnp}, {opcode::name}, 1, summary, arguments, printed},
#define DPEP_BINARY(...) DPEP_UNARY(__VA_ARGS__)
#define DPEP_PAIR(name, first, second, dpctl, dpnp, summary, arguments, printed)                                       \
  {{dpctl, dpnp}, {opcode::first, opcode::second}, 2, summary, arguments, printed},
#include <dpep/array_operations.def>
};

constexpr std::string_view reductions[] = {"sum", "prod",          "max",       "min",   "argmax", "argmin", "any",
                                           "all", "count_nonzero", "logsumexp", "hypot", "mean",   "var",    "std"};
static_assert(std::size(reductions) == std::size_t(reduction::deviation) + 1);

constexpr std::string_view accumulations[] = {"cumulative_sum", "cumulative_prod", "cumulative_logsumexp",
                                              "cumulative_max", "cumulative_min"};
static_assert(std::size(accumulations) == std::size_t(accumulation::min) + 1);

}  // namespace

const operation &info(opcode code) noexcept { return table[static_cast<std::size_t>(code)]; }

std::string library_function(opcode code, std::span<const dtype> types) {
  std::string name = fmt::format("dpep_{}_{}", info(code).function, name_of(types[0]));
  if (types.size() == 2 && (types[1] != types[0] || code == opcode::cast))
    name += fmt::format("_{}", name_of(types[1]));
  return name;
}

opcode in_numpy(opcode code) noexcept { return numpy_codes[static_cast<std::size_t>(code)]; }

std::span<const elementwise_function> elementwise_functions() noexcept { return functions; }

const elementwise_function *find_elementwise_function(std::string_view name) noexcept {
  if (name.empty()) return nullptr;
  for (const package p : {package::dpnp, package::dpctl})
    for (const elementwise_function &f : functions)
      if (const std::string_view own = f.name(p); own.substr(own.rfind('.') + 1) == name) return &f;
  return nullptr;
}

std::vector<std::string> elementwise_function::types() const {
  std::vector<std::string> list = info(results[0]).types();
  if (result_count == 2)
    for (std::size_t i = 0; i < list.size(); ++i) list[i] += info(results[1]).types()[i].back();
  return list;
}

std::vector<std::string> operation::types() const {
  std::vector<std::string> list;
  list.reserve(signatures.size());
  for (const signature &s : signatures) {
    std::string text;
    for (std::size_t i = 0; i < s.inputs; ++i) text += codes[static_cast<std::size_t>(s.from[i])];
    text += "->";
    text += codes[static_cast<std::size_t>(s.to)];
    list.push_back(std::move(text));
  }
  return list;
}

std::string_view name_of(reduction r) noexcept { return reductions[static_cast<std::size_t>(r)]; }
std::string_view name_of(accumulation a) noexcept { return accumulations[static_cast<std::size_t>(a)]; }

}  // namespace dpep::array
