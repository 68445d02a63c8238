// dpep::buffer: storage, and dependencies between the commands that use its bytes.
#include <dpep/buffer.hpp>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <optional>

#include <fmt/format.h>

#include <dpep/memory.hpp>

#include "backend/backend.hpp"
#include "runtime/device.hpp"
#include "runtime/graph.hpp"
#include "runtime/queue.hpp"

namespace dpep {
namespace {

struct byte_range {
  std::size_t begin, end;
  bool overlaps(const byte_range &other) const noexcept { return begin < other.end && other.begin < end; }
  bool covers(const byte_range &other) const noexcept { return begin <= other.begin && other.end <= end; }
};

/// A use of some bytes by a command or a host accessor that may not be complete.
struct use {
  event done;
  byte_range bytes;
  bool writes;
};

class buffer_object final : public object {
public:
  buffer_object(std::size_t bytes, std::size_t alignment, const void *host, buffer::host_storage storage, bool writable)
      : bytes_(bytes), alignment_(std::max<std::size_t>(std::bit_ceil(std::max<std::size_t>(alignment, 1)), 64)) {
    if (storage == buffer::host_storage::none || bytes == 0) return;
    if (!host) throw exception(errc::invalid, fmt::format("buffer: host data of {} bytes at a null pointer", bytes));
    if (storage == buffer::host_storage::use) {
      host_ = const_cast<void *>(host);
      aligned_ = reinterpret_cast<std::uintptr_t>(host) % std::max<std::size_t>(alignment, 1) == 0;
      if (writable)
        final_ = [this](const void *result) {
          if (result != host_) std::memcpy(host_, result, bytes_);
        };
    } else {
      copied_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
      std::memcpy(copied_.get(), host, bytes);
    }
  }
  ~buffer_object() override {
    try {
      finish();
      if (owned_) free(storage_, context_);
    } catch (const std::exception &e) {
      std::fprintf(stderr, "dpep: a buffer's contents could not be written back: %s\n", e.what());
    }
  }

  std::size_t bytes() const noexcept { return bytes_; }
  void *storage() {
    const std::lock_guard lock(mutex_);
    return storage_;
  }

  void *acquire(const queue &where, access mode, std::size_t offset, std::size_t size, std::vector<event> &wait_for) {
    check(offset, size);
    std::unique_lock lock(mutex_);
    while (must_move(where) && wait_for_uses(lock)) {}
    make_accessible(where);
    append_conflicts({offset, offset + size}, mode != access::read, wait_for);
    return storage_;
  }

  void record(const event &done, access mode, std::size_t offset, std::size_t size) {
    if (!done) return;  // complete already
    std::lock_guard lock(mutex_);
    add({done, {offset, offset + size}, mode != access::read});
  }

  void *acquire_host(access mode) {
    std::vector<event> wait_for;
    user_event released;
    void *memory;
    {
      std::lock_guard lock(mutex_);
      make_accessible_on_host();
      memory = storage_;
      const bool writes = mode != access::read;
      append_conflicts({0, bytes_}, writes, wait_for);
      // Host accessors do not wait for each other: the program synchronizes the threads that hold them.
      std::erase_if(wait_for,
                    [&](const event &e) { return std::ranges::count(host_uses_, e, &host_use::released) != 0; });
      add({released, {0, bytes_}, writes});
      host_uses_.push_back({released, mode});
    }
    try {
      event::wait(wait_for);
    } catch (...) {  // in a host task that uses the buffer
      release_host(mode);
      throw;
    }
    return memory;
  }

  void release_host(access mode) noexcept {
    std::optional<user_event> released;
    {
      std::lock_guard lock(mutex_);
      const auto it = std::ranges::find(host_uses_, mode, &host_use::mode);
      if (it == host_uses_.end()) return;
      released = it->released;
      host_uses_.erase(it);
    }
    released->complete();  // without the lock: may start commands that wait for it
  }

