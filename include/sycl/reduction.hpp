// sycl::reduction: many work-items add up one value (SYCL 2020, section 4.9.2).
//
// The work is cut into parts that depend only on its size. Each part adds up in registers what its work-items combine,
// and leaves one value in memory; the part that is done last folds these in their order and writes the result. So there
// is one launch, no contended atomic for each work-item, and the same result on every run.
#pragma once

#include <memory>
#include <span>
#include <tuple>
#include <utility>

#include <dpep/memory.hpp>

#include <sycl/accessor.hpp>
#include <sycl/atomic_ref.hpp>
#include <sycl/buffer.hpp>
#include <sycl/detail/group_exchange.hpp>
#include <sycl/detail/reducer.hpp>
#include <sycl/handler.hpp>
#include <sycl/property_list.hpp>

namespace sycl {

using std::dynamic_extent;
using std::span;

namespace property::reduction {
/// The value that the variable has before is not part of the reduction.
struct initialize_to_identity : detail::property_base {};
}  // namespace property::reduction

namespace detail {

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

/// Where the parts of a launch leave their values. Parts count themselves as done in `arrived`.
template <class... R> struct reduction_parts {
  using row = std::tuple<typename R::values...>;
  row *rows;  // null when there is one part
  std::uint32_t *arrived;
  std::uint32_t count;

  /// Called once for each part, by one work-item.
  void finish(const std::tuple<R...> &variables, std::size_t part, const row &mine) const {
    if (count > 1) {
      rows[part] = mine;
      const atomic_ref<std::uint32_t, memory_order::acq_rel, memory_scope::device> all(*arrived);
      if (all.fetch_add(1u) != count - 1) return;
    }
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (finish_one<I>(std::get<I>(variables), mine), ...);
    }(std::index_sequence_for<R...>());
  }

private:
  template <std::size_t I, class Variable> void finish_one(const Variable &variable, const row &mine) const {
    auto sum = count > 1 ? std::get<I>(rows[0]) : std::get<I>(mine);
    for (std::uint32_t part = 1; part < count; part++) variable.add(sum, std::get<I>(rows[part]));
    variable.write(sum);
  }
};

/// Part `i` of a kernel over a range: the work-items [i * step, (i + 1) * step), in rows of the last dimension.
template <int Dimensions, class F, class... R> struct range_reduction {
  F f;
  std::tuple<R...> variables;
  reduction_parts<R...> parts;
  range<Dimensions> work;
  std::size_t step;

  void operator()(item<1> part) const {
    std::apply([&](const R &...variable) { run(part.get_linear_id(), variable.make_reducer()...); }, variables);
  }

private:
  void run(std::size_t part, typename R::reducer_type &&...reducers) const {
    const std::size_t all = work.size(), first = part * step, last = all - first < step ? all : first + step;
    const std::size_t width = work[Dimensions - 1];
    for (std::size_t i = first; i < last;) {
      id<Dimensions> index;
      std::size_t row = i / width;
      const std::size_t begin = i - row * width;
      const std::size_t end = last - i < width - begin ? begin + (last - i) : width;
      for (int d = Dimensions - 2; d >= 0; d--, row /= work[d + 1]) index[d] = d ? row % work[d] : row;
      for (std::size_t column = begin; column < end; column++) {
        index[Dimensions - 1] = column;
        f(item_maker::make(index, work), reducers...);
      }
      i += end - begin;
    }
    parts.finish(variables, part, {reducer_access::values(reducers)...});
  }
};

/// A part of a kernel over an nd_range is a work-group.
template <int Dimensions, class F, class... R> struct nd_range_reduction {
  F f;
  std::tuple<R...> variables;
  reduction_parts<R...> parts;

  void operator()(nd_item<Dimensions> item) const {
    std::apply([&](const R &...variable) { run(item, variable.make_reducer()...); }, variables);
  }

private:
  void run(nd_item<Dimensions> item, typename R::reducer_type &&...reducers) const {
    f(item, reducers...);
    typename reduction_parts<R...>::row row{reducer_access::values(reducers)...};
    const auto group = item.get_group();
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (add_up(group, std::get<I>(variables), std::get<I>(row)), ...);
    }(std::index_sequence_for<R...>());
    if (group.leader()) parts.finish(variables, group.get_group_linear_id(), row);
  }
  template <class Variable>
  static void add_up(const group<Dimensions> &group, const Variable &variable, typename Variable::values &mine) {
    for (auto &value : mine.of) {
      value = reduce(group, value, [&](auto a, const auto &b) {
        a.add(b, variable.op);
        return a;
      });
    }
  }
};

/// Memory for the parts' values, until the command is done.
template <class... R>
std::shared_ptr<void> allocate_parts(const dpep::queue &queue, reduction_parts<R...> &parts, std::size_t count) {
  using row = typename reduction_parts<R...>::row;
  parts = {nullptr, nullptr, static_cast<std::uint32_t>(count)};
  if (count <= 1) return nullptr;
  constexpr std::size_t head = alignof(row) > 64 ? alignof(row) : 64;
  const dpep::context &context = queue.get_context();
  void *const memory =
      dpep::allocate(dpep::usm_kind::shared, head + count * sizeof(row), head, context, queue.get_device());
  parts.arrived = static_cast<std::uint32_t *>(memory);
  *parts.arrived = 0;
  parts.rows = reinterpret_cast<row *>(static_cast<std::byte *>(memory) + head);
  return std::shared_ptr<void>(memory, [context](void *p) { dpep::free(p, context); });
}

