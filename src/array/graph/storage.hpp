// The memory of arrays.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <dpep/queue.hpp>

#include "array/graph/object_memory.hpp"
#include "runtime/queue_memory_cache.hpp"

namespace dpep::array {

class node;

/// The memory of an array and its views, with the pending nodes that read it.
class storage final : public object {
public:
  /// Allocates. `cache`: the queue's cache, for memory that array work of the queue may reuse in its order; null: none.
  storage(const queue &, usm_kind, std::size_t bytes, runtime::queue_memory_cache *cache = nullptr);
  storage(const queue &, usm_kind, void *base, std::size_t bytes, std::shared_ptr<void> owner);
  /// A snapshot of an array's storage, at its present address.
  explicit storage(ref<storage> of);
  ~storage() override;  // never waits: work in flight keeps the memory alive

  /// The address. A write to the array may move it to other memory.
  std::byte *base() const noexcept { return base_.load(std::memory_order_relaxed); }
  const std::size_t bytes;
  const usm_kind kind;
  const dpep::queue queue;
  const std::shared_ptr<void> owner;
  /// Whether array work of this queue need not keep the memory alive: after the destructor, only later array work of
  /// the queue reuses it.
  const bool in_order = false;
  std::atomic<bool> exposed{false};  // others may write at any time, so nodes that read it are not deferred
  /// A stream in which others may still use the memory after the destructor; 0: none.
  std::atomic<std::uintptr_t> lent_to{0};

  static void *operator new(std::size_t bytes) { return allocate_object(bytes); }
  static void operator delete(void *p, std::size_t bytes) noexcept { free_object(p, bytes); }

  /// Pending nodes that read this memory, guarded by the deferred queue's mutex. They are computed before anything
  /// writes to it.
  std::vector<node *> readers;

  /// Whether only array work of the queue uses the address, so that it may change.
  bool can_move() const noexcept { return owned_ && !exposed.load(std::memory_order_seq_cst) && !lent_to.load(); }
  /// Moves the contents and the readers to a snapshot. This gets other memory, whose contents are undefined. The caller
  /// must change the readers' memory. Throws if there is no memory. Requires the deferred queue's mutex, and
  /// can_move().
  ref<storage> move_to_snapshot();
  /// Undoes that, if this has not moved again.
  void move_back(storage &snapshot) noexcept;

private:
  // Memory of a storage that has moved. All of it is freed with the storage: work in flight, and threads that write to
  // the array at the same time as others, may use any of it.
  struct slot {
    std::byte *base;
    const storage *snapshot;  // that is there; null: the array itself, or none
    ref<storage> owner;       // null: the storage's own allocation
  };
  slot &free_slot();
  void free_after_submitted();
  std::byte *const allocated_;
  std::atomic<std::byte *> base_;
  const bool owned_ = false;
  runtime::queue_memory_cache *const cache_ = nullptr;  // of `queue`, and lives as long
  std::vector<slot> slots_;
  const ref<storage> snapshot_of_;
};

}  // namespace dpep::array