  event update_host(const queue &where, dependencies after) {
    void *storage;
    {
      std::lock_guard lock(mutex_);
      storage = storage_;
    }
    if (host_ && storage && storage != host_) return where.copy(host_, storage, bytes_, after);
    return after.empty() ? event() : where.barrier(after);
  }

  void set_final(std::function<void(const void *)> write_back) {
    std::lock_guard lock(mutex_);
    final_ = std::move(write_back);
  }
  void set_write_back(bool enabled) noexcept { writes_back_.store(enabled, std::memory_order_relaxed); }

  void finish() {
    std::vector<event> pending;
    std::function<void(const void *)> final;
    const void *result;
    {
      std::lock_guard lock(mutex_);
      for (const use &u : uses_)
        if (!is_host(u.done)) pending.push_back(u.done);
      final.swap(final_);
      result = storage_ ? storage_ : copied_ ? copied_.get() : host_;  // without a use: the initial content
    }
    event::wait(pending);
    if (final && result && writes_back_.load(std::memory_order_relaxed)) final(result);
  }

private:
  struct host_use {
    user_event released;
    access mode;
  };

  void check(std::size_t offset, std::size_t size) const {
    if (offset > bytes_ || size > bytes_ - offset)
      throw exception(errc::invalid, fmt::format("buffer: {} bytes at offset {} pass the end of a buffer of {} bytes",
                                                 size, offset, bytes_));
  }

  /// Appends the events that must be complete before this use: those of writers, and before a write also of readers.
  void append_conflicts(const byte_range &bytes, bool writes, std::vector<event> &wait_for) {
    for (const use &u : uses_)
      if ((writes || u.writes) && u.bytes.overlaps(bytes)) wait_for.push_back(u.done);
  }

  void add(use fresh) {
    // A write waits for all uses that it overlaps. Later commands wait for the write, which implies the uses that it
    // covers.
    std::erase_if(uses_, [&](const use &u) {
      return u.done.status() == event_status::complete ||
             (fresh.writes && fresh.bytes.covers(u.bytes) && !is_host(u.done));
    });
    uses_.push_back(std::move(fresh));
  }
  bool is_host(const event &e) const { return std::ranges::count(host_uses_, e, &host_use::released) != 0; }

  /// Whether the queue's device cannot access the storage, or there is none yet.
  bool must_move(const queue &where) const {
    const bool unified = where.get_device().info().host_unified_memory;
    return !storage_ || !(unified ? host_reachable_ : owned_ && context_ == where.get_context());
  }

  /// Waits, without the lock, until the uses so far are complete: host accessors take the lock when they are destroyed.
  /// Returns whether there were any, so that others may have been added meanwhile.
  bool wait_for_uses(std::unique_lock<std::mutex> &lock) {
    std::vector<event> pending;
    for (const use &u : uses_)
      if (u.done.status() != event_status::complete) pending.push_back(u.done);
    if (pending.empty()) return false;
    lock.unlock();
    event::wait(pending);
    lock.lock();
    return true;
  }

  /// Moves the storage to memory that the queue's device can access, unless it is. Requires that no use is pending
  /// then.
  void make_accessible(const queue &where) {
    if (!must_move(where)) return;
    const bool unified = where.get_device().info().host_unified_memory;
    if (unified && host_ && aligned_) return move_to(host_, false, {});
    const usm_kind kind = where.get_device().info().usm_shared ? usm_kind::shared : usm_kind::host;
    move_to(allocate(kind, bytes_, alignment_, where.get_context(), where.get_device()), true, where.get_context());
  }

  void make_accessible_on_host() {
    if (storage_) return;  // shared or host memory
    // Allocates memory that devices can access, too: moving the content later would wait for the host accessor.
    const device first;
    if (host_ && aligned_ && first.info().host_unified_memory) return move_to(host_, false, {});
    const context where = context::default_for(first);
    move_to(allocate(usm_kind::host, bytes_, alignment_, where, first), true, where);
  }

