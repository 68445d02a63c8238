// Queues, events and USM memory of dpctl's C interface.
#include <dpctl/syclinterface/dpctl_sycl_event_interface.h>
#include <dpctl/syclinterface/dpctl_sycl_queue_interface.h>
#include <dpctl/syclinterface/dpctl_sycl_usm_interface.h>

#include <dpep/memory.hpp>

#include "dpctl_interface/references.hpp"

using namespace dpep;
using namespace dpep::dpctl_interface;

namespace {

async_handler to_dpep(error_handler_callback *handler) {
  if (!handler) return {};
  return [handler](std::vector<std::exception_ptr> errors) {
    for (const std::exception_ptr &e : errors) {
      try {
        std::rethrow_exception(e);
      } catch (const exception &x) {
        handler(x.code().value());
      } catch (...) {
        handler(-1);
      }
    }
  };
}
queue_options to_options(int properties) {
  return {.in_order = (properties & DPCTL_IN_ORDER) != 0, .profiling = (properties & DPCTL_ENABLE_PROFILING) != 0};
}
std::vector<event> events_of(const DPCTLSyclEventRef *events, size_t count) {
  std::vector<event> all;
  for (size_t i = 0; i < count; ++i) all.push_back(target(events[i]));
  return all;
}
/// A command's event as a new reference.
template <class F> DPCTLSyclEventRef submit(const char *function, DPCTLSyclQueueRef q, F f) {
  return guarded(function, [&] { return make_reference(event(f(target(q)))); });
}
template <class T>
DPCTLSyclEventRef fill(const char *function, DPCTLSyclQueueRef q, void *to, const T &value, size_t count) {
  return submit(function, q, [&](const queue &where) { return where.fill(to, &value, sizeof value, count); });
}
DPCTLSyclUSMRef allocate_in(const char *function, usm_kind kind, size_t alignment, size_t bytes, DPCTLSyclQueueRef q) {
  return guarded(function, [&] {
    const queue &where = target(q);
    return static_cast<DPCTLSyclUSMRef>(
        allocate(kind, bytes, alignment ? alignment : 1, where.get_context(), where.get_device()));
  });
}
uint64_t time_of(const char *function, DPCTLSyclEventRef e, std::uint64_t event_times::*which) {
  return guarded(function, [&] {
    target(e).wait();
    return static_cast<uint64_t>(target(e).times().*which);
  });
}

}  // namespace

