// The operation table: signatures and names, from the rows of array_operations.def.
#include <dpep/array_operations.hpp>

#include <algorithm>

namespace dpep::array {
namespace {

constexpr std::string_view codes = "?bBhHiIlLefdFD";  // in the order of dtype's enumerators

constexpr dtype real_part(dtype t) {
  return t == dtype::complex64 ? dtype::float32 : t == dtype::complex128 ? dtype::float64 : t;
}

enum class rule { SAME, BOOL, REAL, NUMBER, COMPARISON, QUOTIENT };

/// Whether the rule has a signature for two different operand types, which are a and b.
constexpr bool mixes(rule r, dtype a, dtype b) {
  const auto are = [=](dtype x, dtype y) { return (a == x && b == y) || (a == y && b == x); };
  if (r == rule::COMPARISON) return are(dtype::int64, dtype::uint64);
  if (r == rule::QUOTIENT) return are(dtype::float32, dtype::complex64) || are(dtype::float64, dtype::complex128);
  return false;
}

constexpr dtype result_of(rule r, dtype a, dtype b) {
  switch (r) {
  case rule::BOOL:
  case rule::COMPARISON:
    return dtype::boolean;
  case rule::REAL:
    return real_part(a);
  case rule::NUMBER:
    return a == dtype::boolean ? dtype::int8 : a;
  case rule::QUOTIENT:
    return std::max(a, b);  // a complex and a real operand give a complex quotient
  case rule::SAME:
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
template <class F> constexpr void each_signature(types_text types, rule r, int inputs, F take) {
  for (int i = 0; i < dtype_count; ++i) {
    const auto a = static_cast<dtype>(i);
    if (inputs == 1) {
      if (types.has(a)) take(signature{1, {a}, result_of(r, a, a)});
      continue;
    }
    for (int k = 0; k < dtype_count; ++k) {
      const auto b = static_cast<dtype>(k);
      if ((a == b && types.has(a)) || mixes(r, a, b)) take(signature{2, {a, b}, result_of(r, a, b)});
    }
  }
}

template <types_text types, rule r, int inputs>
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

constexpr operation table[opcode_count] = {
#define DPEP_UNARY(name, types, result, ...) {opcode::name, #name, 1, signatures_of<types, rule::result, 1>},
#define DPEP_BINARY(name, types, result, ...) {opcode::name, #name, 2, signatures_of<types, rule::result, 2>},
#include <dpep/array_operations.def>
    {opcode::where, "where", 3, where_signatures},
    {opcode::clip, "clip", 3, clip_signatures},
    {opcode::cast, "cast", 1, cast_signatures},
};

constexpr std::string_view reductions[] = {"sum", "prod",          "max",       "min",   "argmax", "argmin", "any",
                                           "all", "count_nonzero", "logsumexp", "hypot", "mean",   "var",    "std"};
static_assert(std::size(reductions) == std::size_t(reduction::deviation) + 1);

constexpr std::string_view accumulations[] = {"cumulative_sum", "cumulative_prod", "cumulative_logsumexp",
                                              "cumulative_max", "cumulative_min"};
static_assert(std::size(accumulations) == std::size_t(accumulation::min) + 1);

}  // namespace

const operation &info(opcode code) noexcept { return table[static_cast<std::size_t>(code)]; }

const operation *find_operation(std::string_view name) noexcept {
  const auto found = std::ranges::find(table, name, &operation::name);
  return found == std::end(table) ? nullptr : found;
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
