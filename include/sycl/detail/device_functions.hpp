// The JIT's builtins, for headers whose functions are parsed for the host as well.
#pragma once

#include <dpep/device_builtins.hpp>

/// Whether work-items of a sub-group give each other values faster than through memory: the JIT answers
/// for each device, and drops what is for others.
extern "C" [[gnu::const]] bool __dpep_has_fast_shuffles() noexcept;
/// Whether the memory itself finds minima and maxima of integers, so that nobody has to look before.
extern "C" [[gnu::const]] bool __dpep_has_atomic_minimum() noexcept;

// Only device code calls them, but a user's function that is no template and no inline function is emitted for the host
// too, and must link there.
#ifndef __SYCL_DEVICE_ONLY__
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
#pragma weak __dpep_sub_group_shuffle32
#pragma weak __dpep_sub_group_shuffle64
#pragma weak __dpep_local_memory
#pragma weak __dpep_static_local_memory
#pragma weak __dpep_group_scratch
#pragma weak __dpep_sized_memory
#pragma weak __dpep_assert_fail
#pragma weak __dpep_printf
#endif
