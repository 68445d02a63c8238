// Functions that kernels with run-time checks call (DPEP_CHECK, DPEP_CHECK_SECONDS).
#pragma once

#include <cstdint>

namespace dpep::backend::cpu {

/// Ends the kernel with a message about an out-of-bounds access: `bytes` at `offset` of `what`, which has `size` bytes.
/// `place`: "file:line" or "".
[[noreturn]] void fail_bounds(const char *what, std::int64_t offset, std::uint64_t bytes, std::uint64_t size,
                              std::uint32_t writes, const char *place) noexcept;

/// Ends the kernel with that message. `place`: "file:line" or "".
[[noreturn]] void fail_check(const char *text, const char *place) noexcept;

/// Called when a work-item starts.
void begin_loops() noexcept;
/// Called in each iteration of a work-item's loops. Ends the kernel if they have run for too long.
void check_loop(const char *place) noexcept;

}  // namespace dpep::backend::cpu
