// Devices and device selectors of dpctl's C interface.
#include <dpctl/syclinterface/dpctl_sycl_device_interface.h>
#include <dpctl/syclinterface/dpctl_sycl_device_selector_interface.h>

#include <algorithm>

#include <dpep/native.hpp>

#include "dpctl_interface/references.hpp"

using namespace dpep;
using namespace dpep::dpctl_interface;

namespace dpep::dpctl_interface {

std::string description_of(const device &d) {
  std::string text = "    Name            " + d.info().name + "\n    Driver version  " + d.info().driver_version +
                     "\n    Vendor          " + d.info().vendor + "\n";
  if (!d.parent()) text += "    Filter string   " + d.filter_string() + "\n";
  return text;
}

/// What a device selector points to.
struct selector {
  std::string filter;  // empty: the default device
};

}  // namespace dpep::dpctl_interface

namespace {

DPCTLSyclDeviceSelectorRef make_selector(const char *function, const char *filter) {
  return guarded(function, [&] {
    if (!filter) throw exception(errc::invalid, "the filter is NULL");
    if (*filter) static_cast<void>(device(std::string_view(filter)));  // throws if there is no such device
    return reinterpret_cast<DPCTLSyclDeviceSelectorRef>(new selector{filter});
  });
}
const selector &selector_of(DPCTLSyclDeviceSelectorRef s) {
  if (!s) throw exception(errc::invalid, "the selector is NULL");
  return *reinterpret_cast<const selector *>(s);
}
device selected(DPCTLSyclDeviceSelectorRef s) {
  const selector &how = selector_of(s);
  return how.filter.empty() ? device() : device(std::string_view(how.filter));
}

/// A property of the device, or zero.
template <class F> auto property(const char *function, DPCTLSyclDeviceRef d, F f) {
  return guarded(function, [&] { return f(target(d).info()); });
}
size_t *new_array(const size_t *first, size_t count) {
  size_t *const made = new size_t[std::max<size_t>(count, 1)];
  std::copy_n(first, count, made);
  return made;
}
/// SYCL's order: the last dimension is the fastest.
size_t *item_sizes(const char *function, DPCTLSyclDeviceRef d, size_t dimensions) {
  return property(function, d, [&](const device_info &i) {
    size_t sizes[3];
    for (size_t k = 0; k < dimensions; ++k) sizes[k] = i.max_work_item_sizes[dimensions - 1 - k];
    return new_array(sizes, dimensions);
  });
}
bool has_aspect(const device_info &i, DPCTLSyclAspectType aspect) {
  switch (aspect) {
  case cpu:
    return i.type == device_type::cpu;
  case gpu:
    return i.type == device_type::gpu;
  case accelerator:
    return i.type == device_type::accelerator;
  case custom:
    return i.type == device_type::custom;
  case fp16:
    return i.fp16;
  case fp64:
    return i.fp64;
  case atomic64:
    return i.atomic64;
  case online_compiler:
  case online_linker:
  case queue_profiling:
    return true;
  case usm_device_allocations:
    return i.usm_device;
  case usm_host_allocations:
    return i.usm_host;
  case usm_shared_allocations:
    return i.usm_shared;
  case usm_system_allocations:
    return i.usm_system;
  case usm_atomic_host_allocations:
    return i.usm_atomic_host;
  case usm_atomic_shared_allocations:
    return i.usm_atomic_shared;
  case host_debuggable:
    return i.type == device_type::cpu;
  case host:
  case image:
  case emulated:
  case is_component:
  case is_composite:
    break;
  }
  return false;
}

}  // namespace

