// Recycled memory for objects that come and go with every task.
#pragma once

#include <cstddef>
#include <mutex>
#include <new>

#include "backend/common/forks.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DPEP_NO_RECYCLING 1  // so that the sanitizer sees each object's death
#endif
#endif

namespace dpep::backend {

/// Blocks for objects of type T: a small cache in each thread over a shared, bounded reserve. What one thread frees,
/// another may get, so taking from the reserve moves many at a time.
template <class T> class recycler {
public:
  static void *take() {
#ifndef DPEP_NO_RECYCLING
    cache &mine = local();
    if (!mine.head && !mine.closed) refill(mine);
    if (mine.head) {
      --mine.count;
      return pop(mine.head);
    }
#endif
    return ::operator new(sizeof(T), std::align_val_t{alignof(T)});
  }
  static void give(void *block) noexcept {
#ifndef DPEP_NO_RECYCLING
    cache &mine = local();
    if (!mine.closed) {
      push(mine.head, block);
      if (++mine.count > 2 * batch) spill(mine, batch);
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
      closed = true;  // objects that die later in this thread's exit bypass the cache
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
    static thread_local cache mine;
    return mine;
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
  static void refill(cache &mine) {
    reserve &all = shared();
    const no_fork_lock lock(all.mutex);
    for (; mine.count < batch && all.head; ++mine.count, --all.count) push(mine.head, pop(all.head));
  }
  static void spill(cache &mine, unsigned how_many) noexcept {
    reserve &all = shared();
    const no_fork_lock lock(all.mutex);
    for (; how_many && mine.head; --how_many, --mine.count) {
      void *block = pop(mine.head);
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
