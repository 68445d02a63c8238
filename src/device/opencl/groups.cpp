// Barriers, group algorithms and copies by a whole work-group.
#include "device/opencl/types.hpp"

#include <sycl/group_algorithms.hpp>
#include <sycl/nd_item.hpp>

#include <dpep/device_builtins.hpp>

std::size_t get_local_linear_id();

#define DPEP_TOGETHER DPEP_CONVERGENT DPEP_OPENCL

namespace {

/// The work-group in three dimensions; dimensions that a launch lacks have size 1.
DPEP_CONVERGENT sycl::group<3> the_group() { return sycl::detail::group_maker::make<3>(); }
DPEP_CONVERGENT sycl::sub_group the_sub_group() { return sycl::detail::make_sub_group(); }

std::size_t group_size() { return __dpep_local_size(0) * __dpep_local_size(1) * __dpep_local_size(2); }

}  // namespace

DPEP_TOGETHER void barrier(uint) { __dpep_group_barrier(); }
DPEP_TOGETHER void work_group_barrier(uint) { __dpep_group_barrier(); }
DPEP_TOGETHER void work_group_barrier(uint, int) { __dpep_group_barrier(); }
DPEP_TOGETHER void sub_group_barrier(uint) { __dpep_sub_group_barrier(); }
DPEP_TOGETHER void sub_group_barrier(uint, int) { __dpep_sub_group_barrier(); }

#define DPEP_REDUCTIONS(SCOPE, GROUP, T, NAME, FUNCTION)                                                               \
  DPEP_TOGETHER T SCOPE##_reduce_##NAME(T x) { return sycl::reduce_over_group(GROUP(), x, sycl::FUNCTION<T>()); }      \
  DPEP_TOGETHER T SCOPE##_scan_inclusive_##NAME(T x) {                                                                 \
    return sycl::inclusive_scan_over_group(GROUP(), x, sycl::FUNCTION<T>());                                           \
  }                                                                                                                    \
  DPEP_TOGETHER T SCOPE##_scan_exclusive_##NAME(T x) {                                                                 \
    return sycl::exclusive_scan_over_group(GROUP(), x, sycl::FUNCTION<T>());                                           \
  }
// clang-format off
#define DPEP_ALGORITHMS(SCOPE, GROUP, T)                                                                              \
  DPEP_REDUCTIONS(SCOPE, GROUP, T, add, plus) DPEP_REDUCTIONS(SCOPE, GROUP, T, min, minimum)                          \
  DPEP_REDUCTIONS(SCOPE, GROUP, T, max, maximum)
// clang-format on
#define DPEP_OF_TYPE(T)                                                                                                \
  DPEP_ALGORITHMS(work_group, the_group, T)                                                                            \
  DPEP_ALGORITHMS(sub_group, the_sub_group, T) DPEP_TOGETHER T work_group_broadcast(T x, std::size_t i) {              \
    return sycl::detail::broadcast(the_group(), x, i);                                                                 \
  }                                                                                                                    \
  DPEP_TOGETHER T work_group_broadcast(T x, std::size_t i, std::size_t j) {                                            \
    return sycl::detail::broadcast(the_group(), x, j * __dpep_local_size(0) + i);                                      \
  }                                                                                                                    \
  DPEP_TOGETHER T work_group_broadcast(T x, std::size_t i, std::size_t j, std::size_t k) {                             \
    return sycl::detail::broadcast(the_group(), x, (k * __dpep_local_size(1) + j) * __dpep_local_size(0) + i);         \
  }                                                                                                                    \
  DPEP_TOGETHER T sub_group_broadcast(T x, uint lane) { return sycl::detail::broadcast(the_sub_group(), x, lane); }    \
  DPEP_TOGETHER T sub_group_shuffle(T x, uint lane) { return sycl::detail::exchange(the_sub_group(), x, lane); }       \
  DPEP_TOGETHER T sub_group_shuffle_xor(T x, uint mask) {                                                              \
    return sycl::detail::exchange(the_sub_group(), x, __dpep_sub_group_local_id() ^ mask);                             \
  }                                                                                                                    \
  DPEP_TOGETHER T sub_group_shuffle_up(T x, uint by) {                                                                 \
    return sycl::detail::exchange(the_sub_group(), x, __dpep_sub_group_local_id() - by);                               \
  }                                                                                                                    \
  DPEP_TOGETHER T sub_group_shuffle_down(T x, uint by) {                                                               \
    return sycl::detail::exchange(the_sub_group(), x, __dpep_sub_group_local_id() + by);                               \
  }
DPEP_OF_TYPE(int)
DPEP_OF_TYPE(uint)
DPEP_OF_TYPE(long)
DPEP_OF_TYPE(ulong)
DPEP_OF_TYPE(float)
DPEP_OF_TYPE(double)

DPEP_TOGETHER int work_group_all(int x) { return sycl::all_of_group(the_group(), x != 0); }
DPEP_TOGETHER int work_group_any(int x) { return sycl::any_of_group(the_group(), x != 0); }
DPEP_TOGETHER int sub_group_all(int x) { return sycl::all_of_group(the_sub_group(), x != 0); }
DPEP_TOGETHER int sub_group_any(int x) { return sycl::any_of_group(the_sub_group(), x != 0); }

// Copies of `count` elements by all work-items. They are complete at the barrier of wait_group_events. Elements of
// other sizes than a machine word's are vectors, of `words` words each.
#define DPEP_COPY(T)                                                                                                   \
  DPEP_OPENCL void dpep_group_copy(T *to, const T *from, std::size_t count, std::size_t words, std::size_t to_stride,  \
                                   std::size_t from_stride) {                                                          \
    for (std::size_t i = get_local_linear_id(), n = group_size(); i < count; i += n)                                   \
      for (std::size_t w = 0; w < words; ++w) to[i * to_stride * words + w] = from[i * from_stride * words + w];       \
  }
DPEP_COPY(uchar)
DPEP_COPY(ushort)
DPEP_COPY(uint)
DPEP_COPY(ulong)
DPEP_TOGETHER void dpep_wait_group_events() { __dpep_group_barrier(); }
