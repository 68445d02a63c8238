// Geometric functions: those of the SYCL headers. The elements of vectors are separate arguments; a vector as the
// result is written to memory.
#include "device/opencl/types.hpp"

#include <sycl/builtins/geometric.hpp>
#include <sycl/vec.hpp>

namespace {

template <class T, int n> void store(const sycl::vec<T, n> &v, T *to) {
  for (int i = 0; i < n; ++i) to[i] = v[i];
}
template <class T> T store(T x, T *to) { return *to = x; }

}  // namespace

#define DPEP_1(T, S) T S##0
#define DPEP_2(T, S) DPEP_1(T, S), T S##1
#define DPEP_3(T, S) DPEP_2(T, S), T S##2
#define DPEP_4(T, S) DPEP_3(T, S), T S##3
#define DPEP_VECTOR_2(T, S) sycl::vec<T, 2>(S##0, S##1)
#define DPEP_VECTOR_3(T, S) sycl::vec<T, 3>(S##0, S##1, S##2)
#define DPEP_VECTOR_4(T, S) sycl::vec<T, 4>(S##0, S##1, S##2, S##3)
#define DPEP_VECTOR_1(T, S) S##0

#define DPEP_OF_SIZE(T, N)                                                                                             \
  DPEP_OPENCL T dot(DPEP_##N(T, a), DPEP_##N(T, b)) {                                                                  \
    return sycl::dot(DPEP_VECTOR_##N(T, a), DPEP_VECTOR_##N(T, b));                                                    \
  }                                                                                                                    \
  DPEP_OPENCL T length(DPEP_##N(T, a)) { return sycl::length(DPEP_VECTOR_##N(T, a)); }                                 \
  DPEP_OPENCL T fast_length(DPEP_##N(T, a)) { return sycl::fast_length(DPEP_VECTOR_##N(T, a)); }                       \
  DPEP_OPENCL T distance(DPEP_##N(T, a), DPEP_##N(T, b)) {                                                             \
    return sycl::distance(DPEP_VECTOR_##N(T, a), DPEP_VECTOR_##N(T, b));                                               \
  }                                                                                                                    \
  DPEP_OPENCL T fast_distance(DPEP_##N(T, a), DPEP_##N(T, b)) {                                                        \
    return sycl::fast_distance(DPEP_VECTOR_##N(T, a), DPEP_VECTOR_##N(T, b));                                          \
  }                                                                                                                    \
  DPEP_OPENCL void normalize(T *result, DPEP_##N(T, a)) { store(sycl::normalize(DPEP_VECTOR_##N(T, a)), result); }     \
  DPEP_OPENCL void fast_normalize(T *result, DPEP_##N(T, a)) {                                                         \
    store(sycl::fast_normalize(DPEP_VECTOR_##N(T, a)), result);                                                        \
  }
#define DPEP_ALL(T)                                                                                                    \
  DPEP_OF_SIZE(T, 1) DPEP_OF_SIZE(T, 2) DPEP_OF_SIZE(T, 3) DPEP_OF_SIZE(T, 4) DPEP_OPENCL T normalize(T x) {           \
    return sycl::normalize(x);                                                                                         \
  }                                                                                                                    \
  DPEP_OPENCL T fast_normalize(T x) { return sycl::fast_normalize(x); }                                                \
  DPEP_OPENCL void cross(T *result, DPEP_3(T, a), DPEP_3(T, b)) {                                                      \
    store(sycl::cross(DPEP_VECTOR_3(T, a), DPEP_VECTOR_3(T, b)), result);                                              \
  }                                                                                                                    \
  DPEP_OPENCL void cross(T *result, DPEP_4(T, a), DPEP_4(T, b)) {                                                      \
    store(sycl::cross(DPEP_VECTOR_4(T, a), DPEP_VECTOR_4(T, b)), result);                                              \
  }
DPEP_FLOAT_TYPES(DPEP_ALL)
