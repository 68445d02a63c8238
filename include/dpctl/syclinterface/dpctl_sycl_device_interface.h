/* Devices and their properties. */
#ifndef DPCTL_SYCL_DEVICE_INTERFACE_H
#define DPCTL_SYCL_DEVICE_INTERFACE_H

#include "dpctl_sycl_device_manager.h"
#include "dpctl_sycl_enum_types.h"
#include "dpctl_sycl_types.h"

DPCTL_C_EXTERN_C_BEGIN

DPCTL_API DPCTLSyclDeviceRef DPCTLDevice_Copy(DPCTLSyclDeviceRef device);
/* The default device. */
DPCTL_API DPCTLSyclDeviceRef DPCTLDevice_Create(void);
DPCTL_API DPCTLSyclDeviceRef DPCTLDevice_CreateFromSelector(DPCTLSyclDeviceSelectorRef selector);
DPCTL_API void DPCTLDevice_Delete(DPCTLSyclDeviceRef device);
DPCTL_API bool DPCTLDevice_AreEq(DPCTLSyclDeviceRef a, DPCTLSyclDeviceRef b);
DPCTL_API size_t DPCTLDevice_Hash(DPCTLSyclDeviceRef device);
DPCTL_API bool DPCTLDevice_IsAccelerator(DPCTLSyclDeviceRef device);
DPCTL_API bool DPCTLDevice_IsCPU(DPCTLSyclDeviceRef device);
DPCTL_API bool DPCTLDevice_IsGPU(DPCTLSyclDeviceRef device);
DPCTL_API DPCTLSyclBackendType DPCTLDevice_GetBackend(DPCTLSyclDeviceRef device);
DPCTL_API DPCTLSyclDeviceType DPCTLDevice_GetDeviceType(DPCTLSyclDeviceRef device);
DPCTL_API DPCTLSyclPlatformRef DPCTLDevice_GetPlatform(DPCTLSyclDeviceRef device);
DPCTL_API bool DPCTLDevice_HasAspect(DPCTLSyclDeviceRef device, DPCTLSyclAspectType aspect);