DPCTLSyclQueueRef DPCTLQueue_Create(DPCTLSyclContextRef c, DPCTLSyclDeviceRef d, error_handler_callback *handler,
                                    int properties) {
  return guarded(__func__,
                 [&] { return make_reference(queue(target(c), target(d), to_options(properties), to_dpep(handler))); });
}
DPCTLSyclQueueRef DPCTLQueue_CreateForDevice(DPCTLSyclDeviceRef d, error_handler_callback *handler, int properties) {
  return guarded(__func__, [&] {
    return make_reference(queue(context::default_for(target(d)), target(d), to_options(properties), to_dpep(handler)));
  });
}
DPCTLSyclQueueRef DPCTLQueue_Copy(DPCTLSyclQueueRef q) {
  return guarded(__func__, [&] { return make_reference(target(q)); });
}
void DPCTLQueue_Delete(DPCTLSyclQueueRef q) { destroy(q); }
bool DPCTLQueue_AreEq(DPCTLSyclQueueRef a, DPCTLSyclQueueRef b) {
  return guarded(__func__, [&] { return target(a) == target(b); });
}
size_t DPCTLQueue_Hash(DPCTLSyclQueueRef q) {
  return guarded(__func__, [&] { return std::hash<queue>()(target(q)); });
}
DPCTLSyclBackendType DPCTLQueue_GetBackend(DPCTLSyclQueueRef q) {
  return guarded(__func__, [&] { return to_c(target(q).get_device().info().backend); });
}
DPCTLSyclContextRef DPCTLQueue_GetContext(DPCTLSyclQueueRef q) {
  return guarded(__func__, [&] { return make_reference(target(q).get_context()); });
}
DPCTLSyclDeviceRef DPCTLQueue_GetDevice(DPCTLSyclQueueRef q) {
  return guarded(__func__, [&] { return make_reference(target(q).get_device()); });
}
bool DPCTLQueue_IsInOrder(DPCTLSyclQueueRef q) {
  return guarded(__func__, [&] { return target(q).options().in_order; });
}
bool DPCTLQueue_HasEnableProfiling(DPCTLSyclQueueRef q) {
  return guarded(__func__, [&] { return target(q).options().profiling; });
}
void DPCTLQueue_Wait(DPCTLSyclQueueRef q) {
  guarded(__func__, [&] { target(q).wait_and_throw(); });
}
DPCTLSyclEventRef DPCTLQueue_Memcpy(DPCTLSyclQueueRef q, void *to, const void *from, size_t count) {
  return submit(__func__, q, [&](const queue &where) { return where.copy(to, from, count); });
}
DPCTLSyclEventRef DPCTLQueue_MemcpyWithEvents(DPCTLSyclQueueRef q, void *to, const void *from, size_t count,
                                              const DPCTLSyclEventRef *events, size_t event_count) {
  return submit(__func__, q,
                [&](const queue &where) { return where.copy(to, from, count, events_of(events, event_count)); });
}
DPCTLSyclEventRef DPCTLQueue_Prefetch(DPCTLSyclQueueRef q, const void *pointer, size_t count) {
  return submit(__func__, q, [&](const queue &where) { return where.prefetch(pointer, count); });
}
DPCTLSyclEventRef DPCTLQueue_MemAdvise(DPCTLSyclQueueRef q, const void *pointer, size_t count, int advice) {
  return submit(__func__, q,
                [&](const queue &where) { return where.advise(pointer, count, static_cast<memory_advice>(advice)); });
}
DPCTLSyclEventRef DPCTLQueue_Memset(DPCTLSyclQueueRef q, void *to, uint8_t value, size_t count) {
  return fill(__func__, q, to, value, count);
}
DPCTLSyclEventRef DPCTLQueue_Fill8(DPCTLSyclQueueRef q, void *to, uint8_t value, size_t count) {
  return fill(__func__, q, to, value, count);
}
DPCTLSyclEventRef DPCTLQueue_Fill16(DPCTLSyclQueueRef q, void *to, uint16_t value, size_t count) {
  return fill(__func__, q, to, value, count);
}
DPCTLSyclEventRef DPCTLQueue_Fill32(DPCTLSyclQueueRef q, void *to, uint32_t value, size_t count) {
  return fill(__func__, q, to, value, count);
}
DPCTLSyclEventRef DPCTLQueue_Fill64(DPCTLSyclQueueRef q, void *to, uint64_t value, size_t count) {
  return fill(__func__, q, to, value, count);
}
DPCTLSyclEventRef DPCTLQueue_Fill128(DPCTLSyclQueueRef q, void *to, uint64_t *value, size_t count) {
  return submit(__func__, q, [&](const queue &where) { return where.fill(to, value, 2 * sizeof *value, count); });
}
DPCTLSyclEventRef DPCTLQueue_SubmitBarrier(DPCTLSyclQueueRef q) {
  return submit(__func__, q, [](const queue &where) { return where.barrier(); });
}
DPCTLSyclEventRef DPCTLQueue_SubmitBarrierForEvents(DPCTLSyclQueueRef q, const DPCTLSyclEventRef *events,
                                                    size_t event_count) {
  return submit(__func__, q, [&](const queue &where) { return where.barrier(events_of(events, event_count)); });
}

