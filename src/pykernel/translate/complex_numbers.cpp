// Arithmetic on complex numbers, by real and imaginary part.
#include <cmath>

#include <fmt/format.h>

#include "pykernel/translate/arithmetic.hpp"

namespace dpep::pykernel {
namespace {

using operation::fadd, operation::fsub, operation::fmul, operation::fdiv, operation::fle, operation::feq;

}  // namespace

value complex_binary(translation &ctx, std::string_view op, const value &x, const value &y, type t) {
  const node p = x.parts[0], q = x.parts[1], r = y.parts[0], s = y.parts[1];
  const auto result = [&](node real, node imaginary) { return value{.of = t, .parts = {real, imaginary}}; };
  if (op == "+" || op == "-") {
    const operation what = op == "+" ? fadd : fsub;
    return result(ctx.ir.binary(what, p, r), ctx.ir.binary(what, q, s));
  }
  if (op == "*")
    return result(ctx.ir.binary(fsub, ctx.ir.binary(fmul, p, r), ctx.ir.binary(fmul, q, s)),
                  ctx.ir.binary(fadd, ctx.ir.binary(fmul, p, s), ctx.ir.binary(fmul, q, r)));
  if (op == "/") {
    // Smith's algorithm: scales by the larger part of the divisor, so that intermediate results do not overflow.
    const machine_type m = ctx.ir.type_of(p);
    const std::string fabs = m == machine_type::f64 ? "llvm.fabs.f64" : "llvm.fabs.f32";
    const node size = ctx.ir.call(m, fabs, {r}), big = ctx.ir.compare(fle, ctx.ir.call(m, fabs, {s}), size);
    const node divisor = ctx.ir.select(big, r, s), other = ctx.ir.select(big, s, r);
    const node ratio = ctx.ir.binary(fdiv, other, divisor);
    const node scale = ctx.ir.binary(fadd, divisor, ctx.ir.binary(fmul, other, ratio));
    const node real =
        ctx.ir.binary(fadd, ctx.ir.select(big, p, q), ctx.ir.binary(fmul, ctx.ir.select(big, q, p), ratio));
    const node imaginary = ctx.ir.select(big, ctx.ir.binary(fsub, q, ctx.ir.binary(fmul, p, ratio)),
                                         ctx.ir.binary(fsub, ctx.ir.binary(fmul, q, ratio), p));
    // As NumPy's, a division by zero divides each part by zero. `ratio` is then NaN.
    const node zero = ctx.ir.real(m, 0),
               by_zero = ctx.ir.binary(operation::bit_and, ctx.ir.compare(feq, r, zero), ctx.ir.compare(feq, s, zero));
    const node by = ctx.ir.select(by_zero, size, scale);
    return result(ctx.ir.binary(fdiv, ctx.ir.select(by_zero, p, real), by),
                  ctx.ir.binary(fdiv, ctx.ir.select(by_zero, q, imaginary), by));
  }
  if (op == "**") {
    const auto exponent = ctx.ir.known_real(r), none = ctx.ir.known_real(s);
    if (exponent && none && *none == 0 && *exponent == std::trunc(*exponent) && std::abs(*exponent) <= 64) {
      value product = result(ctx.ir.real(ctx.ir.type_of(p), 1), ctx.ir.real(ctx.ir.type_of(p), 0)), square = x;
      bool first = true;
      for (auto rest = std::uint64_t(std::abs(*exponent)); rest; rest >>= 1) {
        if (rest & 1) product = std::exchange(first, false) ? square : complex_binary(ctx, "*", product, square, t);
        if (rest > 1) square = complex_binary(ctx, "*", square, square, t);
      }
      if (*exponent >= 0) return product;
      return complex_binary(ctx, "/", result(ctx.ir.real(ctx.ir.type_of(p), 1), ctx.ir.real(ctx.ir.type_of(p), 0)),
                            product, t);
    }
    return complex_call(ctx, "pow", x, &y);
  }
  fail(ctx, error_kind::typing, source_location{ctx.ir.line, 0, 0, 0},
       fmt::format("operator {} is not defined for complex numbers: use the real parts, z.real", op));
}

value complex_call(translation &ctx, const std::string &name, const value &x, const value *second) {
  const bool single = x.of->element == dtype::complex64;
  std::vector<node> list = x.parts;
  if (second) list.insert(list.end(), second->parts.begin(), second->parts.end());
  const machine_type m = ctx.ir.type_of(x.parts[0]);
  const node where = ctx.ir.private_memory(m, 2, false);
  ctx.ir.complex_call(m, "c" + name + (single ? "f" : ""), where, list);
  return {.of = x.of,
          .parts = {ctx.ir.load(m, where), ctx.ir.load(m, ctx.ir.offset(where, ctx.ir.size(1), bits_of(m) / 8))}};
}

}  // namespace dpep::pykernel
