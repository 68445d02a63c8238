// The order of dtype kinds, which decides the dtypes that Python scalars take.
#pragma once

#include <dpep/dtype.hpp>

namespace dpep {

/// The kind's rank in NEP 50's order; signed and unsigned integers have the same rank. A Python scalar takes the
/// array's dtype if the dtype's kind has the scalar's rank or a higher one.
constexpr int rank_of(dtype_kind k) noexcept {
  switch (k) {
  case dtype_kind::boolean:
    return 0;
  case dtype_kind::signed_integer:
  case dtype_kind::unsigned_integer:
    return 1;
  case dtype_kind::real:
    return 2;
  case dtype_kind::complex:
    break;
  }
  return 3;
}

}  // namespace dpep
