// Pinned blocks, two for each thread, and how copies go through them.
#include "backend/cuda/staging.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <memory>
#include <thread>

#include "backend/cuda/device_context.hpp"
#include "backend/common/host_threads.hpp"

namespace dpep::backend::cuda {
namespace {

// A thread copies about 6 GB/s in and out of pinned memory, and the bus takes 55. All threads share the driver's lock,
// so blocks are as long as leaves each thread a few: with blocks of 512 KiB, twelve threads get no further than five.
constexpr std::size_t least_bytes = std::size_t{8} << 20, many_bytes = std::size_t{128} << 20;
constexpr std::size_t shortest_block = std::size_t{1} << 20, longest_block = std::size_t{4} << 20;
constexpr std::size_t few_threads = 8, most_threads = 12;

constexpr std::size_t block_bytes_for(std::size_t bytes) {
  return std::clamp((bytes / 32 + shortest_block - 1) / shortest_block * shortest_block, shortest_block, longest_block);
}

enum class side { pageable, device, other };

side side_of(card &asks, const void *pointer) noexcept {
  const scoped_context here(asks, std::nothrow);
  unsigned kind = 0, managed = 0;
  int wanted[] = {pointer_memory_type, pointer_is_managed};
  void *answers[] = {&kind, &managed};
  // unlike the question for one attribute, this one may be asked of any address
  if (asks.api.pointer_attributes(2, wanted, answers, reinterpret_cast<address>(pointer)) != results::success)
    return side::other;
  if (managed) return side::other;
  return kind == 0 ? side::pageable : kind == memory_type_device ? side::device : side::other;
}

}  // namespace

struct staging::transfer {
  transfer(const copy_command &c, bool to_device)
      : what(c), to_device(to_device), block_bytes(block_bytes_for(c.bytes)) {}

  const copy_command what;
  const bool to_device;
  const std::size_t block_bytes;
  std::atomic<std::size_t> next{0};  // block
  std::atomic<bool> failed{false};

  std::mutex mutex;  // guards these
  std::condition_variable changed;
  unsigned working = 0;
  std::exception_ptr error;

