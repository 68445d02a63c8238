// Launch geometry, copies, prefetches and memory advice.
#include "backend/cuda/commands.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace dpep::backend::cuda {
namespace {

// Launches without work-groups use smaller blocks if there would be fewer blocks than this, about one a multiprocessor.
constexpr std::size_t target_blocks = 128;

// From this number of work-items on, which is more than a device has resident, a thread runs several.
constexpr std::size_t min_items_for_tiling = std::size_t{1} << 21, min_rows_for_tiling = 16;

[[noreturn, gnu::cold]] void refuse_grid(const launch_command &c, std::size_t blocks, const device_context &on) {
  throw exception(errc::nd_range,
                  fmt::format("launch of kernel '{}': {} work-groups; the device '{}' takes at most {}: use larger "
                              "work-groups or several launches",
                              c.code->name, blocks, on.name, abi::max_grid[0]));
}

/// For kernels whose extent of arguments the JIT could not determine: those with a known extent are refused there.
[[noreturn, gnu::cold]] void refuse_arguments(const launch_command &c) {
  throw exception(errc::invalid, fmt::format("launch of kernel '{}': its arguments take {} bytes; a GPU takes at most "
                                             "{}. Pass some of them in memory",
                                             c.code->name, c.arguments.size(), abi::max_argument_bytes));
}

address address_of(const void *p) { return reinterpret_cast<address>(p); }

}  // namespace

kernel_launch::kernel_launch(queue_core &core, const launch_command &command)
    : core_(core),
      code_(static_cast<const loaded_code &>(*command.code)),
      grid_{1, 1, 1},
      block_{1, 1, 1},
      argument_bytes_(command.arguments.size()),
      dimensions_(command.work.dimensions),
      where_(command.where) {
  if (argument_bytes_ > abi::max_argument_bytes && code_.needs.argument_bytes == abi::max_argument_bytes) [[unlikely]]
    refuse_arguments(command);
  const geometry &work = command.work;
  for (std::size_t d = 0; d < 3; ++d) {
    parameters_.global[d] = work.global[d];
    parameters_.offset[d] = work.offset[d];
  }
  if (code_.needs.grouped) {
    std::array<std::size_t, 3> blocks{1, 1, 1};
    for (std::uint32_t d = 0; d < work.dimensions; ++d) {
      blocks[d] = work.global[d] / work.local[d];
      block_[d] = static_cast<unsigned>(work.local[d]);
    }
    if (blocks[1] > abi::max_grid[1] || blocks[2] > abi::max_grid[2]) [[unlikely]]
      blocks = {blocks[0] * blocks[1] * blocks[2], 1, 1};
    if (blocks[0] > abi::max_grid[0]) [[unlikely]]
      refuse_grid(command, blocks[0], *core.device);
    for (std::size_t d = 0; d < 3; ++d) grid_[d] = static_cast<unsigned>(blocks[d]);
  } else {
    const std::size_t items = work.global[0] * work.global[1] * work.global[2];
    std::size_t block = code_.block_size();
    while (block > min_block_size && items < block * target_blocks) block /= 2;
    const bool has_rows = work.dimensions == 2;
    if (has_rows) parameters_.set_row_divisor();
    const std::size_t in_tile = has_rows ? work.global[1] : items;  // those of a thread are consecutive rows
    if (items >= min_items_for_tiling && in_tile >= min_rows_for_tiling)
      parameters_.items_per_thread = abi::max_items_per_thread;
    const std::size_t tile = parameters_.items_per_thread,
                      threads = has_rows ? work.global[0] * ((in_tile + tile - 1) / tile) : items,
                      of_block = has_rows ? block : block * tile, blocks = (threads + of_block - 1) / of_block;
    if (blocks > abi::max_grid[0]) [[unlikely]]
      refuse_grid(command, blocks, *core.device);
    grid_[0] = static_cast<unsigned>(blocks);
    block_[0] = static_cast<unsigned>(block);
  }
  const std::size_t shared = code_.needs.static_local_bytes + code_.needs.scratch_bytes + command.local_bytes;
  shared_bytes_ = static_cast<unsigned>(shared);
}

