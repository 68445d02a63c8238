// sycl::bit_cast: reinterprets the bits of a value as another type.
#pragma once

#include <type_traits>

namespace sycl {

template <class To, class From>
  requires(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To> && std::is_trivially_copyable_v<From>)
constexpr To bit_cast(const From &from) noexcept {
  return __builtin_bit_cast(To, from);
}

}  // namespace sycl
