// DPEP_CHECK=memory: guard zones around each allocation. Each wait checks that their bytes were not overwritten.
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>

#include <dpep/source_line.hpp>

#include "backend/backend.hpp"

namespace dpep::runtime {

namespace detail {
extern const bool memory_is_guarded;  // read once, as the process starts
}
inline bool memory_is_guarded() noexcept { return detail::memory_is_guarded; }

/// Bytes behind an allocation at least, and before the first of a segment. They keep the alignment of all allocations.
inline constexpr std::size_t guard_bytes = 256;
/// Of what lies between an allocation and the next, the most that is looked at.
inline constexpr std::size_t most_guarded_bytes = 4096;

/// Bytes of a known pattern, also where the host cannot write itself.
void fill_guard(backend::device &, usm_kind, std::byte *start, std::size_t bytes) noexcept;

/// What was written into a guard zone: the first and the last changed byte. Restores the pattern.
struct guard_damage {
  std::size_t first = 0, last = 0;
  bool any = false;
};
guard_damage take_damage(backend::device &, usm_kind, std::byte *start, std::size_t bytes) noexcept;

/// What was found when an allocation was freed, for the next wait.
void keep_damage(std::string) noexcept;
std::string kept_damage() noexcept;

/// Names a kernel that may be what writes: those since the last look are named by errors.
void note_launch(std::string_view kernel, source_line) noexcept;
/// Those, and forgets them.
std::string launches_since() noexcept;

/// Looks at all zones of the process. An error that says what was written and where; null: nothing.
std::exception_ptr guard_error() noexcept;

}  // namespace dpep::runtime
