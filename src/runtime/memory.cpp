// dpep::allocate, dpep::free and memory statistics: argument checks and error messages over the pools.
#include <dpep/idle.hpp>
#include <dpep/memory.hpp>

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include "backend/native.hpp"
#include "runtime/context.hpp"
#include "runtime/device.hpp"
#include "runtime/host_task.hpp"
#include "runtime/memory.hpp"
#include "runtime/pool.hpp"
#include "runtime/virtual_memory.hpp"

namespace dpep {
namespace {

using runtime::context_object;
using runtime::implementation_of;
using runtime::memory_pool;
using runtime::segment;

/// "5.72 MiB"
std::string format_bytes(std::uint64_t bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  auto amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (amount >= 1024 && unit + 1 < units.size()) amount /= 1024, ++unit;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.2f} {}", amount, units[unit]);
}

[[noreturn]] void out_of_memory(context_object &owner, usm_kind kind, std::size_t bytes, backend::device &target) {
  if (const auto *const native = dynamic_cast<const backend::native_device *>(&target)) native->check_usable();
  const auto &account = owner.account(kind);
  const std::uint64_t limit = account.limit.load();
  const device_info &info = target.info();
  const bool of_device = kind != usm_kind::host || info.type == device_type::cpu;
  throw exception(
      errc::memory_allocation,
      fmt::format("allocate: cannot allocate {} of {} memory on '{}': {} in use, {} cached{}{}; free memory{} or "
                  "allocate less",
                  format_bytes(bytes), name_of(kind), info.name, format_bytes(account.in_use.load()),
                  format_bytes(account.cached.load()),
                  of_device ? fmt::format(", {} free of {}", format_bytes(target.free_memory()),
                                          format_bytes(info.global_mem_size))
                            : "",
                  limit ? fmt::format(", and a limit of {} is set", format_bytes(limit)) : "",
                  limit ? ", raise the limit" : ""));
}

/// The slot that contains an address.
struct slot_location {
  segment *where;
  std::uint32_t slot;
  std::size_t offset;       // of the address in the slot, in bytes
  std::uint64_t requested;  // the allocation's bytes plus one; 0: free
};

std::optional<slot_location> locate(const void *address) noexcept {
  segment *const s = runtime::find_segment(address);
  if (!s) return std::nullopt;
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte *>(address) - s->base);
  const auto slot = static_cast<std::uint32_t>(offset / s->slot_bytes);
  if (slot >= s->slots) return slot_location{s, 0, offset, 0};  // the rest of a segment after its last slot
  return slot_location{s, slot, offset % s->slot_bytes, s->requested[slot].load(std::memory_order_acquire)};
}

}  // namespace

const char *name_of(usm_kind kind) noexcept {
  switch (kind) {
  case usm_kind::unknown:
    return "unknown";
  case usm_kind::host:
    return "host";
  case usm_kind::device:
    return "device";
  case usm_kind::shared:
    return "shared";
  }
  return "unknown";
}

void *allocate(usm_kind kind, std::size_t bytes, std::size_t alignment, const context &where, const device &on) {
  context_object &owner = implementation_of(where, "allocate");
  if (kind == usm_kind::unknown)
    throw exception(errc::invalid, "allocate: the kind of memory is 'unknown'; pass host, device or shared");
  if (!std::has_single_bit(alignment))
    throw exception(errc::invalid,
                    fmt::format("allocate: alignment {} is not possible; pass a power of two", alignment));
  static const device none{ref<object>()};
  // A reference, since counting a copy costs more than everything else here.
  const device &target = kind == usm_kind::host ? none : on;
  if (kind != usm_kind::host && !where.contains(target))
    throw exception(errc::invalid,
                    fmt::format("allocate: the device of {} memory must be one of the context's {} device(s)",
                                name_of(kind), owner.devices.size()));
  backend::device &back = runtime::backend_of(target ? target : owner.devices.front());
  const device_info &info = back.info();
  if (!(kind == usm_kind::host ? info.usm_host : kind == usm_kind::device ? info.usm_device : info.usm_shared))
    throw exception(errc::feature_not_supported,
                    fmt::format("allocate: '{}' has no {} memory", info.name, name_of(kind)));
  // More than the device has, where waiting would not help. Also prevents overflow of sizes.
  const std::uint64_t limit = info.global_mem_size;
  if (bytes > limit || alignment > limit) out_of_memory(owner, kind, bytes, back);

  memory_pool &pool = owner.pool(kind, target);
  void *memory = pool.allocate(bytes, alignment);
  if (!memory) {
    if (!runtime::in_host_task()) {  // a host task would wait for itself
      owner.reclaim();
      owner.finish_pending_work();
    }
    owner.trim();
    memory = pool.allocate(bytes, alignment);
    if (!memory) out_of_memory(owner, kind, bytes, back);
  }
  owner.retain();  // find_allocation returns the context, so it must outlive its allocations
  return memory;
}

