// The group algorithms of the SYCL headers under C names, for kernels that are not written in C++.
//
// A name consists of the scope (group, sub_group), the algorithm, the operation and the type:
// `dpep_group_reduce_add_float32(x)`.
#include <sycl/group_algorithms.hpp>

#include <sycl/atomic_ref.hpp>
#include <sycl/nd_item.hpp>

namespace {

/// The work-group in three dimensions; dimensions that a launch lacks have size 1.
sycl::group<3> the_group() { return sycl::detail::group_maker::make<3>(); }
sycl::sub_group the_sub_group() { return sycl::detail::make_sub_group(); }

}  // namespace

#define DPEP_EXPORT extern "C" [[gnu::visibility("default")]]

#define DPEP_WITH_OPERATION(scope, operation, functor, T, name)                                                        \
  DPEP_EXPORT T dpep_##scope##_reduce_##operation##_##name(T x) {                                                      \
    return sycl::reduce_over_group(the_##scope(), x, sycl::functor<T>());                                              \
  }                                                                                                                    \
  DPEP_EXPORT T dpep_##scope##_inclusive_scan_##operation##_##name(T x) {                                              \
    return sycl::inclusive_scan_over_group(the_##scope(), x, sycl::functor<T>());                                      \
  }                                                                                                                    \
  DPEP_EXPORT T dpep_##scope##_exclusive_scan_##operation##_##name(T x, T init) {                                      \
    return sycl::exclusive_scan_over_group(the_##scope(), x, init, sycl::functor<T>());                                \
  }

#define DPEP_EXCHANGES(scope, T, name)                                                                                 \
  DPEP_EXPORT T dpep_##scope##_broadcast_##name(T x, std::size_t source) {                                             \
    return sycl::detail::broadcast(the_##scope(), x, source);                                                          \
  }                                                                                                                    \
  DPEP_EXPORT T dpep_##scope##_select_##name(T x, std::size_t source) {                                                \
    return sycl::detail::exchange(the_##scope(), x, source);                                                           \
  }

#define DPEP_ARITHMETIC(scope, T, name)                                                                                \
  DPEP_WITH_OPERATION(scope, add, plus, T, name)                                                                       \
  DPEP_WITH_OPERATION(scope, mul, multiplies, T, name)                                                                 \
  DPEP_WITH_OPERATION(scope, min, minimum, T, name)                                                                    \
  DPEP_WITH_OPERATION(scope, max, maximum, T, name)                                                                    \
  DPEP_EXCHANGES(scope, T, name)
#define DPEP_INTEGERS(scope, T, name)                                                                                  \
  DPEP_ARITHMETIC(scope, T, name)                                                                                      \
  DPEP_WITH_OPERATION(scope, and, bit_and, T, name)                                                                    \
  DPEP_WITH_OPERATION(scope, or, bit_or, T, name)                                                                      \
  DPEP_WITH_OPERATION(scope, xor, bit_xor, T, name)

#define DPEP_SCOPE(scope)                                                                                              \
  DPEP_INTEGERS(scope, std::int32_t, int32)                                                                            \
  DPEP_INTEGERS(scope, std::uint32_t, uint32)                                                                          \
  DPEP_INTEGERS(scope, std::int64_t, int64)                                                                            \
  DPEP_INTEGERS(scope, std::uint64_t, uint64)                                                                          \
  DPEP_ARITHMETIC(scope, float, float32)                                                                               \
  DPEP_ARITHMETIC(scope, double, float64)

DPEP_SCOPE(group)
DPEP_SCOPE(sub_group)

/// Waits for all work-items of the launch, and makes their stores visible to each other. The kernel calls
/// __dpep_require_concurrent_groups.
///
/// The first group adds what the others leave to 2^31, so that the last one to arrive changes bit 31. No launch has to
/// set the counter to zero, if no other launch uses it at the same time.
DPEP_EXPORT void dpep_barrier_of_launch(std::uint32_t *counter) {
  using namespace sycl;
  constexpr std::uint32_t changes = 1U << 31;
  __dpep_group_barrier();
  const group<3> g = the_group();
  if (g.leader()) {
    const auto others = static_cast<std::uint32_t>(g.get_group_linear_range() - 1);
    atomic_ref<std::uint32_t, memory_order::acq_rel, memory_scope::device> arrived(*counter);
    atomic_fence(memory_order::acq_rel, memory_scope::device);
    const std::uint32_t before = arrived.fetch_add(g.get_group_linear_id() == 0 ? changes - others : 1);
    while (((arrived.load(memory_order::acquire) ^ before) & changes) == 0) {}
    atomic_fence(memory_order::acq_rel, memory_scope::device);
  }
  __dpep_group_barrier();
}
