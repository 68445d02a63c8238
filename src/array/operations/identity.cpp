// Identity elements of accumulations.
#include "array/operations/identity.hpp"

#include <complex>
#include <cstdint>
#include <limits>

namespace dpep::array {

scalar identity(accumulation how, dtype t) noexcept {
  const bool floating = kind_of(t) == dtype_kind::real || kind_of(t) == dtype_kind::complex;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto extreme = [&](double sign) {
    return kind_of(t) == dtype_kind::complex ? scalar::of(std::complex<double>(sign * infinity, sign * infinity))
                                             : scalar::of(sign * infinity);
  };
  const int bits = static_cast<int>(size_of(t)) * 8;
  switch (how) {
  case accumulation::sum:
    return scalar::of(std::int64_t{0});
  case accumulation::prod:
    return scalar::of(std::int64_t{1});
  case accumulation::logsumexp:
    return extreme(-1);
  case accumulation::max:
    if (floating) return extreme(-1);
    return scalar::of(kind_of(t) == dtype_kind::signed_integer ? std::int64_t(std::uint64_t{1} << 63) >> (64 - bits)
                                                               : std::int64_t{0});
  case accumulation::min:
    if (floating) return extreme(1);
    if (t == dtype::boolean) return scalar::of(true);
    if (kind_of(t) == dtype_kind::signed_integer) return scalar::of(INT64_MAX >> (64 - bits));
    return scalar::of(UINT64_MAX >> (64 - bits));
  }
  return scalar::of(std::int64_t{0});
}

}  // namespace dpep::array
