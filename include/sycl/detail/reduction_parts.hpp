// What the kernels of reductions share: the variables, and how the values of a launch's parts become one.
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

/// What sycl::reduction returns: Extent variables at `result`, 0 for a single one.
template <class T, class Op, std::size_t Extent, bool HasIdentity> struct reduction_variable {
  static constexpr std::size_t count = Extent ? Extent : 1;
  using value = partial<T, HasIdentity>;
  using reducer_type = reducer<T, Op, Extent ? 1 : 0, count, HasIdentity>;
  struct values {
    value of[count];
  };

  T *result;
  [[no_unique_address]] Op op;
  T identity;  // without one: never read
  bool fresh;  // initialize_to_identity

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

/// Where the parts of a launch leave their values. On CPUs they count themselves as done in arrived[0], and the last
/// one folds the values of all. On GPUs, where a work-item by itself is slow and parts are many, parts are work-groups,
/// and all work-items of one fold: the last of each `together` parts those of them, which is a value of the second
/// level, and the last of all the values of that level. Each level's order is fixed, whoever is last.
template <class... R> struct reduction_parts {
  using row = std::tuple<typename R::values...>;
  static constexpr std::uint32_t together = 1024;

  row *rows;               // of the parts, then of the second level; null when there is one part
  std::uint32_t *arrived;  // at the end, then at each element of the second level
  std::uint32_t count;

  /// Elements of the second level, where there are several.
  static constexpr std::uint32_t second_level(std::size_t count) {
    return count <= together ? 0 : static_cast<std::uint32_t>((count + together - 1) / together);
  }

  /// Called once for each part, by one work-item.
  void finish(const std::tuple<R...> &variables, std::size_t part, const row &mine) const {
    if (count <= 1) return write(variables, mine);
    rows[part] = mine;
    if (!is_last(arrived[0], count)) return;
    row sum = rows[0];
    for (std::uint32_t other = 1; other < count; other++) add(variables, sum, rows[other]);
    write(variables, sum);
  }

  /// Called by all work-items of a work-group with what each has; a part is a work-group.
  template <int D> void finish(const std::tuple<R...> &variables, const group<D> &here, row mine) const {
    add_up(variables, here, mine);
    const std::size_t part = here.get_group_linear_id();
    if (!__dpep_has_fast_shuffles()) {
      if (here.leader()) finish(variables, part, mine);
      return;
    }
    if (count > 1) {
      const std::uint32_t upper = second_level(count);
      if (upper) {
        const std::size_t above = part / together, first = above * together;
        const std::size_t members = count - first < together ? count - first : together;
        if (!is_last_group(here, part, mine, arrived[1 + above], static_cast<std::uint32_t>(members))) return;
        mine = folded(variables, here, rows + first, members);
        if (!is_last_group(here, count + above, mine, arrived[0], upper)) return;
        mine = folded(variables, here, rows + count, upper);
      } else {
        if (!is_last_group(here, part, mine, arrived[0], count)) return;
        mine = folded(variables, here, rows, count);
      }
    }
    if (here.leader()) write(variables, mine);
  }

private:
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
  /// Over the work-items of the work-group, for all of them.
  template <int D> static void add_up(const std::tuple<R...> &variables, const group<D> &here, row &mine) {
    for_each([&](auto i) {
      for (auto &value : std::get<i>(mine).of) {
        value = reduce(here, value, [&](auto a, const auto &b) {
          a.add(b, std::get<i>(variables).op);
          return a;
        });
      }
    });
  }
  static bool is_last(std::uint32_t &counter, std::uint32_t of) {
    return atomic_ref<std::uint32_t, memory_order::acq_rel, memory_scope::device>(counter).fetch_add(1u) == of - 1;
  }
  template <int D>
  bool is_last_group(const group<D> &here, std::size_t place, const row &mine, std::uint32_t &counter,
                     std::uint32_t of) const {
    return from_leader<bool>(here, [&] {
      rows[place] = mine;
      return is_last(counter, of);
    });
  }
  template <int D>
  static row folded(const std::tuple<R...> &variables, const group<D> &here, const row *from, std::size_t count) {
    row sum = std::apply([](const R &...variable) { return row{reducer_access::values(variable.make_reducer())...}; },
                         variables);
    for (std::size_t i = here.get_local_linear_id(); i < count; i += here.get_local_linear_range())
      add(variables, sum, from[i]);
    add_up(variables, here, sum);
    return sum;
  }
};

}  // namespace sycl::detail