  std::size_t blocks() const noexcept { return (what.bytes + block_bytes - 1) / block_bytes; }
  std::size_t bytes_of(std::size_t block) const noexcept {
    return std::min(block_bytes, what.bytes - block * block_bytes);
  }
  /// The next one that nobody has; blocks() when there is none.
  std::size_t take() noexcept {
    return failed.load(std::memory_order_relaxed) ? blocks() : std::min(next.fetch_add(1), blocks());
  }
};

bool staging::suits(const copy_command &c) const noexcept {
  if (c.bytes < least_bytes) return false;
  const side to = side_of(card_, c.to), from = side_of(card_, c.from);
  return (to == side::device && from == side::pageable) || (to == side::pageable && from == side::device);
}

staging::lane staging::take_lane() {
  {
    const no_fork_lock lock(mutex_);
    if (!idle_.empty()) {
      const lane l = idle_.back();
      idle_.pop_back();
      return l;
    }
  }
  lane made;
  try {
    card_.check(card_.api.make_stream(&made.stream, stream_non_blocking, 0), "cuStreamCreateWithPriority");
    void *both = nullptr;
    card_.check(card_.api.allocate_host(&both, 2 * longest_block, host_portable), "cuMemHostAlloc");
    made.blocks = {static_cast<std::byte *>(both), static_cast<std::byte *>(both) + longest_block};
    for (event_handle &e : made.arrived) e = card_.take_event(false);
  } catch (...) {
    for (const event_handle e : made.arrived) card_.give_event(e, false);
    if (made.blocks[0]) card_.api.free_host(made.blocks[0]);
    if (made.stream) card_.api.destroy_stream(made.stream);
    throw;
  }
  return made;
}

void staging::give_lane(const lane &l) noexcept {
  const no_fork_lock lock(mutex_);
  idle_.push_back(l);  // for as long as the process
}

void staging::to_device(transfer &t, const lane &l) {
  const driver_api &api = card_.api;
  std::size_t used = 0;
  for (std::size_t block; (block = t.take()) < t.blocks(); ++used) {
    const std::size_t here = used % 2, at = block * t.block_bytes, bytes = t.bytes_of(block);
    if (used >= 2) card_.check(api.synchronize(l.arrived[here]), "copy");
    std::memcpy(l.blocks[here], static_cast<const std::byte *>(t.what.from) + at, bytes);
    card_.check(
        api.copy(reinterpret_cast<address>(t.what.to) + at, reinterpret_cast<address>(l.blocks[here]), bytes, l.stream),
        "copy");
    card_.check(api.record(l.arrived[here], l.stream), "cuEventRecord");
  }
  for (std::size_t k = 0; k < std::min<std::size_t>(used, 2); ++k) card_.check(api.synchronize(l.arrived[k]), "copy");
}

void staging::from_device(transfer &t, const lane &l) {
  const driver_api &api = card_.api;
  std::array<std::size_t, 2> coming;
  const auto ask = [&](std::size_t here) {
    const std::size_t block = coming[here] = t.take();
    if (block == t.blocks()) return;
    card_.check(api.copy(reinterpret_cast<address>(l.blocks[here]),
                         reinterpret_cast<address>(t.what.from) + block * t.block_bytes, t.bytes_of(block), l.stream),
                "copy");
    card_.check(api.record(l.arrived[here], l.stream), "cuEventRecord");
  };
  ask(0);
  ask(1);
  for (std::size_t here = 0; coming[here] < t.blocks(); here = 1 - here) {
    card_.check(api.synchronize(l.arrived[here]), "copy");
    std::memcpy(static_cast<std::byte *>(t.what.to) + coming[here] * t.block_bytes, l.blocks[here],
                t.bytes_of(coming[here]));
    ask(here);
  }
}

/// On each of the threads.
void staging::take_part(transfer &t) noexcept {
  try {
    const scoped_context here(card_);
    const lane l = take_lane();
    try {
      t.to_device ? to_device(t, l) : from_device(t, l);
    } catch (...) {
      for (const event_handle e : l.arrived) card_.api.synchronize(e);  // nothing may use the blocks any more
      give_lane(l);
      throw;
    }
    give_lane(l);
  } catch (...) {
    t.failed.store(true, std::memory_order_relaxed);
    const std::lock_guard lock(t.mutex);
    if (!t.error) t.error = std::current_exception();
  }
}

void staging::copy(const copy_command &c) {
  struct shared_work {
    shared_work(staging &s, const copy_command &c, bool to_device) : by(s), work(c, to_device) {}
    staging &by;
    transfer work;
  };
  const auto all = std::make_shared<shared_work>(*this, c, side_of(card_, c.from) == side::pageable);
  transfer &t = all->work;
  const std::size_t cores = std::max(std::thread::hardware_concurrency() * 3 / 4, 1u);
  const std::size_t wanted = c.bytes < many_bytes ? few_threads : most_threads;
  const std::size_t helpers = std::min({wanted, cores, t.blocks() / 2}) - 1;
  for (std::size_t i = 0; i < helpers; ++i) {
    {
      const std::lock_guard lock(t.mutex);
      ++t.working;
    }
    host_threads::post({[](void *argument) noexcept {
                          const std::unique_ptr<std::shared_ptr<shared_work>> mine(
                              static_cast<std::shared_ptr<shared_work> *>(argument));
                          transfer &ours = (*mine)->work;
                          (*mine)->by.take_part(ours);
                          const std::lock_guard lock(ours.mutex);
                          --ours.working;
                          ours.changed.notify_all();
                        },
                        new std::shared_ptr<shared_work>(all)});
  }
  take_part(t);
  std::unique_lock lock(t.mutex);
  t.changed.wait(lock, [&] { return t.working == 0; });
  if (t.error) std::rethrow_exception(t.error);
}

}  // namespace dpep::backend::cuda
