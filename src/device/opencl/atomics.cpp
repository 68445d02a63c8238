// Atomic functions of OpenCL 1.x and C11. Pointers have no address spaces here.
#include "device/opencl/types.hpp"

#include <type_traits>

#include <dpep/device_builtins.hpp>

namespace {

// memory_order and memory_scope are numbers here: clang's __ATOMIC_ and __OPENCL_MEMORY_SCOPE_ numbers.
constexpr int device = 2;

/// sycl::memory_scope for a memory_scope of OpenCL.
constexpr int scope_of(int memory_scope) {
  switch (memory_scope) {
  case 0:
    return 0;  // work-item
  case 1:
    return 2;  // work-group
  case 2:
    return 3;  // device
  case 4:
    return 1;  // sub-group
  default:
    return 4;  // all devices
  }
}

template <class T> T *in_scope(T *p, int memory_scope) {
  return static_cast<T *>(__dpep_in_scope(p, scope_of(memory_scope)));
}

/// Calls `act` with the order as a constant.
template <class Act> auto with_order(int order, Act act) {
  switch (order) {
  case __ATOMIC_RELAXED:
    return act(std::integral_constant<int, __ATOMIC_RELAXED>());
  case __ATOMIC_ACQUIRE:
    return act(std::integral_constant<int, __ATOMIC_ACQUIRE>());
  case __ATOMIC_RELEASE:
    return act(std::integral_constant<int, __ATOMIC_RELEASE>());
  case __ATOMIC_ACQ_REL:
    return act(std::integral_constant<int, __ATOMIC_ACQ_REL>());
  default:
    return act(std::integral_constant<int, __ATOMIC_SEQ_CST>());
  }
}

struct add {};
struct sub {};
struct bit_and {};
struct bit_or {};
struct bit_xor {};
struct min {};
struct max {};

template <class T> T update(add, T *p, T x, int order) {
  return with_order(order, [=](auto o) { return __atomic_fetch_add(p, x, o); });
}
template <class T> T update(sub, T *p, T x, int order) {
  return with_order(order, [=](auto o) { return __atomic_fetch_sub(p, x, o); });
}
template <class T> T update(bit_and, T *p, T x, int order) {
  return with_order(order, [=](auto o) { return __atomic_fetch_and(p, x, o); });
}
template <class T> T update(bit_or, T *p, T x, int order) {
  return with_order(order, [=](auto o) { return __atomic_fetch_or(p, x, o); });
}
template <class T> T update(bit_xor, T *p, T x, int order) {
  return with_order(order, [=](auto o) { return __atomic_fetch_xor(p, x, o); });
}
template <class T> T update(min, T *p, T x, int order) {
  return with_order(order, [=](auto o) { return __atomic_fetch_min(p, x, o); });
}
template <class T> T update(max, T *p, T x, int order) {
  return with_order(order, [=](auto o) { return __atomic_fetch_max(p, x, o); });
}

template <class T> T load(T *p, int order) {
  return with_order(order, [=](auto o) {
    T x;
    __atomic_load(p, &x, o == __ATOMIC_RELEASE || o == __ATOMIC_ACQ_REL ? __ATOMIC_SEQ_CST : o());
    return x;
  });
}
template <class T> void store(T *p, T x, int order) {
  with_order(order, [=](auto o) {
    T value = x;
    __atomic_store(p, &value, o == __ATOMIC_ACQUIRE || o == __ATOMIC_ACQ_REL ? __ATOMIC_SEQ_CST : o());
    return 0;
  });
}
template <class T> T exchange(T *p, T x, int order) {
  return with_order(order, [=](auto o) {
    T value = x, old;
    __atomic_exchange(p, &value, &old, o());
    return old;
  });
}
/// Updates *expected where it differs. The order of a failure is the strongest that the order of success allows.
template <class T> bool compare_exchange(T *p, T *expected, T desired, int order) {
  return with_order(order, [=](auto o) {
    T value = desired;
    constexpr int on_failure = o == __ATOMIC_ACQ_REL   ? __ATOMIC_ACQUIRE
                               : o == __ATOMIC_RELEASE ? __ATOMIC_RELAXED
                                                       : o();
    return __atomic_compare_exchange(p, expected, &value, false, o(), on_failure);
  });
}

}  // namespace

