// Group functions and algorithms (SYCL 2020, sections 4.17.3 and 4.17.4), for work-groups, sub-groups and their chunks.
//
// Operations may be any function objects, beyond those that SYCL requires. Such operations need not be commutative.
#pragma once

#include <sycl/detail/chunk_exchange.hpp>
#include <sycl/ext/oneapi/experimental/fragment.hpp>

namespace sycl {

/// The barrier itself orders memory within the group; only wider scopes need fences.
template <detail::any_group G> void group_barrier(G g, memory_scope scope = G::fence_scope) {
  const bool wider = scope > G::fence_scope;
  if (wider) atomic_fence(memory_order::acq_rel, scope);
  detail::barrier(g);
  if (wider) atomic_fence(memory_order::acq_rel, scope);
}

template <detail::any_group G, class T> T group_broadcast(G g, T x, typename G::linear_id_type source = 0) {
  return detail::broadcast(g, x, source);
}
template <detail::any_group G, class T>
  requires(!std::is_same_v<typename G::id_type, id<1>> || std::is_same_v<G, group<1>>)
T group_broadcast(G g, T x, typename G::id_type source) {
  return detail::broadcast(g, x, detail::linear(source, g.get_local_range()));
}

// The value shifted in from outside the group is unspecified: here, it is the work-item's own.
template <detail::any_group G, class T> T shift_group_left(G g, T x, typename G::linear_id_type delta = 1) {
  const std::size_t me = detail::rank(g), source = me + delta;
  return detail::exchange(g, x, source < detail::size(g) ? source : me);
}
template <detail::any_group G, class T> T shift_group_right(G g, T x, typename G::linear_id_type delta = 1) {
  const std::size_t me = detail::rank(g);
  return detail::exchange(g, x, delta <= me ? me - delta : me);
}
template <detail::any_group G, class T> T permute_group_by_xor(G g, T x, typename G::linear_id_type mask) {
  const std::size_t me = detail::rank(g), source = me ^ mask;
  return detail::exchange(g, x, source < detail::size(g) ? source : me);
}
template <detail::any_group G, class T> T select_from_group(G g, T x, typename G::id_type source) {
  const std::size_t me = detail::rank(g), from = detail::linear(source, g.get_local_range());
  return detail::exchange(g, x, from < detail::size(g) ? from : me);
}

template <detail::any_group G> bool any_of_group(G g, bool x) { return detail::reduce(g, x, std::logical_or<>()); }
template <detail::any_group G> bool all_of_group(G g, bool x) { return detail::reduce(g, x, std::logical_and<>()); }
template <detail::any_group G> bool none_of_group(G g, bool x) { return !any_of_group(g, x); }
template <detail::any_group G, class T, class P> bool any_of_group(G g, T x, P holds) {
  return any_of_group(g, static_cast<bool>(holds(x)));
}
template <detail::any_group G, class T, class P> bool all_of_group(G g, T x, P holds) {
  return all_of_group(g, static_cast<bool>(holds(x)));
}
template <detail::any_group G, class T, class P> bool none_of_group(G g, T x, P holds) {
  return !any_of_group(g, static_cast<bool>(holds(x)));
}

namespace detail {
template <class P> using pointee = std::remove_cvref_t<decltype(*std::declval<P>())>;
template <class P>
concept pointer = requires(P p) { *p; } && !is_group_v<P>;
template <class Op>
concept combining = !std::is_arithmetic_v<Op>;
}  // namespace detail

// In joint algorithms all work-items read the same memory; the leader computes the result for all.

template <detail::any_group G, detail::pointer P, class Predicate>
bool joint_any_of(G g, P first, P last, Predicate holds) {
  return detail::compute_in_leader<bool>(g, [&] {
    for (P p = first; p != last; ++p)
      if (holds(*p)) return true;
    return false;
  });
}
template <detail::any_group G, detail::pointer P, class Predicate>
bool joint_none_of(G g, P first, P last, Predicate holds) {
  return !joint_any_of(g, first, last, holds);
}
template <detail::any_group G, detail::pointer P, class Predicate>
bool joint_all_of(G g, P first, P last, Predicate holds) {
  return joint_none_of(g, first, last, [&](const auto &x) { return !holds(x); });
}

template <detail::any_group G, class T, class Op> T reduce_over_group(G g, T x, Op op) {
  return detail::reduce(g, x, op);
}
template <detail::any_group G, class V, class T, class Op> T reduce_over_group(G g, V x, T init, Op op) {
  return static_cast<T>(op(init, detail::reduce(g, static_cast<T>(x), op)));
}
template <detail::any_group G, class T, class Op> T inclusive_scan_over_group(G g, T x, Op op) {
  return detail::inclusive_scan(g, x, op);
}
template <detail::any_group G, class V, class Op, class T> T inclusive_scan_over_group(G g, V x, Op op, T init) {
  return static_cast<T>(op(init, detail::inclusive_scan(g, static_cast<T>(x), op)));
}
template <detail::any_group G, class T, class Op>
  requires has_known_identity_v<Op, T>
T exclusive_scan_over_group(G g, T x, Op op) {
  return detail::exclusive_scan(g, x, known_identity_v<Op, T>, op);
}
template <detail::any_group G, class V, class T, class Op> T exclusive_scan_over_group(G g, V x, T init, Op op) {
  return detail::exclusive_scan(g, static_cast<T>(x), init, op);
}

template <detail::any_group G, detail::pointer P, class T, class Op>
T joint_reduce(G g, P first, P last, T init, Op op) {
  return detail::compute_in_leader<T>(g, [&] {
    const auto count = static_cast<std::size_t>(last - first);
    return count ? static_cast<T>(op(init, detail::fold_values<T>(first, count, op))) : init;
  });
}
template <detail::any_group G, detail::pointer P, class Op>
  requires has_known_identity_v<Op, detail::pointee<P>>
detail::pointee<P> joint_reduce(G g, P first, P last, Op op) {
  return joint_reduce(g, first, last, known_identity_v<Op, detail::pointee<P>>, op);
}

template <detail::any_group G, detail::pointer In, detail::pointer Out, class T, class Op>
Out joint_exclusive_scan(G g, In first, In last, Out result, T init, Op op) {
  const Out end = result + (last - first);
  detail::barrier(g);
  const auto count = static_cast<std::size_t>(last - first);
  if (g.leader()) detail::scan_values<detail::scan::exclusive, T>(first, result, count, init, op);
  detail::barrier(g);
  return end;
}
// Without an initial value, the scan is computed in the type of the results.
template <detail::any_group G, detail::pointer In, detail::pointer Out, class Op>
  requires has_known_identity_v<Op, detail::pointee<Out>>
Out joint_exclusive_scan(G g, In first, In last, Out result, Op op) {
  return joint_exclusive_scan(g, first, last, result, known_identity_v<Op, detail::pointee<Out>>, op);
}

template <detail::any_group G, detail::pointer In, detail::pointer Out, class Op, class T>
Out joint_inclusive_scan(G g, In first, In last, Out result, Op op, T init) {
  const auto count = static_cast<std::size_t>(last - first);
  detail::barrier(g);
  if (g.leader()) detail::scan_values<detail::scan::inclusive, T>(first, result, count, init, op);
  detail::barrier(g);
  return result + (last - first);
}
template <detail::any_group G, detail::pointer In, detail::pointer Out, class Op>
Out joint_inclusive_scan(G g, In first, In last, Out result, Op op) {
  const auto count = static_cast<std::size_t>(last - first);
  detail::barrier(g);
  if (g.leader() && count) detail::scan_inclusive<detail::pointee<Out>>(first, result, count, op);
  detail::barrier(g);
  return result + (last - first);
}

inline bool sub_group::any(bool x) const { return any_of_group(*this, x); }
inline bool sub_group::all(bool x) const { return all_of_group(*this, x); }
template <class T> T sub_group::broadcast(T x, id<1> source) const { return group_broadcast(*this, x, source); }
template <class T, class Op> T sub_group::reduce(T x, Op op) const { return reduce_over_group(*this, x, op); }
template <class T, class Op> T sub_group::reduce(T x, T init, Op op) const {
  return reduce_over_group(*this, x, init, op);
}
template <class T, class Op> T sub_group::exclusive_scan(T x, Op op) const {
  return exclusive_scan_over_group(*this, x, op);
}
template <class T, class Op> T sub_group::exclusive_scan(T x, T init, Op op) const {
  return exclusive_scan_over_group(*this, x, init, op);
}
template <class T, class Op> T sub_group::inclusive_scan(T x, Op op) const {
  return inclusive_scan_over_group(*this, x, op);
}
template <class T, class Op> T sub_group::inclusive_scan(T x, Op op, T init) const {
  return inclusive_scan_over_group(*this, x, op, init);
}

}  // namespace sycl
