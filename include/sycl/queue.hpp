// sycl::queue: submits commands to one device.
#pragma once

#include <optional>
#include <string>

#include <dpep/queue.hpp>

#include <sycl/context.hpp>
#include <sycl/handler.hpp>

namespace sycl {

class queue : public dpep::queue {
public:
  queue(dpep::queue native) : dpep::queue(std::move(native)) {}

  explicit queue(const property_list &properties = {}) : queue(device(), properties) {}
  explicit queue(const async_handler &handler, const property_list &properties = {})
      : queue(device(), handler, properties) {}
  template <detail::device_selector Selector>
  explicit queue(const Selector &selector, const property_list &properties = {})
      : queue(device(selector), properties) {}
  template <detail::device_selector Selector>
  explicit queue(const Selector &selector, const async_handler &handler, const property_list &properties = {})
      : queue(device(selector), handler, properties) {}
  explicit queue(const device &where, const property_list &properties = {}) : queue(where, nullptr, properties) {}
  explicit queue(const device &where, const async_handler &handler, const property_list &properties = {})
      : queue(context::default_for(where), where, handler, properties) {}
  template <detail::device_selector Selector>
  explicit queue(const context &with, const Selector &selector, const property_list &properties = {})
      : queue(with, selector, nullptr, properties) {}
  template <detail::device_selector Selector>
  explicit queue(const context &with, const Selector &selector, const async_handler &handler,
                 const property_list &properties = {})
      : queue(with, best_of(with, selector), handler, properties) {}
  explicit queue(const context &with, const device &where, const property_list &properties = {})
      : queue(with, where, nullptr, properties) {}
  explicit queue(const context &with, const device &where, const async_handler &handler,
                 const property_list &properties = {})
      : dpep::queue(with, where, to_options(properties), detail::to_dpep(handler)) {}

  backend get_backend() const noexcept { return get_device().get_backend(); }
  context get_context() const { return dpep::queue::get_context(); }
  device get_device() const { return dpep::queue::get_device(); }
  bool is_in_order() const noexcept { return options().in_order; }
  bool is_host() const { return false; }  // SYCL 1.2.1
  bool ext_oneapi_empty() const { return empty(); }
  bool khr_empty() const { return empty(); }
  /// Makes sure that the commands are executed without a wait (extension sycl_khr_queue_flush), as they always are;
  /// arrays' results are submitted.
  void khr_flush() const { static_cast<void>(empty()); }
  template <class Descriptor> typename Descriptor::return_type get_info() const {
    if constexpr (std::is_same_v<Descriptor, info::queue::context>)
      return get_context();
    else if constexpr (std::is_same_v<Descriptor, info::queue::reference_count>)
      return get()->reference_count();
    else
      return get_device();
  }
  template <class P> bool has_property() const noexcept {
    namespace hint = ext::oneapi::property::queue;
    const dpep::queue_options &chosen = options();
    if constexpr (std::is_same_v<P, property::queue::in_order>)
      return chosen.in_order;
    else if constexpr (std::is_same_v<P, property::queue::enable_profiling>)
      return chosen.profiling;
    else if constexpr (std::is_same_v<P, hint::priority_low>)
      return chosen.priority == dpep::queue_priority::low;
    else if constexpr (std::is_same_v<P, hint::priority_high>)
      return chosen.priority == dpep::queue_priority::high;
    else if constexpr (std::is_same_v<P, hint::priority_normal>)
      return chosen.priority == dpep::queue_priority::normal;
    else
      return false;
  }
  template <class P> P get_property() const {
    if (has_property<P>()) return P();
    throw exception(errc::invalid, "queue::get_property: the queue was made without this property");
  }

  void wait() const { dpep::queue::wait(); }
  void wait_and_throw() const { dpep::queue::wait_and_throw(); }
  void throw_asynchronous() const { dpep::queue::throw_asynchronous(); }

