// Subsets of a sub-group's work-items (extension sycl_ext_oneapi_non_uniform_groups).
//
// A fragment knows its work-items by a mask, so they may call group functions where the others are elsewhere. On CPUs,
// work-items of kernels that do so run one by one, as fibers; calls that all of a sub-group make together are vectors.
#pragma once

#include <cstdint>
#include <type_traits>

#include <sycl/aspect.hpp>
#include <sycl/detail/group_exchange.hpp>
#include <sycl/detail/required_sizes.hpp>
#include <sycl/function_objects.hpp>
#include <sycl/sub_group.hpp>

namespace sycl::ext::oneapi::experimental {

namespace detail {
struct fragment_maker;
}

/// Some work-items of the parent, a sub-group or another fragment. They call its group functions together.
template <class ParentGroup> class fragment {
public:
  using id_type = id<1>;
  using range_type = range<1>;
  using linear_id_type = std::uint32_t;
  static constexpr int dimensions = 1;
  static constexpr memory_scope fence_scope = ParentGroup::fence_scope;

  id_type get_group_id() const { return number_; }
  id_type get_local_id() const { return get_local_linear_id(); }
  range_type get_group_range() const { return count_; }
  range_type get_local_range() const { return get_local_linear_range(); }
  range_type get_max_local_range() const { return __dpep_sub_group_max_size(); }
  linear_id_type get_group_linear_id() const { return number_; }
  linear_id_type get_local_linear_id() const {
    const std::uint64_t below = (std::uint64_t{1} << __dpep_sub_group_local_id()) - 1;
    return static_cast<linear_id_type>(__builtin_popcountll(members_ & below));
  }
  linear_id_type get_group_linear_range() const { return count_; }
  linear_id_type get_local_linear_range() const { return static_cast<linear_id_type>(__builtin_popcountll(members_)); }
  bool leader() const { return get_local_linear_id() == 0; }

private:
  friend detail::fragment_maker;
  fragment(std::uint64_t members, std::uint32_t number, std::uint32_t count)
      : members_(members), number_(number), count_(count) {}

  std::uint64_t members_;  // a bit for each work-item of the sub-group
  std::uint32_t number_, count_;
};

// The groups of the extension's earlier revisions. They are fragments, but types of their own.

/// What binary_partition returns.
template <class ParentGroup> class ballot_group : public fragment<ParentGroup> {
public:
  ballot_group(const fragment<ParentGroup> &members) : fragment<ParentGroup>(members) {}
};
/// Work-items that call get_opportunistic_group at the same time.
class opportunistic_group : public fragment<sub_group> {
public:
  opportunistic_group(const fragment<sub_group> &members) : fragment<sub_group>(members) {}
};
/// Work-items that come to a call on the same path. No device has the aspect ext_oneapi_tangle_group.
template <class ParentGroup> class tangle_group : public fragment<ParentGroup> {
public:
  tangle_group(const fragment<ParentGroup> &members) : fragment<ParentGroup>(members) {}
};

template <class T> inline constexpr bool is_fragment = false;
template <class P> inline constexpr bool is_fragment<fragment<P>> = true;
template <class P> inline constexpr bool is_fragment<ballot_group<P>> = true;
template <> inline constexpr bool is_fragment<opportunistic_group> = true;
template <class P> inline constexpr bool is_fragment<tangle_group<P>> = true;

namespace detail {
struct fragment_maker {
  template <class P> static fragment<P> make(std::uint64_t members, std::uint32_t number, std::uint32_t count) {
    return {members, number, count};
  }
  template <class P> static std::uint64_t members(const fragment<P> &f) { return f.members_; }
};
}  // namespace detail

}  // namespace sycl::ext::oneapi::experimental

