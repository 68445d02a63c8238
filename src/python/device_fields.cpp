// The properties of dpctl.SyclDevice that are fields of device_info: their names, fields and docstrings.
#include "device_fields.hpp"

#include <nanobind/stl/tuple.h>

#include "attributes.hpp"
#include "enums.hpp"

namespace dpep::python {
namespace {

/// A property that returns one field.
template <auto Field> void field(nb::class_<device> &type, const char *name, const char *doc) {
  attributes(type).constant(
      name, std::identity(), [](const device &d) -> const auto & { return d.info().*Field; }, doc);
}

/// A property that computes something from the fields.
template <class F> void derived(nb::class_<device> &type, const char *name, F compute, const char *doc) {
  attributes(type).constant(name, std::identity(), [compute](const device &d) { return compute(d.info()); }, doc);
}

using info = const device_info &;

/// As PyErr_WarnEx, which takes longer because it makes and hashes a new str each time.
void warn_of_deprecated_sizes() {
  static auto &warn = *new nb::object(nb::module_::import_("_warnings").attr("warn"));
  static auto &text = *new nb::str("max_work_item_sizes is deprecated, use max_work_item_sizes3d");
  warn(text, nb::handle(PyExc_DeprecationWarning));
}

void bind_sizes(nb::class_<device> &type) {
  field<&device_info::name>(type, "name", "Name of the device.");
  field<&device_info::vendor>(type, "vendor", "Name of the device's vendor.");
  field<&device_info::driver_version>(type, "driver_version", "Version of the driver.");
  field<&device_info::max_compute_units>(type, "max_compute_units", "Number of parallel compute units.");
  field<&device_info::max_work_group_size>(type, "max_work_group_size",
                                           "Maximum number of work-items in a work-group.");
  field<&device_info::max_num_sub_groups>(type, "max_num_sub_groups", "Maximum number of sub-groups in a work-group.");
  attributes(type).add(
      "sub_group_sizes", [](const device &d) -> const auto & { return d.info().sub_group_sizes; },
      "Supported sub-group sizes, in work-items.");
  field<&device_info::global_mem_size>(type, "global_mem_size", "Size of global memory in bytes.");
  field<&device_info::local_mem_size>(type, "local_mem_size", "Size of a work-group's local memory in bytes.");
  field<&device_info::max_mem_alloc_size>(type, "max_mem_alloc_size", "Largest allocation in bytes.");
  field<&device_info::global_mem_cache_size>(type, "global_mem_cache_size",
                                             "Size of the cache of global memory in bytes.");
  field<&device_info::global_mem_cache_line_size>(type, "global_mem_cache_line_size", "Size of a cache line in bytes.");
  field<&device_info::max_clock_frequency>(type, "max_clock_frequency", "Highest clock rate in MHz; 0 when unknown.");
  field<&device_info::partition_max_sub_devices>(type, "partition_max_sub_devices",
                                                 "Maximum number of sub-devices; 0 when the device cannot be divided.");
  field<&device_info::profiling_timer_resolution>(type, "profiling_timer_resolution",
                                                  "Resolution of event times in nanoseconds.");
  derived(
      type, "global_mem_cache_type",
      [](info i) { return i.global_mem_cache_size ? py_cache_type::read_write : py_cache_type::none; },
      "Type of the cache of global memory, a `global_mem_cache_type`.");
  derived(type, "max_work_item_dims", [](info) { return 3; }, "Maximum number of dimensions of a range.");
  // SYCL's last dimension varies fastest, which is our index 0.
  derived(
      type, "max_work_item_sizes1d", [](info i) { return std::tuple(i.max_work_item_sizes[0]); },
      "Maximum number of work-items of a work-group in each dimension of a 1-dimensional range.");
  derived(
      type, "max_work_item_sizes2d",
      [](info i) { return std::tuple(i.max_work_item_sizes[1], i.max_work_item_sizes[0]); },
      "Maximum number of work-items of a work-group in each dimension of a 2-dimensional range.");
  const auto sizes_3d = [](info i) {
    return std::tuple(i.max_work_item_sizes[2], i.max_work_item_sizes[1], i.max_work_item_sizes[0]);
  };
  derived(type, "max_work_item_sizes3d", sizes_3d,
          "Maximum number of work-items of a work-group in each dimension of a 3-dimensional range.");
  attributes(type).add(
      "max_work_item_sizes",
      [](const device &d) -> nb::object {
        static auto &name = *new nb::str("max_work_item_sizes3d");
        warn_of_deprecated_sizes();
        return nb::find(d).attr(name);
      },
      nb::sig("def max_work_item_sizes(self) -> tuple[int, int, int]"), "Deprecated name of `max_work_item_sizes3d`.");
}

void bind_aspects(nb::class_<device> &type) {
  const auto aspect = [&](const char *name, auto compute, const char *doc) {
    derived(type, (std::string("has_aspect_") + name).c_str(), compute, doc);
  };
  const auto is = [](device_type wanted) { return [wanted](info i) { return i.type == wanted; }; };
  const auto always = [](info) { return true; };
  const auto never = [](info) { return false; };
  aspect("cpu", is(device_type::cpu), "Whether the device is a CPU.");
  aspect("gpu", is(device_type::gpu), "Whether the device is a GPU.");
  aspect("accelerator", is(device_type::accelerator), "Whether the device is an accelerator.");
  aspect("custom", is(device_type::custom), "Whether the device has fixed functions only.");
  aspect("fp16", [](info i) { return i.fp16; }, "Whether kernels can use half precision.");
  aspect("fp64", [](info i) { return i.fp64; }, "Whether kernels can use double precision.");
  aspect("atomic64", [](info i) { return i.atomic64; }, "Whether there are 64-bit atomic operations.");
  aspect("image", never, "Whether the device has SYCL images.");
  aspect("online_compiler", always, "Whether kernels are compiled at run time.");
  aspect("online_linker", always, "Whether kernels are linked at run time.");
  aspect("queue_profiling", always, "Whether queues can record times.");
  aspect("usm_device_allocations", [](info i) { return i.usm_device; }, "Whether there is USM-device memory.");
  aspect("usm_host_allocations", [](info i) { return i.usm_host; }, "Whether there is USM-host memory.");
  aspect("usm_shared_allocations", [](info i) { return i.usm_shared; }, "Whether there is USM-shared memory.");
  aspect(
      "usm_system_allocations", [](info i) { return i.usm_system; },
      "Whether kernels can use memory from the system's allocator.");
  aspect(
      "usm_atomic_host_allocations", [](info i) { return i.usm_atomic_host; },
      "Whether host and kernels can both do atomic operations on USM-host memory.");
  aspect(
      "usm_atomic_shared_allocations", [](info i) { return i.usm_atomic_shared; },
      "Whether host and kernels can both do atomic operations on USM-shared memory.");
  aspect(
      "host_debuggable", [](info i) { return i.backend == backend_kind::native_cpu; },
      "Whether a debugger of the host can step into kernels.");
  aspect("emulated", never, "Whether the device is an emulation of another.");
  aspect("is_component", never, "Whether the device is a component of a composite device.");
  aspect("is_composite", never, "Whether the device is made of component devices.");
  derived(type, "is_cpu", is(device_type::cpu), "Whether the device is a CPU.");
  derived(type, "is_gpu", is(device_type::gpu), "Whether the device is a GPU.");
  derived(type, "is_accelerator", is(device_type::accelerator), "Whether the device is an accelerator.");
  derived(type, "sub_group_independent_forward_progress", always,
          "Whether sub-groups make forward progress independently of each other.");
}

void bind_vector_widths(nb::class_<device> &type) {
  constexpr const char *types[] = {"char", "short", "int", "long", "float", "double", "half"};
  for (std::size_t k = 0; k < std::size(types); ++k) {
    const std::string what = std::string(types[k]) + " elements.";
    derived(
        type, (std::string("preferred_vector_width_") + types[k]).c_str(),
        [k](info i) { return i.preferred_vector_width[k]; }, ("Preferred length of vectors of " + what).c_str());
    derived(
        type, (std::string("native_vector_width_") + types[k]).c_str(),
        [k](info i) { return i.native_vector_width[k]; }, ("Length of native vectors of " + what).c_str());
  }
}

}  // namespace

void bind_device_fields(nb::class_<device> &type) {
  bind_sizes(type);
  bind_aspects(type);
  bind_vector_widths(type);
  // No back end supports SYCL images, so that all their limits are 0.
  for (const char *limit : {"max_read_image_args", "max_write_image_args", "image_2d_max_width", "image_2d_max_height",
                            "image_3d_max_width", "image_3d_max_height", "image_3d_max_depth"})
    derived(type, limit, [](info) { return 0; }, "A limit of SYCL images: 0, because they are not supported.");
}

}  // namespace dpep::python