  /// The command group is copied, as its call operator may change it.
  template <class CommandGroup>
    requires requires(CommandGroup &f, handler &h) { f(h); }
  event submit(CommandGroup group) const {
    return detail::handler_access::submit(*this, group);
  }
  /// Submits to `secondary` if this queue refuses the command group.
  template <class CommandGroup>
    requires requires(CommandGroup &f, handler &h) { f(h); }
  event submit(CommandGroup group, const queue &secondary) const {
    try {
      return submit(group);
    } catch (const exception &) {
      return secondary.submit(group);
    }
  }

  template <class Name = detail::unnamed, class F>
  event single_task(const F &f, std::source_location where = std::source_location::current()) const {
    return launch<Name, detail::single_task_form>(dpep::geometry(), {}, f, where);
  }
  template <class Name = detail::unnamed, class F>
  event single_task(const event &after, const F &f,
                    std::source_location where = std::source_location::current()) const {
    return launch<Name, detail::single_task_form>(dpep::geometry(), detail::to_dpep(after), f, where);
  }
  template <class Name = detail::unnamed, class F>
  event single_task(const std::vector<event> &after, const F &f,
                    std::source_location where = std::source_location::current()) const {
    return launch<Name, detail::single_task_form>(dpep::geometry(), detail::to_dpep(after), f, where);
  }

// parallel_for over a range or an nd_range, depending on no event, one event or several. The overloads for ranges are
// not templates on the number of dimensions, so that numbers and braces convert to ranges.
#define DPEP_PARALLEL_FOR(template_parameters, work_type, form)                                                        \
  template <class Name = detail::unnamed, template_parameters class F>                                                 \
  event parallel_for(work_type work, const F &f, std::source_location where = std::source_location::current()) const { \
    if constexpr (detail::wants_root_sync<F>)                                                                          \
      return submit([&](handler &h) { h.parallel_for<Name>(work, f, where); });                                        \
    else                                                                                                               \
      return launch<Name, form>(detail::to_geometry(work), {}, f, where);                                              \
  }                                                                                                                    \
  template <class Name = detail::unnamed, template_parameters class F>                                                 \
  event parallel_for(work_type work, const event &after, const F &f,                                                   \
                     std::source_location where = std::source_location::current()) const {                             \
    if constexpr (detail::wants_root_sync<F>)                                                                          \
      return submit([&](handler &h) {                                                                                  \
        h.depends_on(after);                                                                                           \
        h.parallel_for<Name>(work, f, where);                                                                          \
      });                                                                                                              \
    else                                                                                                               \
      return launch<Name, form>(detail::to_geometry(work), detail::to_dpep(after), f, where);                          \
  }                                                                                                                    \
  template <class Name = detail::unnamed, template_parameters class F>                                                 \
  event parallel_for(work_type work, const std::vector<event> &after, const F &f,                                      \
                     std::source_location where = std::source_location::current()) const {                             \
    if constexpr (detail::wants_root_sync<F>)                                                                          \
      return submit([&](handler &h) {                                                                                  \
        h.depends_on(after);                                                                                           \
        h.parallel_for<Name>(work, f, where);                                                                          \
      });                                                                                                              \
    else                                                                                                               \
      return launch<Name, form>(detail::to_geometry(work), detail::to_dpep(after), f, where);                          \
  }
#define DPEP_COMMA ,
  DPEP_PARALLEL_FOR(, range<1>, detail::range_form<1>)
  DPEP_PARALLEL_FOR(, range<2>, detail::range_form<2>)
  DPEP_PARALLEL_FOR(, range<3>, detail::range_form<3>)
  DPEP_PARALLEL_FOR(int Dimensions DPEP_COMMA, nd_range<Dimensions>, detail::nd_range_form<Dimensions>)
#undef DPEP_COMMA
#undef DPEP_PARALLEL_FOR

// parallel_for with reductions.
#define DPEP_PARALLEL_FOR_REDUCTION(work_type)                                                                         \
  template <class Name = detail::unnamed, class... Arguments>                                                          \
    requires detail::reductions_and_function<Arguments...>                                                             \
  event parallel_for(detail::located_work<work_type> work, const Arguments &...arguments) const {                      \
    return reduce<Name>(std::vector<event>(), work, arguments...);                                                     \
  }                                                                                                                    \
  template <class Name = detail::unnamed, class... Arguments>                                                          \
    requires detail::reductions_and_function<Arguments...>                                                             \
  event parallel_for(detail::located_work<work_type> work, const event &after, const Arguments &...arguments) const {  \
    return reduce<Name>(after, work, arguments...);                                                                    \
  }                                                                                                                    \
  template <class Name = detail::unnamed, class... Arguments>                                                          \
    requires detail::reductions_and_function<Arguments...>                                                             \
  event parallel_for(detail::located_work<work_type> work, const std::vector<event> &after,                            \
                     const Arguments &...arguments) const {                                                            \
    return reduce<Name>(after, work, arguments...);                                                                    \
  }
  DPEP_PARALLEL_FOR_REDUCTION(range<1>)
  DPEP_PARALLEL_FOR_REDUCTION(range<2>)
  DPEP_PARALLEL_FOR_REDUCTION(range<3>)
  DPEP_PARALLEL_FOR_REDUCTION(nd_range<1>)
  DPEP_PARALLEL_FOR_REDUCTION(nd_range<2>)
  DPEP_PARALLEL_FOR_REDUCTION(nd_range<3>)
#undef DPEP_PARALLEL_FOR_REDUCTION

