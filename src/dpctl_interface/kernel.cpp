// Programs, kernels and their launches of dpctl's C interface.
#include <dpctl/syclinterface/dpctl_sycl_extension_interface.h>
#include <dpctl/syclinterface/dpctl_sycl_kernel_bundle_interface.h>
#include <dpctl/syclinterface/dpctl_sycl_kernel_interface.h>
#include <dpctl/syclinterface/dpctl_sycl_queue_interface.h>

#include <algorithm>
#include <array>

#include "dpctl_interface/references.hpp"

using namespace dpep;
using namespace dpep::dpctl_interface;

namespace {

using bytes_argument = std::vector<std::byte>;

DPCTLSyclKernelBundleRef make_program(const char *function, DPCTLSyclContextRef c, DPCTLSyclDeviceRef d,
                                      const auto &make) {
  return guarded(function, [&] {
    if (!target(c).contains(target(d))) throw exception(errc::invalid, "the device is not in the context");
    return make_reference(device_program{make(), target(d)});
  });
}

/// The bytes of an argument by value; 0 for other types.
size_t bytes_of(DPCTLKernelArgType type) {
  switch (type) {
  case DPCTL_INT8_T:
  case DPCTL_UINT8_T:
    return 1;
  case DPCTL_INT16_T:
  case DPCTL_UINT16_T:
    return 2;
  case DPCTL_INT32_T:
  case DPCTL_UINT32_T:
  case DPCTL_FLOAT32_T:
    return 4;
  case DPCTL_INT64_T:
  case DPCTL_UINT64_T:
  case DPCTL_FLOAT64_T:
    return 8;
  default:
    return 0;
  }
}
void set_argument(launch_arguments &all, size_t index, void *argument, DPCTLKernelArgType type) {
  const launch_arguments::description given = [=] {
    return "an argument of DPCTLKernelArgType " + std::to_string(static_cast<int>(type));
  };
  if (const size_t bytes = bytes_of(type))
    return all.set_value(index, {static_cast<const std::byte *>(argument), bytes}, given);
  switch (type) {
  case DPCTL_VOID_PTR:
    return all.set_pointer(index, argument, given);
  case DPCTL_LOCAL_ACCESSOR: {
    const auto &local = *static_cast<const MDLocalAccessor *>(argument);
    const size_t sizes[] = {local.dim0, local.dim1, local.dim2};
    size_t bytes = bytes_of(local.dpctl_type_id);
    for (size_t i = 0; i < std::min<size_t>(local.ndim, 3); ++i) bytes *= sizes[i];
    return all.set_local(index, bytes, given);
  }
  case DPCTL_WORK_GROUP_MEMORY:
    return all.set_local(index, static_cast<const RawWorkGroupMemory *>(argument)->nbytes, given);
  case DPCTL_RAW_KERNEL_ARG:
    return all.set_value(index, *static_cast<const bytes_argument *>(argument), given);
  default:
    throw exception(errc::kernel_argument, "argument " + std::to_string(index + 1) + " has an unsupported type");
  }
}

DPCTLSyclEventRef launch(const char *function, DPCTLSyclKernelRef kernel, DPCTLSyclQueueRef q, void **arguments,
                         const DPCTLKernelArgType *types, size_t count, const size_t *global, const size_t *local,
                         size_t dimensions, const DPCTLSyclEventRef *events, size_t event_count) {
  return guarded(function, [&] {
    if (dimensions < 1 || dimensions > 3 || !global)
      throw exception(errc::nd_range, "a range has one to three dimensions");
    launch_arguments all(target(kernel).kernel);
    for (size_t i = 0; i < count; ++i) set_argument(all, i, arguments[i], types[i]);
    geometry work;
    work.dimensions = static_cast<std::uint32_t>(dimensions);
    for (size_t i = 0; i < dimensions; ++i) {
      work.global[i] = global[dimensions - 1 - i];
      if (local) work.local[i] = local[dimensions - 1 - i];
    }
    std::vector<event> after;
    for (size_t i = 0; i < event_count; ++i) after.push_back(target(events[i]));
    return make_reference(all.submit(target(q), work, after));
  });
}

}  // namespace

