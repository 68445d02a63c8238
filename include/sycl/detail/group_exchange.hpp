// Exchange of values in a group: through local memory in a work-group, by shuffles in a sub-group.
//
// Every work-group algorithm has three steps: each work-item stores its value in scratch memory; all meet at a barrier;
// the leader, or each work-item, reads. All algorithms share the scratch memory, so each ends with a barrier after its
// last access to it. Results for all work-items have separate memory. It is not written before the next algorithm's
// first barrier, so reading the result requires no further barrier, and the result need not be kept across one.
#pragma once

#include <cstdint>
#include <type_traits>

#include <sycl/detail/scan.hpp>
#include <sycl/detail/shuffle.hpp>
#include <sycl/group.hpp>
#include <sycl/sub_group.hpp>

namespace sycl {

template <class T> struct is_group : std::false_type {};
template <int D> struct is_group<group<D>> : std::true_type {};
template <> struct is_group<sub_group> : std::true_type {};
template <class T> inline constexpr bool is_group_v = is_group<T>::value;

namespace detail {

template <class G>
concept any_group = is_group_v<G>;

template <class T> inline constexpr char result_key = 0;

/// The work-group's scratch memory, one element for each work-item.
template <class T> T *scratch() {
  static_assert(std::is_trivially_copyable_v<T> || is_complex<T>, "group algorithms require trivially copyable types");
  static_assert(alignof(T) <= 64);
  return static_cast<T *>(__dpep_group_scratch(sizeof(T)));
}
/// The local memory in which the work-group's leader stores a result for all.
template <class T> T *shared_result() {
  return static_cast<T *>(__dpep_static_local_memory(sizeof(T), alignof(T), &result_key<T>));
}

template <int D> std::size_t rank(const group<D> &g) { return g.get_local_linear_id(); }
inline std::uint32_t rank(const sub_group &g) { return g.get_local_linear_id(); }
template <int D> std::size_t size(const group<D> &g) { return g.get_local_linear_range(); }
inline std::uint32_t size(const sub_group &g) { return g.get_local_linear_range(); }

template <int D> void barrier(const group<D> &) { __dpep_group_barrier(); }
inline void barrier(const sub_group &) { __dpep_sub_group_barrier(); }

/// Calls step(1), step(2), step(4), … below the maximum size of sub-groups. Unrolled, since shuffles over constant
/// distances are single instructions.
template <class F> void for_doubling_distances(F step) {
  const std::uint32_t size = __dpep_sub_group_max_size();
  if (size > 1) step(1);
  if (size > 2) step(2);
  if (size > 4) step(4);
  if (size > 8) step(8);
  if (size > 16) step(16);
  if (size > 32) step(32);
}

/// Returns the leader's `make()` in all work-items. A barrier precedes the call of `make`.
template <class T, int D, class F> T compute_in_leader(const group<D> &g, F make) {
  T *const result = shared_result<T>();
  __dpep_group_barrier();
  if (g.leader()) *result = make();
  __dpep_group_barrier();
  return *result;
}
template <class T, class F> T compute_in_leader(const sub_group &g, F make) {
  __dpep_sub_group_barrier();
  T result{};
  if (g.leader()) result = make();
  return sub_group_shuffle(result, 0);
}

/// Returns x of the work-item `source`, which may differ between work-items.
template <class T, int D> T exchange(const group<D> &g, const T &x, std::size_t source) {
  T *const all = scratch<T>();
  all[rank(g)] = x;
  __dpep_group_barrier();
  const T result = all[source];
  __dpep_group_barrier();
  return result;
}
template <class T> T exchange(const sub_group &, const T &x, std::size_t source) {
  return sub_group_shuffle(x, static_cast<std::uint32_t>(source));
}

/// Returns x of one work-item in all.
template <class T, int D> T broadcast(const group<D> &g, const T &x, std::size_t source) {
  T *const all = scratch<T>();
  all[rank(g)] = x;
  return compute_in_leader<T>(g, [=] { return all[source]; });
}
template <class T> T broadcast(const sub_group &g, const T &x, std::size_t source) { return exchange(g, x, source); }

template <class T, class Op> T reduce(const sub_group &, T, Op);
template <class T, class Op> T inclusive_scan(const sub_group &, T, Op);

/// Returns op over the x of all work-items, in all. With fast shuffles, each sub-group reduces first and stores one
/// value.
template <class T, int D, class Op> T reduce(const group<D> &g, const T &x, Op op) {
  T *const all = scratch<T>();
  if constexpr (std::is_trivially_copyable_v<T>)
    if (__dpep_has_fast_shuffles()) {
      const sub_group subgroup = make_sub_group();
      const T sum = reduce(subgroup, x, op);
      if (subgroup.leader()) all[subgroup.get_group_linear_id()] = sum;
      __dpep_group_barrier();
      // All compute the result: the leader would have to store it, and the others to wait for it and to load it.
      const T result = fold_values<T>(all, subgroup.get_group_linear_range(), op);
      __dpep_group_barrier();
      return result;
    }
  all[rank(g)] = x;
  return compute_in_leader<T>(g, [&] { return fold_values<T>(all, size(g), op); });
}
template <class T, class Op> T reduce(const sub_group &g, T x, Op op) {
  const std::uint32_t me = rank(g), count = size(g);
  if constexpr (commutes_exactly<T>(operation_of<Op>))
    if (__dpep_has_fast_shuffles() && count == __dpep_sub_group_max_size()) {
      // Each step exchanges values between two work-items, which compute the same. Without conditions, and the result
      // is in all work-items.
      for_doubling_distances(
          [&](std::uint32_t distance) { x = combine<T>(x, sub_group_shuffle(x, me ^ distance), op); });
      return x;
    }
  // After each step, a work-item at a multiple of 2 * distance holds the result of that many work-items, in order.
  for_doubling_distances([&](std::uint32_t distance) {
    const bool inside = me + distance < count;
    const T other = sub_group_shuffle(x, inside ? me + distance : me);
    if (inside) x = combine<T>(x, other, op);
  });
  return sub_group_shuffle(x, 0);
}

/// Returns op over the x of the work-items up to and including this one.
template <class T, int D, class Op> T inclusive_scan(const group<D> &g, const T &x, Op op) {
  T *const all = scratch<T>();
  if constexpr (std::is_trivially_copyable_v<T>)
    if (__dpep_has_fast_shuffles()) {
      const sub_group subgroup = make_sub_group();
      const T sum = inclusive_scan(subgroup, x, op);
      const std::uint32_t number = subgroup.get_group_linear_id();
      if (rank(subgroup) + 1 == size(subgroup)) all[number] = sum;
      __dpep_group_barrier();
      if (g.leader())
        for (std::uint32_t i = 1; i < subgroup.get_group_linear_range(); i++)
          all[i] = static_cast<T>(op(all[i - 1], all[i]));
      __dpep_group_barrier();
      const T result = number ? static_cast<T>(op(all[number - 1], sum)) : sum;
      __dpep_group_barrier();
      return result;
    }
  all[rank(g)] = x;
  __dpep_group_barrier();
  if (g.leader()) scan_inclusive<T>(all, all, size(g), op);
  __dpep_group_barrier();
  const T result = all[rank(g)];
  __dpep_group_barrier();
  return result;
}
template <class T, class Op> T inclusive_scan(const sub_group &g, T x, Op op) {
  const std::uint32_t me = rank(g);
  for_doubling_distances([&](std::uint32_t distance) {
    const bool inside = me >= distance;
    const T other = sub_group_shuffle(x, inside ? me - distance : me);
    if (inside) x = static_cast<T>(op(other, x));
  });
  return x;
}

/// Returns op over `init` and the x of the work-items before this one.
template <class T, int D, class Op> T exclusive_scan(const group<D> &g, const T &x, const T &init, Op op) {
  if constexpr (std::is_trivially_copyable_v<T>)
    if (__dpep_has_fast_shuffles()) {
      const T sums = inclusive_scan(g, x, op);
      const std::size_t me = rank(g);
      const T before = exchange(g, sums, me ? me - 1 : 0);
      return me ? static_cast<T>(op(init, before)) : init;
    }
  T *const all = scratch<T>();
  all[rank(g)] = x;
  __dpep_group_barrier();
  if (g.leader()) scan_values<scan::exclusive, T>(all, all, size(g), init, op);
  __dpep_group_barrier();
  const T result = all[rank(g)];
  __dpep_group_barrier();
  return result;
}
template <class T, class Op> T exclusive_scan(const sub_group &g, const T &x, const T &init, Op op) {
  const T sums = inclusive_scan(g, x, op);
  const std::uint32_t me = rank(g);
  const T before = sub_group_shuffle(sums, me ? me - 1 : 0);
  return me ? static_cast<T>(op(init, before)) : init;
}

}  // namespace detail
}  // namespace sycl