  // Kernels with properties (extension sycl_ext_oneapi_kernel_properties), before the reductions and the function.
  template <class Name = detail::unnamed, detail::kernel_properties P, class F>
  event single_task(const P &properties, const F &f,
                    std::source_location where = std::source_location::current()) const {
    return submit([&](handler &h) { h.single_task<Name>(properties, f, where); });
  }
  template <class Name = detail::unnamed, class After, detail::kernel_properties P, class F>
    requires(!detail::kernel_properties<After>)
  event single_task(const After &after, const P &properties, const F &f,
                    std::source_location where = std::source_location::current()) const {
    return submit([&](handler &h) {
      h.depends_on(after);
      h.single_task<Name>(properties, f, where);
    });
  }
#define DPEP_PARALLEL_FOR_PROPERTIES(work_type)                                                                        \
  template <class Name = detail::unnamed, detail::kernel_properties P, class... Arguments>                             \
  event parallel_for(detail::located_work<work_type> work, const P &properties, const Arguments &...arguments) const { \
    return submit([&](handler &h) { h.parallel_for<Name>(work, properties, arguments...); });                          \
  }                                                                                                                    \
  template <class Name = detail::unnamed, detail::kernel_properties P, class... Arguments>                             \
  event parallel_for(detail::located_work<work_type> work, const event &after, const P &properties,                    \
                     const Arguments &...arguments) const {                                                            \
    return submit([&](handler &h) {                                                                                    \
      h.depends_on(after);                                                                                             \
      h.parallel_for<Name>(work, properties, arguments...);                                                            \
    });                                                                                                                \
  }                                                                                                                    \
  template <class Name = detail::unnamed, detail::kernel_properties P, class... Arguments>                             \
  event parallel_for(detail::located_work<work_type> work, const std::vector<event> &after, const P &properties,       \
                     const Arguments &...arguments) const {                                                            \
    return submit([&](handler &h) {                                                                                    \
      h.depends_on(after);                                                                                             \
      h.parallel_for<Name>(work, properties, arguments...);                                                            \
    });                                                                                                                \
  }
  DPEP_PARALLEL_FOR_PROPERTIES(range<1>)
  DPEP_PARALLEL_FOR_PROPERTIES(range<2>)
  DPEP_PARALLEL_FOR_PROPERTIES(range<3>)
  DPEP_PARALLEL_FOR_PROPERTIES(nd_range<1>)
  DPEP_PARALLEL_FOR_PROPERTIES(nd_range<2>)
  DPEP_PARALLEL_FOR_PROPERTIES(nd_range<3>)
#undef DPEP_PARALLEL_FOR_PROPERTIES

