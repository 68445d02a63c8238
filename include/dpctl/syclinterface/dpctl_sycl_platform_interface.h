/* Platforms. */
#ifndef DPCTL_SYCL_PLATFORM_INTERFACE_H
#define DPCTL_SYCL_PLATFORM_INTERFACE_H

#include "dpctl_sycl_device_manager.h"
#include "dpctl_sycl_enum_types.h"
#include "dpctl_sycl_platform_manager.h"
#include "dpctl_sycl_types.h"

DPCTL_C_EXTERN_C_BEGIN

DPCTL_API DPCTLSyclPlatformRef DPCTLPlatform_Copy(DPCTLSyclPlatformRef platform);
/* The default device's platform. */
DPCTL_API DPCTLSyclPlatformRef DPCTLPlatform_Create(void);
DPCTL_API DPCTLSyclPlatformRef DPCTLPlatform_CreateFromSelector(DPCTLSyclDeviceSelectorRef selector);
DPCTL_API void DPCTLPlatform_Delete(DPCTLSyclPlatformRef platform);
DPCTL_API bool DPCTLPlatform_AreEq(DPCTLSyclPlatformRef a, DPCTLSyclPlatformRef b);
DPCTL_API size_t DPCTLPlatform_Hash(DPCTLSyclPlatformRef platform);
DPCTL_API DPCTLSyclBackendType DPCTLPlatform_GetBackend(DPCTLSyclPlatformRef platform);
DPCTL_API const char *DPCTLPlatform_GetName(DPCTLSyclPlatformRef platform);
DPCTL_API const char *DPCTLPlatform_GetVendor(DPCTLSyclPlatformRef platform);
DPCTL_API const char *DPCTLPlatform_GetVersion(DPCTLSyclPlatformRef platform);
DPCTL_API DPCTLPlatformVectorRef DPCTLPlatform_GetPlatforms(void);
DPCTL_API DPCTLSyclContextRef DPCTLPlatform_GetDefaultContext(DPCTLSyclPlatformRef platform);
DPCTL_API DPCTLDeviceVectorRef DPCTLPlatform_GetDevices(DPCTLSyclPlatformRef platform, DPCTLSyclDeviceType type);
DPCTL_API DPCTLDeviceVectorRef DPCTLPlatform_GetCompositeDevices(DPCTLSyclPlatformRef platform);

DPCTL_C_EXTERN_C_END

#endif
