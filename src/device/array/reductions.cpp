// Reductions and accumulations as functions for generated kernels: dpep_sum_float32_take(state, x, index) and others;
// states, elements and results are passed by address.
#include "device/elements/reductions.hpp"
#include "device/array/types.hpp"

namespace dpep::array::gpu {
namespace {

namespace reductions = elements::reductions;

template <class T> using max = reductions::extreme<T, true>;
template <class T> using min = reductions::extreme<T, false>;
template <class T> using argmax = reductions::position<T, true>;
template <class T> using argmin = reductions::position<T, false>;
template <class T> using logsumexp = reductions::scaled_logsumexp<T>;
using reductions::all;
using reductions::any;
using reductions::count_nonzero;
using reductions::hypot;
using reductions::prod;
using reductions::sum;

/// Booleans are counted and compared, not added; only floats have logarithms.
enum class kind { any_type, numbers, floats };
template <class T> constexpr bool has(kind k) {
  return k == kind::any_type || (k == kind::numbers ? !elements::boolean<T> : elements::any_float<T>);
}

}  // namespace
}  // namespace dpep::array::gpu

// Reductions that a type lacks are empty functions without callers.
#define DPEP_REDUCTION_OF(name, T, code, op, which)                                                                    \
  DPEP_EXPORT void dpep_##op##_##name##_start(void *state) {                                                           \
    using namespace dpep::array::gpu;                                                                                  \
    [&]<class U>(U) {                                                                                                  \
      if constexpr (has<U>(kind::which)) write(state, op<U>::identity());                                              \
    }(T());                                                                                                            \
  }                                                                                                                    \
  DPEP_EXPORT void dpep_##op##_##name##_take(void *state, const void *x, std::uint64_t index) {                        \
    using namespace dpep::array::gpu;                                                                                  \
    [&]<class U>(U) {                                                                                                  \
      if constexpr (has<U>(kind::which))                                                                               \
        write(state, op<U>::take(read<typename op<U>::state>(state), read<U>(x), index));                              \
    }(T());                                                                                                            \
  }                                                                                                                    \
  DPEP_EXPORT void dpep_##op##_##name##_merge(void *state, const void *other) {                                        \
    using namespace dpep::array::gpu;                                                                                  \
    [&]<class U>(U) {                                                                                                  \
      if constexpr (has<U>(kind::which)) {                                                                             \
        using state_type = typename op<U>::state;                                                                      \
        write(state, op<U>::merge(read<state_type>(state), read<state_type>(other)));                                  \
      }                                                                                                                \
    }(T());                                                                                                            \
  }                                                                                                                    \
  DPEP_EXPORT void dpep_##op##_##name##_result(void *to, const void *state) {                                          \
    using namespace dpep::array::gpu;                                                                                  \
    [&]<class U>(U) {                                                                                                  \
      if constexpr (has<U>(kind::which)) write(to, op<U>::result(read<typename op<U>::state>(state)));                 \
    }(T());                                                                                                            \
  }
// Whether an element replaces an earlier one.
#define DPEP_SEARCH_OF(name, T, code, op)                                                                              \
  DPEP_EXPORT void dpep_##op##_##name##_beats(void *to, const void *x, const void *y) {                                \
    using namespace dpep::array::gpu;                                                                                  \
    write(to, op<T>::beats(read<T>(x), read<T>(y)));                                                                   \
  }
DPEP_EACH_TYPE(DPEP_SEARCH_OF, argmax)
DPEP_EACH_TYPE(DPEP_SEARCH_OF, argmin)

#define DPEP_REDUCTION(op, which) DPEP_EACH_TYPE(DPEP_REDUCTION_OF, op, which)

DPEP_REDUCTION(sum, numbers)
DPEP_REDUCTION(prod, numbers)
DPEP_REDUCTION(max, any_type)
DPEP_REDUCTION(min, any_type)
DPEP_REDUCTION(argmax, any_type)
DPEP_REDUCTION(argmin, any_type)
DPEP_REDUCTION(any, any_type)
DPEP_REDUCTION(all, any_type)
DPEP_REDUCTION(count_nonzero, any_type)
DPEP_REDUCTION(logsumexp, floats)
DPEP_REDUCTION(hypot, floats)
