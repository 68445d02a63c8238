// Discovery of GPUs, their properties, and the device interface.
#include "backend/cuda/device.hpp"

#include <array>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "backend/common/device_variables.hpp"
#include "backend/cuda/assembler_preload.hpp"
#include "backend/cuda/code.hpp"
#include "backend/cuda/fork_handler.hpp"
#include "backend/cuda/queue.hpp"

namespace dpep::backend::cuda {
namespace {

constexpr int min_driver_version = 11080;  // CUDA 11.8, the first whose PTX has what the JIT emits

/// The newest target of the JIT's that the device supports; the driver assembles its PTX for the device.
std::string processor_of(int major, int minor) {
  constexpr std::array known{70, 72, 75, 80, 86, 87, 89, 90};
  int best = 0;
  for (const int k : known)
    if (k <= major * 10 + minor) best = k;
  return best ? fmt::format("sm_{}", best) : std::string();
}

class device_query {
public:
  device_query(const driver_api &api, ordinal number) : api_(api), number_(number) {}

  std::string name() const {
    std::array<char, 256> text{};
    api_.device_name(text.data(), int(text.size()), number_);
    return text.data();
  }
  int get(attribute a) const {
    int value = 0;
    return api_.device_attribute(&value, a, number_) == results::success ? value : 0;
  }
  template <class T> T get_as(attribute a) const { return static_cast<T>(get(a)); }

