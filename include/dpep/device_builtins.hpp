// What device code may call that only the JIT can provide: the contract between kernels and src/jit.
//
// Dimension 0 varies fastest. All are convergent where they must be met by all work-items together. Each target of the
// JIT replaces them; none has a definition anywhere else.
#pragma once

#include <cstddef>
#include <cstdint>

#define DPEP_CONVERGENT [[clang::convergent]]

extern "C" {

// Who am I? Constant functions, so that the optimiser may merge and hoist the calls.
[[gnu::const]] std::size_t __dpep_global_id(std::uint32_t dimension) noexcept;  // offset included
[[gnu::const]] std::size_t __dpep_global_size(std::uint32_t dimension) noexcept;
[[gnu::const]] std::size_t __dpep_global_offset(std::uint32_t dimension) noexcept;
[[gnu::const]] std::size_t __dpep_local_id(std::uint32_t dimension) noexcept;
[[gnu::const]] std::size_t __dpep_local_size(std::uint32_t dimension) noexcept;
[[gnu::const]] std::size_t __dpep_group_id(std::uint32_t dimension) noexcept;
[[gnu::const]] std::size_t __dpep_group_count(std::uint32_t dimension) noexcept;

[[gnu::const]] std::uint32_t __dpep_sub_group_id() noexcept;
[[gnu::const]] std::uint32_t __dpep_sub_group_count() noexcept;
[[gnu::const]] std::uint32_t __dpep_sub_group_local_id() noexcept;
[[gnu::const]] std::uint32_t __dpep_sub_group_size() noexcept;  // of this sub-group
[[gnu::const]] std::uint32_t __dpep_sub_group_max_size() noexcept;

/// Waits for all work-items of the work-group (sub-group), which then see each other's memory writes.
DPEP_CONVERGENT void __dpep_group_barrier() noexcept;
DPEP_CONVERGENT void __dpep_sub_group_barrier() noexcept;

/// The value of `x` at another work-item of the sub-group; bits, moved as 32 or 64 at a time.
DPEP_CONVERGENT std::uint32_t __dpep_sub_group_shuffle32(std::uint32_t x, std::uint32_t lane) noexcept;
DPEP_CONVERGENT std::uint64_t __dpep_sub_group_shuffle64(std::uint64_t x, std::uint32_t lane) noexcept;

/// Start of the launch's dynamic local memory: what local accessors are offsets into.
[[gnu::const]] void *__dpep_local_memory() noexcept;
/// Local memory of a size known when compiling; `key` tells declarations apart: the same key, the same memory.
[[gnu::const]] void *__dpep_static_local_memory(std::size_t bytes, std::size_t alignment, const void *key) noexcept;
/// Work-group memory for group algorithms: `bytes_per_item` (a constant) times the work-group's size, aligned to 64.
/// All calls share the same memory, so an algorithm's last access to it is followed by a barrier.
[[gnu::const]] void *__dpep_group_scratch(std::size_t bytes_per_item) noexcept;
/// The pointer itself, of which it says that what it points to has so many bytes: DPEP_CHECK compares with that.
[[gnu::const]] void *__dpep_sized_memory(void *memory, std::size_t bytes) noexcept;

/// The pointer itself; an atomic operation there is one for that sycl::memory_scope. Bitcode has no other place for it.
[[gnu::const]] void *__dpep_in_scope(void *memory, std::int32_t scope) noexcept;
/// A fence with __ATOMIC_…'s order and sycl::memory_scope's scope.
void __dpep_atomic_fence(std::int32_t order, std::int32_t scope) noexcept;

/// The kernel only runs in work-groups, or sub-groups, of this size, a constant; launching it otherwise is an error.
void __dpep_require_work_group_size(std::size_t x, std::size_t y, std::size_t z) noexcept;
void __dpep_require_sub_group_size(std::uint32_t size) noexcept;

/// Ends the kernel; the error says the text and the place. Reported by the queue's next wait.
[[noreturn]] void __dpep_assert_fail(const char *text, const char *file, std::uint32_t line,
                                     const char *function) noexcept;
int __dpep_printf(const char *format, ...) noexcept;

// For kernels in Python: what they raise, and floats as Python prints them.
[[noreturn]] void __dpep_raise(const char *text, const char *file, std::uint32_t line, const char *function) noexcept;
[[noreturn]] void __dpep_index_error(std::int64_t index, std::int64_t length, std::uint32_t axis, const char *file,
                                     std::uint32_t line, const char *function) noexcept;
const char *__dpep_text_of_double(double) noexcept;
const char *__dpep_text_of_float(float) noexcept;
}