DPCTLSyclKernelBundleRef DPCTLKernelBundle_CreateFromSpirv(DPCTLSyclContextRef c, DPCTLSyclDeviceRef d,
                                                           const void *module, size_t bytes, const char *) {
  return make_program(__func__, c, d, [&] {
    if (!module) throw exception(errc::invalid, "the module is NULL");
    return program::from_spirv({static_cast<const std::byte *>(module), bytes});
  });
}
DPCTLSyclKernelBundleRef DPCTLKernelBundle_CreateFromOCLSource(DPCTLSyclContextRef c, DPCTLSyclDeviceRef d,
                                                               const char *source, const char *options) {
  return make_program(__func__, c, d, [&] {
    if (!source) throw exception(errc::invalid, "the source is NULL");
    return program::from_opencl_source(source, options ? options : "");
  });
}
DPCTLSyclKernelRef DPCTLKernelBundle_GetKernel(DPCTLSyclKernelBundleRef p, const char *name) {
  return guarded(__func__, [&] {
    const device_program &from = target(p);
    const program_kernel *const found = name ? from.program.find(name) : nullptr;
    if (!found) throw exception(errc::invalid, "the program has no kernel of that name");
    return make_reference(device_kernel{*found, from.where});
  });
}
bool DPCTLKernelBundle_HasKernel(DPCTLSyclKernelBundleRef p, const char *name) {
  return guarded(__func__, [&] { return name && target(p).program.find(name) != nullptr; });
}
DPCTLSyclKernelBundleRef DPCTLKernelBundle_Copy(DPCTLSyclKernelBundleRef p) {
  return guarded(__func__, [&] { return make_reference(target(p)); });
}
void DPCTLKernelBundle_Delete(DPCTLSyclKernelBundleRef p) { destroy(p); }

DPCTLSyclKernelRef DPCTLKernel_Copy(DPCTLSyclKernelRef k) {
  return guarded(__func__, [&] { return make_reference(target(k)); });
}
void DPCTLKernel_Delete(DPCTLSyclKernelRef k) { destroy(k); }
size_t DPCTLKernel_GetNumArgs(DPCTLSyclKernelRef k) {
  return guarded(__func__, [&] { return target(k).kernel.properties->arguments.size(); });
}
size_t DPCTLKernel_GetWorkGroupSize(DPCTLSyclKernelRef k) {
  return guarded(__func__, [&] { return target(k).where.info().max_work_group_size; });
}
size_t DPCTLKernel_GetPreferredWorkGroupSizeMultiple(DPCTLSyclKernelRef k) {
  return guarded(__func__, [&] { return std::ranges::max(target(k).where.info().sub_group_sizes); });
}
size_t DPCTLKernel_GetPrivateMemSize(DPCTLSyclKernelRef k) {
  return guarded(__func__, [&] { return target(k).kernel.properties->private_bytes; });
}
uint32_t DPCTLKernel_GetMaxNumSubGroups(DPCTLSyclKernelRef k) {
  return guarded(__func__, [&] { return target(k).where.info().max_num_sub_groups; });
}
uint32_t DPCTLKernel_GetMaxSubGroupSize(DPCTLSyclKernelRef k) {
  return guarded(__func__,
                 [&] { return static_cast<uint32_t>(std::ranges::max(target(k).where.info().sub_group_sizes)); });
}
uint32_t DPCTLKernel_GetCompileNumSubGroups(DPCTLSyclKernelRef) { return 0; }
uint32_t DPCTLKernel_GetCompileSubGroupSize(DPCTLSyclKernelRef k) {
  return guarded(__func__, [&] { return target(k).kernel.properties->required_sub_group; });
}

DPCTLSyclEventRef DPCTLQueue_SubmitRange(DPCTLSyclKernelRef kernel, DPCTLSyclQueueRef q, void **arguments,
                                         const DPCTLKernelArgType *types, size_t count, const size_t *range,
                                         size_t dimensions, const DPCTLSyclEventRef *events, size_t event_count) {
  return launch(__func__, kernel, q, arguments, types, count, range, nullptr, dimensions, events, event_count);
}
DPCTLSyclEventRef DPCTLQueue_SubmitNDRange(DPCTLSyclKernelRef kernel, DPCTLSyclQueueRef q, void **arguments,
                                           const DPCTLKernelArgType *types, size_t count, const size_t *global,
                                           const size_t *local, size_t dimensions, const DPCTLSyclEventRef *events,
                                           size_t event_count) {
  return launch(__func__, kernel, q, arguments, types, count, global, local, dimensions, events, event_count);
}

DPCTLSyclWorkGroupMemoryRef DPCTLWorkGroupMemory_Create(size_t bytes) {
  return reinterpret_cast<DPCTLSyclWorkGroupMemoryRef>(new RawWorkGroupMemory{bytes});
}
void DPCTLWorkGroupMemory_Delete(DPCTLSyclWorkGroupMemoryRef m) { delete reinterpret_cast<RawWorkGroupMemory *>(m); }
bool DPCTLWorkGroupMemory_Available(void) { return true; }
DPCTLSyclRawKernelArgRef DPCTLRawKernelArg_Create(void *bytes, size_t count) {
  return guarded(__func__, [&] {
    const auto *const first = static_cast<const std::byte *>(bytes);
    return reinterpret_cast<DPCTLSyclRawKernelArgRef>(new bytes_argument(first, first + count));
  });
}
void DPCTLRawKernelArg_Delete(DPCTLSyclRawKernelArgRef a) { delete reinterpret_cast<bytes_argument *>(a); }
bool DPCTLRawKernelArg_Available(void) { return true; }
