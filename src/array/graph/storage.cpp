// Allocation and release of the memory of arrays.
#include "array/graph/storage.hpp"

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

#include <dpep/memory.hpp>
#include <dpep/native.hpp>

#include "runtime/queue.hpp"

namespace dpep::array {

namespace {

// Guards the slots, which a snapshot's destructor reads and writes on any thread.
constinit std::mutex slots_mutex;

void *memory_for(const queue &q, usm_kind kind, std::size_t bytes, runtime::queue_memory_cache *cache) {
  if (cache)
    if (void *const reused = cache->allocate(bytes)) return reused;
  return allocate(kind, bytes, 64, q.get_context(), q.get_device());
}

}  // namespace

storage::storage(const dpep::queue &q, usm_kind kind, std::size_t bytes, runtime::queue_memory_cache *cache)
    : bytes(bytes),
      kind(kind),
      queue(q),
      in_order(cache != nullptr),
      allocated_(static_cast<std::byte *>(memory_for(q, kind, bytes, cache))),
      base_(allocated_),
      owned_(true),
      cache_(cache) {}

storage::storage(const dpep::queue &q, usm_kind kind, void *base, std::size_t bytes, std::shared_ptr<void> owner)
    : bytes(bytes),
      kind(kind),
      queue(q),
      owner(std::move(owner)),
      allocated_(static_cast<std::byte *>(base)),
      base_(allocated_) {}

storage::storage(ref<storage> of)
    : bytes(of->bytes),
      kind(of->kind),
      queue(of->queue),
      in_order(of->in_order),
      allocated_(of->base()),
      base_(allocated_),
      snapshot_of_(std::move(of)) {}

storage::~storage() {
  if (snapshot_of_) {
    const std::lock_guard lock(slots_mutex);
    for (slot &s : snapshot_of_->slots_)
      if (s.snapshot == this) s.snapshot = nullptr;
  }
  if (!owned_) return;
  for (const slot &s : slots_)
    if (s.owner) s.owner->lent_to.store(lent_to.load());
  try {
    if (lent_to.load(std::memory_order_relaxed))
      free_after_submitted();
    else if (!in_order)
      dpep::free(allocated_, queue.get_context());
    else if (!cache_->free(allocated_))
      free_after_submitted();
  } catch (const exception &) {       // the user has freed the address: nothing is left to do
  } catch (const std::bad_alloc &) {  // no memory for the keep-alive: a leak is better than memory with two users
  }
}

/// Frees the memory when all submitted work is complete. For memory that the cache does not take, and for memory that
/// other streams use.
void storage::free_after_submitted() {
  // not through queue_object: a thread that processes completion may be here, and must not wait for the deferred
  // queue's mutex
  const event all(ref<object>(runtime::implementation_of(queue).back().submit(backend::barrier_command{}, {})));
  struct deferred_free {
    const context where;
    void *memory;
    ~deferred_free() {
      try {
        if (memory) dpep::free(memory, where);
      } catch (const exception &) {  // as above
      }
    }
  };
  const auto later = std::make_shared<deferred_free>(queue.get_context(), nullptr);
  later->memory = allocated_;
  try {
    all.keep_alive(later);
    if (const std::uintptr_t stream = lent_to.load(std::memory_order_relaxed))
      native::keep_alive_in_stream(queue.get_context(), queue.get_device(), stream, later);
  } catch (...) {
    later->memory = nullptr;  // may be in use: not freed
    throw;
  }
}

/// Memory that no pending node reads.
storage::slot &storage::free_slot() {
  if (slots_.empty()) slots_.push_back({base(), nullptr, nullptr});
  {
    const std::lock_guard lock(slots_mutex);
    const auto free = std::ranges::find_if(
        slots_, [&](const slot &s) { return s.base != base() && (!s.snapshot || s.snapshot->readers.empty()); });
    if (free != slots_.end()) return *free;
  }
  ref<storage> owner = make_object<storage>(queue, kind, bytes, cache_);
  std::byte *const there = owner->base();
  const std::lock_guard lock(slots_mutex);
  return slots_.emplace_back(there, nullptr, std::move(owner));
}

ref<storage> storage::move_to_snapshot() {
  slot &to = free_slot();
  ref<storage> snapshot = make_object<storage>(ref<storage>::share(this));
  {
    const std::lock_guard lock(slots_mutex);
    to.snapshot = nullptr;
    std::ranges::find(slots_, base(), &slot::base)->snapshot = snapshot.get();
  }
  std::swap(readers, snapshot->readers);
  base_.store(to.base, std::memory_order_relaxed);
  return snapshot;
}

void storage::move_back(storage &snapshot) noexcept {
  {
    const std::lock_guard lock(slots_mutex);
    std::ranges::find(slots_, snapshot.base(), &slot::base)->snapshot = nullptr;
  }
  std::swap(readers, snapshot.readers);
  base_.store(snapshot.base(), std::memory_order_relaxed);
}

}  // namespace dpep::array
