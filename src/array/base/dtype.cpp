// Element types: sizes, names, casts and promotion.
#include <dpep/array.hpp>

#include <array>

namespace dpep {
namespace {

struct facts {
  std::string_view name;
  char code;
  dtype_kind kind;
  std::uint8_t bytes;
  dtype real;
};

using enum dtype_kind;
constexpr std::array<facts, dtype_count> table{{
    {"bool", '?', boolean, 1, dtype::boolean},
    {"int8", 'b', signed_integer, 1, dtype::int8},
    {"uint8", 'B', unsigned_integer, 1, dtype::uint8},
    {"int16", 'h', signed_integer, 2, dtype::int16},
    {"uint16", 'H', unsigned_integer, 2, dtype::uint16},
    {"int32", 'i', signed_integer, 4, dtype::int32},
    {"uint32", 'I', unsigned_integer, 4, dtype::uint32},
    {"int64", 'l', signed_integer, 8, dtype::int64},
    {"uint64", 'L', unsigned_integer, 8, dtype::uint64},
    {"float16", 'e', real, 2, dtype::float16},
    {"float32", 'f', real, 4, dtype::float32},
    {"float64", 'd', real, 8, dtype::float64},
    {"complex64", 'F', complex, 8, dtype::float32},
    {"complex128", 'D', complex, 16, dtype::float64},
}};

constexpr const facts &of(dtype t) noexcept { return table[static_cast<std::size_t>(t)]; }

/// Whether a cast is safe by NumPy's rules: floating-point types hold integers of half their size exactly, and float64
/// counts as holding 64-bit integers, too.
constexpr bool is_safe_cast(dtype from, dtype to) noexcept {
  const facts &a = of(from), &b = of(to);
  if (from == to || a.kind == boolean) return true;
  switch (b.kind) {
  case boolean:
    return false;
  case signed_integer:
    return (a.kind == signed_integer && a.bytes <= b.bytes) || (a.kind == unsigned_integer && a.bytes < b.bytes);
  case unsigned_integer:
    return a.kind == unsigned_integer && a.bytes <= b.bytes;
  case real:
  case complex: {
    const int part = of(b.real).bytes;
    if (a.kind == real) return a.bytes <= part;
    if (a.kind == complex) return b.kind == complex && a.bytes <= b.bytes;
    return a.bytes < part || part == 8;
  }
  }
  return false;
}

using pair_table = std::array<std::array<bool, dtype_count>, dtype_count>;
constexpr pair_table safe = [] {
  pair_table t{};
  for (int from = 0; from < dtype_count; ++from)
    for (int to = 0; to < dtype_count; ++to) t[from][to] = is_safe_cast(dtype(from), dtype(to));
  return t;
}();

// The first dtype that both cast to safely. In the order of the enumeration this is the smallest.
constexpr auto promoted = [] {
  std::array<std::array<dtype, dtype_count>, dtype_count> t{};
  for (int a = 0; a < dtype_count; ++a)
    for (int b = 0; b < dtype_count; ++b) {
      int to = 0;
      while (!safe[a][to] || !safe[b][to]) ++to;
      t[a][b] = dtype(to);
    }
  return t;
}();

// Order of the kinds: same_kind casts go within a kind or to a later one.
constexpr int rank(dtype_kind k) noexcept {
  switch (k) {
  case boolean:
    return 0;
  case unsigned_integer:
    return 1;
  case signed_integer:
    return 2;
  case real:
    return 3;
  case complex:
    return 4;
  }
  return 0;
}

}  // namespace

std::size_t size_of(dtype t) noexcept { return of(t).bytes; }
dtype_kind kind_of(dtype t) noexcept { return of(t).kind; }
std::string_view name_of(dtype t) noexcept { return of(t).name; }
char code_of(dtype t) noexcept { return of(t).code; }
dtype real_of(dtype t) noexcept { return of(t).real; }

std::optional<dtype> dtype_from_code(char code) noexcept {
  if (code == 'q') return dtype::int64;  // C's long long, another 64-bit type in NumPy
  if (code == 'Q') return dtype::uint64;
  for (int t = 0; t < dtype_count; ++t)
    if (table[t].code == code) return dtype(t);
  return std::nullopt;
}

namespace array {

bool can_cast(dtype from, dtype to, casting how) noexcept {
  switch (how) {
  case casting::no:
  case casting::equiv:
    return from == to;
  case casting::safe:
    return safe[static_cast<int>(from)][static_cast<int>(to)];
  case casting::same_kind:
    return rank(kind_of(from)) <= rank(kind_of(to));
  case casting::unsafe:
    return true;
  }
  return false;
}

dtype promote(dtype a, dtype b) noexcept { return promoted[static_cast<int>(a)][static_cast<int>(b)]; }

}  // namespace array
}  // namespace dpep
