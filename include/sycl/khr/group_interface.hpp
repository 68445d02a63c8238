// Groups of work-items with one interface: work_group, sub_group and member_item (extension sycl_khr_group_interface).
//
// They have no data members, like sycl::group: every query calls a builtin function.
#pragma once

#include <cstdint>
#include <utility>
#include <version>
#ifdef __cpp_lib_mdspan
#include <mdspan>
#endif

#include <sycl/group.hpp>
#include <sycl/sub_group.hpp>

namespace sycl::khr {

template <int Dimensions> class work_group;
class sub_group;
template <class Parent> class member_item;

/// The calling work-item as a member of a work_group or a sub_group.
template <class Group> member_item<Group> get_member_item(const Group &) noexcept;

namespace detail {

#ifdef __cpp_lib_mdspan
/// The members of groups that are about extents, which C++23's library has.
template <class Derived, class Extents> class extents_of {
public:
  using extents_type = Extents;
  typename Extents::index_type extent(typename Extents::rank_type r) const noexcept {
    return static_cast<const Derived &>(*this).extents().extent(r);
  }
  static constexpr typename Extents::rank_type rank() noexcept { return Extents::rank(); }
  static constexpr typename Extents::rank_type rank_dynamic() noexcept { return Extents::rank_dynamic(); }
  static constexpr std::size_t static_extent(typename Extents::rank_type r) noexcept {
    return Extents::static_extent(r);
  }
  friend bool operator==(const extents_of &, const extents_of &) = default;
};
template <class Derived, class Size, int Dimensions>
using dynamic_extents = extents_of<Derived, std::dextents<Size, Dimensions>>;

template <class Size, class Index> struct ones;
template <class Size, std::size_t... I> struct ones<Size, std::index_sequence<I...>> {
  using type = std::extents<Size, (I * 0 + 1)...>;
};
template <class Derived, class Size, int Dimensions>
using single_item = extents_of<Derived, typename ones<Size, std::make_index_sequence<Dimensions>>::type>;
#else
template <class Derived, class Size, int Dimensions> class dynamic_extents {
public:
  friend bool operator==(const dynamic_extents &, const dynamic_extents &) = default;
};
template <class Derived, class Size, int Dimensions> class single_item {
public:
  friend bool operator==(const single_item &, const single_item &) = default;
};
#endif

}  // namespace detail

template <int Dimensions = 1>
class work_group : public detail::dynamic_extents<work_group<Dimensions>, std::size_t, Dimensions> {
public:
  using id_type = sycl::id<Dimensions>;
  using linear_id_type = std::size_t;
  using range_type = sycl::range<Dimensions>;
  using size_type = std::size_t;
  static constexpr int dimensions = Dimensions;
  static constexpr memory_scope fence_scope = memory_scope::work_group;

  work_group(const sycl::group<Dimensions> &) noexcept {}
  operator sycl::group<Dimensions>() const noexcept { return sycl::detail::group_maker::make<Dimensions>(); }

  id_type id() const noexcept { return group().get_group_id(); }
  linear_id_type linear_id() const noexcept { return group().get_group_linear_id(); }
  range_type range() const noexcept { return group().get_group_range(); }
  size_type size() const noexcept { return group().get_local_linear_range(); }
#ifdef __cpp_lib_mdspan
  auto extents() const noexcept {
    const range_type local = group().get_local_range();
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::dextents<std::size_t, Dimensions>(local[I]...);
    }(std::make_index_sequence<Dimensions>());
  }
#endif
  friend bool operator==(const work_group &, const work_group &) = default;

private:
  sycl::group<Dimensions> group() const noexcept { return *this; }
};
template <int Dimensions> work_group(sycl::group<Dimensions>) -> work_group<Dimensions>;

class sub_group : public detail::dynamic_extents<sub_group, std::uint32_t, 1> {
public:
  using id_type = sycl::id<1>;
  using linear_id_type = std::uint32_t;
  using range_type = sycl::range<1>;
  using size_type = std::uint32_t;
  static constexpr int dimensions = 1;
  static constexpr memory_scope fence_scope = memory_scope::sub_group;

  sub_group(const sycl::sub_group &) noexcept {}
  operator sycl::sub_group() const noexcept { return sycl::detail::make_sub_group(); }

  id_type id() const noexcept { return group().get_group_id(); }
  linear_id_type linear_id() const noexcept { return group().get_group_linear_id(); }
  range_type range() const noexcept { return group().get_group_range(); }
  size_type size() const noexcept { return group().get_local_linear_range(); }
  size_type max_size() const noexcept { return static_cast<size_type>(group().get_max_local_range()[0]); }
#ifdef __cpp_lib_mdspan
  auto extents() const noexcept { return std::dextents<std::uint32_t, 1>(size()); }
#endif
  friend bool operator==(const sub_group &, const sub_group &) = default;

private:
  sycl::sub_group group() const noexcept { return *this; }
};

/// A work-item among those of its work_group or sub_group.
template <class Parent>
class member_item : public detail::single_item<member_item<Parent>, typename Parent::size_type, Parent::dimensions> {
public:
  using id_type = typename Parent::id_type;
  using linear_id_type = typename Parent::linear_id_type;
  using range_type = typename Parent::range_type;
  using size_type = typename Parent::size_type;
  static constexpr int dimensions = Parent::dimensions;
  static constexpr memory_scope fence_scope = memory_scope::work_item;

  id_type id() const noexcept { return group().get_local_id(); }
  linear_id_type linear_id() const noexcept { return group().get_local_linear_id(); }
  range_type range() const noexcept { return group().get_local_range(); }
  constexpr size_type size() const noexcept { return 1; }
#ifdef __cpp_lib_mdspan
  constexpr auto extents() const noexcept { return typename member_item::extents_type(); }
#endif
  friend bool operator==(const member_item &, const member_item &) = default;

private:
  friend member_item get_member_item<Parent>(const Parent &) noexcept;
  member_item() = default;
  static auto group() noexcept {
    if constexpr (Parent::fence_scope == memory_scope::sub_group)
      return sycl::detail::make_sub_group();
    else
      return sycl::detail::group_maker::make<dimensions>();
  }
};

template <class Group> member_item<Group> get_member_item(const Group &) noexcept { return {}; }

/// Whether the calling work-item is the first of the group.
template <int Dimensions> bool leader_of(const work_group<Dimensions> &g) noexcept {
  return get_member_item(g).linear_id() == 0;
}
inline bool leader_of(const sub_group &g) noexcept { return get_member_item(g).linear_id() == 0; }
template <class Parent> bool leader_of(const member_item<Parent> &) noexcept { return true; }

}  // namespace sycl::khr