void *allocate_from_cache(usm_kind kind, std::size_t bytes, const context &where, const device &on) noexcept {
  static const device none{ref<object>()};
  const device &target = kind == usm_kind::host ? none : on;
  auto *const owner = static_cast<context_object *>(where.get());
  memory_pool *const pool = owner ? owner->find_pool(kind, target) : nullptr;
  void *const memory = pool ? pool->allocate_from_cache(bytes) : nullptr;
  if (memory) owner->retain();  // as allocate()
  return memory;
}

void free(void *pointer, const context &where) {
  if (!pointer) return;
  context_object &owner = implementation_of(where, "free");
  const auto found = locate(pointer);
  const auto fail = [&](const std::string &what) {
    throw exception(errc::invalid, fmt::format("free: {} {}", fmt::ptr(pointer), what));
  };
  if (!found) fail("is not USM memory: it was never allocated, or it was freed and returned to the system");
  memory_pool *const pool = found->where->pool.load(std::memory_order_acquire);
  if (!found->requested || !pool) fail("was freed already");
  if (found->offset) {
    fail(fmt::format("is {} bytes inside the allocation at {}; free the start of the allocation", found->offset,
                     fmt::ptr(static_cast<std::byte *>(pointer) - found->offset)));
  }
  if (&pool->owner != &owner) fail("belongs to another context; free it with the context that it was allocated in");
  pool->free(*found->where, found->slot);
  owner.release();
}

std::optional<allocation> find_allocation(const void *address) noexcept {
  const auto found = locate(address);
  if (!found) return runtime::find_mapping(address);
  if (!found->requested || found->offset >= std::max<std::uint64_t>(found->requested - 1, 1)) return std::nullopt;
  memory_pool *const pool = found->where->pool.load(std::memory_order_acquire);
  if (!pool) return std::nullopt;
  const auto *base = static_cast<const std::byte *>(address) - found->offset;
  return allocation{const_cast<std::byte *>(base), found->requested - 1, pool->kind, pool->reported_device,
                    context{ref<object>::share(&pool->owner)}};
}

memory_statistics statistics(const context &where, usm_kind kind) {
  const auto &account = implementation_of(where, "statistics").account(kind);
  return {account.in_use.load(), account.peak.load(), account.cached.load(), account.allocations.load(),
          account.limit.load()};
}

void reset_peak(const context &where, usm_kind kind) {
  auto &account = implementation_of(where, "reset_peak").account(kind);
  account.peak.store(account.in_use.load());
}

void set_limit(const context &where, usm_kind kind, std::uint64_t bytes) {
  implementation_of(where, "set_limit").account(kind).limit.store(bytes);
}

std::uint64_t trim(const context &where) {
  context_object &mine = implementation_of(where, "trim");
  if (!runtime::in_host_task()) mine.reclaim();
  return mine.trim();
}

namespace runtime {

void check_range(const void *pointer, std::size_t bytes, const char *operation) {
  if (bytes == 0) return;
  if (!pointer) throw exception(errc::invalid, fmt::format("{}: {} bytes at a null pointer", operation, bytes));
  const auto found = locate(pointer);
  if (!found) return;
  if (!found->requested)
    throw exception(errc::invalid, fmt::format("{}: {} was freed already", operation, fmt::ptr(pointer)));
  const std::uint64_t size = found->requested - 1;
  if (found->offset > size || bytes > size - found->offset) {
    throw exception(errc::invalid,
                    fmt::format("{}: {} bytes at {} pass the end of their allocation, which has {} bytes from there",
                                operation, bytes, fmt::ptr(pointer),
                                size - std::min<std::uint64_t>(found->offset, size)));
  }
}

std::size_t bytes_within_allocation(const void *pointer, std::size_t bytes) {
  const auto found = locate(pointer);
  if (!found || !found->requested) return bytes;
  const std::uint64_t size = found->requested - 1;
  return found->offset >= size ? bytes : std::min<std::uint64_t>(bytes, size - found->offset);
}

}  // namespace runtime

}  // namespace dpep
