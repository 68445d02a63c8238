/* Vectors of devices, and the devices of a back end and a type. */
#ifndef DPCTL_SYCL_DEVICE_MANAGER_H
#define DPCTL_SYCL_DEVICE_MANAGER_H

#include "dpctl_sycl_enum_types.h"
#include "dpctl_sycl_types.h"

DPCTL_C_EXTERN_C_BEGIN

typedef struct DPCTLDeviceVector *DPCTLDeviceVectorRef;
DPCTL_API DPCTLDeviceVectorRef DPCTLDeviceVector_Create(void);
/* Copies the elements. */
DPCTL_API DPCTLDeviceVectorRef DPCTLDeviceVector_CreateFromArray(size_t count, DPCTLSyclDeviceRef *elements);
DPCTL_API void DPCTLDeviceVector_Delete(DPCTLDeviceVectorRef vector);
DPCTL_API void DPCTLDeviceVector_Clear(DPCTLDeviceVectorRef vector);
DPCTL_API size_t DPCTLDeviceVector_Size(DPCTLDeviceVectorRef vector);
/* A copy of the element, which the caller deletes. */
DPCTL_API DPCTLSyclDeviceRef DPCTLDeviceVector_GetAt(DPCTLDeviceVectorRef vector, size_t index);

/* `identifier`: a back end, a device type, or both combined by |. */
DPCTL_API DPCTLDeviceVectorRef DPCTLDeviceMgr_GetDevices(int identifier);
DPCTL_API size_t DPCTLDeviceMgr_GetNumDevices(int identifier);
DPCTL_API int DPCTLDeviceMgr_GetPositionInDevices(DPCTLSyclDeviceRef device, int identifier);
DPCTL_API int64_t DPCTLDeviceMgr_GetRelativeId(DPCTLSyclDeviceRef device);
/* The default context of the device's platform. */
DPCTL_API DPCTLSyclContextRef DPCTLDeviceMgr_GetCachedContext(DPCTLSyclDeviceRef device);
DPCTL_API const char *DPCTLDeviceMgr_GetDeviceInfoStr(DPCTLSyclDeviceRef device);
DPCTL_API void DPCTLDeviceMgr_PrintDeviceInfo(DPCTLSyclDeviceRef device);
DPCTL_API DPCTLDeviceVectorRef DPCTLDeviceMgr_GetCompositeDevices(void);

DPCTL_C_EXTERN_C_END

#endif