DPCTLSyclDeviceSelectorRef DPCTLAcceleratorSelector_Create(void) { return make_selector(__func__, "accelerator"); }
DPCTLSyclDeviceSelectorRef DPCTLDefaultSelector_Create(void) { return make_selector(__func__, ""); }
DPCTLSyclDeviceSelectorRef DPCTLCPUSelector_Create(void) { return make_selector(__func__, "cpu"); }
DPCTLSyclDeviceSelectorRef DPCTLGPUSelector_Create(void) { return make_selector(__func__, "gpu"); }
DPCTLSyclDeviceSelectorRef DPCTLFilterSelector_Create(const char *filter) { return make_selector(__func__, filter); }
void DPCTLDeviceSelector_Delete(DPCTLSyclDeviceSelectorRef s) { delete reinterpret_cast<selector *>(s); }
int DPCTLDeviceSelector_Score(DPCTLSyclDeviceSelectorRef s, DPCTLSyclDeviceRef d) {
  constexpr int refused = -1, taken = 1000;
  const int score = guarded(__func__, [&] {
    const selector &how = selector_of(s);
    const device &candidate = target(d);
    if (how.filter.empty()) return candidate == device() ? taken : 1;
    const std::vector<device> all = select_devices(how.filter);
    return std::ranges::find(all, candidate) != all.end() ? taken : refused;
  });
  return score ? score : refused;
}

DPCTLSyclDeviceRef DPCTLDevice_Copy(DPCTLSyclDeviceRef d) {
  return guarded(__func__, [&] { return make_reference(target(d)); });
}
DPCTLSyclDeviceRef DPCTLDevice_Create(void) {
  return guarded(__func__, [] { return make_reference(device()); });
}
DPCTLSyclDeviceRef DPCTLDevice_CreateFromSelector(DPCTLSyclDeviceSelectorRef s) {
  return guarded(__func__, [&] { return make_reference(selected(s)); });
}
void DPCTLDevice_Delete(DPCTLSyclDeviceRef d) { destroy(d); }
bool DPCTLDevice_AreEq(DPCTLSyclDeviceRef a, DPCTLSyclDeviceRef b) {
  return guarded(__func__, [&] { return target(a) == target(b); });
}
size_t DPCTLDevice_Hash(DPCTLSyclDeviceRef d) {
  return guarded(__func__, [&] { return std::hash<device>()(target(d)); });
}
DPCTLSyclPlatformRef DPCTLDevice_GetPlatform(DPCTLSyclDeviceRef d) {
  return guarded(__func__, [&] { return make_reference(target(d).get_platform()); });
}

// clang-format off
#define DPEP_PROPERTY(type, name, expression) \
  type name(DPCTLSyclDeviceRef d) { return property(__func__, d, [](const device_info &i) { return static_cast<type>(expression); }); }
DPEP_PROPERTY(bool, DPCTLDevice_IsAccelerator, i.type == device_type::accelerator)
DPEP_PROPERTY(bool, DPCTLDevice_IsCPU, i.type == device_type::cpu)
DPEP_PROPERTY(bool, DPCTLDevice_IsGPU, i.type == device_type::gpu)
DPEP_PROPERTY(DPCTLSyclBackendType, DPCTLDevice_GetBackend, to_c(i.backend))
DPEP_PROPERTY(DPCTLSyclDeviceType, DPCTLDevice_GetDeviceType, to_c(i.type))
DPEP_PROPERTY(const char *, DPCTLDevice_GetDriverVersion, new_string(i.driver_version))
DPEP_PROPERTY(const char *, DPCTLDevice_GetName, new_string(i.name))
DPEP_PROPERTY(const char *, DPCTLDevice_GetVendor, new_string(i.vendor))
DPEP_PROPERTY(uint32_t, DPCTLDevice_GetMaxComputeUnits, i.max_compute_units)
DPEP_PROPERTY(uint64_t, DPCTLDevice_GetGlobalMemSize, i.global_mem_size)
DPEP_PROPERTY(uint64_t, DPCTLDevice_GetLocalMemSize, i.local_mem_size)
DPEP_PROPERTY(uint32_t, DPCTLDevice_GetMaxWorkItemDims, i.max_work_item_sizes.size())
DPEP_PROPERTY(size_t, DPCTLDevice_GetMaxWorkGroupSize, i.max_work_group_size)
DPEP_PROPERTY(uint32_t, DPCTLDevice_GetMaxNumSubGroups, i.max_num_sub_groups)
DPEP_PROPERTY(bool, DPCTLDevice_GetSubGroupIndependentForwardProgress, (i.type == device_type::gpu))
DPEP_PROPERTY(uint32_t, DPCTLDevice_GetPartitionMaxSubDevices, i.partition_max_sub_devices)
DPEP_PROPERTY(size_t, DPCTLDevice_GetProfilingTimerResolution, i.profiling_timer_resolution)
DPEP_PROPERTY(uint32_t, DPCTLDevice_GetGlobalMemCacheLineSize, i.global_mem_cache_line_size)
DPEP_PROPERTY(uint32_t, DPCTLDevice_GetMaxClockFrequency, i.max_clock_frequency)
DPEP_PROPERTY(uint64_t, DPCTLDevice_GetMaxMemAllocSize, i.max_mem_alloc_size)
DPEP_PROPERTY(uint64_t, DPCTLDevice_GetGlobalMemCacheSize, i.global_mem_cache_size)
DPEP_PROPERTY(DPCTLGlobalMemCacheType, DPCTLDevice_GetGlobalMemCacheType,
              i.global_mem_cache_size ? DPCTL_MEM_CACHE_TYPE_READ_WRITE : DPCTL_MEM_CACHE_TYPE_NONE)
