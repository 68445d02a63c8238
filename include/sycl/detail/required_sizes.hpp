// Implements the attributes reqd_work_group_size, reqd_sub_group_size and device_has: dpcxx replaces them by these
// calls.
#pragma once

#include <cstddef>
#include <cstdint>

#include <sycl/detail/device_functions.hpp>

namespace sycl::detail {

/// Requires work-groups of this size for the kernel that executes it; other launches fail. The last dimension varies
/// fastest, as in ranges.
[[gnu::always_inline]] constexpr void require_work_group_size([[maybe_unused]] std::size_t z,
                                                              [[maybe_unused]] std::size_t y,
                                                              [[maybe_unused]] std::size_t x) {
#ifdef __SYCL_DEVICE_ONLY__
  if (!__builtin_is_constant_evaluated()) __dpep_require_work_group_size(x, y, z);
#endif
}
[[gnu::always_inline]] constexpr void require_work_group_size(std::size_t y, std::size_t x) {
  require_work_group_size(1, y, x);
}
[[gnu::always_inline]] constexpr void require_work_group_size(std::size_t x) { require_work_group_size(1, 1, x); }

[[gnu::always_inline]] constexpr void require_sub_group_size([[maybe_unused]] std::uint32_t size) {
#ifdef __SYCL_DEVICE_ONLY__
  if (!__builtin_is_constant_evaluated()) __dpep_require_sub_group_size(size);
#endif
}

/// Requires a device with these aspects for the kernel that executes it.
template <class... Aspects> [[gnu::always_inline]] constexpr void require_aspects([[maybe_unused]] Aspects... aspects) {
#ifdef __SYCL_DEVICE_ONLY__
  if (!__builtin_is_constant_evaluated()) (__dpep_require_aspect(static_cast<std::uint32_t>(aspects)), ...);
#endif
}

}  // namespace sycl::detail
