// The table of back ends, in the order of their platforms.
#include <string>

#include <dlfcn.h>

#include "backend/backend.hpp"
#include "backend/cpu/device.hpp"
#include "backend/cuda/device.hpp"

namespace dpep::backend {
namespace {

/// Reports a back end that is not implemented yet, and whether its driver is installed.
discovery report_unsupported(const char *title, const char *library, const char *package) noexcept {
  discovery result;
  result.report.name = title;
  if (void *driver = dlopen(library, RTLD_LAZY | RTLD_LOCAL)) {
    dlclose(driver);
    result.report.detail = std::string(library) + " was found, but this version of dpep has no " + title +
                           " back end yet: kernels run on the CPU. A later version will use it.";
  } else {
    result.report.detail = std::string(library) + " was not found (it comes with " + package +
                           "), and this version of dpep has no " + title + " back end yet. Nothing needs to be done.";
  }
  return result;
}

discovery probe_opencl() noexcept {
  return report_unsupported("OpenCL", "libOpenCL.so.1", "the OpenCL ICD loader, package ocl-icd-libopencl1");
}
discovery probe_level_zero() noexcept {
  return report_unsupported("Level Zero", "libze_loader.so.1", "Intel's oneAPI Level Zero loader");
}

constexpr device_type gpu_only[] = {device_type::gpu};
constexpr device_type any_type[] = {device_type::cpu, device_type::gpu, device_type::accelerator};
constexpr driver all[] = {
    {backend_kind::cuda, "CUDA", cuda::open, gpu_only},
    {backend_kind::level_zero, "Level Zero", probe_level_zero, gpu_only},
    {backend_kind::opencl, "OpenCL", probe_opencl, any_type},
    {backend_kind::native_cpu, "native CPU", cpu::open, {}},
};

}  // namespace

std::span<const driver> drivers() noexcept { return all; }

}  // namespace dpep::backend