// There are no images.
#define DPEP_NO_IMAGES(type, name) type DPCTLDevice_Get##name(DPCTLSyclDeviceRef) { return 0; }
DPEP_NO_IMAGES(uint32_t, MaxReadImageArgs)
DPEP_NO_IMAGES(uint32_t, MaxWriteImageArgs)
DPEP_NO_IMAGES(size_t, Image2dMaxWidth)
DPEP_NO_IMAGES(size_t, Image2dMaxHeight)
DPEP_NO_IMAGES(size_t, Image3dMaxWidth)
DPEP_NO_IMAGES(size_t, Image3dMaxHeight)
DPEP_NO_IMAGES(size_t, Image3dMaxDepth)
#define DPEP_WIDTH(name, index) \
  DPEP_PROPERTY(uint32_t, DPCTLDevice_GetPreferredVectorWidth##name, i.preferred_vector_width[index]) \
  DPEP_PROPERTY(uint32_t, DPCTLDevice_GetNativeVectorWidth##name, i.native_vector_width[index])
DPEP_WIDTH(Char, 0) DPEP_WIDTH(Short, 1) DPEP_WIDTH(Int, 2) DPEP_WIDTH(Long, 3) DPEP_WIDTH(Float, 4)
DPEP_WIDTH(Double, 5) DPEP_WIDTH(Half, 6)
    // clang-format on

    bool DPCTLDevice_HasAspect(DPCTLSyclDeviceRef d, DPCTLSyclAspectType aspect) {
  return property(__func__, d, [&](const device_info &i) { return has_aspect(i, aspect); });
}
size_t *DPCTLDevice_GetMaxWorkItemSizes1d(DPCTLSyclDeviceRef d) { return item_sizes(__func__, d, 1); }
size_t *DPCTLDevice_GetMaxWorkItemSizes2d(DPCTLSyclDeviceRef d) { return item_sizes(__func__, d, 2); }
size_t *DPCTLDevice_GetMaxWorkItemSizes3d(DPCTLSyclDeviceRef d) { return item_sizes(__func__, d, 3); }
size_t *DPCTLDevice_GetSubGroupSizes(DPCTLSyclDeviceRef d, size_t *count) {
  return property(__func__, d, [&](const device_info &i) {
    *count = i.sub_group_sizes.size();
    return new_array(i.sub_group_sizes.data(), *count);
  });
}

DPCTLSyclDeviceRef DPCTLDevice_GetParentDevice(DPCTLSyclDeviceRef d) {
  return guarded(__func__, [&]() -> DPCTLSyclDeviceRef {
    const std::optional<device> parent = target(d).parent();
    return parent ? make_reference(*parent) : nullptr;
  });
}
DPCTLDeviceVectorRef DPCTLDevice_CreateSubDevicesEqually(DPCTLSyclDeviceRef d, size_t compute_units) {
  return guarded(__func__, [&] {
    return make_vector<DPCTLDeviceVectorRef>(target(d).partition_equally(static_cast<std::uint32_t>(compute_units)));
  });
}
DPCTLDeviceVectorRef DPCTLDevice_CreateSubDevicesByCounts(DPCTLSyclDeviceRef d, size_t *counts, size_t count) {
  return guarded(__func__, [&] {
    std::vector<std::uint32_t> units;
    for (size_t i = 0; i < count; ++i) units.push_back(static_cast<std::uint32_t>(counts[i]));
    return make_vector<DPCTLDeviceVectorRef>(target(d).partition_by_counts(units));
  });
}
DPCTLDeviceVectorRef DPCTLDevice_CreateSubDevicesByAffinity(DPCTLSyclDeviceRef d,
                                                            DPCTLPartitionAffinityDomainType domain) {
  return guarded(__func__, [&] {
    static_assert(int(next_partitionable) == int(partition_domain::next_partitionable));
    return make_vector<DPCTLDeviceVectorRef>(target(d).partition_by_affinity(static_cast<partition_domain>(domain)));
  });
}
DPCTLSyclDeviceRef DPCTLDevice_GetCompositeDevice(DPCTLSyclDeviceRef) { return nullptr; }
DPCTLDeviceVectorRef DPCTLDevice_GetComponentDevices(DPCTLSyclDeviceRef) { return DPCTLDeviceVector_Create(); }
bool DPCTLDevice_CanAccessPeer(DPCTLSyclDeviceRef d, DPCTLSyclDeviceRef peer, DPCTLPeerAccessType kind) {
  return guarded(__func__, [&] {
    return kind == atomics_supported ? native::has_peer_atomics(target(d), target(peer))
                                     : native::can_access_peer(target(d), target(peer));
  });
}
void DPCTLDevice_EnablePeerAccess(DPCTLSyclDeviceRef d, DPCTLSyclDeviceRef peer) {
  guarded(__func__, [&] { native::set_peer_access(target(d), target(peer), true); });
}
void DPCTLDevice_DisablePeerAccess(DPCTLSyclDeviceRef d, DPCTLSyclDeviceRef peer) {
  guarded(__func__, [&] { native::set_peer_access(target(d), target(peer), false); });
}

DPCTLDeviceVectorRef DPCTLDeviceMgr_GetDevices(int identifier) {
  return guarded(__func__, [&] {
    std::vector<device> found;
    for (const device &d : all_devices())
      if (matches(d, identifier)) found.push_back(d);
    return make_vector<DPCTLDeviceVectorRef>(std::move(found));
  });
}
size_t DPCTLDeviceMgr_GetNumDevices(int identifier) {
  return guarded(__func__, [&] {
    const std::vector<device> all = all_devices();
    return static_cast<size_t>(std::ranges::count_if(all, [&](const device &d) { return matches(d, identifier); }));
  });
}
int DPCTLDeviceMgr_GetPositionInDevices(DPCTLSyclDeviceRef d, int identifier) {
  constexpr int not_found = -1;
  const int position = guarded(__func__, [&] {
    int place = 1;
    for (const device &other : all_devices()) {
      if (!matches(other, identifier)) continue;
      if (other == target(d)) return place;
      ++place;
    }
    return 0;
  });
  return position ? position - 1 : not_found;
}
int64_t DPCTLDeviceMgr_GetRelativeId(DPCTLSyclDeviceRef d) {
  return guarded(
             __func__,
             [&] { return target(d).parent() ? int64_t{0} : static_cast<int64_t>(target(d).relative_index()) + 1; }) -
         1;  // -1 for sub-devices
}
DPCTLSyclContextRef DPCTLDeviceMgr_GetCachedContext(DPCTLSyclDeviceRef d) {
  return guarded(__func__, [&] { return make_reference(context::default_for(target(d))); });
}
const char *DPCTLDeviceMgr_GetDeviceInfoStr(DPCTLSyclDeviceRef d) {
  return guarded(__func__, [&] { return new_string(description_of(target(d))); });
}
void DPCTLDeviceMgr_PrintDeviceInfo(DPCTLSyclDeviceRef d) {
  guarded(__func__, [&] {
    std::fputs(description_of(target(d)).c_str(), stdout);
    std::fflush(stdout);
  });
}
DPCTLDeviceVectorRef DPCTLDeviceMgr_GetCompositeDevices(void) { return DPCTLDeviceVector_Create(); }
