/* Arguments of kernels that are local memory or bytes. */
#ifndef DPCTL_SYCL_EXTENSION_INTERFACE_H
#define DPCTL_SYCL_EXTENSION_INTERFACE_H

#include "dpctl_sycl_enum_types.h"
#include "dpctl_sycl_types.h"

DPCTL_C_EXTERN_C_BEGIN

typedef struct RawWorkGroupMemoryTy {
  size_t nbytes;
} RawWorkGroupMemory;
typedef struct DPCTLOpaqueSyclWorkGroupMemory *DPCTLSyclWorkGroupMemoryRef;
DPCTL_API DPCTLSyclWorkGroupMemoryRef DPCTLWorkGroupMemory_Create(size_t bytes);
DPCTL_API void DPCTLWorkGroupMemory_Delete(DPCTLSyclWorkGroupMemoryRef memory);
DPCTL_API bool DPCTLWorkGroupMemory_Available(void);
typedef struct DPCTLOpaqueSyclRawKernelArg *DPCTLSyclRawKernelArgRef;
/* Copies the bytes. */
DPCTL_API DPCTLSyclRawKernelArgRef DPCTLRawKernelArg_Create(void *bytes, size_t count);
DPCTL_API void DPCTLRawKernelArg_Delete(DPCTLSyclRawKernelArgRef argument);
DPCTL_API bool DPCTLRawKernelArg_Available(void);

DPCTL_C_EXTERN_C_END

#endif
