// Copies through pinned staging blocks by several threads, with two blocks each.
#include "backend/cuda/staging.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <thread>

#include "backend/common/host_threads.hpp"
#include "backend/cuda/device_context.hpp"

namespace dpep::backend::cuda {
namespace {

// A thread copies about 6 GB/s into or out of pinned memory; the bus transfers 55 GB/s. All threads share the driver's
// lock, so blocks are as long as possible while each thread still gets a few: with blocks of 512 KiB, twelve threads
// are no faster than five.
constexpr std::size_t least_bytes = std::size_t{8} << 20, many_bytes = std::size_t{128} << 20;
constexpr std::size_t shortest_block = std::size_t{1} << 20, longest_block = std::size_t{4} << 20;
constexpr std::size_t few_threads = 8, most_threads = 12;

constexpr std::size_t block_bytes_for(std::size_t bytes) {
  return std::clamp((bytes / 32 + shortest_block - 1) / shortest_block * shortest_block, shortest_block, longest_block);
}

enum class side { pageable, device, other };

side side_of(device_context &context, const void *pointer) noexcept {
  const scoped_context here(context, std::nothrow);
  unsigned kind = 0, managed = 0;
  int attributes[] = {pointer_memory_type, pointer_is_managed};
  void *values[] = {&kind, &managed};
  // unlike cuPointerGetAttribute, this call accepts any address
  if (context.api.pointer_attributes(2, attributes, values, reinterpret_cast<address>(pointer)) != results::success)
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
  std::atomic<std::size_t> next{0};  // index of the next block
  std::atomic<bool> failed{false};

  std::mutex mutex;  // guards the following members
  std::condition_variable changed;
  unsigned working = 0;
  std::exception_ptr error;

  std::size_t blocks() const noexcept { return (what.bytes + block_bytes - 1) / block_bytes; }
  std::size_t bytes_of(std::size_t block) const noexcept {
    return std::min(block_bytes, what.bytes - block * block_bytes);
  }
  /// Takes the next block's index; blocks() if none is left or a thread has failed.
  std::size_t take() noexcept {
    return failed.load(std::memory_order_relaxed) ? blocks() : std::min(next.fetch_add(1), blocks());
  }
};

bool staging::is_applicable(const copy_command &c) const noexcept {
  if (c.bytes < least_bytes) return false;
  const side to = side_of(context_, c.to), from = side_of(context_, c.from);
  return (to == side::device && from == side::pageable) || (to == side::pageable && from == side::device);
}

staging::channel staging::acquire_channel() {
  {
    const fork_safe_lock lock(mutex_);
    if (!idle_.empty()) {
      const channel own = idle_.back();
      idle_.pop_back();
      return own;
    }
    idle_.reserve(channels_ + 1);  // release_channel must not fail
    ++channels_;
  }
  channel made;
  try {
    context_.check(context_.api.make_stream(&made.stream, stream_non_blocking, 0), "cuStreamCreateWithPriority");
    void *both = nullptr;
    context_.check(context_.api.allocate_host(&both, 2 * longest_block, host_portable), "cuMemHostAlloc");
    made.blocks = {static_cast<std::byte *>(both), static_cast<std::byte *>(both) + longest_block};
    for (event_handle &e : made.transferred) e = context_.acquire_event(false);
  } catch (...) {
    for (const event_handle e : made.transferred) context_.release_event(e, false);
    if (made.blocks[0]) context_.api.free_host(made.blocks[0]);
    if (made.stream) context_.api.destroy_stream(made.stream);
    const fork_safe_lock lock(mutex_);
    --channels_;
    throw;
  }
  return made;
}

void staging::release_channel(const channel &own) noexcept {
  const fork_safe_lock lock(mutex_);
  idle_.push_back(own);  // never freed
}

void staging::to_device(transfer &t, const channel &own) {
  const driver_api &api = context_.api;
  std::size_t used = 0;
  for (std::size_t block; (block = t.take()) < t.blocks(); ++used) {
    const std::size_t here = used % 2, at = block * t.block_bytes, bytes = t.bytes_of(block);
    if (used >= 2) context_.check(api.synchronize(own.transferred[here]), "copy");
    std::memcpy(own.blocks[here], static_cast<const std::byte *>(t.what.from) + at, bytes);
    context_.check(api.copy(reinterpret_cast<address>(t.what.to) + at, reinterpret_cast<address>(own.blocks[here]),
                            bytes, own.stream),
                   "copy");
    context_.check(api.record(own.transferred[here], own.stream), "cuEventRecord");
  }
  for (std::size_t k = 0; k < std::min<std::size_t>(used, 2); ++k)
    context_.check(api.synchronize(own.transferred[k]), "copy");
}

void staging::from_device(transfer &t, const channel &own) {
  const driver_api &api = context_.api;
  std::array<std::size_t, 2> requested;
  const auto request = [&](std::size_t here) {
    const std::size_t block = requested[here] = t.take();
    if (block == t.blocks()) return;
    context_.check(api.copy(reinterpret_cast<address>(own.blocks[here]),
                            reinterpret_cast<address>(t.what.from) + block * t.block_bytes, t.bytes_of(block),
                            own.stream),
                   "copy");
    context_.check(api.record(own.transferred[here], own.stream), "cuEventRecord");
  };
  request(0);
  request(1);
  for (std::size_t here = 0; requested[here] < t.blocks(); here = 1 - here) {
    context_.check(api.synchronize(own.transferred[here]), "copy");
    std::memcpy(static_cast<std::byte *>(t.what.to) + requested[here] * t.block_bytes, own.blocks[here],
                t.bytes_of(requested[here]));
    request(here);
  }
}

/// Runs on each participating thread.
void staging::run_worker(transfer &t) noexcept {
  try {
    const scoped_context here(context_);
    const channel own = acquire_channel();
    try {
      t.to_device ? to_device(t, own) : from_device(t, own);
    } catch (...) {
      for (const event_handle e : own.transferred)  // the transfers end before the blocks are reused
        if (context_.api.record(e, own.stream) == results::success) context_.api.synchronize(e);
      release_channel(own);
      throw;
    }
    release_channel(own);
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
  const auto all = std::make_shared<shared_work>(*this, c, side_of(context_, c.from) == side::pageable);
  transfer &t = all->work;
  const std::size_t cores = std::max(std::thread::hardware_concurrency() * 3 / 4, 1u);
  const std::size_t wanted = c.bytes < many_bytes ? few_threads : most_threads;
  const std::size_t helpers = std::min({wanted, cores, t.blocks() / 2}) - 1;
  for (std::size_t i = 0; i < helpers; ++i) {
    auto *const share = new (std::nothrow) std::shared_ptr<shared_work>(all);
    if (!share) break;  // fewer threads: those that were posted use the caller's memory
    {
      const std::lock_guard lock(t.mutex);
      ++t.working;
    }
    host_threads::post({[](void *argument) noexcept {
                          const std::unique_ptr<std::shared_ptr<shared_work>> mine(
                              static_cast<std::shared_ptr<shared_work> *>(argument));
                          transfer &ours = (*mine)->work;
                          (*mine)->by.run_worker(ours);
                          const std::lock_guard lock(ours.mutex);
                          --ours.working;
                          ours.changed.notify_all();
                        },
                        share});
  }
  run_worker(t);
  std::unique_lock lock(t.mutex);
  t.changed.wait(lock, [&] { return t.working == 0; });
  if (t.error) std::rethrow_exception(t.error);
}

}  // namespace dpep::backend::cuda
