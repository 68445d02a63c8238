/* Vectors of platforms, and their descriptions. */
#ifndef DPCTL_SYCL_PLATFORM_MANAGER_H
#define DPCTL_SYCL_PLATFORM_MANAGER_H

#include "dpctl_sycl_enum_types.h"
#include "dpctl_sycl_types.h"

DPCTL_C_EXTERN_C_BEGIN

typedef struct DPCTLPlatformVector *DPCTLPlatformVectorRef;
DPCTL_API DPCTLPlatformVectorRef DPCTLPlatformVector_Create(void);
/* Copies the elements. */
DPCTL_API DPCTLPlatformVectorRef DPCTLPlatformVector_CreateFromArray(size_t count, DPCTLSyclPlatformRef *elements);
DPCTL_API void DPCTLPlatformVector_Delete(DPCTLPlatformVectorRef vector);
DPCTL_API void DPCTLPlatformVector_Clear(DPCTLPlatformVectorRef vector);
DPCTL_API size_t DPCTLPlatformVector_Size(DPCTLPlatformVectorRef vector);
/* A copy of the element, which the caller deletes. */
DPCTL_API DPCTLSyclPlatformRef DPCTLPlatformVector_GetAt(DPCTLPlatformVectorRef vector, size_t index);

/* `verbosity`: 0 for the name, 1 for all properties, 2 with the devices. */
DPCTL_API const char *DPCTLPlatformMgr_GetInfo(DPCTLSyclPlatformRef platform, size_t verbosity);
DPCTL_API void DPCTLPlatformMgr_PrintInfo(DPCTLSyclPlatformRef platform, size_t verbosity);

DPCTL_C_EXTERN_C_END

#endif
