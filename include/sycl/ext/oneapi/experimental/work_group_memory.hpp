// Local memory of one object or array (extension sycl_ext_oneapi_work_group_memory).
#pragma once

#include <type_traits>

#include <sycl/ext/oneapi/experimental/properties.hpp>
#include <sycl/local_accessor.hpp>

namespace sycl::ext::oneapi::experimental {

/// Constructs a work_group_memory without memory, which is assigned to before it is used.
struct indeterminate_t {};
inline constexpr indeterminate_t indeterminate;

/// Memory for a DataT that the work-items of a work-group share. DataT may be an array, also without a bound.
template <class DataT, class PropertyList = empty_properties_t> class work_group_memory {
  static constexpr bool unbounded = std::is_unbounded_array_v<DataT>;
  using element = std::remove_all_extents_t<DataT>;
  // Of an array without a bound, the elements of its first dimension.
  using unit = std::conditional_t<unbounded, std::remove_extent_t<DataT>, DataT>;

public:
  using value_type = element;
  static constexpr bool is_local_memory_argument = true;  // of handler::set_arg

  work_group_memory() = default;
  work_group_memory(const indeterminate_t &) {}
  work_group_memory(handler &h)
    requires(!unbounded)
      : memory_(range<1>(sizeof(unit) / sizeof(element)), h) {}
  work_group_memory(std::size_t count, handler &h)
    requires(unbounded)
      : memory_(range<1>(count * (sizeof(unit) / sizeof(element))), h) {}

  template <access::decorated Decorated = access::decorated::no>
  multi_ptr<element, access::address_space::local_space, Decorated> get_multi_ptr() const {
    return memory_.template get_multi_ptr<Decorated>();
  }
  DataT *operator&() const
    requires(!unbounded)
  {
#ifdef __SYCL_DEVICE_ONLY__
    return reinterpret_cast<DataT *>(first());
#else
    return nullptr;  // the memory exists in kernels only; the check of a kernel's captures uses this operator
#endif
  }
  operator DataT &() const
    requires(!unbounded)
  {
    return *reinterpret_cast<DataT *>(first());
  }
  unit &operator[](std::size_t i) const
    requires(unbounded)
  {
    return reinterpret_cast<unit *>(first())[i];
  }
  decltype(auto) operator[](std::size_t i) const
    requires(std::is_bounded_array_v<DataT>)
  {
    return (*reinterpret_cast<DataT *>(first()))[i];
  }
  const work_group_memory &operator=(const DataT &value) const
    requires(!std::is_array_v<DataT>)
  {
    *first() = value;
    return *this;
  }

  std::size_t byte_size() const noexcept { return memory_.byte_size(); }

private:
  element *first() const { return memory_.get_pointer().get(); }
  local_accessor<element, 1> memory_;
};

}  // namespace sycl::ext::oneapi::experimental
