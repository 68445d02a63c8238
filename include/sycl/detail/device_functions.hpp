// Declarations of the JIT's builtins, for headers whose functions are also parsed in the host pass.
#pragma once

#include <dpep/device_builtins.hpp>

/// Whether sub-groups exchange values faster by shuffles than through memory. The JIT replaces it by a constant for
/// each device and removes the code of the other case.
extern "C" [[gnu::const]] bool __dpep_has_fast_shuffles() noexcept;
/// Whether memory has atomic minimum and maximum instructions for integers, so that no load has to precede them.
extern "C" [[gnu::const]] bool __dpep_has_atomic_minimum() noexcept;
/// The device's dpep::backend_kind, and of NVIDIA's GPUs the compute capability times ten, as constants.
extern "C" [[gnu::const]] std::uint32_t __dpep_back_end() noexcept;
extern "C" [[gnu::const]] std::uint32_t __dpep_compute_capability() noexcept;

// Only device code calls these, but a user's function that is neither a template nor inline is also emitted for the
// host, where it must link.
#ifndef __SYCL_DEVICE_ONLY__
#pragma weak __dpep_reads_constant
#pragma weak __dpep_require_concurrent_groups
#pragma weak __dpep_back_end
#pragma weak __dpep_compute_capability
#pragma weak __dpep_has_fast_shuffles
#pragma weak __dpep_has_atomic_minimum
#pragma weak __dpep_global_id
#pragma weak __dpep_global_size
#pragma weak __dpep_global_offset
#pragma weak __dpep_local_id
#pragma weak __dpep_local_size
#pragma weak __dpep_group_id
#pragma weak __dpep_group_count
#pragma weak __dpep_sub_group_id
#pragma weak __dpep_sub_group_count
#pragma weak __dpep_sub_group_local_id
#pragma weak __dpep_sub_group_size
#pragma weak __dpep_sub_group_max_size
#pragma weak __dpep_group_barrier
#pragma weak __dpep_sub_group_barrier
#pragma weak __dpep_pause
#pragma weak __dpep_sub_group_shuffle32
#pragma weak __dpep_sub_group_shuffle64
#pragma weak __dpep_masked_shuffle32
#pragma weak __dpep_masked_shuffle64
#pragma weak __dpep_masked_barrier
#pragma weak __dpep_local_memory
#pragma weak __dpep_static_local_memory
#pragma weak __dpep_group_scratch
#pragma weak __dpep_sized_memory
#pragma weak __dpep_assert_fail
#pragma weak __dpep_printf
#endif
