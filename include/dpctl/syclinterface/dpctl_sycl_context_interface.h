/* Contexts. */
#ifndef DPCTL_SYCL_CONTEXT_INTERFACE_H
#define DPCTL_SYCL_CONTEXT_INTERFACE_H

#include "dpctl_sycl_device_manager.h"
#include "dpctl_sycl_enum_types.h"
#include "dpctl_sycl_types.h"

DPCTL_C_EXTERN_C_BEGIN

/* The handler and the properties are not used. */
DPCTL_API DPCTLSyclContextRef DPCTLContext_Create(DPCTLSyclDeviceRef device, error_handler_callback *handler,
                                                  int properties);
DPCTL_API DPCTLSyclContextRef DPCTLContext_CreateFromDevices(DPCTLDeviceVectorRef devices,
                                                             error_handler_callback *handler, int properties);
DPCTL_API DPCTLSyclContextRef DPCTLContext_Copy(DPCTLSyclContextRef context);
DPCTL_API void DPCTLContext_Delete(DPCTLSyclContextRef context);
DPCTL_API bool DPCTLContext_AreEq(DPCTLSyclContextRef a, DPCTLSyclContextRef b);
DPCTL_API size_t DPCTLContext_Hash(DPCTLSyclContextRef context);
DPCTL_API size_t DPCTLContext_DeviceCount(DPCTLSyclContextRef context);
DPCTL_API DPCTLDeviceVectorRef DPCTLContext_GetDevices(DPCTLSyclContextRef context);
DPCTL_API DPCTLSyclBackendType DPCTLContext_GetBackend(DPCTLSyclContextRef context);

DPCTL_C_EXTERN_C_END

#endif
