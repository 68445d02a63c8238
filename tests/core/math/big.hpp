// MPFR numbers with operators, so that formulas are written as usual; at MPFR's default precision unless one is given.
#pragma once

#include <mpfr.h>

#include <utility>

namespace dpep::test {

class big {
public:
  big(double x = 0) : big(x, mpfr_get_default_prec()) {}  // NOLINT: numbers convert
  big(double x, mpfr_prec_t bits) {
    mpfr_init2(value_, bits);
    mpfr_set_d(value_, x, MPFR_RNDN);
  }
  big(const big &other) {
    mpfr_init(value_);
    mpfr_set(value_, other.value_, MPFR_RNDN);
  }
  big &operator=(const big &other) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~big() { mpfr_clear(value_); }

  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }
  friend bool operator<(const big &a, const big &b) { return mpfr_less_p(a.value_, b.value_); }

private:
  mpfr_t value_;
};

#define DPEP_BIG_OPERATOR(symbol, name)                                                                                \
  inline big operator symbol(const big &a, const big &b) {                                                             \
    big result;                                                                                                        \
    mpfr_##name(result.get(), a.get(), b.get(), MPFR_RNDN);                                                            \
    return result;                                                                                                     \
  }
DPEP_BIG_OPERATOR(+, add)
DPEP_BIG_OPERATOR(-, sub)
DPEP_BIG_OPERATOR(*, mul)
DPEP_BIG_OPERATOR(/, div)
#undef DPEP_BIG_OPERATOR
inline big operator-(const big &a) {
  big result;
  mpfr_neg(result.get(), a.get(), MPFR_RNDN);
  return result;
}

#define DPEP_BIG_UNARY(function)                                                                                       \
  inline big function(const big &x) {                                                                                  \
    big result;                                                                                                        \
    mpfr_##function(result.get(), x.get(), MPFR_RNDN);                                                                 \
    return result;                                                                                                     \
  }
DPEP_BIG_UNARY(abs)
DPEP_BIG_UNARY(sqrt)
DPEP_BIG_UNARY(exp)
DPEP_BIG_UNARY(expm1)
DPEP_BIG_UNARY(log)
DPEP_BIG_UNARY(log1p)
DPEP_BIG_UNARY(sin)
DPEP_BIG_UNARY(cos)
DPEP_BIG_UNARY(sinh)
DPEP_BIG_UNARY(cosh)
DPEP_BIG_UNARY(asin)
DPEP_BIG_UNARY(acos)
DPEP_BIG_UNARY(acosh)
#undef DPEP_BIG_UNARY
inline big atan2(const big &y, const big &x) {
  big result;
  mpfr_atan2(result.get(), y.get(), x.get(), MPFR_RNDN);
  return result;
}
inline big hypot(const big &x, const big &y) {
  big result;
  mpfr_hypot(result.get(), x.get(), y.get(), MPFR_RNDN);
  return result;
}
inline big with_sign_of(const big &x, const big &sign) {
  big result;
  mpfr_copysign(result.get(), x.get(), sign.get(), MPFR_RNDN);
  return result;
}

/// A complex number.
using big_pair = std::pair<big, big>;

}  // namespace dpep::test
