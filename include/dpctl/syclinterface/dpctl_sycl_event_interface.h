/* Events and vectors of events. */
#ifndef DPCTL_SYCL_EVENT_INTERFACE_H
#define DPCTL_SYCL_EVENT_INTERFACE_H

#include "dpctl_sycl_enum_types.h"
#include "dpctl_sycl_types.h"

DPCTL_C_EXTERN_C_BEGIN

typedef struct DPCTLEventVector *DPCTLEventVectorRef;
DPCTL_API DPCTLEventVectorRef DPCTLEventVector_Create(void);
/* Copies the elements. */
DPCTL_API DPCTLEventVectorRef DPCTLEventVector_CreateFromArray(size_t count, DPCTLSyclEventRef *elements);
DPCTL_API void DPCTLEventVector_Delete(DPCTLEventVectorRef vector);
DPCTL_API void DPCTLEventVector_Clear(DPCTLEventVectorRef vector);
DPCTL_API size_t DPCTLEventVector_Size(DPCTLEventVectorRef vector);
/* A copy of the element, which the caller deletes. */
DPCTL_API DPCTLSyclEventRef DPCTLEventVector_GetAt(DPCTLEventVectorRef vector, size_t index);

/* A complete event. */
DPCTL_API DPCTLSyclEventRef DPCTLEvent_Create(void);
DPCTL_API DPCTLSyclEventRef DPCTLEvent_Copy(DPCTLSyclEventRef event);
DPCTL_API void DPCTLEvent_Delete(DPCTLSyclEventRef event);
DPCTL_API void DPCTLEvent_Wait(DPCTLSyclEventRef event);
DPCTL_API void DPCTLEvent_WaitAndThrow(DPCTLSyclEventRef event);
DPCTL_API DPCTLSyclBackendType DPCTLEvent_GetBackend(DPCTLSyclEventRef event);
DPCTL_API DPCTLSyclEventStatusType DPCTLEvent_GetCommandExecutionStatus(DPCTLSyclEventRef event);
/* Nanoseconds; 0 if the queue was made without profiling. */
DPCTL_API uint64_t DPCTLEvent_GetProfilingInfoSubmit(DPCTLSyclEventRef event);
DPCTL_API uint64_t DPCTLEvent_GetProfilingInfoStart(DPCTLSyclEventRef event);
DPCTL_API uint64_t DPCTLEvent_GetProfilingInfoEnd(DPCTLSyclEventRef event);
DPCTL_API DPCTLEventVectorRef DPCTLEvent_GetWaitList(DPCTLSyclEventRef event);

DPCTL_C_EXTERN_C_END

#endif