void kernel_launch::put(stream_handle stream, const std::byte *arguments) const {
  // The driver reads as many bytes as the kernel declares; a program may pass fewer if the kernel does not use the
  // rest.
  std::array<std::byte, abi::max_argument_bytes> padded;
  if (code_.needs.argument_bytes > argument_bytes_) {
    std::copy_n(arguments, argument_bytes_, padded.data());  // may be 0 bytes
    arguments = padded.data();
  }
  abi::launch_parameters own_parameters = parameters_;
  if (code_.can_fail()) own_parameters.failures = core_.failures.device_address();
  void *parameters[] = {const_cast<std::byte *>(arguments), &own_parameters};
  // Programmatic dependent launch, for kernels that wait for earlier ones themselves: the driver's call takes a quarter
  // less time, and the kernel starts sooner.
  static constexpr launch_attribute early{programmatic_stream_serialization, {1}};
  // The driver runs all work-groups of a cooperative launch at the same time, or refuses it.
  static constexpr launch_attribute cooperative{cooperative_launch, {1}};
  const bool waits = code_.needs.concurrent_groups;
  const launch_configuration how{{grid_[0], grid_[1], grid_[2]},
                                 {block_[0], block_[1], block_[2]},
                                 shared_bytes_,
                                 stream,
                                 waits ? &cooperative : &early,
                                 waits || code_.allows_early_launch() ? 1U : 0U};
  const result code = core_.device->api.launch(&how, code_.function(), parameters, nullptr);
  if (code == results::success) [[likely]]
    return;
  if (device_context::is_sticky_error(code)) {  // the fault of an earlier kernel; this one has not run
    core_.remove_launch(stream);
    core_.report_error(code);
    core_.device->check_not_lost();
  }
  throw exception(
      code == results::out_of_memory ? errc::memory_allocation : errc::runtime,
      fmt::format("launch of kernel '{}' on '{}': {} (work-group of {} x {} x {}, {} bytes of local memory)",
                  code_.name, core_.device->name, core_.device->api.describe(code), block_[0], block_[1], block_[2],
                  shared_bytes_));
}

void enqueue_copy(device_context &on, const copy_command &c, stream_handle stream) {
  if (!c.bytes) return;
  on.enable_peer_for_copy(address_of(c.to), address_of(c.from));
  on.check(on.api.copy(address_of(c.to), address_of(c.from), c.bytes, stream), "copy");
}

namespace {

bool is_managed(const device_context &on, const void *pointer) {
  unsigned managed = 0;
  return on.api.pointer_attribute(&managed, pointer_is_managed, address_of(pointer)) == results::success && managed;
}

}  // namespace

void enqueue_prefetch(device_context &on, const prefetch_command &p, stream_handle stream) {
  // only managed memory migrates
  if (p.bytes && is_managed(on, p.pointer))
    on.check(on.api.prefetch(address_of(p.pointer), p.bytes, on.number, stream), "prefetch");
}

void advise(device_context &on, const advise_command &a) {
  if (!a.bytes || !is_managed(on, a.pointer)) return;
  const auto advise_driver = [&](int advice) {
    on.check(on.api.advise(address_of(a.pointer), a.bytes, advice, on.number), "advise");
  };
  switch (a.advice) {
  case memory_advice::reset:
    for (const int none : {advise_not_read_mostly, advise_no_preferred_location, advise_not_accessed_by})
      advise_driver(none);
    return;
  case memory_advice::read_mostly:
    return advise_driver(advise_read_mostly);
  case memory_advice::preferred_location:
    return advise_driver(advise_preferred_location);
  case memory_advice::accessed_by:
    return advise_driver(advise_accessed_by);
  }
}

}  // namespace dpep::backend::cuda
