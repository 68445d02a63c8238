// Free functions that submit commands to a queue or a handler, without events unless requested
// (extension sycl_ext_oneapi_enqueue_functions).
#pragma once

#include <concepts>

#include <sycl/ext/oneapi/experimental/properties.hpp>
#include <sycl/queue.hpp>

namespace sycl::ext::oneapi::experimental {

/// A range or an nd_range with properties of the launch.
template <class Range, class Properties = empty_properties_t> class launch_config {
public:
  launch_config(const Range &range, const Properties &p = {},
                std::source_location where = std::source_location::current())
      : range_(range), properties_(p), where_(where) {}
  const Range &get_range() const noexcept { return range_; }
  const Properties &get_properties() const noexcept { return properties_; }
  std::source_location where() const noexcept { return where_; }

private:
  Range range_;
  [[no_unique_address]] Properties properties_;
  std::source_location where_;
};

namespace detail {

using sycl::detail::located_work;
using sycl::detail::unnamed;

template <class T>
concept queue_or_handler = std::same_as<std::remove_cvref_t<T>, queue> || std::same_as<std::remove_cvref_t<T>, handler>;

/// parallel_for of a queue or a handler, which take the kernel's function after the reductions.
template <class Name, class To, class Work, class F, class... Reductions>
void launch(To &to, const located_work<Work> &work, const F &f, const Reductions &...reductions) {
  if constexpr (sizeof...(Reductions) == 0)
    to.template parallel_for<Name>(work.work, f, work.where);
  else
    to.template parallel_for<Name>(work, reductions..., f);
}

/// The same with properties.
template <class Name, class To, class Work, class P, class F, class... Reductions>
void launch_with(To &to, const located_work<Work> &work, const P &properties, const F &f,
                 const Reductions &...reductions) {
  if constexpr (std::is_same_v<P, empty_properties_t>)
    launch<Name>(to, work, f, reductions...);
  else
    to.template parallel_for<Name>(work, properties, reductions..., f);
}

}  // namespace detail

template <class CommandGroup> void submit(const queue &q, CommandGroup &&group) { q.submit(group); }
template <class CommandGroup> void submit(const queue &q, empty_properties_t, CommandGroup &&group) { q.submit(group); }
template <class CommandGroup> event submit_with_event(const queue &q, CommandGroup &&group) { return q.submit(group); }
template <class CommandGroup> event submit_with_event(const queue &q, empty_properties_t, CommandGroup &&group) {
  return q.submit(group);
}

template <class Name = detail::unnamed, detail::queue_or_handler To, class F>
void single_task(To &&to, const F &f, std::source_location where = std::source_location::current()) {
  to.template single_task<Name>(f, where);
}

// As the members of sycl::queue: one overload for each number of dimensions, so that numbers and braces convert.
#define DPEP_ENQUEUE(NAME, WORK)                                                                                       \
  template <class Name = detail::unnamed, detail::queue_or_handler To, class F, class... Reductions>                   \
  void NAME(To &&to, detail::located_work<WORK> work, const F &f, const Reductions &...reductions) {                   \
    detail::launch<Name>(to, work, f, reductions...);                                                                  \
  }
DPEP_ENQUEUE(parallel_for, range<1>)
DPEP_ENQUEUE(parallel_for, range<2>)
DPEP_ENQUEUE(parallel_for, range<3>)
DPEP_ENQUEUE(nd_launch, nd_range<1>)
DPEP_ENQUEUE(nd_launch, nd_range<2>)
DPEP_ENQUEUE(nd_launch, nd_range<3>)
#undef DPEP_ENQUEUE
template <class Name = detail::unnamed, detail::queue_or_handler To, int D, class P, class F, class... Reductions>
void parallel_for(To &&to, const launch_config<range<D>, P> &c, const F &f, const Reductions &...reductions) {
  detail::launch_with<Name>(to, detail::located_work<range<D>>(c.get_range(), c.where()), c.get_properties(), f,
                            reductions...);
}
template <class Name = detail::unnamed, detail::queue_or_handler To, int D, class P, class F, class... Reductions>
void nd_launch(To &&to, const launch_config<nd_range<D>, P> &c, const F &f, const Reductions &...reductions) {
  detail::launch_with<Name>(to, detail::located_work<nd_range<D>>(c.get_range(), c.where()), c.get_properties(), f,
                            reductions...);
}

template <detail::queue_or_handler To> void memcpy(To &&q, void *to, const void *from, std::size_t bytes) {
  q.memcpy(to, from, bytes);
}
template <detail::queue_or_handler To, class T> void copy(To &&q, const T *from, T *to, std::size_t count) {
  q.copy(from, to, count);
}
template <detail::queue_or_handler To> void memset(To &&q, void *to, int value, std::size_t bytes) {
  q.memset(to, value, bytes);
}
template <detail::queue_or_handler To, class T>
void fill(To &&q, T *to, const std::type_identity_t<T> &pattern, std::size_t count) {
  q.fill(to, pattern, count);
}
template <detail::queue_or_handler To> void prefetch(To &&q, const void *pointer, std::size_t bytes) {
  q.prefetch(pointer, bytes);
}
template <detail::queue_or_handler To> void mem_advise(To &&q, const void *pointer, std::size_t bytes, int advice) {
  q.mem_advise(pointer, bytes, advice);
}
inline void barrier(const queue &q) { q.ext_oneapi_submit_barrier(); }
inline void barrier(handler &h) { h.ext_oneapi_barrier(); }
inline void partial_barrier(const queue &q, const std::vector<event> &after) { q.ext_oneapi_submit_barrier(after); }
inline void partial_barrier(handler &h, const std::vector<event> &after) { h.ext_oneapi_barrier(after); }

}  // namespace sycl::ext::oneapi::experimental
