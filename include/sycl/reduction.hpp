// sycl::reduction: combines the values of many work-items into one (SYCL 2020, section 4.9.2).
//
// The work is divided into parts that depend only on its size and the kind of device. Each part combines its
// work-items' values in registers and stores one partial result. The part that finishes last combines the partial
// results in a fixed order and writes the final one. So there is one launch, no contended atomic operation for each
// work-item, and the same result on every run.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <tuple>
#include <utility>

#include <dpep/memory.hpp>

#include <sycl/accessor.hpp>
#include <sycl/buffer.hpp>
#include <sycl/detail/reduction_parts.hpp>
#include <sycl/handler.hpp>
#include <sycl/property_list.hpp>

namespace sycl {

using std::dynamic_extent;
using std::span;

namespace property::reduction {
/// Excludes the variable's previous value from the reduction.
struct initialize_to_identity : detail::property_base {};
}  // namespace property::reduction

namespace detail {

struct dependencies_and_place {
  dpep::dependencies after;
  std::size_t local_bytes;
  std::source_location where;
};

/// Returns the id with the linear index `i` in the range; the last dimension varies fastest.
template <int Dimensions> id<Dimensions> index_of(std::size_t i, const range<Dimensions> &work) {
  id<Dimensions> index;
  const auto take = [&](auto rest) {
    for (int d = Dimensions - 1; d > 0; d--) {
      const auto width = static_cast<decltype(rest)>(work[d]), next = static_cast<decltype(rest)>(rest / width);
      index[d] = rest - next * width;
      rest = next;
    }
    index[0] = rest;
  };
  if (work.size() <= 0xFFFF'FFFFu)  // uniform branch: 32-bit divisions are faster
    take(static_cast<std::uint32_t>(i));
  else
    take(i);
  return index;
}

/// A reduction over a range on CPUs: part `i` processes the work-items [i * step, (i + 1) * step), in rows of the last
/// dimension.
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

/// A reduction over a range on GPUs: the work-items of all groups stride through the range, so that memory accesses
/// coalesce.
template <int Dimensions, class F, class... R> struct grouped_range_reduction {
  F f;
  std::tuple<R...> variables;
  reduction_parts<R...> parts;
  range<Dimensions> work;

  void operator()(nd_item<1> item) const {
    std::apply([&](const R &...variable) { run(item, variable.make_reducer()...); }, variables);
  }

private:
  void run(nd_item<1> item, typename R::reducer_type &&...reducers) const {
    constexpr std::size_t loads_in_flight = 8;
    const std::size_t all = work.size(), step = item.get_global_range(0);
    const auto call = [&](std::size_t i) { f(item_maker::make(index_of(i, work), work), reducers...); };
    std::size_t i = item.get_global_id(0);
    for (; i + (loads_in_flight - 1) * step < all; i += loads_in_flight * step)
      for (std::size_t k = 0; k < loads_in_flight; k++) call(i + k * step);
    for (; i < all; i += step) call(i);
    parts.finish(variables, item.get_group(), {reducer_access::values(reducers)...});
  }
};
template <class Name> class grouped;  // the name of the GPU kernel if the program names the kernel
template <class Name> using grouped_name = std::conditional_t<std::is_same_v<Name, unnamed>, unnamed, grouped<Name>>;

/// A reduction over an nd_range: each work-group is a part.
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
    parts.finish(variables, item.get_group(), {reducer_access::values(reducers)...});
  }
};

inline bool is_host(const dpep::queue &queue) {
  return queue.get_device().info().backend == dpep::backend_kind::native_cpu;
}

/// The size of one partial result of all variables, and the number of those of the second level.
struct row_layout {
  std::size_t bytes, alignment, upper;
};

/// Launches the kernel and allocates memory for the partial results of `count` parts until the command completes.
/// `parts` is within the bytes of the kernel's object. Not a template: it would be most of the code of a reduction.
inline dpep::event launch_parts(const dpep::queue &queue, const dpep::geometry &work, const dpep::kernel &kernel,
                                std::span<const std::byte> object, parts_memory &parts, std::size_t count,
                                row_layout row, dependencies_and_place how) {
  if (count > std::numeric_limits<std::uint32_t>::max())
    throw exception(errc::nd_range, "reduction: the nd_range has " + std::to_string(count) +
                                        " work-groups; a reduction takes at most 4294967295: use larger work-groups");
  check_group_size(queue, work, kernel);
  const auto launch_kernel = [&] {
    return dpep::launch(queue, kernel, work, object, how.local_bytes, how.after, how.where);
  };
  parts = {nullptr, nullptr, static_cast<std::uint32_t>(count)};
  if (count <= 1) return launch_kernel();
  const bool host = is_host(queue);
  const std::size_t upper = host ? 0 : row.upper, counters = 1 + upper;
  const std::size_t alignment = row.alignment > 64 ? row.alignment : 64;
  const std::size_t head = (counters * sizeof(std::uint32_t) + alignment - 1) / alignment * alignment;
  const dpep::context &context = queue.get_context();
  void *const memory = dpep::allocate(host ? dpep::usm_kind::shared : dpep::usm_kind::device,
                                      head + (count + upper) * row.bytes, alignment, context, queue.get_device());
  const std::shared_ptr<void> owner(memory, [context](void *p) { dpep::free(p, context); });
  parts.arrived = static_cast<std::uint32_t *>(memory);
  parts.rows = static_cast<std::byte *>(memory) + head;
  dpep::event cleared;
  if (host) {
    *parts.arrived = 0;
  } else {
    const std::uint32_t none = 0;
    cleared = queue.fill(parts.arrived, &none, sizeof none, counters, how.after);
    how.after = {&cleared, 1};
  }
  dpep::event done;
  try {
    done = launch_kernel();
  } catch (...) {  // the kernel does not compile: only the fill uses the memory
    if (cleared) cleared.keep_alive(owner);
    throw;
  }
  if (done) done.keep_alive(owner);
  return done;
}
template <class Name, class Form, class Kernel, class... R>
dpep::event launch_parts(const dpep::queue &queue, const dpep::geometry &work, Kernel &kernel,
                         reduction_parts<R...> &parts, std::size_t count, const dependencies_and_place &how) {
  using row = typename reduction_parts<R...>::row;
  return launch_parts(queue, work, find_kernel<Name, Form>(kernel), bytes_of(kernel), parts, count,
                      {sizeof(row), alignof(row), reduction_parts<R...>::second_level(count)}, how);
}

/// Work-items in each part: enough to make the cost of its end negligible, few enough to have parts for every core.
template <class... R> std::size_t part_size(std::size_t work_items) {
  constexpr std::size_t least = 64, most_bytes = 4u << 20;
  constexpr std::size_t row = sizeof(typename reduction_parts<R...>::row);
  constexpr std::size_t by_memory = most_bytes / row, most = by_memory < 64 ? 64 : by_memory < 1024 ? by_memory : 1024;
  const std::size_t even = (work_items + most - 1) / most;
  return even < least ? least : even;
}

template <class Name, int D, class F, class... R>
dpep::event run_reduction(const dpep::queue &queue, const range<D> &work, const F &f, const std::tuple<R...> &variables,
                          const dependencies_and_place &how) {
  // an empty range has one part without work-items, which applies initialize_to_identity
  const auto parts_of = [&](std::size_t step) {
    const std::size_t parts = (work.size() + step - 1) / step;
    return parts ? parts : 1;
  };
  const std::size_t step = part_size<R...>(work.size());
  if (is_host(queue)) {
    range_reduction<D, F, R...> kernel{f, variables, {}, work, step};
    const std::size_t count = parts_of(step);
    return launch_parts<Name, range_form<1>>(queue, to_geometry(range<1>(count)), kernel, kernel.parts, count, how);
  }
  constexpr std::size_t local = 256;
  grouped_range_reduction<D, F, R...> kernel{f, variables, {}, work};
  const std::size_t count = parts_of(step < local ? local : step);
  return launch_parts<grouped_name<Name>, nd_range_form<1>>(
      queue, to_geometry(nd_range<1>(range<1>(count * local), range<1>(local))), kernel, kernel.parts, count, how);
}
template <class Name, int D, class F, class... R>
dpep::event run_reduction(const dpep::queue &queue, const nd_range<D> &work, const F &f,
                          const std::tuple<R...> &variables, const dependencies_and_place &how) {
  nd_range_reduction<D, F, R...> kernel{f, variables, {}};
  return launch_parts<Name, nd_range_form<D>>(queue, to_geometry(work), kernel, kernel.parts,
                                              work.get_group_range().size(), how);
}

/// Calls `action` with the kernel's function, the last of the arguments, and a tuple of the others, the variables.
template <class Action, class... Arguments>
decltype(auto) with_variables(const Action &action, const Arguments &...arguments) {
  if constexpr (sizeof...(Arguments) == 2) {
    return [&action](const auto &variable, const auto &f) {
      return action(f, std::tuple<std::remove_cvref_t<decltype(variable)>>(variable));
    }(arguments...);
  } else {
    const auto all = std::tie(arguments...);
    constexpr std::size_t count = sizeof...(Arguments) - 1;
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return action(std::get<count>(all), std::tuple(std::get<I>(all)...));
    }(std::make_index_sequence<count>());
  }
}

