// sycl::sub_group: the work-items of a work-group that can exchange values without local memory.
// In kernels every query calls a builtin function; the members have the same purpose as those of sycl::group.
#pragma once

#include <cstdint>

#include <sycl/access.hpp>
#include <sycl/detail/geometry.hpp>
#include <sycl/detail/shuffle.hpp>
#include <sycl/multi_ptr.hpp>
#include <sycl/vec.hpp>

namespace sycl {

class sub_group;

namespace detail {
sub_group make_sub_group();
}

class sub_group {
public:
  using id_type = id<1>;
  using range_type = range<1>;
  using linear_id_type = std::uint32_t;
  static constexpr int dimensions = 1;
  static constexpr memory_scope fence_scope = memory_scope::sub_group;

  id<1> get_local_id() const noexcept { return get_local_linear_id(); }
  range<1> get_local_range() const noexcept { return get_local_linear_range(); }
  range<1> get_max_local_range() const noexcept { return ask_or<__dpep_sub_group_max_size>(max_size_); }
  id<1> get_group_id() const noexcept { return get_group_linear_id(); }
  range<1> get_group_range() const noexcept { return get_group_linear_range(); }
  range<1> get_uniform_group_range() const noexcept { return get_group_range(); }

  linear_id_type get_local_linear_id() const noexcept { return ask_or<__dpep_sub_group_local_id>(local_id_); }
  linear_id_type get_local_linear_range() const noexcept { return ask_or<__dpep_sub_group_size>(size_); }
  linear_id_type get_group_linear_id() const noexcept { return ask_or<__dpep_sub_group_id>(id_); }
  linear_id_type get_group_linear_range() const noexcept { return ask_or<__dpep_sub_group_count>(count_); }
  bool leader() const noexcept { return get_local_linear_id() == 0; }

  // Shuffles of Intel's extension to SYCL 1.2.1, which programs still use.
  template <class T> T shuffle(T x, id<1> lane) const {
    return detail::sub_group_shuffle(x, static_cast<std::uint32_t>(lane[0]));
  }
  template <class T> T shuffle_down(T x, std::uint32_t delta) const {
    return neighbour(x, __dpep_sub_group_local_id() + delta);
  }
  template <class T> T shuffle_up(T x, std::uint32_t delta) const {
    return neighbour(x, __dpep_sub_group_local_id() - delta);
  }
  template <class T> T shuffle_xor(T x, id<1> mask) const {
    return neighbour(x, __dpep_sub_group_local_id() ^ static_cast<std::uint32_t>(mask[0]));
  }

  /// Loads a block: element i goes to work-item i of the sub-group.
  template <class T> T load(T *from) const { return from[__dpep_sub_group_local_id()]; }
  template <class T> void store(T *to, const T &x) const { to[__dpep_sub_group_local_id()] = x; }
  /// Loads N consecutive blocks.
  template <int N, class T> vec<T, N> load(T *from) const {
    vec<T, N> result;
    for (int i = 0; i < N; i++) result[i] = from[i * __dpep_sub_group_max_size() + __dpep_sub_group_local_id()];
    return result;
  }
  template <int N, class T> void store(T *to, const vec<T, N> &x) const {
    for (int i = 0; i < N; i++) to[i * __dpep_sub_group_max_size() + __dpep_sub_group_local_id()] = x[i];
  }
  template <class T, access::address_space Space, access::decorated Decorated>
  std::remove_const_t<T> load(multi_ptr<T, Space, Decorated> from) const {
    return load(from.get_raw());
  }
  template <class T, access::address_space Space, access::decorated Decorated>
  void store(multi_ptr<T, Space, Decorated> to, const T &x) const {
    store(to.get_raw(), x);
  }
  template <int N, class T, access::address_space Space, access::decorated Decorated>
  vec<std::remove_const_t<T>, N> load(multi_ptr<T, Space, Decorated> from) const {
    return load<N>(from.get_raw());
  }
  template <int N, class T, access::address_space Space, access::decorated Decorated>
  void store(multi_ptr<T, Space, Decorated> to, const vec<T, N> &x) const {
    store<N>(to.get_raw(), x);
  }

  // Functions of the same extension, which SYCL 2020 has outside of the class; defined in <sycl/group_algorithms.hpp>.
  bool any(bool x) const;
  bool all(bool x) const;
  template <class T> T broadcast(T x, id<1> source) const;
  template <class T, class Op> T reduce(T x, Op op) const;
  template <class T, class Op> T reduce(T x, T init, Op op) const;
  template <class T, class Op> T exclusive_scan(T x, Op op) const;
  template <class T, class Op> T exclusive_scan(T x, T init, Op op) const;
  template <class T, class Op> T inclusive_scan(T x, Op op) const;
  template <class T, class Op> T inclusive_scan(T x, Op op, T init) const;

  void barrier([[maybe_unused]] access::fence_space space = access::fence_space::global_and_local) const {
    __dpep_sub_group_barrier();
  }

  friend bool operator==(const sub_group &a, const sub_group &b) { return a.id_ == b.id_ && a.group_ == b.group_; }

private:
  friend sub_group detail::make_sub_group();
  sub_group()
      : group_(detail::query<id<3>, __dpep_group_id>()),
        id_(detail::ask<__dpep_sub_group_id>()),
        count_(detail::ask<__dpep_sub_group_count>()),
        local_id_(detail::ask<__dpep_sub_group_local_id>()),
        size_(detail::ask<__dpep_sub_group_size>()),
        max_size_(detail::ask<__dpep_sub_group_max_size>()) {}

  template <std::uint32_t (*builtin)() noexcept> static std::uint32_t ask_or([[maybe_unused]] std::uint32_t kept) {
#ifdef __SYCL_DEVICE_ONLY__
    return detail::ask<builtin>();
#else
    return kept;
#endif
  }

  /// Reads x of the lane; for lanes outside the sub-group, the work-item's own.
  template <class T> static T neighbour(const T &x, std::uint32_t lane) {
    return detail::sub_group_shuffle(x, lane < __dpep_sub_group_size() ? lane : __dpep_sub_group_local_id());
  }

  id<3> group_;  // the work-group
  std::uint32_t id_, count_, local_id_, size_, max_size_;
};

inline sub_group detail::make_sub_group() { return {}; }

namespace ext::oneapi {
using sycl::sub_group;
namespace experimental {
inline sub_group this_sub_group() { return sycl::detail::make_sub_group(); }
}  // namespace experimental
namespace this_work_item {
inline sub_group get_sub_group() { return sycl::detail::make_sub_group(); }
}  // namespace this_work_item
}  // namespace ext::oneapi

}  // namespace sycl