DPCTLSyclEventRef DPCTLEvent_Create(void) {
  return guarded(__func__, [] { return make_reference(event()); });
}
DPCTLSyclEventRef DPCTLEvent_Copy(DPCTLSyclEventRef e) {
  return guarded(__func__, [&] { return make_reference(target(e)); });
}
void DPCTLEvent_Delete(DPCTLSyclEventRef e) { destroy(e); }
void DPCTLEvent_Wait(DPCTLSyclEventRef e) {
  guarded(__func__, [&] { target(e).wait(); });
}
void DPCTLEvent_WaitAndThrow(DPCTLSyclEventRef e) {
  guarded(__func__, [&] { target(e).wait_and_throw(); });
}
DPCTLSyclBackendType DPCTLEvent_GetBackend(DPCTLSyclEventRef e) {
  return guarded(__func__, [&] { return to_c(target(e).backend()); });
}
DPCTLSyclEventStatusType DPCTLEvent_GetCommandExecutionStatus(DPCTLSyclEventRef e) {
  return guarded(__func__, [&] {
    switch (target(e).status()) {
    case event_status::submitted:
      return DPCTL_SUBMITTED;
    case event_status::running:
      return DPCTL_RUNNING;
    default:
      return DPCTL_COMPLETE;
    }
  });
}
uint64_t DPCTLEvent_GetProfilingInfoSubmit(DPCTLSyclEventRef e) { return time_of(__func__, e, &event_times::submit); }
uint64_t DPCTLEvent_GetProfilingInfoStart(DPCTLSyclEventRef e) { return time_of(__func__, e, &event_times::start); }
uint64_t DPCTLEvent_GetProfilingInfoEnd(DPCTLSyclEventRef e) { return time_of(__func__, e, &event_times::end); }
DPCTLEventVectorRef DPCTLEvent_GetWaitList(DPCTLSyclEventRef e) {
  return guarded(__func__, [&] { return make_vector<DPCTLEventVectorRef>(target(e).wait_list()); });
}

#define DPEP_ALLOCATE(kind)                                                                                            \
  DPCTLSyclUSMRef DPCTLmalloc_##kind(size_t bytes, DPCTLSyclQueueRef q) {                                              \
    return allocate_in(__func__, usm_kind::kind, 1, bytes, q);                                                         \
  }                                                                                                                    \
  DPCTLSyclUSMRef DPCTLaligned_alloc_##kind(size_t alignment, size_t bytes, DPCTLSyclQueueRef q) {                     \
    return allocate_in(__func__, usm_kind::kind, alignment, bytes, q);                                                 \
  }
DPEP_ALLOCATE(shared)
DPEP_ALLOCATE(host)
DPEP_ALLOCATE(device)

void DPCTLfree_with_queue(DPCTLSyclUSMRef memory, DPCTLSyclQueueRef q) {
  guarded(__func__, [&] { free(memory, target(q).get_context()); });
}
void DPCTLfree_with_context(DPCTLSyclUSMRef memory, DPCTLSyclContextRef c) {
  guarded(__func__, [&] { free(memory, target(c)); });
}
DPCTLSyclUSMType DPCTLUSM_GetPointerType(DPCTLSyclUSMRef memory, DPCTLSyclContextRef c) {
  return guarded(__func__, [&] {
    const std::optional<allocation> found = find_allocation(memory);
    if (!found || !(found->context == target(c))) return DPCTL_USM_UNKNOWN;
    switch (found->kind) {
    case usm_kind::device:
      return DPCTL_USM_DEVICE;
    case usm_kind::shared:
      return DPCTL_USM_SHARED;
    case usm_kind::host:
      return DPCTL_USM_HOST;
    case usm_kind::unknown:
      break;
    }
    return DPCTL_USM_UNKNOWN;
  });
}
DPCTLSyclDeviceRef DPCTLUSM_GetPointerDevice(DPCTLSyclUSMRef memory, DPCTLSyclContextRef c) {
  return guarded(__func__, [&] {
    const std::optional<allocation> found = find_allocation(memory);
    if (!found || !(found->context == target(c)))
      throw exception(errc::invalid, "the pointer is not USM memory of the context");
    return make_reference(found->device ? found->device : target(c).devices().at(0));
  });
}
