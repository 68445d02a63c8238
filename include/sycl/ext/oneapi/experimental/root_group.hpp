// All work-items of a launch as a group, whose barrier its work-groups wait at (extension sycl_ext_oneapi_root_group).
//
// Work-groups count their arrivals in memory of the launch. On CPUs, work-items of such kernels are fibers, because
// they wait in a loop; on GPUs the launch is cooperative.
#pragma once

#include <cstddef>
#include <cstdint>

#include <sycl/atomic_ref.hpp>
#include <sycl/detail/device_functions.hpp>
#include <sycl/ext/oneapi/experimental/properties.hpp>
#include <sycl/group.hpp>
#include <sycl/memory_model.hpp>

#define SYCL_EXT_ONEAPI_ROOT_GROUP 1

namespace sycl {
template <class T> struct is_group;
}  // namespace sycl

namespace sycl::ext::oneapi::experimental {

/// The kernel's work-groups wait for each other. The launch has at most max_num_work_groups of them.
struct use_root_sync_key : detail::property_key_base {
  using value_t = property_value<use_root_sync_key>;
};
inline constexpr use_root_sync_key::value_t use_root_sync;

enum class execution_scope { work_item, sub_group, work_group, root_group };

namespace detail {
struct root_group_maker;
}

/// The work-items of a launch over an nd_range. It has no members.
template <int Dimensions> class root_group {
  using global = sycl::group<Dimensions>;
  static constexpr bool has_range(execution_scope s) {
    return s == execution_scope::work_item || s == execution_scope::work_group;
  }

public:
  using id_type = id<Dimensions>;
  using range_type = range<Dimensions>;
  using linear_id_type = std::size_t;
  static constexpr int dimensions = Dimensions;
  static constexpr memory_scope fence_scope = memory_scope::device;

  id_type get_group_id() const { return {}; }
  id_type get_local_id() const {
    return sycl::detail::query<id_type, __dpep_global_id>() - sycl::detail::query<id_type, __dpep_global_offset>();
  }
  range_type get_group_range() const {
    range_type one;
    for (int d = 0; d < Dimensions; ++d) one[d] = 1;
    return one;
  }
  range_type get_local_range() const { return sycl::detail::query<range_type, __dpep_global_size>(); }
  range_type get_max_local_range() const { return get_local_range(); }
  linear_id_type get_group_linear_id() const { return 0; }
  linear_id_type get_local_linear_id() const { return sycl::detail::linear(get_local_id(), get_local_range()); }
  linear_id_type get_group_linear_range() const { return 1; }
  linear_id_type get_local_linear_range() const { return get_local_range().size(); }
  bool leader() const { return get_local_linear_id() == 0; }

  // The work-item's, sub-group's or work-group's place among those of the launch.
  template <execution_scope Scope>
    requires(has_range(Scope))
  id_type get_id() const {
    if constexpr (Scope == execution_scope::work_item)
      return get_local_id();
    else
      return work_group().get_group_id();
  }
  template <execution_scope Scope>
    requires(Scope == execution_scope::sub_group)
  id<1> get_id() const {
    return get_linear_id<Scope>();
  }
  template <execution_scope Scope>
    requires(Scope != execution_scope::root_group)
  linear_id_type get_linear_id() const {
    if constexpr (Scope == execution_scope::work_item)
      return get_local_linear_id();
    else if constexpr (Scope == execution_scope::work_group)
      return work_group().get_group_linear_id();
    else
      return work_group().get_group_linear_id() * __dpep_sub_group_count() + __dpep_sub_group_id();
  }
  template <execution_scope Scope>
    requires(has_range(Scope))
  range_type get_range() const {
    if constexpr (Scope == execution_scope::work_item)
      return get_local_range();
    else
      return work_group().get_group_range();
  }
  template <execution_scope Scope>
    requires(Scope == execution_scope::sub_group)
  range<1> get_range() const {
    return get_linear_range<Scope>();
  }
  template <execution_scope Scope>
    requires(Scope != execution_scope::root_group)
  linear_id_type get_linear_range() const {
    if constexpr (Scope == execution_scope::sub_group)
      return work_group().get_group_linear_range() * __dpep_sub_group_count();
    else
      return get_range<Scope>().size();
  }

  friend bool operator==(const root_group &, const root_group &) = default;

private:
  friend detail::root_group_maker;
  root_group() = default;
  static global work_group() { return sycl::detail::group_maker::make<Dimensions>(); }
};

namespace detail {
struct root_group_maker {
  template <int Dimensions> static root_group<Dimensions> make() { return {}; }
};
}  // namespace detail

namespace this_work_item {
template <int Dimensions> root_group<Dimensions> get_root_group() {
  return detail::root_group_maker::make<Dimensions>();
}
}  // namespace this_work_item
namespace this_kernel {
template <int Dimensions> root_group<Dimensions> get_root_group() {
  return detail::root_group_maker::make<Dimensions>();
}
}  // namespace this_kernel

}  // namespace sycl::ext::oneapi::experimental

