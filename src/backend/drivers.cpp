// The back ends, a line each, in the order of their platforms.
#include <array>
#include <string>

#include <dlfcn.h>

#include "backend/backend.hpp"
#include "backend/cpu/device.hpp"
#include "backend/cuda/device.hpp"

namespace dpep::backend {
namespace {

/// For a back end that is still to come: whether its driver is there, and what that means.
found look_only(const char *title, const char *library, const char *needs) noexcept {
  found result;
  result.report.name = title;
  if (void *driver = dlopen(library, RTLD_LAZY | RTLD_LOCAL)) {
    dlclose(driver);
    result.report.detail = std::string(library) + " was found, but this version of dpep has no " + title +
                           " back end yet: kernels run on the CPU. A later version will use it.";
  } else {
    result.report.detail = std::string(library) + " was not found (it comes with " + needs +
                           "), and this version of dpep has no " + title + " back end yet. Nothing needs to be done.";
  }
  return result;
}

found look_for_opencl() noexcept {
  return look_only("OpenCL", "libOpenCL.so.1", "the OpenCL ICD loader, package ocl-icd-libopencl1");
}
found look_for_level_zero() noexcept {
  return look_only("Level Zero", "libze_loader.so.1", "Intel's oneAPI Level Zero loader");
}

constexpr std::array<driver, 4> all{{
    {backend_kind::cuda, "CUDA", cuda::open},
    {backend_kind::level_zero, "Level Zero", look_for_level_zero},
    {backend_kind::opencl, "OpenCL", look_for_opencl},
    {backend_kind::native_cpu, "native CPU", cpu::open},
}};

}  // namespace

std::span<const driver> drivers() noexcept { return all; }

}  // namespace dpep::backend
