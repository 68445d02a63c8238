// sycl::group: a work-item's work-group.
//
// Queries are noexcept but for those of the work-item, which a group has in kernels only: on the host they throw.
//
// In kernels every query calls a constant function of the device, so nothing is kept live across barriers. The members
// are for comparisons, and for queries of a group that a kernel has stored for the host. Where neither is done, they
// are removed as unused.
#pragma once

#include <type_traits>

#include <sycl/access.hpp>
#include <sycl/detail/geometry.hpp>

namespace sycl {

/// The result of asynchronous copies in a work-group. All its work-items copy together before it is returned.
class device_event {
public:
  void wait() noexcept { __dpep_group_barrier(); }
};

namespace detail {
struct group_maker;

/// Copies `count` elements, `destination[i * destination_stride] = source[i * source_stride]`, distributed over the
/// work-items of the group.
template <class Destination, class Source>
device_event group_copy(std::size_t first, std::size_t step, Destination destination, Source source, std::size_t count,
                        std::size_t destination_stride, std::size_t source_stride) {
  for (std::size_t i = first; i < count; i += step) destination[i * destination_stride] = source[i * source_stride];
  return {};
}
}  // namespace detail

template <int Dimensions = 1> class group {
public:
  using id_type = id<Dimensions>;
  using range_type = range<Dimensions>;
  using linear_id_type = std::size_t;
  static constexpr int dimensions = Dimensions;
  static constexpr memory_scope fence_scope = memory_scope::work_group;

  id_type get_group_id() const noexcept { return detail::query_or<id_type, __dpep_group_id>(group_id_); }
  std::size_t get_group_id(int dimension) const noexcept {
    return detail::query_or<__dpep_group_id>(group_id_, dimension);
  }
  std::size_t operator[](int dimension) const noexcept { return get_group_id(dimension); }
  id_type get_local_id() const { return detail::query<id_type, __dpep_local_id>(); }
  std::size_t get_local_id(int dimension) const {
    return detail::ask<__dpep_local_id>(detail::reversed<Dimensions>(dimension));
  }
  range_type get_local_range() const noexcept { return detail::query_or<range_type, __dpep_local_size>(local_range_); }
  std::size_t get_local_range(int dimension) const noexcept {
    return detail::query_or<__dpep_local_size>(local_range_, dimension);
  }
  range_type get_group_range() const noexcept { return detail::query_or<range_type, __dpep_group_count>(group_range_); }
  std::size_t get_group_range(int dimension) const noexcept {
    return detail::query_or<__dpep_group_count>(group_range_, dimension);
  }
  range_type get_max_local_range() const noexcept { return get_local_range(); }
  range_type get_uniform_group_range() const noexcept { return get_group_range(); }
  range_type get_global_range() const noexcept {
    return detail::query_or<range_type, __dpep_global_size>(group_range_ * local_range_);
  }
  std::size_t get_global_range(int dimension) const noexcept {
    return detail::query_or<__dpep_global_size>(group_range_ * local_range_, dimension);
  }

  std::size_t get_group_linear_id() const noexcept { return detail::linear(get_group_id(), get_group_range()); }
  std::size_t get_local_linear_id() const { return detail::linear(get_local_id(), get_local_range()); }
  std::size_t get_group_linear_range() const noexcept { return get_group_range().size(); }
  std::size_t get_local_linear_range() const noexcept { return get_local_range().size(); }
  std::size_t get_linear_id() const noexcept { return get_group_linear_id(); }  // SYCL 1.2.1
  id_type get_id() const noexcept { return get_group_id(); }                    // SYCL 1.2.1
  std::size_t get_id(int dimension) const noexcept { return get_group_id(dimension); }
  bool leader() const { return get_local_linear_id() == 0; }

  /// Of SYCL 1.2.1; the mode and the space only say which accesses need to be ordered.
  template <access::mode Mode = access::mode::read_write>
  void mem_fence([[maybe_unused]] access::fence_space space = access::fence_space::global_and_local) const {
    atomic_fence(memory_order::acq_rel, memory_scope::work_group);
  }

  template <class Destination, class Source>
  device_event async_work_group_copy(Destination destination, Source source, std::size_t count) const {
    return detail::group_copy(get_local_linear_id(), get_local_linear_range(), destination, source, count, 1, 1);
  }
  /// The stride applies to the side in global memory, which the pointers' address spaces tell.
  template <class Destination, class Source>
  device_event async_work_group_copy(Destination destination, Source source, std::size_t count,
                                     std::size_t stride) const {
    constexpr bool to_local = Destination::address_space == access::address_space::local_space;
    return detail::group_copy(get_local_linear_id(), get_local_linear_range(), destination, source, count,
                              to_local ? 1 : stride, to_local ? stride : 1);
  }
  template <class... Events> void wait_for(Events... events) const { (events.wait(), ...); }
  /// For hierarchical kernels; defined in <sycl/hierarchical.hpp>.
  template <class... Arguments> void parallel_for_work_item(const Arguments &...arguments) const;

  friend bool operator==(const group &, const group &) = default;

private:
  friend detail::group_maker;
  group()
      : group_id_(detail::query<id_type, __dpep_group_id>()),
        group_range_(detail::query<range_type, __dpep_group_count>()),
        local_range_(detail::query<range_type, __dpep_local_size>()) {}

  id_type group_id_;
  range_type group_range_, local_range_;
};

namespace detail {
struct group_maker {
  template <int Dimensions> static group<Dimensions> make() { return {}; }
};
}  // namespace detail

namespace ext::oneapi::experimental {
template <int Dimensions> group<Dimensions> this_group() { return sycl::detail::group_maker::make<Dimensions>(); }
}  // namespace ext::oneapi::experimental

}  // namespace sycl
