// Exports C's functions of complex numbers.
#include "device/math/complex_builtin.hpp"
#include "device/math/complex_inverse.hpp"
#include "device/math/complex_parts.hpp"
#include "device/math/complex_pow.hpp"

using dpep::device::as_builtin;
using dpep::device::parts_of;

extern "C" {

#define DPEP_COMPLEX(name)                                                                                             \
  _Complex float c##name##f(_Complex float z) { return as_builtin(dpep::device::name(parts_of<float>(z))); }           \
  _Complex double c##name(_Complex double z) { return as_builtin(dpep::device::name(parts_of<double>(z))); }
DPEP_COMPLEX(exp)
DPEP_COMPLEX(log)
DPEP_COMPLEX(log10)
DPEP_COMPLEX(sqrt)
DPEP_COMPLEX(sin)
DPEP_COMPLEX(cos)
DPEP_COMPLEX(tan)
DPEP_COMPLEX(sinh)
DPEP_COMPLEX(cosh)
DPEP_COMPLEX(tanh)
DPEP_COMPLEX(asin)
DPEP_COMPLEX(acos)
DPEP_COMPLEX(atan)
DPEP_COMPLEX(asinh)
DPEP_COMPLEX(acosh)
DPEP_COMPLEX(atanh)
DPEP_COMPLEX(proj)

_Complex float cpowf(_Complex float z, _Complex float w) {
  return as_builtin(dpep::device::pow(parts_of<float>(z), parts_of<float>(w)));
}
_Complex double cpow(_Complex double z, _Complex double w) {
  return as_builtin(dpep::device::pow(parts_of<double>(z), parts_of<double>(w)));
}
float cabsf(_Complex float z) { return dpep::device::abs(parts_of<float>(z)); }
double cabs(_Complex double z) { return dpep::device::abs(parts_of<double>(z)); }
float cargf(_Complex float z) { return dpep::device::angle(parts_of<float>(z)); }
double carg(_Complex double z) { return dpep::device::angle(parts_of<double>(z)); }
}
