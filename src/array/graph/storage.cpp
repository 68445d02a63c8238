// Allocation and release of the memory of arrays.
#include "array/graph/storage.hpp"

#include <new>

#include <dpep/memory.hpp>
#include <dpep/native.hpp>

#include "runtime/queue.hpp"

namespace dpep::array {

namespace {

void *memory_for(const queue &q, usm_kind kind, std::size_t bytes, runtime::queue_memory_cache *cache) {
  if (cache)
    if (void *const reused = cache->allocate(bytes)) return reused;
  return allocate(kind, bytes, 64, q.get_context(), q.get_device());
}

}  // namespace

storage::storage(const dpep::queue &q, usm_kind kind, std::size_t bytes, runtime::queue_memory_cache *cache)
    : base(static_cast<std::byte *>(memory_for(q, kind, bytes, cache))),
      bytes(bytes),
      kind(kind),
      queue(q),
      in_order(cache != nullptr),
      owned_(true),
      cache_(cache) {}

storage::storage(const dpep::queue &q, usm_kind kind, void *base, std::size_t bytes, std::shared_ptr<void> owner)
    : base(static_cast<std::byte *>(base)), bytes(bytes), kind(kind), queue(q), owner(std::move(owner)) {}

storage::~storage() {
  if (!owned_) return;
  try {
    if (lent_to.load(std::memory_order_relaxed))
      free_after_submitted();
    else if (!in_order)
      dpep::free(base, queue.get_context());
    else if (!cache_->free(base))
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
  later->memory = base;
  try {
    all.keep_alive(later);
    if (const std::uintptr_t stream = lent_to.load(std::memory_order_relaxed))
      native::keep_alive_in_stream(queue.get_context(), queue.get_device(), stream, later);
  } catch (...) {
    later->memory = nullptr;  // may be in use: not freed
    throw;
  }
}

}  // namespace dpep::array
