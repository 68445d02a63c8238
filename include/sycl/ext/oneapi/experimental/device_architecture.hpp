// Architectures of devices, for queries on the host and choices in kernels (extension
// sycl_ext_oneapi_device_architecture).
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

#include <sycl/detail/device_functions.hpp>
#include <sycl/device.hpp>

namespace sycl::ext::oneapi::experimental {

/// Architectures of CPUs and of NVIDIA GPUs by their compute capability.
enum class architecture : int {
  unknown,
  x86_64,
  nvidia_gpu_sm_50,
  nvidia_gpu_sm_52,
  nvidia_gpu_sm_53,
  nvidia_gpu_sm_60,
  nvidia_gpu_sm_61,
  nvidia_gpu_sm_62,
  nvidia_gpu_sm_70,
  nvidia_gpu_sm_72,
  nvidia_gpu_sm_75,
  nvidia_gpu_sm_80,
  nvidia_gpu_sm_86,
  nvidia_gpu_sm_87,
  nvidia_gpu_sm_89,
  nvidia_gpu_sm_90,
  nvidia_gpu_sm_100,
};

enum class arch_category : int { intel_gpu, nvidia_gpu, amd_gpu };

namespace detail {

struct nvidia_architecture {
  architecture is;
  std::uint32_t capability;  // ten times the major version and the minor one
};
inline constexpr nvidia_architecture nvidia_architectures[] = {
    {architecture::nvidia_gpu_sm_50, 50}, {architecture::nvidia_gpu_sm_52, 52}, {architecture::nvidia_gpu_sm_53, 53},
    {architecture::nvidia_gpu_sm_60, 60}, {architecture::nvidia_gpu_sm_61, 61}, {architecture::nvidia_gpu_sm_62, 62},
    {architecture::nvidia_gpu_sm_70, 70}, {architecture::nvidia_gpu_sm_72, 72}, {architecture::nvidia_gpu_sm_75, 75},
    {architecture::nvidia_gpu_sm_80, 80}, {architecture::nvidia_gpu_sm_86, 86}, {architecture::nvidia_gpu_sm_87, 87},
    {architecture::nvidia_gpu_sm_89, 89}, {architecture::nvidia_gpu_sm_90, 90}, {architecture::nvidia_gpu_sm_100, 100},
};
constexpr std::uint32_t capability_of(architecture a) {
  for (const nvidia_architecture &each : nvidia_architectures)
    if (each.is == a) return each.capability;
  return 0;
}

inline architecture architecture_of(const dpep::device_info &i) {
  if (i.backend == dpep::backend_kind::native_cpu) return architecture::x86_64;
  if (i.backend != dpep::backend_kind::cuda) return architecture::unknown;
  for (const nvidia_architecture &each : nvidia_architectures)
    if (i.version == std::to_string(each.capability / 10) + '.' + std::to_string(each.capability % 10)) return each.is;
  return architecture::unknown;
}

}  // namespace detail

namespace info::device {
struct architecture {
  using return_type = experimental::architecture;
  static return_type get(const dpep::device &d) { return detail::architecture_of(d.info()); }
};
}  // namespace info::device

// Choices in kernels. The JIT knows the conditions and removes the code for other devices.

namespace detail {

enum class order { equal, less, less_equal, greater, greater_equal };

/// Whether the kernel's device is of that architecture, or before or after it in the same family.
template <order Order, architecture A> [[gnu::always_inline]] bool on_architecture() {
#ifdef __SYCL_DEVICE_ONLY__
  constexpr std::uint32_t wanted = capability_of(A);
  if constexpr (A == architecture::x86_64) {
    constexpr bool includes_equal = Order != order::less && Order != order::greater;
    return includes_equal && __dpep_back_end() == static_cast<std::uint32_t>(dpep::backend_kind::native_cpu);
  } else if constexpr (wanted != 0) {
    if (__dpep_back_end() != static_cast<std::uint32_t>(dpep::backend_kind::cuda)) return false;
    const std::uint32_t is = __dpep_compute_capability();
    switch (Order) {
    case order::equal:
      return is == wanted;
    case order::less:
      return is < wanted;
    case order::less_equal:
      return is <= wanted;
    case order::greater:
      return is > wanted;
    case order::greater_equal:
      return is >= wanted;
    }
  }
#endif
  return false;
}
template <arch_category C> [[gnu::always_inline]] bool on_category() {
#ifdef __SYCL_DEVICE_ONLY__
  if constexpr (C == arch_category::nvidia_gpu)
    return __dpep_back_end() == static_cast<std::uint32_t>(dpep::backend_kind::cuda);
#endif
  return false;
}

/// What follows a choice: further choices, which are made only if none before was.
class architecture_else {
public:
  [[gnu::always_inline]] explicit architecture_else(bool chosen) : chosen_(chosen) {}

#define DPEP_ELSE(suffix, order_name)                                                                                  \
  template <architecture A, class F> [[gnu::always_inline]] architecture_else else_if_architecture_is_##suffix(F f) {  \
    return choose(on_architecture<order::order_name, A>(), f);                                                         \
  }
  DPEP_ELSE(lt, less)
  DPEP_ELSE(le, less_equal)
  DPEP_ELSE(gt, greater)
  DPEP_ELSE(ge, greater_equal)
#undef DPEP_ELSE
  template <architecture... A, class F>
    requires(sizeof...(A) > 0)
  [[gnu::always_inline]] architecture_else else_if_architecture_is(F f) {
    return choose((on_architecture<order::equal, A>() || ...), f);
  }
  template <arch_category... C, class F>
    requires(sizeof...(C) > 0)
  [[gnu::always_inline]] architecture_else else_if_architecture_is(F f) {
    return choose((on_category<C>() || ...), f);
  }
  template <architecture First, architecture Last, class F>
  [[gnu::always_inline]] architecture_else else_if_architecture_is_between(F f) {
    return choose(on_architecture<order::greater_equal, First>() && on_architecture<order::less_equal, Last>(), f);
  }
  template <class F> [[gnu::always_inline]] void otherwise(F f) { choose(true, f); }

private:
  template <class F> [[gnu::always_inline]] architecture_else choose(bool holds, const F &f) {
    if (!chosen_ && holds) f();
    return architecture_else(chosen_ || holds);
  }
  bool chosen_;
};

}  // namespace detail

