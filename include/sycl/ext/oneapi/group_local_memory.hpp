// Local memory declared at its point of use in a kernel: an object that the work-items of a work-group share.
#pragma once

#include <new>
#include <type_traits>
#include <utility>

#include <sycl/detail/group_exchange.hpp>
#include <sycl/multi_ptr.hpp>

namespace sycl::ext::oneapi {

namespace detail {
// Identifies a call site in the program by the address of this variable. The default lambda makes `Place` unique to
// each call site.
template <class T, class Place> inline constexpr char local_memory_key = 0;

/// Returns uninitialised local memory for a T. Each place has its own.
template <class T, class Place>
multi_ptr<T, access::address_space::local_space, access::decorated::legacy> local_memory_of() {
  static_assert(std::is_trivially_destructible_v<T>,
                "group_local_memory: T must be trivially destructible; its destructor is never called");
  return multi_ptr<T, access::address_space::local_space, access::decorated::legacy>(
      static_cast<T *>(__dpep_static_local_memory(sizeof(T), alignof(T), &local_memory_key<T, Place>)));
}
}  // namespace detail

/// Returns local memory with a default-initialised T: uninitialised if T's default constructor is trivial, otherwise
/// constructed by the group's leader before a barrier. Each call site has its own memory.
template <class T, class G, class Place = decltype([] {})>
multi_ptr<T, access::address_space::local_space, access::decorated::legacy>
group_local_memory_for_overwrite([[maybe_unused]] G g) {
  const auto memory = detail::local_memory_of<T, Place>();
  if constexpr (!std::is_trivially_default_constructible_v<T>) {
    if (g.leader()) new (memory.get_raw()) T;
    sycl::detail::barrier(g);
  }
  return memory;
}

/// Returns local memory with a T constructed from the arguments by the group's leader. Ends with a barrier.
template <class T, class G, class... Arguments, class Place = decltype([] {})>
multi_ptr<T, access::address_space::local_space, access::decorated::legacy>
group_local_memory(G g, Arguments &&...arguments) {
  const auto memory = detail::local_memory_of<T, Place>();
  if (g.leader()) new (memory.get_raw()) T(std::forward<Arguments>(arguments)...);
  sycl::detail::barrier(g);
  return memory;
}

}  // namespace sycl::ext::oneapi
