// dpep::physical_memory and reserved addresses: checks of arguments, and a record of all reservations and mappings.
#include "runtime/virtual_memory.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <string_view>

#include <fmt/format.h>

#include <dpep/virtual_memory.hpp>

#include "backend/virtual_memory.hpp"
#include "runtime/context.hpp"
#include "runtime/device.hpp"
#include "runtime/empty_handle.hpp"

namespace dpep {
namespace {

/// Of the device's back end; null if the device can't map memory.
backend::virtual_memory *find_virtual_memory(const device &d) {
  auto *const found = dynamic_cast<backend::virtual_memory *>(&runtime::backend_of(d));
  return found && found->maps_memory() ? found : nullptr;
}

backend::virtual_memory &virtual_memory_of(const device &d, const char *operation) {
  backend::virtual_memory *const found = find_virtual_memory(d);
  if (!found)
    throw exception(errc::feature_not_supported,
                    fmt::format("{}: '{}' has no virtual memory", operation, d.info().name));
  return *found;
}

void check_multiple(const char *operation, std::string_view what, std::size_t value, std::size_t granularity) {
  if (value % granularity)
    throw exception(errc::invalid, fmt::format("{}: {} of {} is not a multiple of the granularity, {} bytes", operation,
                                               what, value, granularity));
}

void check_size(const char *operation, std::size_t bytes, std::size_t granularity) {
  if (!bytes) throw exception(errc::invalid, fmt::format("{}: the size is 0 bytes", operation));
  check_multiple(operation, "a size", bytes, granularity);
}

class physical_object final : public object {
public:
  physical_object(context where, device on, std::size_t size)
      : owner(std::move(where)),
        target(std::move(on)),
        driver(virtual_memory_of(target, "physical_memory")),
        bytes(size) {
    check_size("physical_memory", bytes, driver.granularity(false));
    const auto made = driver.create(bytes);
    if (!made)
      throw exception(errc::memory_allocation, fmt::format("physical_memory: '{}' has no {} bytes; {} bytes are free",
                                                           target.info().name, bytes, free_memory(target)));
    memory = *made;
  }
  ~physical_object() override { driver.destroy(memory); }

  const context owner;
  const device target;
  backend::virtual_memory &driver;
  const std::size_t bytes;
  backend::virtual_memory::physical memory = 0;
};

struct mapping {
  std::size_t bytes;
  ref<physical_object> memory;
  memory_access access;
};

struct reservation {
  std::size_t bytes;
  context owner;
  backend::virtual_memory *driver;
  std::map<std::uintptr_t, mapping> mappings;  // by address
};

/// All reservations of the process.
class reservation_table {
public:
  void add(std::uintptr_t start, reservation made) {
    const std::lock_guard lock(mutex_);
    reservations_.emplace(start, std::move(made));
    exist_.store(true, std::memory_order_release);
  }

  void free(std::uintptr_t start, std::size_t bytes, const context &where) {
    const std::lock_guard lock(mutex_);
    const auto found = reservations_.find(start);
    if (found == reservations_.end() || found->second.bytes != bytes || found->second.owner != where)
      throw exception(errc::invalid, fmt::format("free_addresses: {} bytes at {:#x} are not a reservation of the "
                                                 "context",
                                                 bytes, start));
    if (!found->second.mappings.empty())
      throw exception(errc::invalid, fmt::format("free_addresses: memory is mapped to {:#x}; unmap it before",
                                                 found->second.mappings.begin()->first));
    found->second.driver->release(start, bytes);
    reservations_.erase(found);
  }

