// The variables of reductions, and the combination of partial results into final results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include <sycl/atomic_ref.hpp>
#include <sycl/detail/group_exchange.hpp>
#include <sycl/detail/reducer.hpp>
#include <sycl/group.hpp>
#include <sycl/handler.hpp>

namespace sycl::detail {

/// The type that sycl::reduction returns: Extent variables at `result`, or a single one if Extent is 0.
template <class T, class Op, std::size_t Extent, bool HasIdentity> struct reduction_variable {
  static constexpr std::size_t count = Extent ? Extent : 1;
  using value = partial<T, HasIdentity>;
  using reducer_type = reducer<T, Op, Extent ? 1 : 0, count, HasIdentity>;
  struct values {
    value of[count];
  };

  T *result;
  [[no_unique_address]] Op op;
  [[no_unique_address]] identity_t<T, HasIdentity> identity;
  bool fresh;  // whether initialize_to_identity is set

  reducer_type make_reducer() const;
  void add(values &sum, const values &x) const {
    for (std::size_t i = 0; i < count; i++) sum.of[i].add(x.of[i], op);
  }
  void write(const values &sum) const {
    for (std::size_t i = 0; i < count; i++) sum.of[i].write(result[i], fresh, op);
  }
};
template <class T, class Op, std::size_t E, bool H>
inline constexpr bool is_reduction<reduction_variable<T, Op, E, H>> = true;

struct reducer_access {
  template <class R> static typename R::reducer_type make(const R &variable) {
    return typename R::reducer_type(variable.identity, variable.op);
  }
  template <class T, class Op, std::size_t E, bool H> static auto values(const reducer<T, Op, 0, E, H> &r) {
    return typename reduction_variable<T, Op, 0, H>::values{{r.partial_}};
  }
  template <class T, class Op, std::size_t E, bool H> static auto values(const reducer<T, Op, 1, E, H> &r) {
    typename reduction_variable<T, Op, E, H>::values v;
    for (std::size_t i = 0; i < E; i++) v.of[i] = r.partials_[i];
    return v;
  }
};
template <class T, class Op, std::size_t Extent, bool H>
auto reduction_variable<T, Op, Extent, H>::make_reducer() const -> reducer_type {
  return reducer_access::make(*this);
}

/// The memory of a launch's partial results.
struct parts_memory {
  void *rows = nullptr;              // those of the parts, then those of the second level; null if there is one part
  std::uint32_t *arrived = nullptr;  // [0]: final fold; [1 + i]: element i of the second level
  std::uint32_t count = 0;
};

/// The partial results of a launch's parts and their final combination.
/// On CPUs, each part increments arrived[0], and the last one folds all partial results.
/// On GPUs, where a single work-item is slow and there are many parts, parts are work-groups, and all work-items of a
/// work-group fold. The last of each `fan_in` parts folds these into an element of a second level, and the last
/// of those folds the second level. The order within each level is fixed, independent of the last part.
template <class... R> struct reduction_parts : parts_memory {
  using row = std::tuple<typename R::values...>;
  static constexpr std::uint32_t fan_in = 1024;

  /// The number of elements of the second level; 0 without one.
  static constexpr std::uint32_t second_level(std::size_t count) {
    return count <= fan_in ? 0 : static_cast<std::uint32_t>((count + fan_in - 1) / fan_in);
  }

  /// Stores a part's result; called once for each part by one work-item.
  void finish(const std::tuple<R...> &variables, std::size_t part, const row &own) const {
    if (count <= 1) return write(variables, own);
    row *const all = typed_rows();
    all[part] = own;
    if (!is_last(arrived[0], count)) return;
    row sum = all[0];
    for (std::uint32_t other = 1; other < count; other++) add(variables, sum, all[other]);
    write(variables, sum);
  }

  /// Stores a part's result where a part is a work-group; called by all its work-items with their partial results.
  template <int D> void finish(const std::tuple<R...> &variables, const group<D> &here, row own) const {
    reduce_over_group(variables, here, own);
    const std::size_t part = here.get_group_linear_id();
    if (!__dpep_has_fast_shuffles()) {
      if (here.leader()) finish(variables, part, own);
      return;
    }
    if (count > 1) {
      const std::uint32_t upper = second_level(count);
      if (upper) {
        const std::size_t above = part / fan_in, first = above * fan_in;
        const std::size_t members = count - first < fan_in ? count - first : fan_in;
        if (!is_last_group(here, part, own, arrived[1 + above], static_cast<std::uint32_t>(members))) return;
        own = fold_rows(variables, here, typed_rows() + first, members);
        if (!is_last_group(here, count + above, own, arrived[0], upper)) return;
        own = fold_rows(variables, here, typed_rows() + count, upper);
      } else {
        if (!is_last_group(here, part, own, arrived[0], count)) return;
        own = fold_rows(variables, here, typed_rows(), count);
      }
    }
    if (here.leader()) write(variables, own);
  }

private:
  row *typed_rows() const { return static_cast<row *>(rows); }
  template <class Action> static void for_each(Action action) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (action(std::integral_constant<std::size_t, I>()), ...);
    }(std::index_sequence_for<R...>());
  }
  static void add(const std::tuple<R...> &variables, row &sum, const row &x) {
    for_each([&](auto i) { std::get<i>(variables).add(std::get<i>(sum), std::get<i>(x)); });
  }
  static void write(const std::tuple<R...> &variables, const row &sum) {
    for_each([&](auto i) { std::get<i>(variables).write(std::get<i>(sum)); });
  }
  /// Reduces over the work-items of the work-group; all get the result.
  template <int D> static void reduce_over_group(const std::tuple<R...> &variables, const group<D> &here, row &own) {
    for_each([&](auto i) {
      for (auto &value : std::get<i>(own).of) {
        value = reduce(here, value, [&](auto a, const auto &b) {
          a.add(b, std::get<i>(variables).op);
          return a;
        });
      }
    });
  }
  /// Counts a part. The last one sets the counter back to 0: a command of a graph runs again.
  static bool is_last(std::uint32_t &counter, std::uint32_t of) {
    if (atomic_ref<std::uint32_t, memory_order::acq_rel, memory_scope::device>(counter).fetch_add(1u) != of - 1)
      return false;
    counter = 0;
    return true;
  }
  template <int D>
  bool is_last_group(const group<D> &here, std::size_t place, const row &own, std::uint32_t &counter,
                     std::uint32_t of) const {
    return compute_in_leader<bool>(here, [&] {
      typed_rows()[place] = own;
      return is_last(counter, of);
    });
  }
  template <int D>
  static row fold_rows(const std::tuple<R...> &variables, const group<D> &here, const row *from, std::size_t count) {
    row sum = std::apply([](const R &...variable) { return row{reducer_access::values(variable.make_reducer())...}; },
                         variables);
    for (std::size_t i = here.get_local_linear_id(); i < count; i += here.get_local_linear_range())
      add(variables, sum, from[i]);
    reduce_over_group(variables, here, sum);
    return sum;
  }
};

}  // namespace sycl::detail
