// pow of complex numbers: e^(w log z), for small integers w repeated multiplication, as in NumPy.
#pragma once

#include "device/math/complex_exp.hpp"
#include "device/math/complex_log.hpp"

namespace dpep::device {

/// z^n for 0 < n < 128.
template <class T> static complex<T> integer_power(complex<T> z, int n) {
  complex<T> result = {1, 0};
  for (bool first = true;; z = multiply(z.real, z.imaginary, z.real, z.imaginary)) {
    if (n & 1) {
      result = first ? z : multiply(result.real, result.imaginary, z.real, z.imaginary);
      first = false;
    }
    n >>= 1;
    if (n == 0) return result;
  }
}

/// z^w. The modulus of the result errs by about |w log z| rounding errors of double precision, for floats too.
template <class T> static complex<T> pow(complex<T> z, complex<T> w) {
  const bool real_power = w.imaginary == 0;
  if (real_power && w.real == 0) return {1, 0};
  if (z.real == 0 && z.imaginary == 0) {
    const T result = w.real > 0 ? T(0) : nan<T>;
    return {result, result};
  }
  const T whole = round_to_even(w.real);
  if (real_power && whole == w.real && magnitude(whole) < 100) {
    const auto power = integer_power(z, int(magnitude(whole)));
    return whole > 0 ? power : divide(T(1), T(0), power.real, power.imaginary);
  }
  const double modulus = log_of_modulus(z.real, 0, z.imaginary);
  const double direction = arctangent_of_quotient<double>(z.imaginary, z.real);
  const auto exponent = multiply<double>(w.real, w.imaginary, modulus, direction);
  return exp_of_parts<T>(exp_in_parts<T>(exponent.real), sin_cos(exponent.imaginary), exponent.real,
                         exponent.imaginary);
}

}  // namespace dpep::device
