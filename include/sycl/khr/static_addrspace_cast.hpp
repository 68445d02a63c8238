// Casts of pointers to an address space that the program knows (extension sycl_khr_static_addrspace_cast).
#pragma once

#include <sycl/multi_ptr.hpp>

namespace sycl::khr {

/// The pointer must be null or point into the address space.
template <access::address_space Space, class T>
multi_ptr<T, Space, access::decorated::no> static_addrspace_cast(T *pointer) {
  return multi_ptr<T, Space, access::decorated::no>(pointer);
}
template <access::address_space Space, class T, access::decorated Decorated>
multi_ptr<T, Space, Decorated>
static_addrspace_cast(multi_ptr<T, access::address_space::generic_space, Decorated> pointer) {
  return multi_ptr<T, Space, Decorated>(pointer.get_raw());
}

}  // namespace sycl::khr
