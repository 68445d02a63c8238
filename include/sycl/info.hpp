// Information descriptors: template arguments of get_info, each with its return type and the source of its value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <dpep/event.hpp>
#include <dpep/kernel.hpp>
#include <dpep/queue.hpp>

#include <sycl/aspect.hpp>
#include <sycl/id.hpp>
#include <sycl/memory_model.hpp>

namespace sycl {

class context;
class device;
class kernel_id;
class platform;
class queue;

namespace info {

enum class device_type { cpu, gpu, accelerator, custom, automatic, host, all };
enum class partition_property { no_partition, partition_equally, partition_by_counts, partition_by_affinity_domain };
enum class partition_affinity_domain {
  not_applicable,
  numa,
  L4_cache,
  L3_cache,
  L2_cache,
  L1_cache,
  next_partitionable,
};
enum class local_mem_type { none, local, global };
enum class fp_config {
  denorm,
  inf_nan,
  round_to_nearest,
  round_to_zero,
  round_to_inf,
  fma,
  correctly_rounded_divide_sqrt,
  soft_float,
};
enum class global_mem_cache_type { none, read_only, read_write };
enum class execution_capability { exec_kernel, exec_native_kernel };
enum class event_command_status { submitted, running, complete };

}  // namespace info

namespace detail {

inline std::vector<info::fp_config> fp_config(bool supported) {
  using enum info::fp_config;
  if (!supported) return {};
  return {denorm, inf_nan, round_to_nearest, fma, correctly_rounded_divide_sqrt};
}

template <int Dimensions> range<Dimensions> work_item_sizes(const dpep::device_info &info) {
  range<Dimensions> sizes;
  for (int i = 0; i < Dimensions; i++) sizes[i] = info.max_work_item_sizes[Dimensions - 1 - i];
  return sizes;
}

inline std::vector<memory_order> all_memory_orders() {
  using enum memory_order;
  return {relaxed, acquire, release, acq_rel, seq_cst};
}
inline std::vector<memory_scope> all_memory_scopes() {
  using enum memory_scope;
  return {work_item, sub_group, work_group, device, system};
}

}  // namespace detail

namespace info {

// Defines a descriptor whose value is an expression of the device's record `i`. Uses end with a semicolon, since
// formatters expect one after a declaration.
#define DPEP_DEVICE_INFO(descriptor, type, ...)                                                                        \
  struct descriptor {                                                                                                  \
    using return_type = type;                                                                                          \
    static return_type get(const dpep::device &d) {                                                                    \
      [[maybe_unused]] const dpep::device_info &i = d.info();                                                          \
      return __VA_ARGS__;                                                                                              \
    }                                                                                                                  \
  }
// Defines a descriptor whose value requires SYCL's classes; <sycl/device.hpp> implements it.
#define DPEP_DEVICE_INFO_LATER(descriptor, type)                                                                       \
  struct descriptor {                                                                                                  \
    using return_type = type;                                                                                          \
    static return_type get(const dpep::device &);                                                                      \
  }

namespace device {

DPEP_DEVICE_INFO(device_type, info::device_type, static_cast<info::device_type>(i.type));
DPEP_DEVICE_INFO(name, std::string, i.name);
DPEP_DEVICE_INFO(vendor, std::string, i.vendor);
DPEP_DEVICE_INFO(vendor_id, std::uint32_t, i.vendor_id);
DPEP_DEVICE_INFO(driver_version, std::string, i.driver_version);
DPEP_DEVICE_INFO(version, std::string, i.version);
DPEP_DEVICE_INFO(backend_version, std::string, i.driver_version);
DPEP_DEVICE_INFO(profile, std::string, "FULL_PROFILE");
DPEP_DEVICE_INFO(extensions, std::vector<std::string>, i.extensions);
DPEP_DEVICE_INFO(aspects, std::vector<aspect>, detail::aspects_of(d));
DPEP_DEVICE_INFO_LATER(platform, sycl::platform);

DPEP_DEVICE_INFO(max_compute_units, std::uint32_t, i.max_compute_units);
DPEP_DEVICE_INFO(max_clock_frequency, std::uint32_t, i.max_clock_frequency);
DPEP_DEVICE_INFO(address_bits, std::uint32_t, i.address_bits);
DPEP_DEVICE_INFO(max_work_item_dimensions, std::uint32_t, 3);
template <int Dimensions = 3> struct max_work_item_sizes {
  using return_type = range<Dimensions>;
  static return_type get(const dpep::device &d) { return sycl::detail::work_item_sizes<Dimensions>(d.info()); }
};
DPEP_DEVICE_INFO(max_work_group_size, std::size_t, i.max_work_group_size);
DPEP_DEVICE_INFO(max_num_sub_groups, std::uint32_t, i.max_num_sub_groups);
DPEP_DEVICE_INFO(sub_group_sizes, std::vector<std::size_t>, i.sub_group_sizes);
DPEP_DEVICE_INFO(sub_group_independent_forward_progress, bool, true);
DPEP_DEVICE_INFO(max_parameter_size, std::size_t, i.max_parameter_size);
DPEP_DEVICE_INFO(execution_capabilities, std::vector<execution_capability>, {execution_capability::exec_kernel});
DPEP_DEVICE_INFO(preferred_vector_width_char, std::uint32_t, i.preferred_vector_width[0]);
DPEP_DEVICE_INFO(preferred_vector_width_short, std::uint32_t, i.preferred_vector_width[1]);
DPEP_DEVICE_INFO(preferred_vector_width_int, std::uint32_t, i.preferred_vector_width[2]);
DPEP_DEVICE_INFO(preferred_vector_width_long, std::uint32_t, i.preferred_vector_width[3]);
DPEP_DEVICE_INFO(preferred_vector_width_float, std::uint32_t, i.preferred_vector_width[4]);
DPEP_DEVICE_INFO(preferred_vector_width_double, std::uint32_t, i.preferred_vector_width[5]);
DPEP_DEVICE_INFO(preferred_vector_width_half, std::uint32_t, i.preferred_vector_width[6]);
DPEP_DEVICE_INFO(native_vector_width_char, std::uint32_t, i.native_vector_width[0]);
DPEP_DEVICE_INFO(native_vector_width_short, std::uint32_t, i.native_vector_width[1]);
DPEP_DEVICE_INFO(native_vector_width_int, std::uint32_t, i.native_vector_width[2]);
DPEP_DEVICE_INFO(native_vector_width_long, std::uint32_t, i.native_vector_width[3]);
DPEP_DEVICE_INFO(native_vector_width_float, std::uint32_t, i.native_vector_width[4]);
DPEP_DEVICE_INFO(native_vector_width_double, std::uint32_t, i.native_vector_width[5]);
DPEP_DEVICE_INFO(native_vector_width_half, std::uint32_t, i.native_vector_width[6]);

DPEP_DEVICE_INFO(max_mem_alloc_size, std::uint64_t, i.max_mem_alloc_size);
DPEP_DEVICE_INFO(mem_base_addr_align, std::uint32_t, i.mem_base_addr_align);
DPEP_DEVICE_INFO(global_mem_size, std::uint64_t, i.global_mem_size);
DPEP_DEVICE_INFO(global_mem_cache_type, info::global_mem_cache_type,
                 i.global_mem_cache_size ? info::global_mem_cache_type::read_write : info::global_mem_cache_type::none);
DPEP_DEVICE_INFO(global_mem_cache_line_size, std::uint32_t, i.global_mem_cache_line_size);
DPEP_DEVICE_INFO(global_mem_cache_size, std::uint64_t, i.global_mem_cache_size);
DPEP_DEVICE_INFO(local_mem_type, info::local_mem_type,
                 i.local_mem_is_global ? info::local_mem_type::global : info::local_mem_type::local);
DPEP_DEVICE_INFO(local_mem_size, std::uint64_t, i.local_mem_size);
DPEP_DEVICE_INFO(error_correction_support, bool, i.error_correction_support);
DPEP_DEVICE_INFO(host_unified_memory, bool, i.host_unified_memory);
DPEP_DEVICE_INFO(max_constant_buffer_size, std::uint64_t, i.max_constant_buffer_size);
DPEP_DEVICE_INFO(max_constant_args, std::uint32_t, 8);
DPEP_DEVICE_INFO(atomic64, bool, i.atomic64);  // deprecated by SYCL 2020
DPEP_DEVICE_INFO(usm_device_allocations, bool, i.usm_device);
DPEP_DEVICE_INFO(usm_host_allocations, bool, i.usm_host);
DPEP_DEVICE_INFO(usm_shared_allocations, bool, i.usm_shared);
DPEP_DEVICE_INFO(usm_system_allocations, bool, i.usm_system);

DPEP_DEVICE_INFO(half_fp_config, std::vector<info::fp_config>, sycl::detail::fp_config(i.fp16));
DPEP_DEVICE_INFO(single_fp_config, std::vector<info::fp_config>, sycl::detail::fp_config(true));
DPEP_DEVICE_INFO(double_fp_config, std::vector<info::fp_config>, sycl::detail::fp_config(i.fp64));
DPEP_DEVICE_INFO(atomic_memory_order_capabilities, std::vector<memory_order>, sycl::detail::all_memory_orders());
DPEP_DEVICE_INFO(atomic_fence_order_capabilities, std::vector<memory_order>, sycl::detail::all_memory_orders());
DPEP_DEVICE_INFO(atomic_memory_scope_capabilities, std::vector<memory_scope>, sycl::detail::all_memory_scopes());
DPEP_DEVICE_INFO(atomic_fence_scope_capabilities, std::vector<memory_scope>, sycl::detail::all_memory_scopes());

// Images are memory; their sizes are numbers that OpenCL requires of every device, or more.
DPEP_DEVICE_INFO(image_support, bool, true);
DPEP_DEVICE_INFO(max_read_image_args, std::uint32_t, 128);
DPEP_DEVICE_INFO(max_write_image_args, std::uint32_t, 64);
DPEP_DEVICE_INFO(image2d_max_width, std::size_t, 65536);
DPEP_DEVICE_INFO(image2d_max_height, std::size_t, 65536);
DPEP_DEVICE_INFO(image3d_max_width, std::size_t, 16384);
DPEP_DEVICE_INFO(image3d_max_height, std::size_t, 16384);
DPEP_DEVICE_INFO(image3d_max_depth, std::size_t, 16384);
DPEP_DEVICE_INFO(image_max_buffer_size, std::size_t, 2147483647);
DPEP_DEVICE_INFO(image_max_array_size, std::size_t, 2048);
DPEP_DEVICE_INFO(max_samplers, std::uint32_t, 64);

DPEP_DEVICE_INFO(profiling_timer_resolution, std::size_t, i.profiling_timer_resolution);
DPEP_DEVICE_INFO(queue_profiling, bool, true);
DPEP_DEVICE_INFO(is_endian_little, bool, true);
DPEP_DEVICE_INFO(is_available, bool, true);
DPEP_DEVICE_INFO(is_compiler_available, bool, true);
DPEP_DEVICE_INFO(is_linker_available, bool, true);
DPEP_DEVICE_INFO(printf_buffer_size, std::size_t, 1 << 20);
DPEP_DEVICE_INFO(preferred_interop_user_sync, bool, true);
DPEP_DEVICE_INFO(built_in_kernels, std::vector<std::string>, {});
DPEP_DEVICE_INFO_LATER(built_in_kernel_ids, std::vector<kernel_id>);

DPEP_DEVICE_INFO_LATER(parent_device, sycl::device);
DPEP_DEVICE_INFO(partition_max_sub_devices, std::uint32_t, i.partition_max_sub_devices);
DPEP_DEVICE_INFO_LATER(partition_properties, std::vector<info::partition_property>);
DPEP_DEVICE_INFO_LATER(partition_affinity_domains, std::vector<info::partition_affinity_domain>);
DPEP_DEVICE_INFO_LATER(partition_type_property, info::partition_property);
DPEP_DEVICE_INFO_LATER(partition_type_affinity_domain, info::partition_affinity_domain);

// SYCL 1.2.1
DPEP_DEVICE_INFO(opencl_c_version, std::string, "");  // no device compiles OpenCL C
DPEP_DEVICE_INFO(reference_count, std::uint32_t, d.get()->reference_count());

}  // namespace device

#undef DPEP_DEVICE_INFO
#undef DPEP_DEVICE_INFO_LATER

namespace platform {
struct name {
  using return_type = std::string;
  static return_type get(const dpep::platform &p) { return p.name(); }
};
struct vendor {
  using return_type = std::string;
  static return_type get(const dpep::platform &p) { return p.vendor(); }
};
struct version {
  using return_type = std::string;
  static return_type get(const dpep::platform &p) { return p.version(); }
};
struct profile {
  using return_type = std::string;
  static return_type get(const dpep::platform &) { return "FULL_PROFILE"; }
};
struct extensions {
  using return_type = std::vector<std::string>;
  static return_type get(const dpep::platform &) { return {}; }
};
}  // namespace platform

namespace context {
struct platform {
  using return_type = sycl::platform;
};
struct devices {
  using return_type = std::vector<sycl::device>;
};
struct atomic_memory_order_capabilities {
  using return_type = std::vector<memory_order>;
};
struct atomic_fence_order_capabilities {
  using return_type = std::vector<memory_order>;
};
struct atomic_memory_scope_capabilities {
  using return_type = std::vector<memory_scope>;
};
struct atomic_fence_scope_capabilities {
  using return_type = std::vector<memory_scope>;
};
struct reference_count {  // SYCL 1.2.1
  using return_type = std::uint32_t;
};
}  // namespace context

namespace queue {
struct context {
  using return_type = sycl::context;
};
struct device {
  using return_type = sycl::device;
};
struct reference_count {  // SYCL 1.2.1
  using return_type = std::uint32_t;
};
}  // namespace queue

namespace event {
struct command_execution_status {
  using return_type = event_command_status;
};
struct reference_count {  // SYCL 1.2.1
  using return_type = std::uint32_t;
};
}  // namespace event

namespace event_profiling {
struct command_submit {
  using return_type = std::uint64_t;
  static return_type get(const dpep::event_times &t) { return t.submit; }
};
struct command_start {
  using return_type = std::uint64_t;
  static return_type get(const dpep::event_times &t) { return t.start; }
};
struct command_end {
  using return_type = std::uint64_t;
  static return_type get(const dpep::event_times &t) { return t.end; }
};
}  // namespace event_profiling

}  // namespace info

namespace ext::oneapi::info::device {
/// The extension sycl_ext_oneapi_num_compute_units.
struct num_compute_units {
  using return_type = std::size_t;
  static return_type get(const dpep::device &d) { return d.info().max_compute_units; }
};
}  // namespace ext::oneapi::info::device
}  // namespace sycl
