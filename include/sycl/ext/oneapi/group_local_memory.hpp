// Local memory declared where it is used in a kernel: an object that the work-items of a work-group share.
#pragma once

#include <new>
#include <utility>

#include <sycl/detail/group_exchange.hpp>
#include <sycl/multi_ptr.hpp>

namespace sycl::ext::oneapi {

namespace detail {
// A place of the program is known by this variable, its key. The lambda makes each place's type its own.
template <class T, class Place> inline constexpr char local_memory_key = 0;
}  // namespace detail

/// Memory for a T, not initialised. Each place that calls it has memory of its own.
template <class T, class G, class Place = decltype([] {})>
multi_ptr<T, access::address_space::local_space, access::decorated::legacy> group_local_memory_for_overwrite(G) {
  static_assert(std::is_trivially_destructible_v<T>, "group_local_memory: nobody would call the destructor");
  return multi_ptr<T, access::address_space::local_space, access::decorated::legacy>(
      static_cast<T *>(__dpep_static_local_memory(sizeof(T), alignof(T), &detail::local_memory_key<T, Place>)));
}

/// The same, constructed from the arguments by the group's leader before anybody goes on.
template <class T, class G, class... Arguments, class Place = decltype([] {})>
multi_ptr<T, access::address_space::local_space, access::decorated::legacy>
group_local_memory(G g, Arguments &&...arguments) {

  const auto memory = group_local_memory_for_overwrite<T, G, Place>(g);
  if (g.leader()) new (memory.get_raw()) T(std::forward<Arguments>(arguments)...);
  sycl::detail::barrier(g);
  return memory;
}

}  // namespace sycl::ext::oneapi
