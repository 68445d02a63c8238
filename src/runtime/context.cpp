// dpep::context: devices of one platform with their memory pools and queues.
#include "runtime/context.hpp"

#include <algorithm>
#include <limits>
#include <new>

#include <dpep/async_handler.hpp>
#include <fmt/format.h>

#include "runtime/device.hpp"
#include "runtime/empty_handle.hpp"

namespace dpep {

namespace runtime {

context_object::context_object(std::vector<device> devices) : devices(std::move(devices)) {}
context_object::~context_object() = default;

memory_pool &context_object::pool(usm_kind kind, const device &where) {
  std::lock_guard lock(mutex_);
  auto &pool = pools_[{kind, where.get()}];
  if (!pool) pool = std::make_unique<memory_pool>(*this, kind, where, where ? where : devices.front(), account(kind));
  return *pool;
}

memory_pool *context_object::find_pool(usm_kind kind, const device &where) noexcept {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return nullptr;
  const auto found = pools_.find({kind, where.get()});
  return found == pools_.end() ? nullptr : found->second.get();
}

std::uint64_t context_object::trim() {
  std::lock_guard lock(mutex_);
  std::uint64_t bytes = 0;
  for (auto &[key, pool] : pools_) bytes += pool->trim();
  return bytes;
}

void context_object::reclaim() {
  std::vector<pool_slot> all;
  {
    std::lock_guard lock(mutex_);
    try {
      for (slot_cache *const cache : queue_caches_) cache->take_all(all);
    } catch (const std::bad_alloc &) {  // recycles the slots that were taken by then
    }
  }
  if (all.empty()) return;
  finish_pending_work();
  recycle(all);
}

void context_object::add_queue_cache(slot_cache &cache) {
  std::lock_guard lock(mutex_);
  queue_caches_.push_back(&cache);
}

void context_object::remove_queue_cache(slot_cache &cache) noexcept {
  std::lock_guard lock(mutex_);
  std::erase(queue_caches_, &cache);
}

void context_object::add_queue(const std::shared_ptr<backend::queue> &queue) {
  std::lock_guard lock(mutex_);
  std::erase_if(queues_, [](const auto &q) { return q.expired(); });
  queues_.push_back(queue);
}

void context_object::finish_pending_work() noexcept {
  // Does not copy the list, since memory may be exhausted. Iterates backwards: if another thread erases a queue
  // meanwhile, later queues move forward, and none is skipped.
  for (std::size_t i = std::numeric_limits<std::size_t>::max();;) {
    std::shared_ptr<backend::queue> queue;
    {
      std::lock_guard lock(mutex_);
      i = std::min(i, queues_.size());
      if (i == 0) return;
      queue = queues_[--i].lock();
    }
    if (queue) queue->wait();
  }
}

context_object &implementation_of(const context &c, const char *operation) {
  if (!c) throw_empty("context", operation);
  return static_cast<context_object &>(*c.get());
}

}  // namespace runtime

context::context(std::span<const device> devices) {
  if (devices.empty())
    throw exception(errc::invalid, "context: the list of devices is empty; pass one or more devices");
  std::vector<device> members;
  members.reserve(devices.size());
  for (const device &d : devices) {
    const auto &first = runtime::implementation_of(devices[0], "context");
    if (const auto &mine = runtime::implementation_of(d, "context"); mine.platform != first.platform) {
      throw exception(errc::invalid,
                      fmt::format("context: devices of two platforms, '{}' and '{}'; pass devices of one platform",
                                  first.platform->name, mine.platform->name));
    }
    if (!std::ranges::count(members, d)) members.push_back(d);
  }
  implementation_ = make_object<runtime::context_object>(std::move(members));
}

void set_async_handler(const context &c, async_handler handler) {
  runtime::implementation_of(c, "context").handler = std::move(handler);
}

context context::default_for(const device &d) {
  static std::mutex mutex;
  static auto &contexts = *new std::map<const object *, context>;  // never destroyed, as platforms
  const auto &platform = runtime::implementation_of(d, "context::default_for").platform;
  std::lock_guard lock(mutex);
  context &mine = contexts[platform.get()];
  if (!mine) mine = context(platform->roots);
  return mine;
}

const std::vector<device> &context::devices() const noexcept {
  return static_cast<const runtime::context_object *>(get())->devices;
}

platform context::get_platform() const {
  return runtime::implementation_of(*this, "context::get_platform").devices.front().get_platform();
}

bool context::contains(const device &d) const noexcept {
  if (!*this || !d) return false;
  const auto &members = devices();
  for (auto *object = static_cast<const runtime::device_object *>(d.get()); object; object = object->parent.get())
    if (std::ranges::any_of(members, [&](const device &m) { return m.get() == object; })) return true;
  return false;
}

}  // namespace dpep