template <class Name, class Work, class... Arguments>
void launch_reduction(handler &h, const located_work<Work> &work, const Arguments &...arguments) {
  with_variables(
      [&](const auto &f, const auto &variables) {
        expect_no_references(f, work.where);
        handler_access::set_action(h, [work, f = handler_access::with_placeholders_bound(h, f), variables](
                                          const dpep::queue &queue, dpep::dependencies after, std::size_t local_bytes) {
          return run_reduction<Name>(queue, work.work, f, variables, {after, local_bytes, work.where});
        });
      },
      arguments...);
}
template <class Name, class Work, class... Arguments>
dpep::event launch_reduction(const dpep::queue &queue, dpep::dependencies after, const located_work<Work> &work,
                             const Arguments &...arguments) {
  return with_variables(
      [&](const auto &f, const auto &variables) {
        expect_no_placeholders(f);
        expect_no_references(f, work.where);
        return run_reduction<Name>(queue, work.work, f, variables, {after, 0, work.where});
      },
      arguments...);
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
    return reduction_variable<T, Op, Extent, false>{result, op, {}, false};
  }
}
template <std::size_t Extent, class T, class Op>
auto make_reduction(T *result, const T &identity, const Op &op, const property_list &properties) {
  return reduction_variable<T, Op, Extent, true>{
      result, op, identity, properties.has_property<property::reduction::initialize_to_identity>()};
}

/// Returns the address of the element of a one-element buffer, for the command group of `h`.
template <class T, class Allocator>
T *buffer_variable(buffer<T, 1, Allocator> &variable, handler &h, const property_list &properties) {
  if (variable.size() != 1)
    throw exception(errc::invalid, "reduction: the buffer has " + std::to_string(variable.size()) +
                                       " elements; the buffer of a reduction must have one");
  if (properties.has_property<property::reduction::initialize_to_identity>())
    return &accessor<T, 1, access_mode::write>(variable, h, no_init)[0];
  return &accessor<T, 1, access_mode::read_write>(variable, h)[0];
}

}  // namespace detail

/// Combines the values of the kernel's work-items, by `op`, into the variable in USM.
template <class T, class Op> auto reduction(T *variable, const Op &op, const property_list &properties = {}) {
  return detail::make_reduction<0>(variable, op, properties);
}
template <class T, class Op>
auto reduction(T *variable, const std::type_identity_t<T> &identity, const Op &op,
               const property_list &properties = {}) {
  return detail::make_reduction<0>(variable, identity, op, properties);
}
/// Several variables, each with its own reduction: the kernel gets a reducer with operator[].
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
/// Combines into the only element of a buffer.
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
