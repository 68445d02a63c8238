// Loads and stores of several elements by each work-item of a group (extension sycl_ext_oneapi_group_load_store).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <sycl/ext/oneapi/experimental/properties.hpp>
#include <sycl/group_algorithms.hpp>
#include <sycl/vec.hpp>

namespace sycl::ext::oneapi::experimental {

/// Which of the n elements of a group's range belong to a work-item: `blocked`, n neighbours; `striped`, every element
/// whose distance from the work-item's first is a multiple of the group's size.
enum class group_algorithm_data_placement { blocked, striped };

struct data_placement_key : detail::property_key_base {
  template <group_algorithm_data_placement Placement>
  using value_t = property_value<data_placement_key, std::integral_constant<group_algorithm_data_placement, Placement>>;
};
template <group_algorithm_data_placement Placement>
inline constexpr data_placement_key::value_t<Placement> data_placement;
inline constexpr data_placement_key::value_t<group_algorithm_data_placement::blocked> data_placement_blocked;
inline constexpr data_placement_key::value_t<group_algorithm_data_placement::striped> data_placement_striped;

// Promises that allow faster code. Accesses need none of them here.
struct contiguous_memory_key : detail::property_key_base {
  using value_t = property_value<contiguous_memory_key>;
};
inline constexpr contiguous_memory_key::value_t contiguous_memory;
struct full_group_key : detail::property_key_base {
  using value_t = property_value<full_group_key>;
};
inline constexpr full_group_key::value_t full_group;

namespace detail {

template <class Properties> constexpr bool is_striped() {
  if constexpr (Properties::template has_property<data_placement_key>())
    return Properties::template get_property<data_placement_key>() == data_placement_striped;
  else
    return false;
}

/// The index of element i of this work-item.
template <class Properties, class Group>
std::size_t place_of(const Group &g, std::size_t i, [[maybe_unused]] std::size_t each) {
  if constexpr (is_striped<Properties>())
    return g.get_local_linear_range() * i + g.get_local_linear_id();
  else
    return g.get_local_linear_id() * each + i;
}

}  // namespace detail

template <class Group, class In, class Out, std::size_t Each, class Properties = empty_properties_t>
  requires(Each != std::dynamic_extent)
void group_load(Group g, In from, std::span<Out, Each> out, Properties = {}) {
  sycl::group_barrier(g);
  for (std::size_t i = 0; i < Each; ++i) out[i] = from[detail::place_of<Properties>(g, i, Each)];
  sycl::group_barrier(g);
}
template <class Group, class In, class Out, int Each, class Properties = empty_properties_t>
void group_load(Group g, In from, vec<Out, Each> &out, Properties = {}) {
  sycl::group_barrier(g);
  for (int i = 0; i < Each; ++i)
    out[i] = from[detail::place_of<Properties>(g, static_cast<std::size_t>(i), static_cast<std::size_t>(Each))];
  sycl::group_barrier(g);
}
template <class Group, class In, class Out, class Properties = empty_properties_t>
void group_load(Group g, In from, Out &out, Properties p = {}) {
  group_load(g, from, std::span<Out, 1>(&out, 1), p);
}

template <class Group, class In, std::size_t Each, class Out, class Properties = empty_properties_t>
  requires(Each != std::dynamic_extent)
void group_store(Group g, std::span<In, Each> in, Out to, Properties = {}) {
  sycl::group_barrier(g);
  for (std::size_t i = 0; i < Each; ++i) to[detail::place_of<Properties>(g, i, Each)] = in[i];
  sycl::group_barrier(g);
}
template <class Group, class In, int Each, class Out, class Properties = empty_properties_t>
void group_store(Group g, const vec<In, Each> &in, Out to, Properties = {}) {
  sycl::group_barrier(g);
  for (int i = 0; i < Each; ++i)
    to[detail::place_of<Properties>(g, static_cast<std::size_t>(i), static_cast<std::size_t>(Each))] = in[i];
  sycl::group_barrier(g);
}
template <class Group, class In, class Out, class Properties = empty_properties_t>
void group_store(Group g, const In &in, Out to, Properties p = {}) {
  group_store(g, std::span<const In, 1>(&in, 1), to, p);
}

}  // namespace sycl::ext::oneapi::experimental
