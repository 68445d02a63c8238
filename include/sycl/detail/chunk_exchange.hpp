// Exchange of values in a chunk of a sub-group, by shuffles; the counterpart of group_exchange.hpp.
#pragma once

#include <sycl/detail/group_exchange.hpp>
#include <sycl/ext/oneapi/experimental/chunk.hpp>
#include <sycl/ext/oneapi/experimental/fragment.hpp>

namespace sycl {

template <std::size_t N, class P> struct is_group<ext::oneapi::experimental::chunk<N, P>> : std::true_type {};

namespace detail {

using ext::oneapi::experimental::chunk;

template <std::size_t N, class P> std::uint32_t rank(const chunk<N, P> &g) { return g.get_local_linear_id(); }
template <std::size_t N, class P> std::uint32_t size(const chunk<N, P> &) { return std::uint32_t{N}; }
template <std::size_t N, class P> void barrier(const chunk<N, P> &) { __dpep_sub_group_barrier(); }

template <class T, std::size_t N, class P> T exchange(const chunk<N, P> &g, const T &x, std::size_t source) {
  const std::uint32_t first = __dpep_sub_group_local_id() - rank(g);
  return sub_group_shuffle(x, first + static_cast<std::uint32_t>(source));
}
template <class T, std::size_t N, class P> T broadcast(const chunk<N, P> &g, const T &x, std::size_t source) {
  return exchange(g, x, source);
}
template <class T, std::size_t N, class P, class F> T compute_in_leader(const chunk<N, P> &g, F make) {
  __dpep_sub_group_barrier();
  T result{};
  if (g.leader()) result = make();
  return exchange(g, result, 0);
}

template <class T, std::size_t N, class P, class Op> T reduce(const chunk<N, P> &g, T x, Op op) {
  const std::uint32_t me = rank(g);
  // After each step, a work-item at a multiple of 2 * distance holds the result of that many work-items, in order.
  DPEP_UNROLL for (std::uint32_t distance = 1; distance < N; distance *= 2) {
    const bool inside = me + distance < N;
    const T other = exchange(g, x, inside ? me + distance : me);
    if (inside) x = combine<T>(x, other, op);
  }
  return exchange(g, x, 0);
}
template <class T, std::size_t N, class P, class Op> T inclusive_scan(const chunk<N, P> &g, T x, Op op) {
  const std::uint32_t me = rank(g);
  DPEP_UNROLL for (std::uint32_t distance = 1; distance < N; distance *= 2) {
    const bool inside = me >= distance;
    const T other = exchange(g, x, inside ? me - distance : me);
    if (inside) x = static_cast<T>(op(other, x));
  }
  return x;
}
template <class T, std::size_t N, class P, class Op>
T exclusive_scan(const chunk<N, P> &g, const T &x, const T &init, Op op) {
  const T sums = inclusive_scan(g, x, op);
  const std::uint32_t me = rank(g);
  const T before = exchange(g, sums, me ? me - 1 : 0);
  return me ? static_cast<T>(op(init, before)) : init;
}

}  // namespace detail

namespace ext::oneapi::experimental {

/// Whether the group is one of SYCL's own, or made by the kernel.
template <class T> struct is_user_constructed_group : std::bool_constant<is_chunk<T> || is_fragment<T>> {};
template <class T> inline constexpr bool is_user_constructed_group_v = is_user_constructed_group<T>::value;
template <class T>
struct is_fixed_topology_group : std::bool_constant<is_group_v<T> && !is_user_constructed_group_v<T>> {};
template <class T> inline constexpr bool is_fixed_topology_group_v = is_fixed_topology_group<T>::value;

}  // namespace ext::oneapi::experimental
}  // namespace sycl
