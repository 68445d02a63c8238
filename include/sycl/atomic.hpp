// sycl::atomic of SYCL 1.2.1. Deprecated: its successor is sycl::atomic_ref.
#pragma once

#include <sycl/atomic_ref.hpp>
#include <sycl/multi_ptr.hpp>

namespace sycl {

template <class T, access::address_space Space = access::address_space::global_space>
class [[deprecated("sycl::atomic is not part of SYCL 2020: use sycl::atomic_ref")]] atomic {
  using reference = atomic_ref<T, memory_order::relaxed, memory_scope::device, Space>;

public:
  template <class U, access::decorated Decorated>
    requires(sizeof(U) == sizeof(T))
  atomic(multi_ptr<U, Space, Decorated> p) : to_(*reinterpret_cast<T *>(p.get_raw())) {}

  void store(T x, memory_order order = memory_order::relaxed) { to_.store(x, order); }
  T load(memory_order order = memory_order::relaxed) const { return to_.load(order); }
  T exchange(T x, memory_order order = memory_order::relaxed) { return to_.exchange(x, order); }
  bool compare_exchange_strong(T &expected, T desired, memory_order success = memory_order::relaxed,
                               memory_order failure = memory_order::relaxed) {
    return to_.compare_exchange_strong(expected, desired, success, failure);
  }
  T fetch_add(T x, memory_order order = memory_order::relaxed) { return to_.fetch_add(x, order); }
  T fetch_sub(T x, memory_order order = memory_order::relaxed) { return to_.fetch_sub(x, order); }
  T fetch_and(T x, memory_order order = memory_order::relaxed) { return to_.fetch_and(x, order); }
  T fetch_or(T x, memory_order order = memory_order::relaxed) { return to_.fetch_or(x, order); }
  T fetch_xor(T x, memory_order order = memory_order::relaxed) { return to_.fetch_xor(x, order); }
  T fetch_min(T x, memory_order order = memory_order::relaxed) { return to_.fetch_min(x, order); }
  T fetch_max(T x, memory_order order = memory_order::relaxed) { return to_.fetch_max(x, order); }

private:
  reference to_;
};

}  // namespace sycl
