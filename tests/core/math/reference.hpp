// References for tests of the device library's functions: MPFR numbers, and errors in units in the last place.
#pragma once

#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "math/big.hpp"
#include "math/loops.hpp"

namespace dpep::test {

constexpr double inf = std::numeric_limits<double>::infinity();

/// The distance of `got` from `expected` in units in the last place of T, at `expected` or at `at_least`, if that is
/// larger. The first number beyond the finite ones counts as infinity.
template <class T> inline double error_in_ulp(T got, double expected, double at_least = 0) {
  using limits = std::numeric_limits<T>;
  if (std::isnan(expected) || std::isnan(got)) return std::isnan(expected) && std::isnan(got) ? 0 : inf;
  if (std::isinf(expected)) return got == expected ? 0 : inf;
  if (expected == 0 && at_least == 0) return got == 0 && std::signbit(got) == std::signbit(expected) ? 0 : inf;
  const double beyond = 0x1p128;
  const double value = std::isinf(got) ? std::copysign(beyond, double(got)) : double(got);
  const double reference = std::abs(expected) > beyond ? std::copysign(beyond, expected) : expected;
  int exponent = std::ilogb(std::max(std::abs(reference), at_least));
  if (exponent < limits::min_exponent - 1) exponent = limits::min_exponent - 1;
  if (exponent > limits::max_exponent - 1) exponent = limits::max_exponent - 1;
  return std::abs(value - reference) / std::ldexp(1.0, exponent - (limits::digits - 1));
}

inline double error_in_ulp(double got, const big &expected, double at_least = 0) {
  if (mpfr_nan_p(expected.get()) || std::isnan(got)) return mpfr_nan_p(expected.get()) && std::isnan(got) ? 0 : inf;
  if (mpfr_inf_p(expected.get())) return std::isinf(got) && (got > 0) == (mpfr_sgn(expected.get()) > 0) ? 0 : inf;
  if (mpfr_zero_p(expected.get())) return got == 0 && std::signbit(got) == bool(mpfr_signbit(expected.get())) ? 0 : inf;
  big difference(0, 160), value(0, 160);
  long exponent = mpfr_get_exp(expected.get()) - 1;
  if (at_least > 0) exponent = std::max(exponent, long(std::ilogb(at_least)));
  if (std::isinf(got)) {
    if (exponent >= 1024 && std::signbit(got) == bool(mpfr_signbit(expected.get()))) return 0;
    mpfr_set_si_2exp(value.get(), got > 0 ? 1 : -1, 1024, MPFR_RNDN);
  } else {
    mpfr_set_d(value.get(), got, MPFR_RNDN);
  }
  mpfr_sub(difference.get(), value.get(), expected.get(), MPFR_RNDN);
  exponent = std::min(std::max(exponent, -1022l), 1023l);
  mpfr_mul_2si(difference.get(), difference.get(), 52 - exponent, MPFR_RNDN);
  return std::abs(mpfr_get_d(difference.get(), MPFR_RNDN));
}

inline std::vector<loop_tables> processors() {
  std::vector<loop_tables> all;
  for (const auto &tables : {sse_loops(), avx2_loops(), avx512_loops(), gpu_loops()})
    if (tables.runs_here) all.push_back(tables);
  return all;
}

/// The loops over complex numbers whose parts are T.
template <class T> std::span<const loop<T>> complex_loops_of(const loop_tables &tables) {
  if constexpr (sizeof(T) == 4)
    return tables.complex_floats;
  else
    return tables.complex_doubles;
}

template <class T> const loop<T> &find(std::span<const loop<T>> loops, const std::string &name) {
  for (const auto &l : loops)
    if (l.name == name) return l;
  throw std::out_of_range("define_loops.hpp has no loop with the name " + name);
}

}  // namespace dpep::test
