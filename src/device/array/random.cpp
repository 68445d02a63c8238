// Random functions for generated kernels, under the names dpep_random_<name>. Arguments and results are values, as
// those of users' functions.
#include "device/array/types.hpp"
#include "device/random/functions.hpp"

#define DPEP_RANDOM_FUNCTION(name, result, parameters, arguments, ...)                                                 \
  DPEP_EXPORT result dpep_random_##name parameters { return dpep::device::random::name arguments; }
#include <dpep/array_random_functions.def>