/// Work-items a part: enough to make its end negligible, and so few that there are parts for every core.
template <class... R> std::size_t part_size(std::size_t work_items) {
  constexpr std::size_t least = 64, most_bytes = 4u << 20;
  constexpr std::size_t row = sizeof(typename reduction_parts<R...>::row);
  constexpr std::size_t by_memory = most_bytes / row, most = by_memory < 64 ? 64 : by_memory < 1024 ? by_memory : 1024;
  const std::size_t even = (work_items + most - 1) / most;
  return even < least ? least : even;
}

template <class Name, int D, class F, class... R>
dpep::event run_reduction(const dpep::queue &queue, const range<D> &work, const F &f, const std::tuple<R...> &variables,
                          dpep::dependencies after, std::size_t local_bytes, std::source_location where) {
  const std::size_t step = part_size<R...>(work.size()), count = (work.size() + step - 1) / step;
  range_reduction<D, F, R...> kernel{f, variables, {}, work, step};
  const auto memory = allocate_parts(queue, kernel.parts, count ? count : 1);
  // an empty range has one part, with no work-items: initialize_to_identity is to be done
  const dpep::event done =
      launch<Name, range_form<1>>(queue, to_geometry(range<1>(count ? count : 1)), kernel, after, local_bytes, where);
  if (memory) done.keep_alive(memory);
  return done;
}
template <class Name, int D, class F, class... R>
dpep::event run_reduction(const dpep::queue &queue, const nd_range<D> &work, const F &f,
                          const std::tuple<R...> &variables, dpep::dependencies after, std::size_t local_bytes,
                          std::source_location where) {
  nd_range_reduction<D, F, R...> kernel{f, variables, {}};
  const auto memory = allocate_parts(queue, kernel.parts, work.get_group_range().size());
  const dpep::event done = launch<Name, nd_range_form<D>>(queue, to_geometry(work), kernel, after, local_bytes, where);
  if (memory) done.keep_alive(memory);
  return done;
}

template <class Name, class Work, class... Arguments>
void launch_reduction(handler &h, const Work &work, std::source_location where, const Arguments &...arguments) {
  const auto all = std::tie(arguments...);
  constexpr std::size_t count = sizeof...(Arguments) - 1;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    handler_access::set_action(h, [work, where, f = std::get<count>(all), variables = std::tuple(std::get<I>(all)...)](
                                      const dpep::queue &queue, dpep::dependencies after, std::size_t local_bytes) {
      return run_reduction<Name>(queue, work, f, variables, after, local_bytes, where);
    });
  }(std::make_index_sequence<count>());
}

template <std::size_t Extent, class T, class Op>
auto make_reduction(T *result, const Op &op, const property_list &properties) {
  const bool fresh = properties.has_property<property::reduction::initialize_to_identity>();
  if constexpr (has_known_identity_v<Op, T>) {
    return reduction_variable<T, Op, Extent, true>{result, op, known_identity_v<Op, T>, fresh};
  } else {
    if (fresh)
      throw exception(errc::invalid, "reduction: initialize_to_identity with an operation whose identity is not known; "
                                     "give the identity as an argument");
    static_assert(std::is_default_constructible_v<T>, "reduction: give the identity of the operation");
    return reduction_variable<T, Op, Extent, false>{result, op, T(), false};
  }
}
template <std::size_t Extent, class T, class Op>
auto make_reduction(T *result, const T &identity, const Op &op, const property_list &properties) {
  return reduction_variable<T, Op, Extent, true>{
      result, op, identity, properties.has_property<property::reduction::initialize_to_identity>()};
}

/// The address of the one element of a buffer, for the command group of `h`.
template <class T, class Allocator>
T *buffer_variable(buffer<T, 1, Allocator> &variable, handler &h, const property_list &properties) {
  if (variable.size() != 1)
    throw exception(errc::invalid, "reduction: the buffer has " + std::to_string(variable.size()) +
                                       " elements; a reduction has a buffer of one");
  if (properties.has_property<property::reduction::initialize_to_identity>())
    return &accessor<T, 1, access_mode::write>(variable, h, no_init)[0];
  return &accessor<T, 1, access_mode::read_write>(variable, h)[0];
}

}  // namespace detail

/// What the kernel's work-items combine by `op` is added to the variable, a USM pointer's element.
template <class T, class Op> auto reduction(T *variable, const Op &op, const property_list &properties = {}) {
  return detail::make_reduction<0>(variable, op, properties);
}
template <class T, class Op>
auto reduction(T *variable, const std::type_identity_t<T> &identity, const Op &op,
               const property_list &properties = {}) {
  return detail::make_reduction<0>(variable, identity, op, properties);
}
/// Of several variables, each its own reduction: the kernel gets a reducer with operator[].
template <class T, std::size_t Extent, class Op>
  requires(Extent != dynamic_extent)
auto reduction(span<T, Extent> variables, const Op &op, const property_list &properties = {}) {
  return detail::make_reduction<Extent>(variables.data(), op, properties);
}
template <class T, std::size_t Extent, class Op>
  requires(Extent != dynamic_extent)
auto reduction(span<T, Extent> variables, const std::type_identity_t<T> &identity, const Op &op,
               const property_list &properties = {}) {
  return detail::make_reduction<Extent>(variables.data(), identity, op, properties);
}
/// Of a buffer with one element.
template <class T, class Allocator, class Op>
auto reduction(buffer<T, 1, Allocator> variable, handler &h, const Op &op, const property_list &properties = {}) {
  return detail::make_reduction<0>(detail::buffer_variable(variable, h, properties), op, properties);
}
template <class T, class Allocator, class Op>
auto reduction(buffer<T, 1, Allocator> variable, handler &h, const std::type_identity_t<T> &identity, const Op &op,
               const property_list &properties = {}) {
  return detail::make_reduction<0>(detail::buffer_variable(variable, h, properties), identity, op, properties);
}

}  // namespace sycl