  void map(std::uintptr_t at, std::size_t bytes, const ref<physical_object> &memory, std::size_t offset,
           memory_access access) {
    const std::lock_guard lock(mutex_);
    reservation &inside = reservation_of("physical_memory::map", at, bytes, memory->owner);
    const auto next = inside.mappings.lower_bound(at);
    const bool overlaps_next = next != inside.mappings.end() && next->first < at + bytes;
    const auto before = next == inside.mappings.begin() ? inside.mappings.end() : std::prev(next);
    if (overlaps_next || (before != inside.mappings.end() && before->first + before->second.bytes > at))
      throw exception(errc::invalid,
                      fmt::format("physical_memory::map: memory is mapped to some of the {} bytes at {:#x}; unmap it "
                                  "before",
                                  bytes, at));
    memory->driver.map(at, bytes, memory->memory, offset, access);
    inside.mappings.emplace(at, mapping{bytes, memory, access});
  }

  void set_access(std::uintptr_t at, std::size_t bytes, memory_access access, const context &where) {
    const std::lock_guard lock(mutex_);
    reservation &inside = reservation_of("set_memory_access", at, bytes, where);
    const auto first = inside.mappings.find(at);
    auto end = first;
    std::uintptr_t covered = at;
    for (; end != inside.mappings.end() && end->first == covered && covered < at + bytes; ++end)
      covered += end->second.bytes;
    if (covered != at + bytes)
      throw exception(errc::invalid, fmt::format("set_memory_access: {} bytes at {:#x} are not whole mappings; nothing "
                                                 "is mapped at {:#x}, or more than that",
                                                 bytes, at, std::min(covered, at + bytes)));
    for (auto m = first; m != end; ++m) {
      m->second.memory->driver.set_access(m->first, m->second.bytes, access);
      m->second.access = access;
    }
  }

  memory_access access_of(std::uintptr_t at, std::size_t bytes, const context &where) {
    const std::lock_guard lock(mutex_);
    reservation &inside = reservation_of("memory_access_of", at, bytes, where);
    std::optional<memory_access> common;
    for (std::uintptr_t next = at; next < at + bytes;) {
      const auto after = inside.mappings.upper_bound(next);
      const auto found = after == inside.mappings.begin() ? inside.mappings.end() : std::prev(after);
      if (found == inside.mappings.end() || found->first + found->second.bytes <= next)
        throw exception(errc::invalid, fmt::format("memory_access_of: no memory is mapped to {:#x}", next));
      if (common.value_or(found->second.access) != found->second.access)
        throw exception(errc::invalid,
                        fmt::format("memory_access_of: the {} bytes at {:#x} have different access modes", bytes, at));
      common = found->second.access;
      next = found->first + found->second.bytes;
    }
    return *common;
  }

  void unmap(std::uintptr_t at, std::size_t bytes, const context &where) {
    ref<physical_object> last_use;  // destroyed after the lock is released
    const std::lock_guard lock(mutex_);
    reservation &inside = reservation_of("unmap_memory", at, bytes, where);
    const auto found = inside.mappings.find(at);
    if (found == inside.mappings.end() || found->second.bytes != bytes)
      throw exception(errc::invalid,
                      fmt::format("unmap_memory: {} bytes at {:#x} are not what one call of map mapped", bytes, at));
    found->second.memory->driver.unmap(at, bytes, found->second.memory->memory);
    last_use = found->second.memory;
    inside.mappings.erase(found);
  }

  std::optional<allocation> find(std::uintptr_t address) noexcept {
    if (!exist_.load(std::memory_order_acquire)) return std::nullopt;
    const std::lock_guard lock(mutex_);
    const auto after = reservations_.upper_bound(address);
    if (after == reservations_.begin()) return std::nullopt;
    const auto &mappings = std::prev(after)->second.mappings;
    const auto next = mappings.upper_bound(address);
    if (next == mappings.begin()) return std::nullopt;
    const auto &[start, m] = *std::prev(next);
    if (address - start >= m.bytes || m.access == memory_access::none) return std::nullopt;
    return allocation{reinterpret_cast<void *>(start), m.bytes, usm_kind::device, m.memory->target, m.memory->owner};
  }

private:
  /// The reservation of this context that contains the bytes.
  reservation &reservation_of(const char *operation, std::uintptr_t at, std::size_t bytes, const context &where) {
    const auto after = reservations_.upper_bound(at);
    if (after != reservations_.begin()) {
      auto &[start, found] = *std::prev(after);
      const std::size_t offset = at - start;
      if (found.owner == where && bytes && offset < found.bytes && bytes <= found.bytes - offset) return found;
    }
    throw exception(errc::invalid,
                    fmt::format("{}: {} bytes at {:#x} are not in a reservation of the context", operation, bytes, at));
  }

