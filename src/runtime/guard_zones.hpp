// DPEP_CHECK=memory: guard zones around each allocation. Each wait checks that they were not overwritten.
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>

#include <dpep/source_line.hpp>

#include "backend/backend.hpp"

namespace dpep::runtime {

namespace detail {
extern const bool memory_is_guarded;  // read once, at process start
}
inline bool memory_is_guarded() noexcept { return detail::memory_is_guarded; }

/// The minimum size of the zone after an allocation, and the size of the zone before the first one of a segment. Keeps
/// the alignment of all allocations.
inline constexpr std::size_t guard_bytes = 256;
/// The maximum number of bytes after an allocation that are written and checked.
inline constexpr std::size_t max_checked_bytes = 4096;

/// Writes the pattern, through the device where the host cannot access the memory.
void fill_guard(backend::device &, usm_kind, std::byte *start, std::size_t bytes) noexcept;

/// The first and the last changed byte of a guard zone.
struct guard_damage {
  std::size_t first = 0, last = 0;
  bool any = false;
};
/// Checks a guard zone and restores its pattern.
guard_damage check_guard(backend::device &, usm_kind, std::byte *start, std::size_t bytes) noexcept;

/// Records the damage found when an allocation was freed, for the next wait.
void record_damage(std::string) noexcept;
/// The recorded damage, which is removed.
std::string take_recorded_damage() noexcept;

/// Records a kernel launch. Errors name the kernels launched since the last check, one of which may be the cause.
void record_launch(std::string_view kernel, source_line) noexcept;
/// A description of the recorded launches, which are removed.
std::string take_recorded_launches() noexcept;

/// Checks all guard zones of the process. Returns an error with the overwritten addresses; null if there are none.
std::exception_ptr check_all_guards() noexcept;

}  // namespace dpep::runtime
