// Builtin functions of device code that the JIT implements: the interface between kernels and src/jit.
//
// Dimension 0 varies fastest. Functions that all work-items must call together are convergent. Each target of the JIT
// replaces the calls; there are no definitions.
#pragma once

#include <cstddef>
#include <cstdint>

#define DPEP_CONVERGENT [[clang::convergent]]

extern "C" {

// Indices and sizes of the calling work-item. Constant functions, so that the optimiser may merge and hoist the calls.
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

/// Waits for all work-items of the work-group (sub-group) and makes their memory writes visible to each other.
DPEP_CONVERGENT void __dpep_group_barrier() noexcept;
DPEP_CONVERGENT void __dpep_sub_group_barrier() noexcept;
/// Pauses the sub-group for about that long, so that others run. CPUs do not pause.
void __dpep_pause(std::uint32_t nanoseconds) noexcept;

/// The value of `x` in work-item `lane` of the sub-group. Values are moved as 32 or 64 bits of any type.
DPEP_CONVERGENT std::uint32_t __dpep_sub_group_shuffle32(std::uint32_t x, std::uint32_t lane) noexcept;
DPEP_CONVERGENT std::uint64_t __dpep_sub_group_shuffle64(std::uint64_t x, std::uint32_t lane) noexcept;

// The same for the work-items of the sub-group whose bits are set in `mask`, the caller's among them. All of them call
// the function at the same place with the same mask; the others may be elsewhere.
DPEP_CONVERGENT std::uint32_t __dpep_masked_shuffle32(std::uint32_t x, std::uint32_t lane, std::uint64_t mask) noexcept;
DPEP_CONVERGENT std::uint64_t __dpep_masked_shuffle64(std::uint64_t x, std::uint32_t lane, std::uint64_t mask) noexcept;
DPEP_CONVERGENT void __dpep_masked_barrier(std::uint64_t mask) noexcept;

/// The start of the launch's dynamic local memory. Local accessors are offsets into it.
[[gnu::const]] void *__dpep_local_memory() noexcept;
/// Local memory of constant size. Calls with the same `key` return the same memory, others different memory.
[[gnu::const]] void *__dpep_static_local_memory(std::size_t bytes, std::size_t alignment, const void *key) noexcept;
/// Local memory for group algorithms: `bytes_per_item` (a constant) times the work-group's size, aligned to 64 bytes.
/// All calls return the same memory, so a barrier must follow an algorithm's last access to it.
[[gnu::const]] void *__dpep_group_scratch(std::size_t bytes_per_item) noexcept;
/// Returns `memory` and declares its size. DPEP_CHECK checks accesses against that size.
[[gnu::const]] void *__dpep_sized_memory(void *memory, std::size_t bytes) noexcept;

/// Returns `position`, the index of an element relative to the first element of an accessor to a buffer. In launches
/// whose buffers are small (dpep::argument_facts), the JIT computes it in 32 bits, modulo 2^32.
[[gnu::const]] std::size_t __dpep_buffer_index(std::size_t position) noexcept;

/// Returns `memory` and gives atomic operations on the result this sycl::memory_scope. A call, because clang's bitcode
/// has no other representation of the scope.
[[gnu::const]] void *__dpep_in_scope(void *memory, std::int32_t scope) noexcept;
/// A fence with the memory order `order` (__ATOMIC_*) and the scope `scope` (sycl::memory_scope).
void __dpep_atomic_fence(std::int32_t order, std::int32_t scope) noexcept;

/// Requires that the kernel is launched in work-groups (sub-groups) of this constant size. Other launches are errors.
void __dpep_require_work_group_size(std::size_t x, std::size_t y, std::size_t z) noexcept;
void __dpep_require_sub_group_size(std::uint32_t size) noexcept;
/// Requires that all work-groups of a launch run side by side, because they wait for each other. Launches with more
/// work-groups than the device can run like that are errors.
void __dpep_require_concurrent_groups() noexcept;
/// States that the kernel reads the specialization constant with the constant `key`, for queries.
void __dpep_reads_constant(std::uint64_t key) noexcept;
/// Requires that the device has a dpep::aspect. Launches on other devices are errors.
void __dpep_require_aspect(std::uint32_t aspect) noexcept;

/// Ends the kernel. The queue's next wait throws an error with the text and the source location.
[[noreturn]] void __dpep_assert_fail(const char *text, const char *file, std::uint32_t line,
                                     const char *function) noexcept;
int __dpep_printf(const char *format, ...) noexcept;

// For kernels in Python: exceptions, and floats formatted as Python prints them.
[[noreturn]] void __dpep_raise(const char *text, const char *file, std::uint32_t line, const char *function) noexcept;
[[noreturn]] void __dpep_index_error(std::int64_t index, std::int64_t length, std::uint32_t axis, const char *file,
                                     std::uint32_t line, const char *function) noexcept;
const char *__dpep_text_of_double(double) noexcept;
const char *__dpep_text_of_float(float) noexcept;
}
