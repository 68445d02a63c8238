/* USM memory. */
#ifndef DPCTL_SYCL_USM_INTERFACE_H
#define DPCTL_SYCL_USM_INTERFACE_H

#include "dpctl_sycl_enum_types.h"
#include "dpctl_sycl_types.h"

DPCTL_C_EXTERN_C_BEGIN

DPCTL_API DPCTLSyclUSMRef DPCTLmalloc_shared(size_t bytes, DPCTLSyclQueueRef queue);
DPCTL_API DPCTLSyclUSMRef DPCTLaligned_alloc_shared(size_t alignment, size_t bytes, DPCTLSyclQueueRef queue);
DPCTL_API DPCTLSyclUSMRef DPCTLmalloc_host(size_t bytes, DPCTLSyclQueueRef queue);
DPCTL_API DPCTLSyclUSMRef DPCTLaligned_alloc_host(size_t alignment, size_t bytes, DPCTLSyclQueueRef queue);
DPCTL_API DPCTLSyclUSMRef DPCTLmalloc_device(size_t bytes, DPCTLSyclQueueRef queue);
DPCTL_API DPCTLSyclUSMRef DPCTLaligned_alloc_device(size_t alignment, size_t bytes, DPCTLSyclQueueRef queue);
DPCTL_API void DPCTLfree_with_queue(DPCTLSyclUSMRef memory, DPCTLSyclQueueRef queue);
DPCTL_API void DPCTLfree_with_context(DPCTLSyclUSMRef memory, DPCTLSyclContextRef context);
DPCTL_API DPCTLSyclUSMType DPCTLUSM_GetPointerType(DPCTLSyclUSMRef memory, DPCTLSyclContextRef context);
DPCTL_API DPCTLSyclDeviceRef DPCTLUSM_GetPointerDevice(DPCTLSyclUSMRef memory, DPCTLSyclContextRef context);

DPCTL_C_EXTERN_C_END

#endif
