// Reductions and scans with policies of the host, and without a policy: those of the standard library.
#pragma once

#include <numeric>
#include <utility>

#include <oneapi/dpl/detail/policy.hpp>

#define DPEP_DPL_ON_HOST(name)                                                                                         \
  using std::name;                                                                                                     \
  template <detail::host_policy P, class... A> decltype(auto) name(P &&, A &&...arguments) {                           \
    return std::name(std::forward<A>(arguments)...);                                                                   \
  }

namespace oneapi::dpl {

DPEP_DPL_ON_HOST(adjacent_difference)
DPEP_DPL_ON_HOST(exclusive_scan)
DPEP_DPL_ON_HOST(inclusive_scan)
DPEP_DPL_ON_HOST(reduce)
DPEP_DPL_ON_HOST(transform_exclusive_scan)
DPEP_DPL_ON_HOST(transform_inclusive_scan)
DPEP_DPL_ON_HOST(transform_reduce)

}  // namespace oneapi::dpl

#undef DPEP_DPL_ON_HOST
