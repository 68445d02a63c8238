// Recycled memory for objects that are created and destroyed with every task.
#pragma once

#include <cstddef>
#include <mutex>
#include <new>

#include "backend/common/fork_guard.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DPEP_NO_RECYCLING 1  // so that the sanitizer finds uses after destruction
#endif
#endif

namespace dpep::backend {

/// Memory blocks for objects of type T: a small cache in each thread, backed by a shared, bounded reserve. Blocks often
/// migrate from a thread that frees to one that allocates, so they move through the reserve in batches.
template <class T> class recycler {
public:
  static void *allocate() {
#ifndef DPEP_NO_RECYCLING
    cache &own = local();
    if (!own.head && !own.closed) refill(own);
    if (own.head) {
      --own.count;
      return pop(own.head);
    }
#endif
    return ::operator new(sizeof(T), std::align_val_t{alignof(T)});
  }
  static void deallocate(void *block) noexcept {
#ifndef DPEP_NO_RECYCLING
    cache &own = local();
    if (!own.closed) {
      push(own.head, block);
      if (++own.count > 2 * batch) spill(own, batch);
      return;
    }
#endif
    ::operator delete(block, std::align_val_t{alignof(T)});
  }

private:
  struct node {
    node *next;
  };
  struct cache {
    node *head = nullptr;
    unsigned count = 0;
    bool closed = false;
    ~cache() {
      closed = true;  // objects that are destroyed later in this thread's exit bypass the cache
      spill(*this, count);
    }
  };
  struct reserve {
    std::mutex mutex;
    node *head = nullptr;
    unsigned count = 0;
  };
  static constexpr unsigned batch = 32, reserve_limit = 4096;

  static cache &local() {
    static thread_local cache own;
    return own;
  }
  static reserve &shared() {
    static reserve &all = *new reserve;  // never destroyed: threads may outlive the process's destructors
    return all;
  }
  static void push(node *&head, void *block) noexcept { head = new (block) node{head}; }
  static void *pop(node *&head) noexcept {
    node *first = head;
    head = first->next;
    return first;
  }
  static void refill(cache &own) {
    reserve &all = shared();
    const fork_safe_lock lock(all.mutex);
    for (; own.count < batch && all.head; ++own.count, --all.count) push(own.head, pop(all.head));
  }
  static void spill(cache &own, unsigned blocks) noexcept {
    reserve &all = shared();
    const fork_safe_lock lock(all.mutex);
    for (; blocks && own.head; --blocks, --own.count) {
      void *block = pop(own.head);
      if (all.count < reserve_limit) {
        push(all.head, block);
        ++all.count;
      } else {
        ::operator delete(block, std::align_val_t{alignof(T)});
      }
    }
  }
};

}  // namespace dpep::backend
