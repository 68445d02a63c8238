// Virtual memory of a GPU by the driver's functions for it.
//
// The driver maps an allocation of physical memory only as a whole. Memory of which a part is mapped first therefore
// consists of allocations of the smallest size, which take a tenth of a millisecond each to make. Other memory is one
// allocation.
#include <memory>
#include <utility>
#include <vector>

#include "backend/cuda/device.hpp"

namespace dpep::backend::cuda {
namespace {

allocation_properties memory_of(const device_context &c) {
  allocation_properties properties{};
  properties.type = allocation_pinned;
  properties.location = {location_device, c.number};
  return properties;
}

access_description description(const device_context &c, memory_access access) {
  const int flags = access == memory_access::none   ? access_none
                    : access == memory_access::read ? access_read
                                                    : access_read_write;
  return {{location_device, c.number}, flags};
}

}  // namespace

bool gpu_device::maps_memory() const noexcept {
  int can = 0;
  return context_->api.device_attribute(&can, attribute::virtual_memory, context_->number) == results::success && can;
}

std::size_t gpu_device::granularity(bool recommended) const {
  const allocation_properties memory = memory_of(*context_);
  std::size_t bytes = 0;
  context_->check(context_->api.granularity(&bytes, &memory, recommended), "cuMemGetAllocationGranularity");
  return bytes;
}

std::uintptr_t gpu_device::reserve(std::uintptr_t start, std::size_t bytes) {
  const scoped_context here(*context_);
  address made = 0;
  return context_->api.reserve(&made, bytes, 0, start, 0) == results::success ? made : 0;
}
void gpu_device::release(std::uintptr_t start, std::size_t bytes) noexcept {
  const scoped_context here(*context_, std::nothrow);
  context_->api.release_addresses(start, bytes);
}

namespace {

/// Allocations of the same size that follow each other.
struct allocations {
  std::size_t bytes, each;
  bool mapped;  // ever
  std::vector<std::uint64_t> handles;
};

allocations &allocations_of(virtual_memory::physical memory) { return *reinterpret_cast<allocations *>(memory); }

/// Makes the allocations. Returns the driver's error, after which there are none.
result make(allocations &memory, const device_context &c) {
  const allocation_properties properties = memory_of(c);
  memory.handles.reserve(memory.bytes / memory.each);
  while (memory.handles.size() < memory.bytes / memory.each) {
    std::uint64_t handle = 0;
    if (const result code = c.api.create_memory(&handle, memory.each, &properties, 0); code != results::success) {
      for (const std::uint64_t complete : memory.handles) c.api.destroy_memory(complete);
      memory.handles.clear();
      return code;
    }
    memory.handles.push_back(handle);
  }
  return results::success;
}

}  // namespace

std::optional<virtual_memory::physical> gpu_device::create(std::size_t bytes) {
  const scoped_context here(*context_);
  auto made = std::make_unique<allocations>(allocations{bytes, bytes, false, {}});
  const result code = make(*made, *context_);
  if (code == results::out_of_memory) return std::nullopt;
  context_->check(code, "cuMemCreate");
  return reinterpret_cast<physical>(made.release());
}
void gpu_device::destroy(physical memory) noexcept {
  const scoped_context here(*context_, std::nothrow);
  const std::unique_ptr<allocations> owner(&allocations_of(memory));
  for (const std::uint64_t handle : owner->handles) context_->api.destroy_memory(handle);
}

void gpu_device::map(std::uintptr_t at, std::size_t bytes, physical memory, std::size_t offset, memory_access access) {
  const scoped_context here(*context_);
  allocations &from = allocations_of(memory);
  if (offset % from.each || bytes % from.each) {
    if (from.mapped)
      throw exception(errc::feature_not_supported, "physical_memory::map: CUDA cannot map a part of memory that was "
                                                   "mapped as a whole before; map parts from the beginning");
    for (const std::uint64_t handle : std::exchange(from.handles, {})) context_->api.destroy_memory(handle);
    from.each = granularity(false);
  }
  if (from.handles.empty()) context_->check(make(from, *context_), "cuMemCreate");
  std::size_t done = 0;
  try {
    for (; done < bytes; done += from.each)
      context_->check(context_->api.map_memory(at + done, from.each, 0, from.handles[(offset + done) / from.each], 0),
                      "cuMemMap");
    if (access != memory_access::none) set_access(at, bytes, access);  // there is none after mapping
  } catch (...) {
    for (; done > 0; done -= from.each) context_->api.unmap_memory(at + done - from.each, from.each);
    throw;
  }
  from.mapped = true;
}
void gpu_device::set_access(std::uintptr_t at, std::size_t bytes, memory_access access) {
  const scoped_context here(*context_);
  const access_description how = description(*context_, access);
  context_->check(context_->api.set_access(at, bytes, &how, 1), "cuMemSetAccess");
}
void gpu_device::unmap(std::uintptr_t at, std::size_t bytes, physical memory) {
  const scoped_context here(*context_);
  const std::size_t each = allocations_of(memory).each;
  for (std::size_t done = 0; done < bytes; done += each)
    context_->check(context_->api.unmap_memory(at + done, each), "cuMemUnmap");
}

}  // namespace dpep::backend::cuda
