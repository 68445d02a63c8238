// sycl::usm_allocator: USM memory for the containers of the standard library (SYCL 2020, section 4.8.3).
#pragma once

#include <string>
#include <type_traits>

#include <sycl/usm.hpp>

namespace sycl {

template <class T, usm::alloc Kind, std::size_t Alignment = 0> class usm_allocator {
  static_assert(Kind == usm::alloc::host || Kind == usm::alloc::shared,
                "usm_allocator: containers write their elements on the host, so the memory must be of the kind host or "
                "shared");

public:
  using value_type = T;
  using propagate_on_container_copy_assignment = std::true_type;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;
  template <class U> struct rebind {
    using other = usm_allocator<U, Kind, Alignment>;
  };

  usm_allocator() = delete;
  usm_allocator(const context &with, const device &where, const property_list & = {})
      : context_(with), device_(where) {}
  usm_allocator(const queue &q, const property_list & = {}) : context_(q.get_context()), device_(q.get_device()) {}
  template <class U>
  usm_allocator(const usm_allocator<U, Kind, Alignment> &other) noexcept
      : context_(other.context_), device_(other.device_) {}

  template <class P> bool has_property() const noexcept { return false; }
  template <class P> P get_property() const { detail::throw_no_property("usm_allocator"); }

  T *allocate(std::size_t count) {
    T *memory = detail::allocate_array<T>(Kind, Alignment, count, device_, context_);
    if (!memory && count)
      throw exception(errc::memory_allocation, "usm_allocator: too little memory for " + std::to_string(count) +
                                                   " elements of " + std::to_string(sizeof(T)) + " bytes on " +
                                                   device_.info().name);
    return memory;
  }
  void deallocate(T *memory, std::size_t) { dpep::free(memory, context_); }

  template <class U, usm::alloc K, std::size_t A> bool operator==(const usm_allocator<U, K, A> &other) const noexcept {
    return K == Kind && A == Alignment && context_ == other.context_ && device_ == other.device_;
  }

private:
  template <class, usm::alloc, std::size_t> friend class usm_allocator;
  context context_;
  device device_;
};

}  // namespace sycl