// OpenCL 1.x: relaxed, in the device's scope. The prefixes are atomic_ and, for 64 bits and early versions, atom_.
#define DPEP_LEGACY_OF(PREFIX, T)                                                                                      \
  DPEP_OPENCL T PREFIX##add(T *p, T x) { return update(add(), in_scope(p, device), x, __ATOMIC_RELAXED); }             \
  DPEP_OPENCL T PREFIX##sub(T *p, T x) { return update(sub(), in_scope(p, device), x, __ATOMIC_RELAXED); }             \
  DPEP_OPENCL T PREFIX## and (T * p, T x) { return update(bit_and(), in_scope(p, device), x, __ATOMIC_RELAXED); }      \
  DPEP_OPENCL T PREFIX## or (T * p, T x) { return update(bit_or(), in_scope(p, device), x, __ATOMIC_RELAXED); }        \
  DPEP_OPENCL T PREFIX## xor (T * p, T x) {                                                                            \
    return update(bit_xor(), in_scope(p, device), x, __ATOMIC_RELAXED);                                                \
  } DPEP_OPENCL T PREFIX##min(T *p, T x) {                                                                             \
    return update(min(), in_scope(p, device), x, __ATOMIC_RELAXED);                                                    \
  }                                                                                                                    \
  DPEP_OPENCL T PREFIX##max(T *p, T x) { return update(max(), in_scope(p, device), x, __ATOMIC_RELAXED); }             \
  DPEP_OPENCL T PREFIX##inc(T *p) { return update(add(), in_scope(p, device), T(1), __ATOMIC_RELAXED); }               \
  DPEP_OPENCL T PREFIX##dec(T *p) { return update(sub(), in_scope(p, device), T(1), __ATOMIC_RELAXED); }               \
  DPEP_OPENCL T PREFIX##xchg(T *p, T x) { return exchange(in_scope(p, device), x, __ATOMIC_RELAXED); }                 \
  DPEP_OPENCL T PREFIX##cmpxchg(T *p, T expected, T x) {                                                               \
    compare_exchange(in_scope(p, device), &expected, x, __ATOMIC_RELAXED);                                             \
    return expected;                                                                                                   \
  }
#define DPEP_LEGACY(T) DPEP_LEGACY_OF(atomic_, T) DPEP_LEGACY_OF(atom_, T)
DPEP_LEGACY(int)
DPEP_LEGACY(uint)
DPEP_LEGACY(long)
DPEP_LEGACY(ulong)
DPEP_OPENCL float atomic_xchg(float *p, float x) { return exchange(in_scope(p, device), x, __ATOMIC_RELAXED); }

// C11: sequentially consistent in the device's scope unless stated otherwise.
#define DPEP_FETCH(T, NAME, OPERATION)                                                                                 \
  DPEP_OPENCL T atomic_fetch_##NAME(T *p, T x) {                                                                       \
    return update(OPERATION(), in_scope(p, device), x, __ATOMIC_SEQ_CST);                                              \
  }                                                                                                                    \
  DPEP_OPENCL T atomic_fetch_##NAME##_explicit(T *p, T x, int order) {                                                 \
    return update(OPERATION(), in_scope(p, device), x, order);                                                         \
  }                                                                                                                    \
  DPEP_OPENCL T atomic_fetch_##NAME##_explicit(T *p, T x, int order, int scope) {                                      \
    return update(OPERATION(), in_scope(p, scope), x, order);                                                          \
  }
