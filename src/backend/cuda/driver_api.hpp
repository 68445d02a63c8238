// The part of NVIDIA's driver API (libcuda.so.1) that dpep uses: types, constants and functions as in its public
// documentation. The CUDA toolkit is needed neither to build nor to run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace dpep::backend::cuda {

using result = int;             // CUresult
using ordinal = int;            // CUdevice
using address = std::uint64_t;  // CUdeviceptr
using context_handle = struct context_tag *;
using module_handle = struct module_tag *;
using function_handle = struct function_tag *;
using stream_handle = struct stream_tag *;
using event_handle = struct event_tag *;
using link_handle = struct link_tag *;
using graph_handle = struct graph_tag *;
using graph_exec_handle = struct graph_exec_tag *;

namespace results {
constexpr result success = 0, invalid_value = 1, out_of_memory = 2, not_initialized = 3, deinitialized = 4,
                 no_device = 100, invalid_context = 201, not_found = 500, not_ready = 600, launch_failed = 719,
                 peer_access_already_enabled = 704, peer_access_not_enabled = 705;
}  // namespace results

// CUdevice_attribute
enum class attribute : int {
  max_threads_per_block = 1,
  max_block_x = 2,
  max_block_y = 3,
  max_block_z = 4,
  constant_memory = 9,
  warp_size = 10,
  clock_kilohertz = 13,
  multiprocessors = 16,
  ecc_enabled = 32,
  integrated = 18,
  l2_cache_bytes = 38,
  compute_major = 75,
  compute_minor = 76,
  managed_memory = 83,
  host_native_atomics = 86,
  pageable_memory_access = 88,
  concurrent_managed_access = 89,
  shared_memory_per_block_optin = 97,
  virtual_memory = 102,
};

inline const stream_handle default_stream = reinterpret_cast<stream_handle>(std::uintptr_t{1});  // CU_STREAM_LEGACY
constexpr unsigned stream_non_blocking = 1, event_disable_timing = 2;
constexpr unsigned host_portable = 1, host_device_map = 2, managed_attach_global = 1;
constexpr int function_private_bytes = 3, function_registers = 4,
              function_max_dynamic_shared_bytes = 8;  // CUfunction_attribute
// CUpointer_attribute, CUmemorytype
constexpr int pointer_memory_type = 2, pointer_is_managed = 8, pointer_device = 9;
constexpr unsigned memory_type_host = 1, memory_type_device = 2;
// CUlaunchAttribute, CUlaunchConfig
struct launch_attribute {
  int id;
  alignas(8) std::uint64_t value[8];
};
struct launch_configuration {
  unsigned grid[3], block[3], shared_bytes;
  stream_handle stream;
  const launch_attribute *attributes;
  unsigned attribute_count;
};
static_assert(sizeof(launch_attribute) == 72 && sizeof(launch_configuration) == 56);
constexpr int cooperative_launch = 2, programmatic_stream_serialization = 6;  // CUlaunchAttributeID
constexpr int link_input_ptx = 1;                                             // CUjitInputType
constexpr int link_error_log = 5, link_error_log_bytes = 6;                   // CUjit_option

// CUmemAllocationProp, CUmemAccessDesc and their constants
struct memory_location {
  int type;
  ordinal number;
};
struct allocation_properties {
  int type, exported_handles;
  memory_location location;
  void *windows_attributes;
  std::uint8_t compression, remote_access;
  std::uint16_t usage;
  std::uint8_t reserved[4];
};
struct access_description {
  memory_location location;
  int flags;
};
static_assert(sizeof(allocation_properties) == 32 && sizeof(access_description) == 12);
constexpr int allocation_pinned = 1, location_device = 1;
constexpr int access_none = 0, access_read = 1, access_read_write = 3;

constexpr int capture_relaxed = 2;  // CUstreamCaptureMode

constexpr int peer_native_atomics = 3;  // CUdevice_P2PAttribute

