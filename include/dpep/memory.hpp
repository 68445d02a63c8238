// USM allocations: host, device and shared memory from pools, with statistics and limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <dpep/context.hpp>

namespace dpep {

enum class usm_kind { unknown, host, device, shared };
DPEP_API const char *name_of(usm_kind) noexcept;  // "host", …

/// A live USM allocation.
struct allocation {
  void *base = nullptr;
  std::size_t bytes = 0;
  usm_kind kind = usm_kind::unknown;
  dpep::device device;  // empty for host allocations
  dpep::context context;
};

/// Allocates at least `bytes` (which may be zero), aligned to 64 bytes and to `alignment`, a power of two. For host
/// memory the device is ignored and may be empty. If memory is exhausted, waits for the context's pending work (except
/// in a host task, which would wait for itself), empties the caches and tries again. Throws
///   errc::invalid for an alignment that is not a power of two, an unknown kind, or a device outside the context,
///   errc::feature_not_supported if the device has no memory of this kind,
///   errc::memory_allocation if memory is exhausted; the message has the requested, used and free bytes.
DPEP_API void *allocate(usm_kind, std::size_t bytes, std::size_t alignment, const context &, const device &);
/// Returns an allocation to its pool; null is ignored. Throws errc::invalid for a pointer that is not the start of a
/// live allocation of the context (freed twice, inside an allocation, not USM).
DPEP_API void free(void *pointer, const context &);
/// The live allocation that contains the address.
DPEP_API std::optional<allocation> find_allocation(const void *address) noexcept;

/// Statistics of one kind of memory in a context.
struct memory_statistics {
  std::uint64_t in_use = 0, peak = 0;  // bytes allocated by the program
  std::uint64_t cached = 0;            // bytes that the pools keep for reuse
  std::uint64_t allocations = 0;       // live allocations
  std::uint64_t limit = 0;             // the maximum of in_use + cached; 0: none
};
DPEP_API memory_statistics statistics(const context &, usm_kind);
DPEP_API void reset_peak(const context &, usm_kind);
DPEP_API void set_limit(const context &, usm_kind, std::uint64_t bytes);
/// Returns cached memory to the system; returns the number of bytes.
DPEP_API std::uint64_t trim(const context &);

}  // namespace dpep