  /// Replaces the storage and copies the content, which before the first use is the host's data.
  void move_to(void *storage, bool owned, const context &where) {
    const void *from = storage_ ? storage_ : copied_ ? copied_.get() : host_;
    if (from && from != storage) std::memcpy(storage, from, bytes_);
    if (owned_) free(storage_, context_);
    copied_.reset();
    storage_ = storage;
    owned_ = owned;
    context_ = where;
    host_reachable_ = true;
  }

  const std::size_t bytes_, alignment_;
  void *host_ = nullptr;  // the program's memory, for host_storage::use
  bool aligned_ = false;  // host_ has the alignment that devices need, so that it can be the storage

  std::mutex mutex_;                     // guards the members below
  std::unique_ptr<std::byte[]> copied_;  // host_storage::copy, until there is storage
  void *storage_ = nullptr;              // none before the first use
  bool owned_ = false;                   // storage is USM of context_
  bool host_reachable_ = false;
  context context_;
  std::vector<use> uses_;
  std::vector<host_use> host_uses_;
  std::function<void(const void *)> final_;
  std::atomic<bool> writes_back_{true};
};

buffer_object &implementation_of(const buffer &b, const char *operation) {
  if (!b) runtime::throw_empty("buffer", operation);
  return static_cast<buffer_object &>(*b.get());
}

}  // namespace

buffer::buffer(std::size_t bytes, std::size_t alignment)
    : buffer(bytes, alignment, nullptr, host_storage::none, false) {}

buffer::buffer(std::size_t bytes, std::size_t alignment, const void *host, host_storage storage, bool writable)
    : handle(ref<object>(make_object<buffer_object>(bytes, alignment, host, storage, writable))) {}

std::size_t buffer::bytes() const noexcept { return static_cast<const buffer_object *>(get())->bytes(); }

void *buffer::acquire(const queue &where, access mode, std::size_t offset, std::size_t size,
                      std::vector<event> &wait_for) const {
  buffer_object &mine = implementation_of(*this, "buffer::acquire");
  if (runtime::graphs_exist.load(std::memory_order_relaxed)) [[unlikely]]
    if (auto &q = runtime::implementation_of(where, "buffer::acquire"); runtime::graph_of(q)) {
      std::vector<event> ignored;  // the node's dependencies are other nodes
      void *const address = mine.acquire(where, mode, offset, size, ignored);
      runtime::require_buffer(q, {*this, mode, offset, size, address}, wait_for);
      return address;
    }
  return mine.acquire(where, mode, offset, size, wait_for);
}
void buffer::record(const event &done, access mode, std::size_t offset, std::size_t size) const {
  buffer_object &mine = implementation_of(*this, "buffer::record");
  if (const auto *const e = static_cast<const backend::event *>(done.get()); e && e->is_recorded()) [[unlikely]]
    return runtime::record_buffer(static_cast<const runtime::node_event &>(*e),
                                  {*this, mode, offset, size, mine.storage()});
  mine.record(done, mode, offset, size);
}
void *buffer::acquire_host(access mode) const {
  return implementation_of(*this, "buffer::acquire_host").acquire_host(mode);
}
void buffer::release_host(access mode) const noexcept {
  if (*this) static_cast<buffer_object &>(*get()).release_host(mode);
}
event buffer::update_host(const queue &where, dependencies after) const {
  return implementation_of(*this, "buffer::update_host").update_host(where, after);
}
void buffer::set_final(std::function<void(const void *)> write_back) const {
  implementation_of(*this, "buffer::set_final").set_final(std::move(write_back));
}
void buffer::set_write_back(bool enabled) const noexcept {
  if (*this) static_cast<buffer_object &>(*get()).set_write_back(enabled);
}
void buffer::finish() const { implementation_of(*this, "buffer::finish").finish(); }

std::unique_lock<std::mutex> buffer::lock_submission() {
  static std::mutex &mutex = *new std::mutex;  // never destroyed: buffers of static objects may outlive it
  return std::unique_lock(mutex);
}

}  // namespace dpep
