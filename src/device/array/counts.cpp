// Counts of elements in bins, and sums of their weights.
//
// Counts are integers, to which work-items may add in any order. Weights are added in an order that depends on sizes
// only: the elements are sorted by bin before, and a work-group has the elements of one bin.
#include <dpep/device_builtins.hpp>

#include "device/array/types.hpp"

// As variables of one function, arguments become registers and constants.
#pragma clang attribute push([[gnu::always_inline]], apply_to = function)

namespace dpep::array::gpu {
namespace {

constexpr std::int32_t group_scope = 2, device_scope = 3;  // sycl::memory_scope

template <class T, class C> void increase(T *at, C by, std::int32_t scope) {
  __atomic_fetch_add(static_cast<T *>(__dpep_in_scope(at, scope)), T(by), __ATOMIC_RELAXED);
}

/// Calls the body with the elements of the work-item: every n-th of n work-items.
template <class F> void each_element(std::int64_t count, F body) {
  const auto items = std::int64_t(__dpep_group_count(0) * __dpep_local_size(0));
#pragma nounroll
  for (auto i = std::int64_t(__dpep_group_id(0) * __dpep_local_size(0) + __dpep_local_id(0)); i < count; i += items)
    body(i);
}

/// Counts in local memory first.
void count_locally(const std::int64_t *bins, std::uint64_t *sums, std::int64_t count, std::int64_t length,
                   std::uint32_t *local) {
  const auto item = std::uint32_t(__dpep_local_id(0)), group = std::uint32_t(__dpep_local_size(0));
#pragma nounroll
  for (std::uint32_t b = item; b < length; b += group) local[b] = 0;
  __dpep_group_barrier();
  each_element(count, [&](std::int64_t i) { increase(local + bins[i], 1, group_scope); });
  __dpep_group_barrier();
#pragma nounroll
  for (std::uint32_t b = item; b < length; b += group)
    if (local[b]) increase(sums + b, local[b], device_scope);
}

/// The number of sorted elements that are less than x.
std::int64_t elements_below(const std::int64_t *sorted, std::int64_t count, std::int64_t x) {
  std::int64_t first = 0;
#pragma nounroll
  while (count > 0) {
    const std::int64_t half = count / 2;
    const bool below = sorted[first + half] < x;
    first = below ? first + half + 1 : first;
    count = below ? count - half - 1 : half;
  }
  return first;
}

/// Adds the weights of a bin's elements, which are adjacent, to its sum. R is the type of `parts` parts of a number.
template <class R, unsigned parts>
void add_weights(const std::int64_t *bins, const std::int64_t *positions, const R *weights, R *sums, std::int64_t count,
                 R *local) {
  const auto item = std::uint32_t(__dpep_local_id(0)), group = std::uint32_t(__dpep_local_size(0));
  const auto bin = std::int64_t(__dpep_group_id(0));
  const std::int64_t first = elements_below(bins, count, bin), last = elements_below(bins, count, bin + 1);
  R sum[parts]{};
#pragma nounroll
  for (std::int64_t i = first + item; i < last; i += group)
#pragma unroll
    for (unsigned k = 0; k < parts; ++k) sum[k] += weights[positions[i] * parts + k];
#pragma unroll
  for (unsigned k = 0; k < parts; ++k) local[k * group + item] = sum[k];
#pragma nounroll
  for (std::uint32_t distance = group / 2; distance > 0; distance /= 2) {
    __dpep_group_barrier();
    if (item < distance)
#pragma unroll
      for (unsigned k = 0; k < parts; ++k) local[k * group + item] += local[k * group + item + distance];
  }
  if (item == 0)
#pragma unroll
    for (unsigned k = 0; k < parts; ++k) sums[bin * parts + k] += local[k * group];
}

}  // namespace
}  // namespace dpep::array::gpu

#pragma clang attribute pop

DPEP_EXPORT void dpep_count_locally(const void *bins, void *sums, std::int64_t count, std::int64_t length,
                                    void *local) {
  dpep::array::gpu::count_locally(static_cast<const std::int64_t *>(bins), static_cast<std::uint64_t *>(sums), count,
                                  length, static_cast<std::uint32_t *>(local));
}
DPEP_EXPORT void dpep_count(const void *bins, void *sums, std::int64_t count) {
  using namespace dpep::array::gpu;
  const auto *const from = static_cast<const std::int64_t *>(bins);
  auto *const to = static_cast<std::uint64_t *>(sums);
  each_element(count, [&](std::int64_t i) { increase(to + from[i], 1, device_scope); });
}

#define DPEP_ADD_WEIGHTS(name, part, parts)                                                                            \
  DPEP_EXPORT void dpep_add_weights_##name(const void *bins, const void *positions, const void *weights, void *sums,   \
                                           std::int64_t count, void *local) {                                          \
    dpep::array::gpu::add_weights<part, parts>(                                                                        \
        static_cast<const std::int64_t *>(bins), static_cast<const std::int64_t *>(positions),                         \
        static_cast<const part *>(weights), static_cast<part *>(sums), count, static_cast<part *>(local));             \
  }
DPEP_ADD_WEIGHTS(int64, std::int64_t, 1)
DPEP_ADD_WEIGHTS(float32, float, 1)
DPEP_ADD_WEIGHTS(float64, double, 1)
DPEP_ADD_WEIGHTS(complex64, float, 2)
DPEP_ADD_WEIGHTS(complex128, double, 2)
