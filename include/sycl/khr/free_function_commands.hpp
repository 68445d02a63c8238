// Functions that submit commands to a queue or, in a command group, to a handler, without events unless requested
// (extension sycl_khr_free_function_commands).
#pragma once

#include <memory>
#include <source_location>
#include <type_traits>
#include <utility>
#include <vector>

#include <sycl/ext/oneapi/experimental/enqueue_functions.hpp>
#include <sycl/kernel_bundle.hpp>
#include <sycl/queue.hpp>

namespace sycl::khr {

namespace detail {

using ext::oneapi::experimental::detail::queue_or_handler;
using sycl::detail::located_work;
using sycl::detail::unnamed;

template <class F>
concept kernel_function = !std::is_same_v<F, kernel>;

/// The work-groups of `size` work-items that cover the range `all`.
template <int D> located_work<nd_range<D>> in_groups(const range<D> &all, const located_work<range<D>> &size) {
  return {nd_range<D>(all, size.work), size.where};
}

/// Launches a kernel object with its arguments.
template <class To, class Launch, class... A> void launch_object(To &to, const Launch &launch, A &&...arguments) {
  if constexpr (std::is_same_v<std::remove_cv_t<To>, handler>) {
    if constexpr (sizeof...(A) > 0) to.set_args(std::forward<A>(arguments)...);
    launch(to);
  } else
    to.submit([&](handler &h) { launch_object(h, launch, arguments...); });
}

}  // namespace detail

template <class CommandGroup> void submit(const queue &q, CommandGroup &&group) { q.submit(group); }
template <class CommandGroup> event submit_tracked(const queue &q, CommandGroup &&group) { return q.submit(group); }

// Kernels. One overload for each number of dimensions, so that numbers and braces convert.
#define DPEP_LAUNCH(D)                                                                                                 \
  template <class Name = detail::unnamed, detail::queue_or_handler To, detail::kernel_function F>                      \
  void launch(To &&to, detail::located_work<range<D>> work, const F &f) {                                              \
    to.template parallel_for<Name>(work.work, f, work.where);                                                          \
  }                                                                                                                    \
  template <detail::queue_or_handler To, class... A>                                                                   \
  void launch(To &&to, detail::located_work<range<D>> work, const kernel &k, A &&...arguments) {                       \
    detail::launch_object(                                                                                             \
        to, [&](handler &h) { h.parallel_for(work.work, k, work.where); }, std::forward<A>(arguments)...);             \
  }                                                                                                                    \
  template <class Name = detail::unnamed, detail::queue_or_handler To, class F, class... Reductions>                   \
  void launch_reduce(To &&to, detail::located_work<range<D>> work, const F &f, const Reductions &...reductions) {      \
    to.template parallel_for<Name>(work, reductions..., f);                                                            \
  }                                                                                                                    \
  template <class Name = detail::unnamed, detail::queue_or_handler To, detail::kernel_function F>                      \
  void launch_grouped(To &&to, range<D> work, detail::located_work<range<D>> size, const F &f) {                       \
    to.template parallel_for<Name>(nd_range<D>(work, size.work), f, size.where);                                       \
  }                                                                                                                    \
  template <detail::queue_or_handler To, class... A>                                                                   \
  void launch_grouped(To &&to, range<D> work, detail::located_work<range<D>> size, const kernel &k,                    \
                      A &&...arguments) {                                                                              \
    detail::launch_object(                                                                                             \
        to, [&](handler &h) { h.parallel_for(nd_range<D>(work, size.work), k, size.where); },                          \
        std::forward<A>(arguments)...);                                                                                \
  }                                                                                                                    \
  template <class Name = detail::unnamed, detail::queue_or_handler To, class F, class... Reductions>                   \
  void launch_grouped_reduce(To &&to, range<D> work, detail::located_work<range<D>> size, const F &f,                  \
                             const Reductions &...reductions) {                                                        \
    to.template parallel_for<Name>(detail::in_groups(work, size), reductions..., f);                                   \
  }
DPEP_LAUNCH(1)
DPEP_LAUNCH(2)
DPEP_LAUNCH(3)
#undef DPEP_LAUNCH
template <class Name = detail::unnamed, detail::queue_or_handler To, detail::kernel_function F>
void launch_task(To &&to, const F &f, std::source_location where = std::source_location::current()) {
  to.template single_task<Name>(f, where);
}
template <detail::queue_or_handler To, class... A> void launch_task(To &&to, const kernel &k, A &&...arguments) {
  detail::launch_object(to, [&](handler &h) { h.single_task(k); }, std::forward<A>(arguments)...);
}

// Memory.
template <detail::queue_or_handler To> void memcpy(To &&q, void *to, const void *from, std::size_t bytes) {
  q.memcpy(to, from, bytes);
}
template <detail::queue_or_handler To, class T> void copy(To &&q, const T *from, T *to, std::size_t count) {
  q.copy(from, to, count);
}
/// Copies between accessors, or between an accessor and memory of the host.
template <detail::queue_or_handler To, class From, class Destination> void copy(To &&q, From &&from, Destination &&to) {
  q.copy(from, to);
}
template <detail::queue_or_handler To> void memset(To &&q, void *to, int value, std::size_t bytes) {
  q.memset(to, value, bytes);
}
template <detail::queue_or_handler To, class T>
void fill(To &&q, T *to, const std::type_identity_t<T> &pattern, std::size_t count) {
  q.fill(to, pattern, count);
}
template <detail::queue_or_handler To, class Accessor>
void fill(To &&q, const Accessor &to, const typename Accessor::value_type &pattern) {
  q.fill(to, pattern);
}
template <detail::queue_or_handler To, class Accessor> void update_host(To &&q, const Accessor &elements) {
  q.update_host(elements);
}
template <detail::queue_or_handler To> void prefetch(To &&q, void *pointer, std::size_t bytes) {
  q.prefetch(pointer, bytes);
}
template <detail::queue_or_handler To> void mem_advise(To &&q, void *pointer, std::size_t bytes, int advice) {
  q.mem_advise(pointer, bytes, advice);
}

// Barriers: later commands of the queue wait for all earlier ones, or for the events.
inline void command_barrier(const queue &q) { q.ext_oneapi_submit_barrier(); }
inline void command_barrier(handler &h) { h.ext_oneapi_barrier(); }
inline void event_barrier(const queue &q, const std::vector<event> &events) { q.ext_oneapi_submit_barrier(events); }
inline void event_barrier(handler &h, const std::vector<event> &events) { h.ext_oneapi_barrier(events); }

}  // namespace sycl::khr