// CUmem_advise
constexpr int advise_read_mostly = 1, advise_not_read_mostly = 2, advise_preferred_location = 3,
              advise_no_preferred_location = 4, advise_accessed_by = 5, advise_not_accessed_by = 6;

// clang-format off
/// field, symbol in the library, parameters
#define DPEP_CUDA_FUNCTIONS(X) \
  X(init, cuInit, (unsigned flags)) \
  X(driver_version, cuDriverGetVersion, (int *version)) \
  X(error_name, cuGetErrorName, (result, const char **text)) \
  X(error_text, cuGetErrorString, (result, const char **text)) \
  X(device_count, cuDeviceGetCount, (int *count)) \
  X(device_get, cuDeviceGet, (ordinal *device, int number)) \
  X(device_name, cuDeviceGetName, (char *name, int bytes, ordinal)) \
  X(device_attribute, cuDeviceGetAttribute, (int *value, attribute, ordinal)) \
  X(device_memory, cuDeviceTotalMem_v2, (std::size_t *bytes, ordinal)) \
  X(can_access_peer, cuDeviceCanAccessPeer, (int *can, ordinal device, ordinal peer)) \
  X(peer_attribute, cuDeviceGetP2PAttribute, (int *value, int attribute, ordinal device, ordinal peer)) \
  X(retain_context, cuDevicePrimaryCtxRetain, (context_handle *, ordinal)) \
  X(get_context, cuCtxGetCurrent, (context_handle *)) \
  X(set_context, cuCtxSetCurrent, (context_handle)) \
  X(synchronize_context, cuCtxSynchronize, ()) \
  X(enable_peer, cuCtxEnablePeerAccess, (context_handle peer, unsigned flags)) \
  X(disable_peer, cuCtxDisablePeerAccess, (context_handle peer)) \
  X(priority_range, cuCtxGetStreamPriorityRange, (int *least, int *greatest)) \
  X(memory_info, cuMemGetInfo_v2, (std::size_t *free, std::size_t *total)) \
  X(allocate, cuMemAlloc_v2, (address *, std::size_t bytes)) \
  X(free, cuMemFree_v2, (address)) \
  X(allocate_host, cuMemHostAlloc, (void **, std::size_t bytes, unsigned flags)) \
  X(free_host, cuMemFreeHost, (void *)) \
  X(allocate_managed, cuMemAllocManaged, (address *, std::size_t bytes, unsigned flags)) \
  X(pointer_attribute, cuPointerGetAttribute, (void *value, int attribute, address)) \
  X(pointer_attributes, cuPointerGetAttributes, (unsigned count, int *attributes, void **values, address)) \
  X(copy, cuMemcpyAsync, (address to, address from, std::size_t bytes, stream_handle)) \
  X(copy_blocking, cuMemcpy, (address to, address from, std::size_t bytes)) \
  X(fill8, cuMemsetD8Async, (address to, unsigned char value, std::size_t count, stream_handle)) \
  X(fill16, cuMemsetD16Async, (address to, unsigned short value, std::size_t count, stream_handle)) \
  X(fill32, cuMemsetD32Async, (address to, unsigned value, std::size_t count, stream_handle)) \
  X(prefetch, cuMemPrefetchAsync, (address, std::size_t bytes, ordinal, stream_handle)) \
  X(advise, cuMemAdvise, (address, std::size_t bytes, int advice, ordinal)) \
  X(granularity, cuMemGetAllocationGranularity, (std::size_t *, const allocation_properties *, int recommended)) \
  X(reserve, cuMemAddressReserve, (address *, std::size_t bytes, std::size_t alignment, address start, \
                                   unsigned long long flags)) \
  X(release_addresses, cuMemAddressFree, (address, std::size_t bytes)) \
  X(create_memory, cuMemCreate, (std::uint64_t *handle, std::size_t bytes, const allocation_properties *, \
                                 unsigned long long flags)) \
  X(destroy_memory, cuMemRelease, (std::uint64_t handle)) \
  X(map_memory, cuMemMap, (address, std::size_t bytes, std::size_t offset, std::uint64_t handle, \
                           unsigned long long flags)) \
  X(set_access, cuMemSetAccess, (address, std::size_t bytes, const access_description *, std::size_t count)) \
  X(unmap_memory, cuMemUnmap, (address, std::size_t bytes)) \
  X(make_stream, cuStreamCreateWithPriority, (stream_handle *, unsigned flags, int priority)) \
  X(destroy_stream, cuStreamDestroy_v2, (stream_handle)) \
  X(stream_wait, cuStreamWaitEvent, (stream_handle, event_handle, unsigned flags)) \
  X(make_event, cuEventCreate, (event_handle *, unsigned flags)) \
  X(destroy_event, cuEventDestroy_v2, (event_handle)) \
  X(record, cuEventRecord, (event_handle, stream_handle)) \
  X(query, cuEventQuery, (event_handle)) \
  X(synchronize, cuEventSynchronize, (event_handle)) \
  X(elapsed, cuEventElapsedTime, (float *milliseconds, event_handle start, event_handle end)) \
  X(load_module, cuModuleLoadData, (module_handle *, const void *image)) \
  X(unload_module, cuModuleUnload, (module_handle)) \
  X(get_function, cuModuleGetFunction, (function_handle *, module_handle, const char *name)) \
  X(get_global, cuModuleGetGlobal_v2, (address *, std::size_t *bytes, module_handle, const char *name)) \
  X(function_attribute, cuFuncGetAttribute, (int *value, int attribute, function_handle)) \
  X(set_function, cuFuncSetAttribute, (function_handle, int attribute, int value)) \
  X(active_blocks, cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *, function_handle, int block_items, \
                                                                 std::size_t shared_bytes)) \
  X(launch, cuLaunchKernelEx, (const launch_configuration *, function_handle, void **parameters, void **extra)) \
  X(begin_capture, cuStreamBeginCapture_v2, (stream_handle, int mode)) \
  X(end_capture, cuStreamEndCapture, (stream_handle, graph_handle *)) \
  X(instantiate_graph, cuGraphInstantiateWithFlags, (graph_exec_handle *, graph_handle, std::uint64_t flags)) \
  X(launch_graph, cuGraphLaunch, (graph_exec_handle, stream_handle)) \
  X(destroy_graph, cuGraphDestroy, (graph_handle)) \
  X(destroy_graph_exec, cuGraphExecDestroy, (graph_exec_handle)) \
  X(make_link, cuLinkCreate_v2, (unsigned count, int *options, void **values, link_handle *)) \
  X(link_data, cuLinkAddData_v2, (link_handle, int kind, void *data, std::size_t bytes, const char *name, \
                                  unsigned count, int *options, void **values)) \
  X(link_complete, cuLinkComplete, (link_handle, void **image, std::size_t *bytes)) \
  X(destroy_link, cuLinkDestroy, (link_handle))
// clang-format on

struct driver_api {
#define DPEP_CUDA_FIELD(field, symbol, parameters) result(*field) parameters = nullptr;
  DPEP_CUDA_FUNCTIONS(DPEP_CUDA_FIELD)
#undef DPEP_CUDA_FIELD

  /// The driver's text for a result: "an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)".
  std::string describe(result) const;
};

/// The path of the library from DPEP_CUDA_DRIVER; null if that is unset or empty.
const char *driver_override() noexcept;

/// Makes every function return CUDA_ERROR_NOT_INITIALIZED without calling the driver, in a forked child: another thread
/// may have held the driver's locks during the fork.
void disable_driver() noexcept;

/// Loads the library once. Returns null and sets `why` if there is none, or if it is too old.
const driver_api *load_driver(std::string &why);

}  // namespace dpep::backend::cuda
