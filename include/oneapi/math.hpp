// oneMath's header: the same functions as oneMKL's, in oneapi::math.
#pragma once

#include <oneapi/mkl.hpp>

namespace oneapi {
namespace math = mkl;
}
