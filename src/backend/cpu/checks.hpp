// What kernels call that were compiled with checks (DPEP_CHECK, DPEP_CHECK_SECONDS).
#pragma once

#include <cstdint>

namespace dpep::backend::cpu {

/// Ends the kernel: an access of `bytes` at `offset` of what has `size` bytes. `place`: "file:line" or nothing.
[[noreturn]] void fail_bounds(const char *what, std::int64_t offset, std::uint64_t bytes, std::uint64_t size,
                              std::uint32_t writes, const char *place) noexcept;

/// A work-item begins; each round of its loops, which ends the kernel when they have run for too long.
void begin_loops() noexcept;
void check_loop(const char *place) noexcept;

}  // namespace dpep::backend::cpu
