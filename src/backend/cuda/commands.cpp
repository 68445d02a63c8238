// Launch geometry, copies, and hints.
#include "backend/cuda/commands.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace dpep::backend::cuda {
namespace {

// Launches without work-groups: blocks are smaller where every multiprocessor gets one all the same.
constexpr std::size_t blocks_wanted = 128;

// From so many work-items on, more than the device holds at once, a thread takes several (nvptx_builtins.cpp).
constexpr std::size_t many_items = std::size_t{1} << 21, most_items_each = 4;

// Grids are this long at most in their first dimension and in the others. Where others are too short, the JIT's code
// (has_tall_grid) finds all work-groups in the first.
constexpr std::array<std::size_t, 3> most_blocks{std::numeric_limits<std::int32_t>::max(), 65535, 65535};

[[noreturn, gnu::cold]] void refuse_grid(const launch_command &c, std::size_t blocks, const card &on) {
  throw exception(errc::nd_range,
                  fmt::format("launch of kernel '{}': {} work-groups; the device '{}' takes at most {}: use larger "
                              "work-groups, or several launches",
                              c.code->name, blocks, on.name, most_blocks[0]));
}

/// The JIT has refused kernels that are known to read more. Of others it takes the most, and there may be more.
[[noreturn, gnu::cold]] void refuse_arguments(const launch_command &c) {
  throw exception(errc::invalid, fmt::format("launch of kernel '{}': its arguments take {} bytes; a GPU takes at most "
                                             "{}. Put some of them into memory",
                                             c.code->name, c.arguments.size(), most_argument_bytes));
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
  if (argument_bytes_ > most_argument_bytes && code_.needs.argument_bytes == most_argument_bytes) [[unlikely]]
    refuse_arguments(command);
  const geometry &work = command.work;
  for (std::size_t d = 0; d < 3; ++d) {
    shape_.global[d] = work.global[d];
    shape_.offset[d] = work.offset[d];
  }
  if (code_.needs.grouped) {
    std::array<std::size_t, 3> blocks{1, 1, 1};
    for (std::uint32_t d = 0; d < work.dimensions; ++d) {
      blocks[d] = work.global[d] / work.local[d];
      block_[d] = static_cast<unsigned>(work.local[d]);
    }
    if (blocks[1] > most_blocks[1] || blocks[2] > most_blocks[2]) [[unlikely]]
      blocks = {blocks[0] * blocks[1] * blocks[2], 1, 1};
    if (blocks[0] > most_blocks[0]) [[unlikely]]
      refuse_grid(command, blocks[0], *core.device);
    for (std::size_t d = 0; d < 3; ++d) grid_[d] = static_cast<unsigned>(blocks[d]);
  } else {
    const std::size_t items = work.global[0] * work.global[1] * work.global[2];
    std::size_t block = code_.block();
    while (block > smallest_block && items < block * blocks_wanted) block /= 2;
    if (items >= many_items) shape_.items_each = most_items_each;
    const std::size_t tile = block * shape_.items_each, blocks = (items + tile - 1) / tile;
    if (blocks > most_blocks[0]) [[unlikely]]
      refuse_grid(command, blocks, *core.device);
    grid_[0] = static_cast<unsigned>(blocks);
    block_[0] = static_cast<unsigned>(block);
  }
  const std::size_t shared = code_.needs.static_local_bytes + code_.needs.scratch_bytes + command.local_bytes;
  shared_bytes_ = static_cast<unsigned>(shared);
}

void kernel_launch::put_into(stream_handle stream, const std::byte *arguments) const {
  // The kernel's own extent is what the driver reads; a program may hand over less where the rest is not used.
  std::array<std::byte, 4096> padded;
  if (code_.needs.argument_bytes > argument_bytes_) {
    std::copy_n(arguments, argument_bytes_, padded.data());  // of none, too
    arguments = padded.data();
  }
  shape given = shape_;
  if (code_.can_fail()) given.failures = core_.failures_here.place();
  void *parameters[] = {const_cast<std::byte *>(arguments), &given};
  core_.note_launch(code_, stream, dimensions_, where_);
  // A kernel that itself waits for those before it may be brought to the device while they run: the driver's call takes
  // a quarter less then, and the kernel begins sooner.
  static constexpr launch_attribute early{programmatic_stream_serialization, {1}};
  const launch_configuration how{
      {grid_[0], grid_[1], grid_[2]},  {block_[0], block_[1], block_[2]}, shared_bytes_, stream, &early,
      code_.may_come_early() ? 1U : 0U};
  const result code = core_.device->api.launch(&how, code_.function(), parameters, nullptr);
  if (code == results::success) [[likely]]
    return;
  if (card::takes_context(code)) {  // an earlier kernel's fault; this one has not run
    core_.withdraw_launch(stream);
    core_.report_error(code);
    core_.device->check_not_lost();
  }
  throw exception(
      code == results::out_of_memory ? errc::memory_allocation : errc::runtime,
      fmt::format("launch of kernel '{}' on '{}': {} (work-group of {} x {} x {}, {} bytes of local memory)",
                  code_.name, core_.device->name, core_.device->api.describe(code), block_[0], block_[1], block_[2],
                  shared_bytes_));
}

void put_copy(card &on, const copy_command &c, stream_handle stream) {
  if (!c.bytes) return;
  on.prepare_copy(address_of(c.to), address_of(c.from));
  on.check(on.api.copy(address_of(c.to), address_of(c.from), c.bytes, stream), "copy");
}

namespace {

bool moves(const card &on, const void *pointer) {
  unsigned managed = 0;
  return on.api.pointer_attribute(&managed, pointer_is_managed, address_of(pointer)) == results::success && managed;
}

}  // namespace

void put_prefetch(card &on, const prefetch_command &p, stream_handle stream) {
  // other memory stays where it is
  if (p.bytes && moves(on, p.pointer))
    on.check(on.api.prefetch(address_of(p.pointer), p.bytes, on.number, stream), "prefetch");
}

void advise(card &on, const advise_command &a) {
  if (!a.bytes || !moves(on, a.pointer)) return;
  const auto say = [&](int advice) {
    on.check(on.api.advise(address_of(a.pointer), a.bytes, advice, on.number), "advise");
  };
  switch (a.advice) {
  case memory_advice::reset:
    for (const int none : {advise_not_read_mostly, advise_no_preferred_location, advise_not_accessed_by}) say(none);
    return;
  case memory_advice::read_mostly:
    return say(advise_read_mostly);
  case memory_advice::preferred_location:
    return say(advise_preferred_location);
  case memory_advice::accessed_by:
    return say(advise_accessed_by);
  }
}

}  // namespace dpep::backend::cuda
