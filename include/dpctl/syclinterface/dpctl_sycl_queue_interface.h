/* Queues: copies, fills, barriers, and kernels of programs. */
#ifndef DPCTL_SYCL_QUEUE_INTERFACE_H
#define DPCTL_SYCL_QUEUE_INTERFACE_H

#include "dpctl_sycl_enum_types.h"
#include "dpctl_sycl_types.h"

DPCTL_C_EXTERN_C_BEGIN

/* `handler`, if not NULL, is called with the code of each asynchronous error. `properties`: DPCTLQueuePropertyType. */
DPCTL_API DPCTLSyclQueueRef DPCTLQueue_Create(DPCTLSyclContextRef context, DPCTLSyclDeviceRef device,
                                              error_handler_callback *handler, int properties);
DPCTL_API DPCTLSyclQueueRef DPCTLQueue_CreateForDevice(DPCTLSyclDeviceRef device, error_handler_callback *handler,
                                                       int properties);
DPCTL_API DPCTLSyclQueueRef DPCTLQueue_Copy(DPCTLSyclQueueRef queue);
DPCTL_API void DPCTLQueue_Delete(DPCTLSyclQueueRef queue);
DPCTL_API bool DPCTLQueue_AreEq(DPCTLSyclQueueRef a, DPCTLSyclQueueRef b);
DPCTL_API size_t DPCTLQueue_Hash(DPCTLSyclQueueRef queue);
DPCTL_API DPCTLSyclBackendType DPCTLQueue_GetBackend(DPCTLSyclQueueRef queue);
DPCTL_API DPCTLSyclContextRef DPCTLQueue_GetContext(DPCTLSyclQueueRef queue);
DPCTL_API DPCTLSyclDeviceRef DPCTLQueue_GetDevice(DPCTLSyclQueueRef queue);
DPCTL_API bool DPCTLQueue_IsInOrder(DPCTLSyclQueueRef queue);
DPCTL_API bool DPCTLQueue_HasEnableProfiling(DPCTLSyclQueueRef queue);
DPCTL_API void DPCTLQueue_Wait(DPCTLSyclQueueRef queue);

/* Kernels: `arguments` are the addresses of values, USM pointers, RawLocalAccessor, references to work-group memory or
 */
/* raw arguments. Ranges are in the order of SYCL, the last dimension fastest. */
DPCTL_API DPCTLSyclEventRef DPCTLQueue_SubmitRange(DPCTLSyclKernelRef kernel, DPCTLSyclQueueRef queue, void **arguments,
                                                   const DPCTLKernelArgType *types, size_t argument_count,
                                                   const size_t *range, size_t dimensions,
                                                   const DPCTLSyclEventRef *events, size_t event_count);
DPCTL_API DPCTLSyclEventRef DPCTLQueue_SubmitNDRange(DPCTLSyclKernelRef kernel, DPCTLSyclQueueRef queue,
                                                     void **arguments, const DPCTLKernelArgType *types,
                                                     size_t argument_count, const size_t *global, const size_t *local,
                                                     size_t dimensions, const DPCTLSyclEventRef *events,
                                                     size_t event_count);

/* `count`: bytes for copies, prefetches, advice and memset, elements for fills. */
DPCTL_API DPCTLSyclEventRef DPCTLQueue_Memcpy(DPCTLSyclQueueRef queue, void *to, const void *from, size_t count);
DPCTL_API DPCTLSyclEventRef DPCTLQueue_MemcpyWithEvents(DPCTLSyclQueueRef queue, void *to, const void *from,
                                                        size_t count, const DPCTLSyclEventRef *events,
                                                        size_t event_count);
DPCTL_API DPCTLSyclEventRef DPCTLQueue_Prefetch(DPCTLSyclQueueRef queue, const void *pointer, size_t count);
DPCTL_API DPCTLSyclEventRef DPCTLQueue_MemAdvise(DPCTLSyclQueueRef queue, const void *pointer, size_t count,
                                                 int advice);
DPCTL_API DPCTLSyclEventRef DPCTLQueue_Memset(DPCTLSyclQueueRef queue, void *to, uint8_t value, size_t count);
DPCTL_API DPCTLSyclEventRef DPCTLQueue_Fill8(DPCTLSyclQueueRef queue, void *to, uint8_t value, size_t count);
DPCTL_API DPCTLSyclEventRef DPCTLQueue_Fill16(DPCTLSyclQueueRef queue, void *to, uint16_t value, size_t count);
DPCTL_API DPCTLSyclEventRef DPCTLQueue_Fill32(DPCTLSyclQueueRef queue, void *to, uint32_t value, size_t count);
DPCTL_API DPCTLSyclEventRef DPCTLQueue_Fill64(DPCTLSyclQueueRef queue, void *to, uint64_t value, size_t count);
DPCTL_API DPCTLSyclEventRef DPCTLQueue_Fill128(DPCTLSyclQueueRef queue, void *to, uint64_t *value, size_t count);
DPCTL_API DPCTLSyclEventRef DPCTLQueue_SubmitBarrier(DPCTLSyclQueueRef queue);
DPCTL_API DPCTLSyclEventRef DPCTLQueue_SubmitBarrierForEvents(DPCTLSyclQueueRef queue, const DPCTLSyclEventRef *events,
                                                              size_t event_count);

DPCTL_C_EXTERN_C_END

#endif