namespace sycl {

template <class P> struct is_group<ext::oneapi::experimental::fragment<P>> : std::true_type {};
template <class P> struct is_group<ext::oneapi::experimental::ballot_group<P>> : std::true_type {};
template <> struct is_group<ext::oneapi::experimental::opportunistic_group> : std::true_type {};
template <class P> struct is_group<ext::oneapi::experimental::tangle_group<P>> : std::true_type {};

namespace detail {

using ext::oneapi::experimental::fragment;

inline std::uint64_t members_of(const sub_group &g) {
  const std::uint32_t size = g.get_local_linear_range();
  return size < 64 ? (std::uint64_t{1} << size) - 1 : ~std::uint64_t{0};
}
template <class P> std::uint64_t members_of(const fragment<P> &g) {
  return ext::oneapi::experimental::detail::fragment_maker::members(g);
}

/// The position of the set bit before which there are `number` set bits.
inline std::uint32_t position_of_bit(std::uint64_t bits, std::uint32_t number) {
  std::uint32_t position = 0;
  DPEP_UNROLL for (std::uint32_t width = 32; width > 0; width /= 2) {
    const std::uint64_t low = bits >> position & ((std::uint64_t{1} << width) - 1);
    const auto in_low = static_cast<std::uint32_t>(__builtin_popcountll(low));
    if (number >= in_low) number -= in_low, position += width;
  }
  return position;
}

template <class P> std::uint32_t rank(const fragment<P> &g) { return g.get_local_linear_id(); }
template <class P> std::uint32_t size(const fragment<P> &g) { return g.get_local_linear_range(); }
template <class P> void barrier(const fragment<P> &g) { __dpep_masked_barrier(members_of(g)); }

template <class T, class P> T exchange(const fragment<P> &g, const T &x, std::size_t source) {
  const std::uint64_t members = members_of(g);
  return masked_shuffle(x, position_of_bit(members, static_cast<std::uint32_t>(source)), members);
}
template <class T, class P> T broadcast(const fragment<P> &g, const T &x, std::size_t source) {
  return exchange(g, x, source);
}
template <class T, class P, class F> T compute_in_leader(const fragment<P> &g, F make) {
  barrier(g);
  T result{};
  if (g.leader()) result = make();
  return exchange(g, result, 0);
}

// As those of sub-groups. The number of steps does not depend on the fragment's size, so that the fragments of a
// sub-group, where all call these functions, go through them together.
template <class T, class P, class Op> T reduce(const fragment<P> &g, T x, Op op) {
  const std::uint32_t me = rank(g), count = size(g);
  for_doubling_distances([&](std::uint32_t distance) {
    const bool inside = me + distance < count;
    const T other = exchange(g, x, inside ? me + distance : me);
    if (inside) x = combine<T>(x, other, op);
  });
  return exchange(g, x, 0);
}
template <class T, class P, class Op> T inclusive_scan(const fragment<P> &g, T x, Op op) {
  const std::uint32_t me = rank(g);
  for_doubling_distances([&](std::uint32_t distance) {
    const bool inside = me >= distance;
    const T other = exchange(g, x, inside ? me - distance : me);
    if (inside) x = static_cast<T>(op(other, x));
  });
  return x;
}
template <class T, class P, class Op> T exclusive_scan(const fragment<P> &g, const T &x, const T &init, Op op) {
  const T sums = inclusive_scan(g, x, op);
  const std::uint32_t me = rank(g);
  const T before = exchange(g, sums, me ? me - 1 : 0);
  return me ? static_cast<T>(op(init, before)) : init;
}

}  // namespace detail

namespace ext::oneapi::experimental {

/// Divides the group, a sub-group or a fragment, by the predicate. Returns the work-items for which it is the same as
/// for the caller: the fragment 0 where it is false, 1 where it is true. All work-items of the group call it together.
template <class ParentGroup>
  requires(std::is_same_v<ParentGroup, sub_group> || is_fragment<ParentGroup>)
fragment<ParentGroup> binary_partition(ParentGroup parent, bool predicate) {
  const std::uint64_t own = std::uint64_t{predicate} << __dpep_sub_group_local_id();
  const std::uint64_t with = sycl::detail::reduce(parent, own, bit_or<std::uint64_t>());
  return detail::fragment_maker::make<ParentGroup>(predicate ? with : sycl::detail::members_of(parent) & ~with,
                                                   predicate, 2);
}

namespace this_kernel {
/// Returns a group of the calling work-item: which others call at the same time is up to the implementation, and here
/// there are none.
inline opportunistic_group get_opportunistic_group() {
  return detail::fragment_maker::make<sub_group>(std::uint64_t{1} << __dpep_sub_group_local_id(), 0, 1);
}
}  // namespace this_kernel

template <class ParentGroup> ballot_group<ParentGroup> get_ballot_group(ParentGroup parent, bool predicate) {
  return binary_partition(parent, predicate);
}
/// Which work-items come to a call is not known on all devices, and the extension has no such group any more: kernels
/// that call this are refused when they are submitted. binary_partition before the branch gives the same group.
template <class ParentGroup> tangle_group<ParentGroup> get_tangle_group(ParentGroup) {
  sycl::detail::require_aspects(aspect::ext_oneapi_tangle_group);
  return detail::fragment_maker::make<ParentGroup>(std::uint64_t{1} << __dpep_sub_group_local_id(), 0, 1);
}

}  // namespace ext::oneapi::experimental
}  // namespace sycl
