// Complex numbers: two parts.
#include <cmath>

#include <fmt/format.h>

#include "pykernel/translate/translator.hpp"

namespace dpep::pykernel {
namespace {
using enum operation;
}

value translator::complex_binary(std::string_view op, const value &x, const value &y, type t) {
  const node p = x.parts[0], q = x.parts[1], r = y.parts[0], s = y.parts[1];
  const auto result = [&](node real, node imaginary) { return value{.of = t, .parts = {real, imaginary}}; };
  if (op == "+" || op == "-") {
    const operation what = op == "+" ? fadd : fsub;
    return result(b.binary(what, p, r), b.binary(what, q, s));
  }
  if (op == "*")
    return result(b.binary(fsub, b.binary(fmul, p, r), b.binary(fmul, q, s)),
                  b.binary(fadd, b.binary(fmul, p, s), b.binary(fmul, q, r)));
  if (op == "/") {
    // Smith's: by the larger part of the divisor, so that nothing overflows on the way
    const machine m = b.type_of(p);
    const std::string fabs = m == machine::f64 ? "llvm.fabs.f64" : "llvm.fabs.f32";
    const node big = b.compare(fle, b.call(m, fabs, {s}), b.call(m, fabs, {r}));
    const node divisor = b.select(big, r, s), other = b.select(big, s, r);
    const node ratio = b.binary(fdiv, other, divisor);
    const node scale = b.binary(fadd, divisor, b.binary(fmul, other, ratio));
    const node real = b.binary(fadd, b.select(big, p, q), b.binary(fmul, b.select(big, q, p), ratio));
    const node imaginary =
        b.select(big, b.binary(fsub, q, b.binary(fmul, p, ratio)), b.binary(fsub, b.binary(fmul, q, ratio), p));
    return result(b.binary(fdiv, real, scale), b.binary(fdiv, imaginary, scale));
  }
  if (op == "**") {
    const auto exponent = b.known_real(r), none = b.known_real(s);
    if (exponent && none && *none == 0 && *exponent == std::trunc(*exponent) && std::abs(*exponent) <= 64) {
      value product = result(b.real(b.type_of(p), 1), b.real(b.type_of(p), 0)), square = x;
      bool first = true;
      for (auto rest = std::uint64_t(std::abs(*exponent)); rest; rest >>= 1) {
        if (rest & 1) product = std::exchange(first, false) ? square : complex_binary("*", product, square, t);
        if (rest > 1) square = complex_binary("*", square, square, t);
      }
      if (*exponent >= 0) return product;
      return complex_binary("/", result(b.real(b.type_of(p), 1), b.real(b.type_of(p), 0)), product, t);
    }
    return complex_call("pow", x, &y);
  }
  fail(mistake::typing, place{b.line, 0, 0, 0}, fmt::format("operator {} is not defined for complex numbers", op));
}

value translator::complex_call(const std::string &name, const value &x, const value *second) {
  const bool single = x.of->element == dtype::complex64;
  std::vector<node> list = x.parts;
  if (second) list.insert(list.end(), second->parts.begin(), second->parts.end());
  const machine m = b.type_of(x.parts[0]);
  const node where = b.private_memory(m, 2, false);
  b.complex_call(m, "c" + name + (single ? "f" : ""), where, list);
  return {.of = x.of, .parts = {b.load(m, where), b.load(m, b.offset(where, b.size(1), bits_of(m) / 8))}};
}

}  // namespace dpep::pykernel