/* Strings are freed by DPCTLCString_Delete, arrays by DPCTLSize_t_Array_Delete. */
DPCTL_API const char *DPCTLDevice_GetDriverVersion(DPCTLSyclDeviceRef device);
DPCTL_API const char *DPCTLDevice_GetName(DPCTLSyclDeviceRef device);
DPCTL_API const char *DPCTLDevice_GetVendor(DPCTLSyclDeviceRef device);
DPCTL_API uint32_t DPCTLDevice_GetMaxComputeUnits(DPCTLSyclDeviceRef device);
DPCTL_API uint64_t DPCTLDevice_GetGlobalMemSize(DPCTLSyclDeviceRef device);
DPCTL_API uint64_t DPCTLDevice_GetLocalMemSize(DPCTLSyclDeviceRef device);
DPCTL_API uint32_t DPCTLDevice_GetMaxWorkItemDims(DPCTLSyclDeviceRef device);
DPCTL_API size_t *DPCTLDevice_GetMaxWorkItemSizes1d(DPCTLSyclDeviceRef device);
DPCTL_API size_t *DPCTLDevice_GetMaxWorkItemSizes2d(DPCTLSyclDeviceRef device);
DPCTL_API size_t *DPCTLDevice_GetMaxWorkItemSizes3d(DPCTLSyclDeviceRef device);
DPCTL_API size_t DPCTLDevice_GetMaxWorkGroupSize(DPCTLSyclDeviceRef device);
DPCTL_API uint32_t DPCTLDevice_GetMaxNumSubGroups(DPCTLSyclDeviceRef device);
DPCTL_API uint32_t DPCTLDevice_GetMaxReadImageArgs(DPCTLSyclDeviceRef device);
DPCTL_API uint32_t DPCTLDevice_GetMaxWriteImageArgs(DPCTLSyclDeviceRef device);
DPCTL_API size_t DPCTLDevice_GetImage2dMaxWidth(DPCTLSyclDeviceRef device);
DPCTL_API size_t DPCTLDevice_GetImage2dMaxHeight(DPCTLSyclDeviceRef device);
DPCTL_API size_t DPCTLDevice_GetImage3dMaxWidth(DPCTLSyclDeviceRef device);
DPCTL_API size_t DPCTLDevice_GetImage3dMaxHeight(DPCTLSyclDeviceRef device);
DPCTL_API size_t DPCTLDevice_GetImage3dMaxDepth(DPCTLSyclDeviceRef device);
DPCTL_API bool DPCTLDevice_GetSubGroupIndependentForwardProgress(DPCTLSyclDeviceRef device);
DPCTL_API uint32_t DPCTLDevice_GetPreferredVectorWidthChar(DPCTLSyclDeviceRef device);
DPCTL_API uint32_t DPCTLDevice_GetPreferredVectorWidthShort(DPCTLSyclDeviceRef device);
DPCTL_API uint32_t DPCTLDevice_GetPreferredVectorWidthInt(DPCTLSyclDeviceRef device);
DPCTL_API uint32_t DPCTLDevice_GetPreferredVectorWidthLong(DPCTLSyclDeviceRef device);
DPCTL_API uint32_t DPCTLDevice_GetPreferredVectorWidthFloat(DPCTLSyclDeviceRef device);
DPCTL_API uint32_t DPCTLDevice_GetPreferredVectorWidthDouble(DPCTLSyclDeviceRef device);
DPCTL_API uint32_t DPCTLDevice_GetPreferredVectorWidthHalf(DPCTLSyclDeviceRef device);
DPCTL_API uint32_t DPCTLDevice_GetNativeVectorWidthChar(DPCTLSyclDeviceRef device);
DPCTL_API uint32_t DPCTLDevice_GetNativeVectorWidthShort(DPCTLSyclDeviceRef device);
DPCTL_API uint32_t DPCTLDevice_GetNativeVectorWidthInt(DPCTLSyclDeviceRef device);
DPCTL_API uint32_t DPCTLDevice_GetNativeVectorWidthLong(DPCTLSyclDeviceRef device);
DPCTL_API uint32_t DPCTLDevice_GetNativeVectorWidthFloat(DPCTLSyclDeviceRef device);
DPCTL_API uint32_t DPCTLDevice_GetNativeVectorWidthDouble(DPCTLSyclDeviceRef device);
DPCTL_API uint32_t DPCTLDevice_GetNativeVectorWidthHalf(DPCTLSyclDeviceRef device);
DPCTL_API uint32_t DPCTLDevice_GetPartitionMaxSubDevices(DPCTLSyclDeviceRef device);
DPCTL_API size_t DPCTLDevice_GetProfilingTimerResolution(DPCTLSyclDeviceRef device);
DPCTL_API uint32_t DPCTLDevice_GetGlobalMemCacheLineSize(DPCTLSyclDeviceRef device);
DPCTL_API uint32_t DPCTLDevice_GetMaxClockFrequency(DPCTLSyclDeviceRef device);
DPCTL_API uint64_t DPCTLDevice_GetMaxMemAllocSize(DPCTLSyclDeviceRef device);
DPCTL_API uint64_t DPCTLDevice_GetGlobalMemCacheSize(DPCTLSyclDeviceRef device);
DPCTL_API DPCTLGlobalMemCacheType DPCTLDevice_GetGlobalMemCacheType(DPCTLSyclDeviceRef device);
DPCTL_API size_t *DPCTLDevice_GetSubGroupSizes(DPCTLSyclDeviceRef device, size_t *count);

/* NULL if the device is no sub-device. */
DPCTL_API DPCTLSyclDeviceRef DPCTLDevice_GetParentDevice(DPCTLSyclDeviceRef device);
DPCTL_API DPCTLDeviceVectorRef DPCTLDevice_CreateSubDevicesEqually(DPCTLSyclDeviceRef device, size_t compute_units);
DPCTL_API DPCTLDeviceVectorRef DPCTLDevice_CreateSubDevicesByCounts(DPCTLSyclDeviceRef device, size_t *counts,
                                                                    size_t count);
DPCTL_API DPCTLDeviceVectorRef DPCTLDevice_CreateSubDevicesByAffinity(DPCTLSyclDeviceRef device,
                                                                      DPCTLPartitionAffinityDomainType domain);
/* There are no composite devices: NULL, and no components. */
DPCTL_API DPCTLSyclDeviceRef DPCTLDevice_GetCompositeDevice(DPCTLSyclDeviceRef device);
DPCTL_API DPCTLDeviceVectorRef DPCTLDevice_GetComponentDevices(DPCTLSyclDeviceRef device);
DPCTL_API bool DPCTLDevice_CanAccessPeer(DPCTLSyclDeviceRef device, DPCTLSyclDeviceRef peer, DPCTLPeerAccessType kind);
DPCTL_API void DPCTLDevice_EnablePeerAccess(DPCTLSyclDeviceRef device, DPCTLSyclDeviceRef peer);
DPCTL_API void DPCTLDevice_DisablePeerAccess(DPCTLSyclDeviceRef device, DPCTLSyclDeviceRef peer);

DPCTL_C_EXTERN_C_END

#endif