namespace sycl {

namespace detail {

inline constexpr char root_counter_key = 0;

/// Where the first work-item of each work-group keeps the address of the launch's counter. No other work-item reads it.
inline std::uint64_t **root_counter() {
  return static_cast<std::uint64_t **>(
      __dpep_static_local_memory(sizeof(std::uint64_t *), alignof(std::uint64_t *), &root_counter_key));
}

/// Waits until as many work-groups have arrived as the launch has, or a multiple in later barriers: the counter only
/// grows, also in repeated runs of a command graph.
template <int D> void wait_for_all_groups(const group<D> &g) {
  __dpep_group_barrier();
  if (g.leader()) {
    const std::uint64_t groups = g.get_group_linear_range();
    atomic_ref<std::uint64_t, memory_order::acq_rel, memory_scope::device> arrived(**root_counter());
    atomic_fence(memory_order::acq_rel, memory_scope::device);
    const std::uint64_t before = arrived.fetch_add(1), wanted = before - before % groups + groups;
    while (arrived.load(memory_order::acquire) < wanted) {}
    atomic_fence(memory_order::acq_rel, memory_scope::device);
  }
  __dpep_group_barrier();
}

/// A kernel's function with the property use_root_sync, and the counter of the launch.
template <class F> struct root_synchronised {
  F function;
  std::uint64_t *counter;
  template <class... A>
    requires std::is_invocable_v<const F &, A...>
  void operator()(A &&...arguments) const {
#ifdef __SYCL_DEVICE_ONLY__
    __dpep_require_concurrent_groups();
#endif
    apply_properties_of(function);
    if (__dpep_local_id(0) + __dpep_local_id(1) + __dpep_local_id(2) == 0) *root_counter() = counter;
    function(arguments...);
  }
};

template <class P>
concept has_root_sync = P::template has_property<ext::oneapi::experimental::use_root_sync_key>();

/// Whether the function has the property, given at the launch or as its own.
template <class F> inline constexpr bool wants_root_sync = false;
template <has_kernel_properties F>
inline constexpr bool wants_root_sync<F> = has_root_sync<
    std::remove_cvref_t<decltype(std::declval<const F &>().get(ext::oneapi::experimental::properties_tag()))>>;
template <class F, class P>
inline constexpr bool wants_root_sync<function_with_properties<F, P>> = has_root_sync<P> || wants_root_sync<F>;

}  // namespace detail

template <int D> struct is_group<ext::oneapi::experimental::root_group<D>> : std::true_type {};

/// Waits for all work-items of the launch, and makes their writes visible to each other. For kernels with the property
/// use_root_sync.
template <int D>
void group_barrier(ext::oneapi::experimental::root_group<D>,
                   [[maybe_unused]] memory_scope scope = memory_scope::device) {
  if (scope == memory_scope::system) atomic_fence(memory_order::acq_rel, scope);
  detail::wait_for_all_groups(detail::group_maker::make<D>());
  if (scope == memory_scope::system) atomic_fence(memory_order::acq_rel, scope);
}

}  // namespace sycl