#define DPEP_VALUES(T)                                                                                                 \
  DPEP_OPENCL void atomic_init(T *p, T x) { *p = x; }                                                                  \
  DPEP_OPENCL T atomic_load(T *p) { return load(in_scope(p, device), __ATOMIC_SEQ_CST); }                              \
  DPEP_OPENCL T atomic_load_explicit(T *p, int order) { return load(in_scope(p, device), order); }                     \
  DPEP_OPENCL T atomic_load_explicit(T *p, int order, int scope) { return load(in_scope(p, scope), order); }           \
  DPEP_OPENCL void atomic_store(T *p, T x) { store(in_scope(p, device), x, __ATOMIC_SEQ_CST); }                        \
  DPEP_OPENCL void atomic_store_explicit(T *p, T x, int order) { store(in_scope(p, device), x, order); }               \
  DPEP_OPENCL void atomic_store_explicit(T *p, T x, int order, int scope) { store(in_scope(p, scope), x, order); }     \
  DPEP_OPENCL T atomic_exchange(T *p, T x) { return exchange(in_scope(p, device), x, __ATOMIC_SEQ_CST); }              \
  DPEP_OPENCL T atomic_exchange_explicit(T *p, T x, int order) { return exchange(in_scope(p, device), x, order); }     \
  DPEP_OPENCL T atomic_exchange_explicit(T *p, T x, int order, int scope) {                                            \
    return exchange(in_scope(p, scope), x, order);                                                                     \
  }                                                                                                                    \
  DPEP_COMPARE(T, strong) DPEP_COMPARE(T, weak)
#define DPEP_COMPARE(T, KIND)                                                                                          \
  DPEP_OPENCL bool atomic_compare_exchange_##KIND(T *p, T *expected, T x) {                                            \
    return compare_exchange(in_scope(p, device), expected, x, __ATOMIC_SEQ_CST);                                       \
  }                                                                                                                    \
  DPEP_OPENCL bool atomic_compare_exchange_##KIND##_explicit(T *p, T *expected, T x, int order, int) {                 \
    return compare_exchange(in_scope(p, device), expected, x, order);                                                  \
  }                                                                                                                    \
  DPEP_OPENCL bool atomic_compare_exchange_##KIND##_explicit(T *p, T *expected, T x, int order, int, int scope) {      \
    return compare_exchange(in_scope(p, scope), expected, x, order);                                                   \
  }
// clang-format off
#define DPEP_INTEGERS(T)                                                                                              \
  DPEP_VALUES(T) DPEP_FETCH(T, add, add) DPEP_FETCH(T, sub, sub) DPEP_FETCH(T, and, bit_and)                          \
  DPEP_FETCH(T, or, bit_or) DPEP_FETCH(T, xor, bit_xor) DPEP_FETCH(T, min, min) DPEP_FETCH(T, max, max)
// clang-format on
DPEP_INTEGERS(int)
DPEP_INTEGERS(uint)
DPEP_INTEGERS(long)
DPEP_INTEGERS(ulong)
// clang-format off
#define DPEP_FLOATS(T)                                                                                                \
  DPEP_VALUES(T) DPEP_FETCH(T, add, add) DPEP_FETCH(T, sub, sub) DPEP_FETCH(T, min, min) DPEP_FETCH(T, max, max)
// clang-format on
DPEP_FLOATS(float)
DPEP_FLOATS(double)

// atomic_flag is an atomic_int.
#define DPEP_FLAGS(SUFFIX, PARAMETERS, ORDER, SCOPE)                                                                   \
  DPEP_OPENCL bool atomic_flag_test_and_set##SUFFIX PARAMETERS { return exchange(in_scope(p, SCOPE), 1, ORDER) != 0; } \
  DPEP_OPENCL void atomic_flag_clear##SUFFIX PARAMETERS { store(in_scope(p, SCOPE), 0, ORDER); }
DPEP_FLAGS(, (int *p), __ATOMIC_SEQ_CST, device)
DPEP_FLAGS(_explicit, (int *p, int order), order, device)
DPEP_FLAGS(_explicit, (int *p, int order, int scope), order, scope)

DPEP_OPENCL void atomic_work_item_fence(uint, int order, int scope) { __dpep_atomic_fence(order, scope_of(scope)); }
DPEP_OPENCL void mem_fence(uint) { __dpep_atomic_fence(__ATOMIC_ACQ_REL, scope_of(1)); }
DPEP_OPENCL void read_mem_fence(uint) { __dpep_atomic_fence(__ATOMIC_ACQUIRE, scope_of(1)); }
DPEP_OPENCL void write_mem_fence(uint) { __dpep_atomic_fence(__ATOMIC_RELEASE, scope_of(1)); }
