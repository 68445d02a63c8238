// Local memory that variables stand for (extension sycl_ext_oneapi_work_group_static).
#pragma once

#include <type_traits>

#include <sycl/detail/device_functions.hpp>

#define SYCL_EXT_ONEAPI_WORK_GROUP_STATIC 1

namespace sycl::ext::oneapi::experimental {

/// Local memory for a T that the work-items of a work-group share. A variable of this type is static, or in a
/// namespace: the variable's address identifies the memory.
template <class T> class work_group_static final {
  static_assert(std::is_trivially_default_constructible_v<T> && std::is_trivially_destructible_v<T>,
                "work_group_static: T must be trivially constructible and destructible; neither is called");

public:
  constexpr work_group_static() = default;
  work_group_static(const work_group_static &) = delete;
  work_group_static &operator=(const work_group_static &) = delete;

  // Inlined, so that the compiler at run time sees which variables only name memory.
  [[gnu::always_inline]] operator T &() const noexcept { return *memory(); }
  [[gnu::always_inline]] const work_group_static &operator=(const T &x) const noexcept
    requires(!std::is_array_v<T>)
  {
    *memory() = x;
    return *this;
  }
  [[gnu::always_inline]] T *operator&() const noexcept { return memory(); }

private:
  [[gnu::always_inline]] T *memory() const noexcept {
    return static_cast<T *>(__dpep_static_local_memory(sizeof(T), alignof(T), static_cast<const void *>(this)));
  }
};

}  // namespace sycl::ext::oneapi::experimental
