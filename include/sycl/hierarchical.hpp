// Hierarchical parallelism (SYCL 2020, section 4.9.4.2.3, deprecated there): code for work-groups that contains loops
// over their work-items.
//
// The leader of each work-group runs the function and the loops; the other work-items are idle. This gives the model's
// guarantees without any analysis: code between the loops runs once, and its variables belong to the work-group. CPUs
// lose nothing by it, since work-groups are distributed over the cores.
#pragma once

#include <new>
#include <type_traits>
#include <utility>

#include <sycl/group.hpp>
#include <sycl/item.hpp>
#include <sycl/nd_item.hpp>

namespace sycl {

namespace detail {
struct h_item_maker;
}

/// A work-item of parallel_for_work_item. The logical local range is the range passed to that function. The physical
/// local range is the group's own: its work-items share the logical ones, in turns along each dimension. The global id
/// is the one of the physical work-item. A group that was launched without a local range has the logical one.
template <int Dimensions> class h_item {
public:
  static constexpr int dimensions = Dimensions;

  item<Dimensions, false> get_global() const noexcept { return item_maker_for(global_id(), global_range()); }
  item<Dimensions, false> get_local() const noexcept { return get_logical_local(); }
  item<Dimensions, false> get_logical_local() const noexcept { return item_maker_for(local_, logical_); }
  item<Dimensions, false> get_physical_local() const noexcept {
    return item_maker_for(physical_id(), physical_range());
  }
  range<Dimensions> get_global_range() const noexcept { return global_range(); }
  std::size_t get_global_range(int dimension) const noexcept { return global_range()[dimension]; }
  id<Dimensions> get_global_id() const noexcept { return global_id(); }
  std::size_t get_global_id(int dimension) const noexcept { return global_id()[dimension]; }
  range<Dimensions> get_local_range() const noexcept { return logical_; }
  std::size_t get_local_range(int dimension) const noexcept { return logical_[dimension]; }
  id<Dimensions> get_local_id() const noexcept { return local_; }
  std::size_t get_local_id(int dimension) const noexcept { return local_[dimension]; }
  range<Dimensions> get_logical_local_range() const noexcept { return logical_; }
  std::size_t get_logical_local_range(int dimension) const noexcept { return logical_[dimension]; }
  id<Dimensions> get_logical_local_id() const noexcept { return local_; }
  std::size_t get_logical_local_id(int dimension) const noexcept { return local_[dimension]; }
  range<Dimensions> get_physical_local_range() const noexcept { return physical_range(); }
  std::size_t get_physical_local_range(int dimension) const noexcept { return physical_range()[dimension]; }
  id<Dimensions> get_physical_local_id() const noexcept { return get_physical_local().get_id(); }
  std::size_t get_physical_local_id(int dimension) const noexcept { return get_physical_local_id()[dimension]; }

  friend bool operator==(const h_item &, const h_item &) = default;

private:
  friend detail::h_item_maker;
  h_item(const id<Dimensions> &local, const range<Dimensions> &logical) : local_(local), logical_(logical) {}

  static item<Dimensions, false> item_maker_for(const id<Dimensions> &i, const range<Dimensions> &r) {
    return detail::item_maker::make_without_offset(i, r);
  }
  range<Dimensions> physical_range() const {
    const range<Dimensions> launched = group_.get_local_range();
    return launched.size() == 1 ? logical_ : launched;
  }
  id<Dimensions> physical_id() const { return local_ % id<Dimensions>(physical_range()); }
  range<Dimensions> global_range() const { return group_.get_group_range() * physical_range(); }
  id<Dimensions> global_id() const { return group_.get_group_id() * id<Dimensions>(physical_range()) + physical_id(); }

  id<Dimensions> local_;
  range<Dimensions> logical_;
  group<Dimensions> group_ = detail::group_maker::make<Dimensions>();
};

namespace detail {
struct h_item_maker {
  template <int Dimensions>
  static h_item<Dimensions> make(const id<Dimensions> &local, const range<Dimensions> &logical) {
    return {local, logical};
  }
};

/// Adapts a function of work-groups to a kernel over an nd_range.
template <int Dimensions, class F> struct work_group_function {
  F f;
  template <class... More>
    requires std::is_invocable_v<const F &, group<Dimensions>, More...>
  void operator()(nd_item<Dimensions> item, const More &...more) const {
    if (item.get_group().leader()) f(item.get_group(), more...);
  }
};
}  // namespace detail

/// A variable of each work-item that keeps its value between calls of parallel_for_work_item. Its memory is on the
/// calling function's stack, allocated by the default argument, which the caller evaluates: only there the number of
/// work-items may be unknown at compile time.
template <class T, int Dimensions = 1> class private_memory {
  static_assert(std::is_trivially_destructible_v<T>,
                "private_memory: T must be trivially destructible; its destructor is never called");

public:
  private_memory(const group<Dimensions> &,
                 void *memory = __builtin_alloca_with_align(__dpep_local_size(0) * __dpep_local_size(1) *
                                                                __dpep_local_size(2) * sizeof(T),
                                                            alignof(T) * 8))
      : items_(static_cast<T *>(memory)) {}
  T &operator()(const h_item<Dimensions> &item) const {
    return items_[detail::linear(item.get_local_id(), item.get_local_range())];
  }

private:
  T *items_;
};

/// Calls `f(h_item)` for each work-item of `logical`, the group's own range by default.
template <int Dimensions, class F>
void parallel_for_work_item(const group<Dimensions> &, const range<Dimensions> &logical, const F &f) {
  const std::size_t count = logical.size();
  for (std::size_t i = 0; i < count; i++) {
    id<Dimensions> local;
    std::size_t left = i;
    for (int d = Dimensions - 1; d >= 0; d--) {
      local[d] = left % logical[d];
      left /= logical[d];
    }
    f(detail::h_item_maker::make(local, logical));
  }
}
template <int Dimensions, class F> void parallel_for_work_item(const group<Dimensions> &g, const F &f) {
  parallel_for_work_item(g, g.get_local_range(), f);
}

template <int Dimensions>
template <class... Arguments>
void group<Dimensions>::parallel_for_work_item(const Arguments &...arguments) const {
  sycl::parallel_for_work_item(*this, arguments...);
}

}  // namespace sycl
