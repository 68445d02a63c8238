// sycl::nd_item: a work-item of a kernel over an nd_range. The members have the same purpose as those of sycl::group.
#pragma once

#include <sycl/ext/oneapi/experimental/root_group.hpp>
#include <sycl/group.hpp>
#include <sycl/sub_group.hpp>

namespace sycl {

namespace detail {
struct nd_item_maker;
}

template <int Dimensions = 1> class nd_item {
public:
  static constexpr int dimensions = Dimensions;

  id<Dimensions> get_global_id() const noexcept {
    return detail::query_or<id<Dimensions>, __dpep_global_id>(global_id_);
  }
  std::size_t get_global_id(int dimension) const noexcept {
    return detail::query_or<__dpep_global_id>(global_id_, dimension);
  }
  std::size_t get_global_linear_id() const noexcept {
    return detail::linear(get_global_id() - get_offset(), get_global_range());
  }
  id<Dimensions> get_local_id() const noexcept {
    return detail::query_or<id<Dimensions>, __dpep_local_id>(kept_local_id());
  }
  std::size_t get_local_id(int dimension) const noexcept {
    return detail::query_or<__dpep_local_id>(kept_local_id(), dimension);
  }
  std::size_t get_local_linear_id() const noexcept { return detail::linear(get_local_id(), get_local_range()); }

  sycl::group<Dimensions> get_group() const noexcept {
#ifdef __SYCL_DEVICE_ONLY__
    return detail::group_maker::make<Dimensions>();
#else
    return group_;
#endif
  }
  std::size_t get_group(int dimension) const noexcept { return get_group().get_group_id(dimension); }
  std::size_t get_group_linear_id() const noexcept { return get_group().get_group_linear_id(); }
  range<Dimensions> get_group_range() const noexcept { return get_group().get_group_range(); }
  std::size_t get_group_range(int dimension) const noexcept { return get_group().get_group_range(dimension); }
  sycl::sub_group get_sub_group() const { return detail::make_sub_group(); }
  ext::oneapi::experimental::root_group<Dimensions> ext_oneapi_get_root_group() const {
    return ext::oneapi::experimental::detail::root_group_maker::make<Dimensions>();
  }

  range<Dimensions> get_global_range() const noexcept { return get_group().get_global_range(); }
  std::size_t get_global_range(int dimension) const noexcept { return get_group().get_global_range(dimension); }
  range<Dimensions> get_local_range() const noexcept { return get_group().get_local_range(); }
  std::size_t get_local_range(int dimension) const noexcept { return get_group().get_local_range(dimension); }
  id<Dimensions> get_offset() const noexcept { return detail::query_or<id<Dimensions>, __dpep_global_offset>(offset_); }
  nd_range<Dimensions> get_nd_range() const noexcept { return {get_global_range(), get_local_range(), get_offset()}; }

  /// SYCL 1.2.1's form of group_barrier.
  void barrier([[maybe_unused]] access::fence_space space = access::fence_space::global_and_local) const {
    __dpep_group_barrier();
  }
  template <access::mode Mode = access::mode::read_write>
  void mem_fence(access::fence_space space = access::fence_space::global_and_local) const {
    get_group().template mem_fence<Mode>(space);
  }
  template <class... Arguments> device_event async_work_group_copy(Arguments... arguments) const {
    return get_group().async_work_group_copy(arguments...);
  }
  template <class... Events> void wait_for(Events... events) const { get_group().wait_for(events...); }

  friend bool operator==(const nd_item &, const nd_item &) = default;

private:
  friend detail::nd_item_maker;
  nd_item()
      : group_(detail::group_maker::make<Dimensions>()),
        global_id_(detail::query<id<Dimensions>, __dpep_global_id>()),
        offset_(detail::query<id<Dimensions>, __dpep_global_offset>()) {}

  id<Dimensions> kept_local_id() const { return (global_id_ - offset_) % id<Dimensions>(group_.get_local_range()); }

  sycl::group<Dimensions> group_;
  id<Dimensions> global_id_, offset_;
};

namespace detail {
struct nd_item_maker {
  template <int Dimensions> static nd_item<Dimensions> make() { return {}; }
};
}  // namespace detail

namespace ext::oneapi::experimental {
template <int Dimensions> nd_item<Dimensions> this_nd_item() { return sycl::detail::nd_item_maker::make<Dimensions>(); }
}  // namespace ext::oneapi::experimental

namespace ext::oneapi::this_work_item {
template <int Dimensions> nd_item<Dimensions> get_nd_item() { return sycl::detail::nd_item_maker::make<Dimensions>(); }
template <int Dimensions> group<Dimensions> get_work_group() { return sycl::detail::group_maker::make<Dimensions>(); }
}  // namespace ext::oneapi::this_work_item

}  // namespace sycl