/// Calls the function if the kernel's device is of one of these architectures. The result continues the choice.
template <architecture... A, class F>
  requires(sizeof...(A) > 0)
[[gnu::always_inline]] inline auto if_architecture_is(F f) {
  return detail::architecture_else(false).else_if_architecture_is<A...>(f);
}
template <arch_category... C, class F>
  requires(sizeof...(C) > 0)
[[gnu::always_inline]] inline auto if_architecture_is(F f) {
  return detail::architecture_else(false).else_if_architecture_is<C...>(f);
}
// The same for architectures of the same family before or after the given one, or from one to another.
template <architecture A, class F> [[gnu::always_inline]] inline auto if_architecture_is_lt(F f) {
  return detail::architecture_else(false).else_if_architecture_is_lt<A>(f);
}
template <architecture A, class F> [[gnu::always_inline]] inline auto if_architecture_is_le(F f) {
  return detail::architecture_else(false).else_if_architecture_is_le<A>(f);
}
template <architecture A, class F> [[gnu::always_inline]] inline auto if_architecture_is_gt(F f) {
  return detail::architecture_else(false).else_if_architecture_is_gt<A>(f);
}
template <architecture A, class F> [[gnu::always_inline]] inline auto if_architecture_is_ge(F f) {
  return detail::architecture_else(false).else_if_architecture_is_ge<A>(f);
}
template <architecture First, architecture Last, class F>
[[gnu::always_inline]] inline auto if_architecture_is_between(F f) {
  return detail::architecture_else(false).else_if_architecture_is_between<First, Last>(f);
}

}  // namespace sycl::ext::oneapi::experimental

namespace sycl {

inline bool device::ext_oneapi_architecture_is(ext::oneapi::experimental::architecture wanted) const {
  return ext::oneapi::experimental::detail::architecture_of(info()) == wanted;
}
inline bool device::ext_oneapi_architecture_is(ext::oneapi::experimental::arch_category wanted) const {
  return wanted == ext::oneapi::experimental::arch_category::nvidia_gpu && get_backend() == backend::ext_oneapi_cuda;
}

}  // namespace sycl