  std::atomic<bool> exist_{false};
  std::mutex mutex_;  // guards the member below
  std::map<std::uintptr_t, reservation> reservations_;
};

reservation_table &table() {
  static auto &all = *new reservation_table;  // never destroyed: devices of static objects may use it
  return all;
}

std::uintptr_t address_of(const void *pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

ref<physical_object> physical_of(const physical_memory &m, const char *operation) {
  if (!m) runtime::throw_empty("physical_memory", operation);
  return ref<physical_object>::share(static_cast<physical_object *>(m.get()));
}

}  // namespace

physical_memory::physical_memory(const context &where, const device &on, std::size_t bytes) {
  runtime::implementation_of(where, "physical_memory");
  runtime::implementation_of(on, "physical_memory");
  if (!where.contains(on))
    throw exception(errc::invalid,
                    fmt::format("physical_memory: the device '{}' is not one of the context", on.info().name));
  implementation_ = make_object<physical_object>(where, on, bytes);
}

std::size_t physical_memory::bytes() const noexcept { return static_cast<const physical_object *>(get())->bytes; }
context physical_memory::get_context() const { return physical_of(*this, "physical_memory::get_context")->owner; }
device physical_memory::get_device() const { return physical_of(*this, "physical_memory::get_device")->target; }

void physical_memory::map(std::uintptr_t at, std::size_t size, memory_access access, std::size_t offset) const {
  constexpr const char *operation = "physical_memory::map";
  const auto mine = physical_of(*this, operation);
  const std::size_t granularity = mine->driver.granularity(false);
  check_multiple(operation, "an address", at, granularity);
  check_size(operation, size, granularity);
  check_multiple(operation, "an offset", offset, granularity);
  if (offset > mine->bytes || size > mine->bytes - offset)
    throw exception(errc::invalid, fmt::format("{}: {} bytes from {} on pass the end of the memory, {} bytes",
                                               operation, size, offset, mine->bytes));
  table().map(at, size, mine, offset, access);
}

bool has_virtual_memory(const device &d) { return find_virtual_memory(d) != nullptr; }

std::size_t virtual_memory_granularity(const device &d, bool recommended) {
  return virtual_memory_of(d, "virtual_memory_granularity").granularity(recommended);
}

std::uintptr_t reserve_addresses(std::uintptr_t start, std::size_t bytes, const context &where) {
  constexpr const char *operation = "reserve_addresses";
  backend::virtual_memory *driver = nullptr;
  for (const device &d : runtime::implementation_of(where, operation).devices) {
    driver = &virtual_memory_of(d, operation);
    check_multiple(operation, "a start", start, driver->granularity(false));
    check_size(operation, bytes, driver->granularity(false));
  }
  const std::uintptr_t made = driver->reserve(start, bytes);
  if (!made)
    throw exception(errc::memory_allocation, fmt::format("{}: there are no {} free addresses", operation, bytes));
  table().add(made, {bytes, where, driver, {}});
  return made;
}
void free_addresses(std::uintptr_t start, std::size_t bytes, const context &where) {
  table().free(start, bytes, where);
}

void set_memory_access(const void *pointer, std::size_t bytes, memory_access access, const context &where) {
  table().set_access(address_of(pointer), bytes, access, where);
}
memory_access memory_access_of(const void *pointer, std::size_t bytes, const context &where) {
  return table().access_of(address_of(pointer), bytes, where);
}
void unmap_memory(const void *pointer, std::size_t bytes, const context &where) {
  table().unmap(address_of(pointer), bytes, where);
}

std::optional<allocation> runtime::find_mapping(const void *address) noexcept {
  return table().find(address_of(address));
}

}  // namespace dpep
