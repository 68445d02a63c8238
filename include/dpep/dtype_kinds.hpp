// The order of kinds of element types, by which numbers of Python's adopt dtypes.
#pragma once

#include <dpep/dtype.hpp>

namespace dpep {

/// As NEP 50 orders kinds, integers with and without sign alike: a number adopts a dtype of its kind or a higher one.
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
