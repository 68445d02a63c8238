// Architectures of devices, for queries on the host (extension sycl_ext_oneapi_device_architecture).
#pragma once

#include <cstdlib>
#include <string>

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

inline architecture architecture_of(const dpep::device_info &i) {
  if (i.backend == dpep::backend_kind::native_cpu) return architecture::x86_64;
  if (i.backend != dpep::backend_kind::cuda) return architecture::unknown;
  constexpr struct {
    const char *capability;
    architecture is;
  } known[] = {{"5.0", architecture::nvidia_gpu_sm_50},  {"5.2", architecture::nvidia_gpu_sm_52},
               {"5.3", architecture::nvidia_gpu_sm_53},  {"6.0", architecture::nvidia_gpu_sm_60},
               {"6.1", architecture::nvidia_gpu_sm_61},  {"6.2", architecture::nvidia_gpu_sm_62},
               {"7.0", architecture::nvidia_gpu_sm_70},  {"7.2", architecture::nvidia_gpu_sm_72},
               {"7.5", architecture::nvidia_gpu_sm_75},  {"8.0", architecture::nvidia_gpu_sm_80},
               {"8.6", architecture::nvidia_gpu_sm_86},  {"8.7", architecture::nvidia_gpu_sm_87},
               {"8.9", architecture::nvidia_gpu_sm_89},  {"9.0", architecture::nvidia_gpu_sm_90},
               {"10.0", architecture::nvidia_gpu_sm_100}};
  for (const auto &k : known)
    if (i.version == k.capability) return k.is;
  return architecture::unknown;
}

}  // namespace detail

namespace info::device {
struct architecture {
  using return_type = experimental::architecture;
  static return_type get(const dpep::device &d) { return detail::architecture_of(d.info()); }
};
}  // namespace info::device

}  // namespace sycl::ext::oneapi::experimental

namespace sycl {

inline bool device::ext_oneapi_architecture_is(ext::oneapi::experimental::architecture wanted) const {
  return ext::oneapi::experimental::detail::architecture_of(info()) == wanted;
}
inline bool device::ext_oneapi_architecture_is(ext::oneapi::experimental::arch_category wanted) const {
  return wanted == ext::oneapi::experimental::arch_category::nvidia_gpu && get_backend() == backend::ext_oneapi_cuda;
}

}  // namespace sycl