  // Copies between USM and host pointers, in any direction.
  event memcpy(void *to, const void *from, std::size_t bytes) const { return dpep::queue::copy(to, from, bytes); }
  event memcpy(void *to, const void *from, std::size_t bytes, const event &after) const {
    return dpep::queue::copy(to, from, bytes, detail::to_dpep(after));
  }
  event memcpy(void *to, const void *from, std::size_t bytes, const std::vector<event> &after) const {
    return dpep::queue::copy(to, from, bytes, detail::to_dpep(after));
  }
  template <class T> event copy(const T *from, T *to, std::size_t count) const {
    return memcpy(to, from, count * sizeof(T));
  }
  template <class T> event copy(const T *from, T *to, std::size_t count, const event &after) const {
    return memcpy(to, from, count * sizeof(T), after);
  }
  template <class T> event copy(const T *from, T *to, std::size_t count, const std::vector<event> &after) const {
    return memcpy(to, from, count * sizeof(T), after);
  }
  // Copies to and from a variable on the queue's device (extension sycl_ext_oneapi_device_global), beginning at a byte
  // or an element of it. The macro writes the overloads without and with an event or events to wait for: a pack could
  // not be deduced from events in braces.
#define DPEP_DEVICE_GLOBAL_COPIES(BYTES, OFFSET, COUNT, START, PARAMETER, ARGUMENT)                                    \
  template <class T, class P>                                                                                          \
  event memcpy(ext::oneapi::experimental::device_global<T, P> &to, const void *from, std::size_t bytes BYTES,          \
               std::size_t offset OFFSET PARAMETER) const {                                                            \
    return memcpy(detail::device_global_to_write(to, *this, "queue::memcpy", offset, bytes), from, bytes ARGUMENT);    \
  }                                                                                                                    \
  template <class T, class P>                                                                                          \
  event memcpy(void *to, const ext::oneapi::experimental::device_global<T, P> &from, std::size_t bytes BYTES,          \
               std::size_t offset OFFSET PARAMETER) const {                                                            \
    return memcpy(to, detail::device_global_to_read(from, *this, "queue::memcpy", offset, bytes), bytes ARGUMENT);     \
  }                                                                                                                    \
  template <class T, class P>                                                                                          \
  event copy(const std::remove_all_extents_t<T> *from, ext::oneapi::experimental::device_global<T, P> &to,             \
             std::size_t count COUNT, std::size_t start START PARAMETER) const {                                       \
    using element = std::remove_all_extents_t<T>;                                                                      \
    return memcpy(to, from, count * sizeof(element), start * sizeof(element) ARGUMENT);                                \
  }                                                                                                                    \
  template <class T, class P>                                                                                          \
  event copy(const ext::oneapi::experimental::device_global<T, P> &from, std::remove_all_extents_t<T> *to,             \
             std::size_t count COUNT, std::size_t start START PARAMETER) const {                                       \
    using element = std::remove_all_extents_t<T>;                                                                      \
    return memcpy(to, from, count * sizeof(element), start * sizeof(element) ARGUMENT);                                \
  }
#define DPEP_AFTER(...) , __VA_ARGS__
  DPEP_DEVICE_GLOBAL_COPIES(= sizeof(T), = 0, = detail::count_of<T>, = 0, , )
  DPEP_DEVICE_GLOBAL_COPIES(, , , , DPEP_AFTER(const event &after), DPEP_AFTER(after))
  DPEP_DEVICE_GLOBAL_COPIES(, , , , DPEP_AFTER(const std::vector<event> &after), DPEP_AFTER(after))
#undef DPEP_AFTER
#undef DPEP_DEVICE_GLOBAL_COPIES
  event memset(void *to, int value, std::size_t bytes) const {
    return fill(to, static_cast<unsigned char>(value), bytes);
  }
  event memset(void *to, int value, std::size_t bytes, const event &after) const {
    return fill(to, static_cast<unsigned char>(value), bytes, after);
  }
  event memset(void *to, int value, std::size_t bytes, const std::vector<event> &after) const {
    return fill(to, static_cast<unsigned char>(value), bytes, after);
  }
  template <class T> event fill(void *to, const T &pattern, std::size_t count) const {
    static_assert(detail::is_copied_as_bytes<T>, "fill: the pattern must be device copyable, as kernels' arguments");
    return dpep::queue::fill(to, &pattern, sizeof(T), count);
  }
  template <class T> event fill(void *to, const T &pattern, std::size_t count, const event &after) const {
    static_assert(detail::is_copied_as_bytes<T>, "fill: the pattern must be device copyable, as kernels' arguments");
    return dpep::queue::fill(to, &pattern, sizeof(T), count, detail::to_dpep(after));
  }
  template <class T> event fill(void *to, const T &pattern, std::size_t count, const std::vector<event> &after) const {
    static_assert(detail::is_copied_as_bytes<T>, "fill: the pattern must be device copyable, as kernels' arguments");
    return dpep::queue::fill(to, &pattern, sizeof(T), count, detail::to_dpep(after));
  }
  event prefetch(const void *pointer, std::size_t bytes) const { return dpep::queue::prefetch(pointer, bytes); }
  event prefetch(const void *pointer, std::size_t bytes, const event &after) const {
    return dpep::queue::prefetch(pointer, bytes, detail::to_dpep(after));
  }
  event prefetch(const void *pointer, std::size_t bytes, const std::vector<event> &after) const {
    return dpep::queue::prefetch(pointer, bytes, detail::to_dpep(after));
  }
  event mem_advise(const void *pointer, std::size_t bytes, int advice) const {
    return advise(pointer, bytes, static_cast<dpep::memory_advice>(advice));
  }
  event mem_advise(const void *pointer, std::size_t bytes, int advice, const event &after) const {
    return advise(pointer, bytes, static_cast<dpep::memory_advice>(advice), detail::to_dpep(after));
  }
  event mem_advise(const void *pointer, std::size_t bytes, int advice, const std::vector<event> &after) const {
    return advise(pointer, bytes, static_cast<dpep::memory_advice>(advice), detail::to_dpep(after));
  }

