// dpep::allocate, free and their kin: the pools behind checks that name what is wrong.
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
#include "runtime/queue.hpp"

namespace dpep {
namespace {

using runtime::context_object;
using runtime::implementation_of;
using runtime::memory_pool;
using runtime::segment;

std::string in_words(std::uint64_t bytes) {
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
      fmt::format(
          "allocate: no {} of {} memory on '{}': {} in use, {} cached{}{}; free "
          "something{} or ask for less",
          in_words(bytes), name_of(kind), info.name, in_words(account.in_use.load()), in_words(account.cached.load()),
          of_device ? fmt::format(", {} free of {}", in_words(target.free_memory()), in_words(info.global_mem_size))
                    : "",
          limit ? fmt::format(", and a limit of {} is set", in_words(limit)) : "", limit ? ", raise the limit" : ""));
}

struct place {
  segment *where;
  std::uint32_t slot;
  std::size_t inside;     // bytes from the slot's start
  std::uint64_t present;  // bytes asked for plus one; 0: free
};

std::optional<place> locate(const void *address) noexcept {
  segment *const s = runtime::find_segment(address);
  if (!s) return std::nullopt;
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte *>(address) - s->base);
  const auto slot = static_cast<std::uint32_t>(offset / s->slot_bytes);
  if (slot >= s->slots) return place{s, 0, offset, 0};  // the rest of a segment behind its last slot
  return place{s, slot, offset % s->slot_bytes, s->requested[slot].load(std::memory_order_acquire)};
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
    throw exception(errc::invalid, "allocate: the kind of memory is 'unknown'; wanted host, device or shared");
  if (!std::has_single_bit(alignment))
    throw exception(errc::invalid, fmt::format("allocate: alignment {}; wanted a power of two", alignment));
  static const device none{ref<object>()};
  const device &target = kind == usm_kind::host ? none : on;  // not copied: counting costs more than the rest
  if (kind != usm_kind::host && !where.contains(target))
    throw exception(errc::invalid,
                    fmt::format("allocate: the device of {} memory must be one of the context's {} device(s)",
                                name_of(kind), owner.devices.size()));
  backend::device &back = runtime::backend_of(target ? target : owner.devices.front());
  const device_info &info = back.info();
  if (!(kind == usm_kind::host ? info.usm_host : kind == usm_kind::device ? info.usm_device : info.usm_shared))
    throw exception(errc::feature_not_supported,
                    fmt::format("allocate: '{}' has no {} memory", info.name, name_of(kind)));
  // more than there is, or could be counted: waiting would not help
  const std::uint64_t most = info.global_mem_size;
  if (bytes > most || alignment > most) out_of_memory(owner, kind, bytes, back);

  memory_pool &pool = owner.pool(kind, target);
  void *memory = pool.allocate(bytes, alignment);
  if (!memory) {
    if (!runtime::in_host_task()) {  // which would wait for itself
      owner.reclaim();
      owner.finish_pending_work();
    }
    owner.trim();
    memory = pool.allocate(bytes, alignment);
    if (!memory) out_of_memory(owner, kind, bytes, back);
  }
  owner.retain();  // find_allocation names the context, so it lives as long as its allocations
  return memory;
}

void free(void *pointer, const context &where) {
  if (!pointer) return;
  context_object &owner = implementation_of(where, "free");
  const auto found = locate(pointer);
  const auto fail = [&](const std::string &what) {
    throw exception(errc::invalid, fmt::format("free: {} {}", fmt::ptr(pointer), what));
  };
  if (!found) fail("is no USM memory: it never was, or it was freed and given back to the system");
  memory_pool *const pool = found->where->pool.load(std::memory_order_acquire);
  if (!found->present || !pool) fail("was freed already");
  if (found->inside) {
    fail(fmt::format("lies {} bytes inside the allocation at {}; only its start can be freed", found->inside,
                     fmt::ptr(static_cast<std::byte *>(pointer) - found->inside)));
  }
  if (&pool->owner != &owner) fail("belongs to another context; free it with the context that it was allocated in");
  pool->free(*found->where, found->slot);
  owner.release();
}

std::optional<allocation> find_allocation(const void *address) noexcept {
  const auto found = locate(address);
  if (!found || !found->present || found->inside >= std::max<std::uint64_t>(found->present - 1, 1)) return std::nullopt;
  memory_pool *const pool = found->where->pool.load(std::memory_order_acquire);
  if (!pool) return std::nullopt;
  const auto *base = static_cast<const std::byte *>(address) - found->inside;
  return allocation{const_cast<std::byte *>(base), found->present - 1, pool->kind, pool->label,
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
  if (!found->present)
    throw exception(errc::invalid, fmt::format("{}: {} was freed already", operation, fmt::ptr(pointer)));
  const std::uint64_t size = found->present - 1;
  if (found->inside > size || bytes > size - found->inside) {
    throw exception(errc::invalid,
                    fmt::format("{}: {} bytes at {} pass the end of their allocation, which has {} bytes from there",
                                operation, bytes, fmt::ptr(pointer),
                                size - std::min<std::uint64_t>(found->inside, size)));
  }
}

}  // namespace runtime

}  // namespace dpep
