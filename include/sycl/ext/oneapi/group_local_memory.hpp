// Local memory declared at its point of use in a kernel: an object that the work-items of a work-group share.
#pragma once

#include <new>
#include <utility>

#include <sycl/detail/group_exchange.hpp>
#include <sycl/multi_ptr.hpp>

namespace sycl::ext::oneapi {

namespace detail {
// Identifies a call site in the program by the address of this variable. The default lambda makes `Place` unique to
// each call site.
template <class T, class Place> inline constexpr char local_memory_key = 0;
}  // namespace detail

/// Returns uninitialised local memory for a T. Each call site has its own memory.
template <class T, class G, class Place = decltype([] {})>
multi_ptr<T, access::address_space::local_space, access::decorated::legacy> group_local_memory_for_overwrite(G) {
  static_assert(std::is_trivially_destructible_v<T>,
                "group_local_memory: T must be trivially destructible; its destructor is never called");
  return multi_ptr<T, access::address_space::local_space, access::decorated::legacy>(
      static_cast<T *>(__dpep_static_local_memory(sizeof(T), alignof(T), &detail::local_memory_key<T, Place>)));
}

/// Returns local memory with a T constructed from the arguments by the group's leader. Ends with a barrier.
template <class T, class G, class... Arguments, class Place = decltype([] {})>
multi_ptr<T, access::address_space::local_space, access::decorated::legacy>
group_local_memory(G g, Arguments &&...arguments) {

  const auto memory = group_local_memory_for_overwrite<T, G, Place>(g);
  if (g.leader()) new (memory.get_raw()) T(std::forward<Arguments>(arguments)...);
  sycl::detail::barrier(g);
  return memory;
}

}  // namespace sycl::ext::oneapi