  // Rows with padding between them.
  event ext_oneapi_memcpy2d(void *to, std::size_t to_pitch, const void *from, std::size_t from_pitch, std::size_t width,
                            std::size_t height, const std::vector<event> &after = {}) const {
    return submit([&](handler &h) {
      h.depends_on(after);
      h.ext_oneapi_memcpy2d(to, to_pitch, from, from_pitch, width, height);
    });
  }
  event ext_oneapi_memcpy2d(void *to, std::size_t to_pitch, const void *from, std::size_t from_pitch, std::size_t width,
                            std::size_t height, const event &after) const {
    return ext_oneapi_memcpy2d(to, to_pitch, from, from_pitch, width, height, std::vector{after});
  }
  template <class T>
  event ext_oneapi_copy2d(const T *from, std::size_t from_pitch, T *to, std::size_t to_pitch, std::size_t width,
                          std::size_t height, const std::vector<event> &after = {}) const {
    return submit([&](handler &h) {
      h.depends_on(after);
      h.ext_oneapi_copy2d(from, from_pitch, to, to_pitch, width, height);
    });
  }
  template <class T>
  event ext_oneapi_copy2d(const T *from, std::size_t from_pitch, T *to, std::size_t to_pitch, std::size_t width,
                          std::size_t height, const event &after) const {
    return ext_oneapi_copy2d(from, from_pitch, to, to_pitch, width, height, std::vector{after});
  }
  event ext_oneapi_memset2d(void *to, std::size_t to_pitch, int value, std::size_t width, std::size_t height,
                            const std::vector<event> &after = {}) const {
    return submit([&](handler &h) {
      h.depends_on(after);
      h.ext_oneapi_memset2d(to, to_pitch, value, width, height);
    });
  }
  event ext_oneapi_memset2d(void *to, std::size_t to_pitch, int value, std::size_t width, std::size_t height,
                            const event &after) const {
    return ext_oneapi_memset2d(to, to_pitch, value, width, height, std::vector{after});
  }
  template <class T>
  event ext_oneapi_fill2d(void *to, std::size_t to_pitch, const T &pattern, std::size_t width, std::size_t height,
                          const std::vector<event> &after = {}) const {
    return submit([&](handler &h) {
      h.depends_on(after);
      h.ext_oneapi_fill2d(to, to_pitch, pattern, width, height);
    });
  }
  template <class T>
  event ext_oneapi_fill2d(void *to, std::size_t to_pitch, const T &pattern, std::size_t width, std::size_t height,
                          const event &after) const {
    return ext_oneapi_fill2d(to, to_pitch, pattern, width, height, std::vector{after});
  }

