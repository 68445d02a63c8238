// sycl::atomic of SYCL 1.2.1 and its free functions. Deprecated: the successor is sycl::atomic_ref.
#pragma once

#include <sycl/atomic_ref.hpp>
#include <sycl/multi_ptr.hpp>

namespace sycl {

/// An atomic_ref with SYCL 1.2.1's default order and scope, made from a pointer.
template <class T, access::address_space Space = access::address_space::global_space>
class [[deprecated("sycl::atomic is not part of SYCL 2020: use sycl::atomic_ref")]] atomic
    : public atomic_ref<T, memory_order::relaxed, memory_scope::device, Space> {
  using reference = atomic_ref<T, memory_order::relaxed, memory_scope::device, Space>;

public:
  using reference::operator=;
  template <class U, access::decorated Decorated>
    requires(sizeof(U) == sizeof(T))
  atomic(multi_ptr<U, Space, Decorated> p) : reference(*reinterpret_cast<T *>(p.get_raw())) {}
};

// The free functions of SYCL 1.2.1, deprecated as the class.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
template <class T, access::address_space Space>
[[deprecated("use sycl::atomic_ref::store")]] void atomic_store(atomic<T, Space> object, T x,
                                                                memory_order order = memory_order::relaxed) {
  object.store(x, order);
}
template <class T, access::address_space Space>
[[deprecated("use sycl::atomic_ref::load")]] T atomic_load(atomic<T, Space> object,
                                                           memory_order order = memory_order::relaxed) {
  return object.load(order);
}
template <class T, access::address_space Space>
[[deprecated("use sycl::atomic_ref::compare_exchange_strong")]] bool
atomic_compare_exchange_strong(atomic<T, Space> object, T &expected, T desired,
                               memory_order success = memory_order::relaxed,
                               memory_order failure = memory_order::relaxed) {
  return object.compare_exchange_strong(expected, desired, success, failure);
}
#define DPEP_ATOMIC_UPDATE(NAME)                                                                                       \
  template <class T, access::address_space Space>                                                                      \
  [[deprecated("use sycl::atomic_ref::" #NAME)]] T atomic_##NAME(atomic<T, Space> object, T x,                         \
                                                                 memory_order order = memory_order::relaxed) {         \
    return object.NAME(x, order);                                                                                      \
  }
DPEP_ATOMIC_UPDATE(exchange)
DPEP_ATOMIC_UPDATE(fetch_add)
DPEP_ATOMIC_UPDATE(fetch_sub)
DPEP_ATOMIC_UPDATE(fetch_and)
DPEP_ATOMIC_UPDATE(fetch_or)
DPEP_ATOMIC_UPDATE(fetch_xor)
DPEP_ATOMIC_UPDATE(fetch_min)
DPEP_ATOMIC_UPDATE(fetch_max)
#undef DPEP_ATOMIC_UPDATE
#pragma clang diagnostic pop

}  // namespace sycl
