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
  ~storage() override;  // never waits: work in flight keeps the memory alive

  std::byte *const base;
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

private:
  void free_after_submitted();
  const bool owned_ = false;
  runtime::queue_memory_cache *const cache_ = nullptr;  // of `queue`, and lives as long
};

}  // namespace dpep::array