  // Copies between accessors, which are placeholders here, and memory.
  template <detail::device_accessor Source, class To> event copy(const Source &from, To to) const {
    return submit([&](handler &h) {
      h.require(from);
      if constexpr (detail::device_accessor<To>) h.require(to);
      h.copy(from, to);
    });
  }
  template <class From, detail::device_accessor Destination>
    requires(!detail::device_accessor<From>)
  event copy(From from, const Destination &to) const {
    return submit([&](handler &h) {
      h.require(to);
      h.copy(from, to);
    });
  }
  template <detail::device_accessor Destination>
  event fill(const Destination &to, const std::remove_const_t<typename Destination::value_type> &pattern) const {
    return submit([&](handler &h) {
      h.require(to);
      h.fill(to, pattern);
    });
  }
  template <detail::device_accessor Accessor> event update_host(const Accessor &elements) const {
    return submit([&](handler &h) {
      h.require(elements);
      h.update_host(elements);
    });
  }

  event ext_oneapi_submit_barrier() const { return barrier(); }
  event ext_oneapi_submit_barrier(const std::vector<event> &after) const {
    return after.empty() ? event() : barrier(detail::to_dpep(after));
  }

  // Events of in-order queues (extension sycl_ext_oneapi_in_order_queue_events).
  /// An event that completes when all commands so far have; a queue always has one.
  std::optional<event> ext_oneapi_get_last_event() const {
    expect_in_order("ext_oneapi_get_last_event");
    return event(barrier());
  }
  /// Makes the commands that follow wait for the event.
  void ext_oneapi_set_external_event(const event &before) const {
    expect_in_order("ext_oneapi_set_external_event");
    ext_oneapi_submit_barrier({before});
  }

  // Graphs (extension sycl_ext_oneapi_graph); <sycl/ext/oneapi/experimental/graph.hpp> defines these functions.
  ext::oneapi::experimental::queue_state ext_oneapi_get_state() const;
  ext::oneapi::experimental::command_graph<> ext_oneapi_get_graph() const;
  event ext_oneapi_graph(const detail::executable_command_graph &) const;
  event ext_oneapi_graph(const detail::executable_command_graph &, const event &after) const;
  event ext_oneapi_graph(const detail::executable_command_graph &, const std::vector<event> &after) const;

private:
  void expect_in_order(const char *function) const {
    if (!is_in_order())
      throw exception(errc::invalid, std::string("queue::") + function + ": the queue is not in order");
  }

  template <class Name, class After, class Work, class... Arguments>
  event reduce(const After &after, const detail::located_work<Work> &work, const Arguments &...arguments) const {
    return detail::launch_reduction<Name>(*this, detail::to_dpep(after), work, arguments...);
  }

  template <class Name, class Form, class F>
  event launch(const dpep::geometry &work, dpep::dependencies after, const F &f, std::source_location where) const {
    return detail::launch<Name, Form>(*this, work, f, after, 0, where);
  }

  static dpep::queue_options to_options(const property_list &properties) {
    namespace hint = ext::oneapi::property::queue;
    dpep::queue_options options;
    options.in_order = properties.has_property<property::queue::in_order>();
    options.profiling = properties.has_property<property::queue::enable_profiling>();
    if (properties.has_property<hint::priority_low>()) options.priority = dpep::queue_priority::low;
    if (properties.has_property<hint::priority_high>()) options.priority = dpep::queue_priority::high;
    return options;
  }
  template <class Selector> static device best_of(const context &with, const Selector &selector) {
    return detail::select_device(selector, with.get_devices());
  }
};

}  // namespace sycl

template <> struct std::hash<sycl::queue> : std::hash<dpep::queue> {};
