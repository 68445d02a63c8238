// Platforms and contexts of dpctl's C interface.
#include <dpctl/syclinterface/dpctl_sycl_context_interface.h>
#include <dpctl/syclinterface/dpctl_sycl_device_interface.h>
#include <dpctl/syclinterface/dpctl_sycl_platform_interface.h>

#include "dpctl_interface/references.hpp"

using namespace dpep;
using namespace dpep::dpctl_interface;

namespace {

std::string description_of(const platform &p, size_t verbosity) {
  if (verbosity == 0) return p.name() + " " + p.version() + "\n";
  const std::vector<device> devices = p.devices();
  std::string text = "Platform:\n    Name        " + p.name() + "\n    Version     " + p.version() +
                     "\n    Vendor      " + p.vendor() + "\n    Backend     " + std::string(name_of(p.backend())) +
                     "\n    Num Devices " + std::to_string(devices.size()) + "\n";
  if (verbosity > 1)
    for (std::size_t i = 0; i < devices.size(); ++i)
      text += "      # " + std::to_string(i) + "\n" + dpctl_interface::description_of(devices[i]);
  return text;
}

}  // namespace

DPCTLSyclPlatformRef DPCTLPlatform_Copy(DPCTLSyclPlatformRef p) {
  return guarded(__func__, [&] { return make_reference(target(p)); });
}
DPCTLSyclPlatformRef DPCTLPlatform_Create(void) {
  return guarded(__func__, [] { return make_reference(device().get_platform()); });
}
DPCTLSyclPlatformRef DPCTLPlatform_CreateFromSelector(DPCTLSyclDeviceSelectorRef s) {
  const DPCTLSyclDeviceRef d = DPCTLDevice_CreateFromSelector(s);
  const DPCTLSyclPlatformRef made = d ? DPCTLDevice_GetPlatform(d) : nullptr;
  DPCTLDevice_Delete(d);
  return made;
}
void DPCTLPlatform_Delete(DPCTLSyclPlatformRef p) { destroy(p); }
bool DPCTLPlatform_AreEq(DPCTLSyclPlatformRef a, DPCTLSyclPlatformRef b) {
  return guarded(__func__, [&] { return target(a) == target(b); });
}
size_t DPCTLPlatform_Hash(DPCTLSyclPlatformRef p) {
  return guarded(__func__, [&] { return std::hash<platform>()(target(p)); });
}
DPCTLSyclBackendType DPCTLPlatform_GetBackend(DPCTLSyclPlatformRef p) {
  return guarded(__func__, [&] { return to_c(target(p).backend()); });
}
const char *DPCTLPlatform_GetName(DPCTLSyclPlatformRef p) {
  return guarded(__func__, [&] { return new_string(target(p).name()); });
}
const char *DPCTLPlatform_GetVendor(DPCTLSyclPlatformRef p) {
  return guarded(__func__, [&] { return new_string(target(p).vendor()); });
}
const char *DPCTLPlatform_GetVersion(DPCTLSyclPlatformRef p) {
  return guarded(__func__, [&] { return new_string(target(p).version()); });
}
DPCTLPlatformVectorRef DPCTLPlatform_GetPlatforms(void) {
  return guarded(__func__, [] { return make_vector<DPCTLPlatformVectorRef>(platform::all()); });
}
DPCTLSyclContextRef DPCTLPlatform_GetDefaultContext(DPCTLSyclPlatformRef p) {
  return guarded(__func__, [&] { return make_reference(context::default_for(target(p).devices().at(0))); });
}
DPCTLDeviceVectorRef DPCTLPlatform_GetDevices(DPCTLSyclPlatformRef p, DPCTLSyclDeviceType type) {
  return guarded(__func__, [&] {
    std::vector<device> found;
    for (const device &d : target(p).devices())
      if (matches(d, type)) found.push_back(d);
    return make_vector<DPCTLDeviceVectorRef>(std::move(found));
  });
}
DPCTLDeviceVectorRef DPCTLPlatform_GetCompositeDevices(DPCTLSyclPlatformRef) { return DPCTLDeviceVector_Create(); }
const char *DPCTLPlatformMgr_GetInfo(DPCTLSyclPlatformRef p, size_t verbosity) {
  return guarded(__func__, [&] { return new_string(description_of(target(p), verbosity)); });
}
void DPCTLPlatformMgr_PrintInfo(DPCTLSyclPlatformRef p, size_t verbosity) {
  guarded(__func__, [&] {
    std::fputs(description_of(target(p), verbosity).c_str(), stdout);
    std::fflush(stdout);
  });
}

DPCTLSyclContextRef DPCTLContext_Create(DPCTLSyclDeviceRef d, error_handler_callback *, int) {
  return guarded(__func__, [&] { return make_reference(context(target(d))); });
}
DPCTLSyclContextRef DPCTLContext_CreateFromDevices(DPCTLDeviceVectorRef devices, error_handler_callback *, int) {
  return guarded(__func__, [&] {
    if (!devices) throw exception(errc::invalid, "the vector is NULL");
    return make_reference(context(*reinterpret_cast<const std::vector<device> *>(devices)));
  });
}
DPCTLSyclContextRef DPCTLContext_Copy(DPCTLSyclContextRef c) {
  return guarded(__func__, [&] { return make_reference(target(c)); });
}
void DPCTLContext_Delete(DPCTLSyclContextRef c) { destroy(c); }
bool DPCTLContext_AreEq(DPCTLSyclContextRef a, DPCTLSyclContextRef b) {
  return guarded(__func__, [&] { return target(a) == target(b); });
}
size_t DPCTLContext_Hash(DPCTLSyclContextRef c) {
  return guarded(__func__, [&] { return std::hash<context>()(target(c)); });
}
size_t DPCTLContext_DeviceCount(DPCTLSyclContextRef c) {
  return guarded(__func__, [&] { return target(c).devices().size(); });
}
DPCTLDeviceVectorRef DPCTLContext_GetDevices(DPCTLSyclContextRef c) {
  return guarded(__func__, [&] { return make_vector<DPCTLDeviceVectorRef>(target(c).devices()); });
}
DPCTLSyclBackendType DPCTLContext_GetBackend(DPCTLSyclContextRef c) {
  return guarded(__func__, [&] { return to_c(target(c).get_platform().backend()); });
}
