// The modified Bessel functions of the first kind of orders 0 and 1, and times e^-|x|, branch-free.
//
// Up to 8 the power series, whose terms are all positive; above, a polynomial of 16 / x - 1 times e^x / sqrt(x).
// Polynomials: coefficients/polynomials.py and special_functions.py. Floats of order 1, and the scaled functions of
// floats, are computed in double precision.
#pragma once

#include "device/math/exp.hpp"

namespace dpep::device {
namespace modified_bessel {

template <class T, int order> struct constants;
template <> struct constants<float, 0> {
  static constexpr int terms = 16;
  static constexpr float factor[] = {0x1.9bd428p-2f,  0x1.b8796ap-9f,  0x1.1e02bap-13f, 0x1.75998ap-17f,
                                     0x1.1d3362p-20f, 0x1.6cde6cp-22f, 0x1.90bb9cp-22f};
};
template <> struct constants<double, 0> {
  static constexpr int terms = 27;
  static constexpr double factor[] = {
      0x1.9bd428ad249a5p-2,   0x1.b87969bb93bd5p-9,  0x1.1daa72b5aca1cp-13,  0x1.75e5ee6f9c038p-17,
      0x1.8e513f06684c4p-20,  0x1.3f49aee5cf75cp-22, 0x1.7d0a315b10746p-24,  0x1.51cb9d5efefd1p-25,
      0x1.72df92a322e35p-26,  0x1.03e2ac7a4b2b9p-27, -0x1.ddbd7e42e5592p-28, -0x1.ce052679f46c0p-27,
      -0x1.452df2fe77197p-28, 0x1.06f3b4db07bc6p-27, 0x1.9aa424122df72p-28,  -0x1.f9c1926ee060bp-29,
      -0x1.0944f69fbf466p-28, 0x1.d786afa71cdafp-30, 0x1.c6baec0738dd9p-30,  -0x1.859c54a21e97fp-31,
      -0x1.da0dfb8b67718p-32, 0x1.c83501db0cedbp-33, 0x1.bef03c416451ap-35,  -0x1.055572bf41ea4p-35};
};
template <> struct constants<double, 1> {
  static constexpr int terms = 27;
  static constexpr double factor[] = {
      0x1.8ebe783a8403p-2,    -0x1.3f796198ee628p-7,  -0x1.cbc54df1ece76p-13, -0x1.f89c23066d278p-17,
      -0x1.ec8e101744487p-20, -0x1.76137e6905189p-22, -0x1.ad8db6e1fecbbp-24, -0x1.727a73a8063a8p-25,
      -0x1.9180f82a1d429p-26, -0x1.21895bb7ba33fp-27, 0x1.cd81846fb3ff1p-28,  0x1.e20e7d69649cap-27,
      0x1.9f203cf2783b7p-28,  -0x1.0630cddd4e099p-27, -0x1.1465ce7d29637p-27, 0x1.d4345a69bfc3p-29,
      0x1.bdc8daed57db9p-28,  -0x1.858c7591014bdp-30, -0x1.162964d5f91dbp-28, 0x1.1aee882806184p-31,
      0x1.fce6b32270b52p-30,  -0x1.272ae05110368p-33, -0x1.2839623e2341cp-31, 0x1.33e83e12ca3b4p-36,
      0x1.432b0a4121172p-34};
};

template <int order, bool scaled, class T> DPEP_INLINE T value(T x) {
  using c = constants<T, order>;
  constexpr auto series_terms = [] {
    struct {
      T of[c::terms];
    } list{};
    double factorial = 1, next = 1;  // k!, (k + order)!
    for (int k = 0; k < c::terms; ++k) {
      factorial *= k == 0 ? 1 : k;
      next *= k + order == 0 ? 1 : k + order;
      list.of[k] = T(1 / factorial / next);
    }
    return list;
  }();
  const T positive = magnitude(x), small = positive < 8 ? positive : T(8), large = positive < 8 ? T(8) : positive;
  const T series = polynomial(small * small * T(0.25), series_terms.of) * (order == 1 ? small * T(0.5) : T(1));
  const T factor = polynomial(16 / large - 1, c::factor) / square_root(large);
  T result;
  if constexpr (scaled) {
    result = positive < 8 ? series * exp(-small) : factor;
  } else {
    const T half = exp(large * T(0.5));  // e^large may be infinite where the result is not
    result = positive < 8 ? series : large == infinity<T> ? large : half * factor * half;  // NaN takes the third
  }
  return order == 1 ? flip_sign(result, x) : result;
}

}  // namespace modified_bessel

template <class T> DPEP_INLINE T i0(T x) { return modified_bessel::value<0, false>(x); }
template <class T> DPEP_INLINE T i0e(T x) { return T(modified_bessel::value<0, true>(double(x))); }
template <class T> DPEP_INLINE T i1(T x) { return T(modified_bessel::value<1, false>(double(x))); }
template <class T> DPEP_INLINE T i1e(T x) { return T(modified_bessel::value<1, true>(double(x))); }

}  // namespace dpep::device
