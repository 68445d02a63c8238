// USM allocations: host, device and shared memory out of pools, with statistics and limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <dpep/context.hpp>

namespace dpep {

enum class usm_kind { unknown, host, device, shared };
DPEP_API const char *name_of(usm_kind) noexcept;  // "host", …

struct allocation {
  void *base = nullptr;
  std::size_t bytes = 0;
  usm_kind kind = usm_kind::unknown;
  dpep::device device;  // empty for host allocations
  dpep::context context;
};

/// Memory of at least `bytes` (which may be zero), aligned to 64 bytes and to `alignment`, a power of two. Host memory
/// is of no device, and `device` may be empty. Throws
///   errc::invalid for another alignment, an unknown kind, or a device that is not in the context,
///   errc::feature_not_supported where the device has no such memory,
///   errc::memory_allocation, saying what was asked for, what is in use and what is free: after waiting for the
///   context's pending work (except in a host task, which would wait for itself), emptying caches, and trying again.
DPEP_API void *allocate(usm_kind, std::size_t bytes, std::size_t alignment, const context &, const device &);
/// Gives an allocation back to its pool; null does nothing. Throws errc::invalid for a pointer that is no live
/// allocation of the context (freed twice, inside another, foreign).
DPEP_API void free(void *pointer, const context &);
/// The live allocation that the address lies in.
DPEP_API std::optional<allocation> find_allocation(const void *address) noexcept;

struct memory_statistics {
  std::uint64_t in_use = 0, peak = 0;  // bytes that the program holds
  std::uint64_t cached = 0;            // bytes that the pool keeps for reuse
  std::uint64_t allocations = 0;       // live allocations
  std::uint64_t limit = 0;             // in_use + cached may not pass it; 0: none
};
DPEP_API memory_statistics statistics(const context &, usm_kind);
DPEP_API void reset_peak(const context &, usm_kind);
DPEP_API void set_limit(const context &, usm_kind, std::uint64_t bytes);
/// Gives cached memory back to the system; returns how many bytes.
DPEP_API std::uint64_t trim(const context &);

}  // namespace dpep