  device_info describe(int driver_version) const {
    device_info info;
    info.backend = backend_kind::cuda;
    info.type = device_type::gpu;
    info.name = name();
    info.vendor = "NVIDIA Corporation";
    info.vendor_id = 0x10de;
    info.driver_version = fmt::format("CUDA {}.{}", driver_version / 1000, driver_version % 1000 / 10);
    info.version = fmt::format("{}.{}", get(attribute::compute_major), get(attribute::compute_minor));
    info.max_compute_units = get_as<std::uint32_t>(attribute::multiprocessors);
    info.max_work_group_size = get_as<std::size_t>(attribute::max_threads_per_block);
    info.max_work_item_sizes = {get_as<std::size_t>(attribute::max_block_x),
                                get_as<std::size_t>(attribute::max_block_y),
                                get_as<std::size_t>(attribute::max_block_z)};
    const auto warp = get_as<std::uint32_t>(attribute::warp_size);
    info.sub_group_sizes = {warp};
    info.max_num_sub_groups = static_cast<std::uint32_t>(info.max_work_group_size / std::max(warp, 1u));
    info.max_clock_frequency = get_as<std::uint32_t>(attribute::clock_kilohertz) / 1000;
    std::size_t bytes = 0;
    api_.device_memory(&bytes, number_);
    info.global_mem_size = info.max_mem_alloc_size = bytes;
    info.global_mem_cache_size = get_as<std::uint64_t>(attribute::l2_cache_bytes);
    info.global_mem_cache_line_size = 128;
    info.local_mem_size = get_as<std::uint64_t>(attribute::shared_memory_per_block_optin);
    info.local_mem_is_global = false;
    info.max_constant_buffer_size = get_as<std::uint64_t>(attribute::constant_memory);
    info.max_parameter_size = abi::max_argument_bytes;
    info.profiling_timer_resolution = 500;
    info.preferred_vector_width = info.native_vector_width = {1, 1, 1, 1, 1, 1, 1};
    info.fp16 = info.fp64 = info.atomic64 = true;
    info.usm_device = info.usm_host = true;
    info.usm_shared = get(attribute::managed_memory) != 0 && get(attribute::concurrent_managed_access) != 0;
    info.usm_atomic_host = get(attribute::host_native_atomics) != 0;
    info.usm_atomic_shared = info.usm_shared;
    info.usm_system = get(attribute::pageable_memory_access) != 0;
    info.host_unified_memory = get(attribute::integrated) != 0;
    info.error_correction_support = get(attribute::ecc_enabled) != 0;
    info.extensions = {"cl_khr_fp16", "cl_khr_fp64", "cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics"};
    return info;
  }

private:
  const driver_api &api_;
  const ordinal number_;
};

/// Whether the kernel module has created a device file. Otherwise starting the driver would fail, slowly.
bool has_device_files() {
  std::error_code ignored;
  return std::filesystem::exists("/dev/nvidiactl", ignored) || std::filesystem::exists("/dev/dxg", ignored);
}

void find_devices(discovery &result) {
  std::string why;
  const driver_api *const api = load_driver(why);
  if (!api) {
    result.report.detail = why + ". Without an NVIDIA GPU nothing needs to be done.";
    return;
  }
  if (!driver_override() && !has_device_files()) {
    result.report.detail =
        "the driver's library is there, but no GPU: /dev/nvidiactl does not exist. In a container, request GPUs "
        "(docker: --gpus all); elsewhere, load the kernel module (modprobe nvidia).";
    return;
  }
  if (!driver_override()) preload_assembler();
  if (const auto code = api->init(0); code != results::success) {
    result.report.detail = code == results::no_device ? "the driver found no GPU; CUDA_VISIBLE_DEVICES may hide it"
                                                      : "cuInit failed: " + api->describe(code);
    return;
  }
  install_fork_handler();
  int version = 0, count = 0;
  api->driver_version(&version);
  const std::string number = fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
  if (version < min_driver_version) {
    result.report.detail = fmt::format("the driver is too old: it supports {}; CUDA 11.8 or later is required", number);
    return;
  }
  api->device_count(&count);
  std::string unsupported, names;
  for (int i = 0; i < count; ++i) {
    ordinal device = 0;
    if (api->device_get(&device, i) != results::success) continue;
    const device_query d(*api, device);
    std::string processor = processor_of(d.get(attribute::compute_major), d.get(attribute::compute_minor));
    device_info info = d.describe(version);
    if (processor.empty()) {
      unsupported +=
          fmt::format("; '{}' is not supported: its compute capability {} is below 7.0", info.name, info.version);
      continue;
    }
    names += (names.empty() ? "" : ", ") + info.name;
    auto shared = std::make_shared<device_context>(*api, device, info.name);
    result.devices.push_back(std::make_unique<gpu_device>(std::move(info), std::move(processor), std::move(shared)));
  }
  result.platform_name = "NVIDIA CUDA";
  result.platform_vendor = "NVIDIA Corporation";
  result.platform_version = number;
  result.report.available = !result.devices.empty();
  result.report.detail = names.empty() ? fmt::format("driver of {}, but no device{}", number, unsupported)
                                       : fmt::format("driver of {}: {}{}", number, names, unsupported);
}

[[noreturn]] void refuse_partition(const device_info &info) {
  throw exception(errc::feature_not_supported,
                  fmt::format("partition: '{}' has no sub-devices; a GPU is used as a whole", info.name));
}

}  // namespace

gpu_device::gpu_device(device_info info, std::string processor, std::shared_ptr<device_context> c)
    : info_(std::move(info)),
      processor_(std::move(processor)),
      context_(std::move(c)),
      staging_(std::make_shared<staging>(*context_)),
      memory_(*context_) {}

std::unique_ptr<queue> gpu_device::make_queue(const queue_options &options, ref<error_slot> errors) {
  context_->check_not_lost();
  return std::make_unique<gpu_queue>(make_object<queue_core>(context_, std::move(errors), options), staging_);
}

std::unique_ptr<queue> gpu_device::adopt_stream(std::uintptr_t stream, const queue_options &options,
                                                ref<error_slot> errors) {
  context_->check_not_lost();
  // CUDA's default stream has the handles 0 and CU_STREAM_LEGACY; 0 means "no stream" here
  const auto handle = stream ? reinterpret_cast<stream_handle>(stream) : default_stream;
  queue_options in_order = options;
  in_order.in_order = true;
  return std::make_unique<gpu_queue>(make_object<queue_core>(context_, std::move(errors), in_order, handle), staging_);
}

namespace {

/// For tasks of other libraries, which handle their own errors. If one has made the device lost, later use throws.
class discarding_error_slot final : public error_slot {
public:
  void report(std::exception_ptr) noexcept override {}
  void deliver(bool) override {}
};

}  // namespace

ref<event> gpu_device::adopt_event(std::uintptr_t handle) {
  context_->check_not_lost();
  const queue_options in_order{.in_order = true};
  const auto core = make_object<queue_core>(context_, make_object<discarding_error_slot>(), in_order, default_stream);
  const ref<task> t = task::make(core, 0);
  t->adopt(reinterpret_cast<event_handle>(handle));
  return t;
}

void *gpu_device::allocate(usm_kind kind, std::size_t bytes, std::size_t alignment, block_use) noexcept {
  return memory_.allocate(kind, bytes, alignment);
}
void gpu_device::free(usm_kind kind, void *pointer, std::size_t) noexcept { memory_.free(kind, pointer); }
std::uint64_t gpu_device::free_memory() const noexcept { return memory_.free_bytes(); }

ref<const code> gpu_device::load(const code_object &object, const code_needs &needs) {
  if (object.bytes.empty())
    throw exception(
        errc::feature_not_supported,
        fmt::format("{}: this operation on arrays is not supported on '{}' yet; use a queue of the CPU for it, "
                    "or write it as a kernel",
                    object.name, info_.name));
  context_->check_not_lost();
  std::vector<loaded_code::variable> variables;
  for (const std::uint64_t key : needs.variables)
    variables.push_back(
        {variable_symbol(key), reinterpret_cast<std::uint64_t>(*device_variable_cell(*this, key, object.name))});
  return make_object<loaded_code>(context_, object, needs, variables);
}

std::size_t gpu_device::max_concurrent_groups(const code &kernel, std::size_t group_items,
                                              std::size_t local_bytes) const {
  const auto &loaded = static_cast<const loaded_code &>(kernel);
  const std::size_t bytes = kernel.needs.static_local_bytes + kernel.needs.scratch_bytes + local_bytes;
  const scoped_context here(*context_);
  int blocks = 0;
  context_->check(context_->api.active_blocks(&blocks, loaded.function(), static_cast<int>(group_items), bytes),
                  "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  return static_cast<std::size_t>(blocks) * info_.max_compute_units;
}

std::vector<std::byte> gpu_device::assemble(std::span<const std::byte> text) { return cuda::assemble(*context_, text); }

usm_kind gpu_device::kind_of(const void *pointer) const noexcept {
  const driver_api &api = context_->api;
  // any current context will do: creating one for this query would be slow
  context_handle current = nullptr;
  api.get_context(&current);
  std::optional<scoped_context> here;
  if (!current && context_->has_context()) here.emplace(*context_, std::nothrow);
  const auto at = reinterpret_cast<address>(pointer);
  int on = -1;
  unsigned where = 0, managed = 0;
  if (api.pointer_attribute(&on, pointer_device, at) != results::success || on != context_->number ||
      api.pointer_attribute(&where, pointer_memory_type, at) != results::success)
    return usm_kind::unknown;
  if (api.pointer_attribute(&managed, pointer_is_managed, at) == results::success && managed) return usm_kind::shared;
  return where == memory_type_host ? usm_kind::host : usm_kind::device;
}

bool gpu_device::copy_blocking(void *to, const void *from, std::size_t bytes) noexcept {
  const scoped_context here(*context_, std::nothrow);
  return context_->copy(reinterpret_cast<address>(to), reinterpret_cast<address>(from), bytes) == results::success;
}

std::span<const symbol> gpu_device::symbols() const noexcept {
  // functions that the driver's linker defines, and that the JIT expands
  static constexpr std::array<symbol, 6> all{{{"vprintf", nullptr},
                                              {"printf", nullptr},
                                              {"__dpep_printf", nullptr},
                                              {"__dpep_end_work_item", nullptr},
                                              {"__dpep_failing_item", nullptr},
                                              {"__dpep_failure_place", nullptr}}};
  return all;
}

std::vector<std::unique_ptr<device>> gpu_device::partition(std::span<const std::uint32_t>) { refuse_partition(info_); }
std::vector<std::unique_ptr<device>> gpu_device::partition(partition_domain) { refuse_partition(info_); }

discovery open() noexcept {
  discovery result;
  result.report.name = "CUDA";
  try {
    find_devices(result);
  } catch (const std::exception &e) {
    result.devices.clear();
    result.report.available = false;
    result.report.detail = e.what();
  }
  return result;
}

}  // namespace dpep::backend::cuda
