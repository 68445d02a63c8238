// sycl::handler: records the command of a command group, which is submitted after the command-group function returns.
#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <vector>

#include <dpep/argument_facts.hpp>
#include <dpep/buffer.hpp>
#include <dpep/graph.hpp>

#include <sycl/context.hpp>
#include <sycl/detail/box.hpp>
#include <sycl/detail/kernel_arguments.hpp>
#include <sycl/detail/launch.hpp>
#include <sycl/detail/located_work.hpp>
#include <sycl/detail/requirements.hpp>
#include <sycl/event.hpp>
#include <sycl/ext/oneapi/experimental/device_global.hpp>
#include <sycl/hierarchical.hpp>
#include <sycl/interop_handle.hpp>

namespace sycl {

class kernel;

namespace ext::oneapi::experimental {
enum class graph_state { modifiable, executable };
enum class queue_state { executing, recording };
template <graph_state State = graph_state::modifiable> class command_graph;
}  // namespace ext::oneapi::experimental

namespace detail {

using executable_command_graph =
    ext::oneapi::experimental::command_graph<ext::oneapi::experimental::graph_state::executable>;

struct handler_access;

/// Whether T is a type that sycl::reduction returns. <sycl/reduction.hpp> specialises it and defines launch_reduction.
template <class T> inline constexpr bool is_reduction = false;

/// Sets the command of `h` to a kernel over `work`, a range or an nd_range. The last of `arguments` is the kernel's
/// function, the others are reductions.
template <class Name, class Work, class... Arguments>
void launch_reduction(handler &h, const located_work<Work> &work, const Arguments &...arguments);
/// Launches it immediately.
template <class Name, class Work, class... Arguments>
dpep::event launch_reduction(const dpep::queue &queue, dpep::dependencies after, const located_work<Work> &work,
                             const Arguments &...arguments);

template <class First, class... Others> struct are_reductions_and_function {
  static constexpr bool value =
      is_reduction<std::remove_cvref_t<First>> && are_reductions_and_function<Others...>::value;
};
template <class Last> struct are_reductions_and_function<Last> {
  static constexpr bool value = !is_reduction<std::remove_cvref_t<Last>>;
};
template <class... Arguments>
concept reductions_and_function = sizeof...(Arguments) >= 2 && are_reductions_and_function<Arguments...>::value;

}  // namespace detail

class handler {
public:
  handler(const handler &) = delete;
  handler &operator=(const handler &) = delete;

  void depends_on(const event &before) {
    if (before) after_.push_back(before);
  }
  void depends_on(const std::vector<event> &before) {
    for (const event &e : before) depends_on(e);
  }

  /// Makes the command group depend on the placeholder's buffer and allows its kernel to use the placeholder.
  /// Throws errc::invalid if the accessor was made by its default constructor.
  template <class Accessor> void require(const Accessor &placeholder) { placeholder.bind(*this); }

  template <class Name = detail::unnamed, class F>
  void single_task(const F &f, std::source_location where = std::source_location::current()) {
    set_kernel<Name, detail::single_task_form>(dpep::geometry(), f, where);
  }

  // Kernels from bundles have no function object. A kernel that captures values is refused
  // (errc::feature_not_supported). <sycl/kernel_bundle.hpp> defines these functions.
  void single_task(const kernel &k, std::source_location where = std::source_location::current()) {
    set_kernel(dpep::geometry(), k, where);
  }
  template <int Dimensions>
  void parallel_for(nd_range<Dimensions> work, const kernel &k,
                    std::source_location where = std::source_location::current()) {
    set_kernel(detail::to_geometry(work), k, where);
  }
  /// Sets an argument of a kernel from source text or SPIR-V: a pointer to USM memory, an accessor, local memory, or a
  /// value of exactly the parameter's size. Errors are errc::kernel_argument, thrown when the kernel is known.
  template <class T> void set_arg(int index, T &&value) {
    if (!set_arguments_) set_arguments_ = std::make_unique<detail::kernel_arguments>();
    if constexpr (requires { value.dynamic(); })
      set_arguments_->set_dynamic(index, value.dynamic(), value.is_pointer);
    else if constexpr (requires { value.bound_in(requirements_); })
      set_arguments_->set(index, value.is_placeholder() ? value.bound_in(requirements_) : value);
    else
      set_arguments_->set(index, static_cast<const std::decay_t<T> &>(value));
  }
  template <class... T> void set_args(T &&...values) {
    int index = 0;
    (set_arg(index++, std::forward<T>(values)), ...);
  }

// One overload for each number of dimensions instead of a template, so that numbers and braces convert to ranges.
#define DPEP_PARALLEL_FOR_REDUCTION(work_type)                                                                         \
  template <class Name = detail::unnamed, class... Arguments>                                                          \
    requires detail::reductions_and_function<Arguments...>                                                             \
  void parallel_for(detail::located_work<work_type> work, const Arguments &...arguments) {                             \
    detail::launch_reduction<Name>(*this, work, arguments...);                                                         \
  }
#define DPEP_PARALLEL_FOR(D)                                                                                           \
  void parallel_for(range<D> work, const kernel &k, std::source_location where = std::source_location::current()) {    \
    set_kernel(detail::to_geometry(work), k, where);                                                                   \
  }                                                                                                                    \
  void parallel_for(range<D> work, id<D> offset, const kernel &k,                                                      \
                    std::source_location where = std::source_location::current()) {                                    \
    set_kernel(detail::to_geometry(work, offset), k, where);                                                           \
  }                                                                                                                    \
  template <class Name = detail::unnamed, class F>                                                                     \
  void parallel_for(range<D> work, const F &f, std::source_location where = std::source_location::current()) {         \
    set_kernel<Name, detail::range_form<D>>(detail::to_geometry(work), f, where);                                      \
  }                                                                                                                    \
  template <class Name = detail::unnamed, class F> /* deprecated by SYCL 2020 */                                       \
  void parallel_for(range<D> work, id<D> offset, const F &f,                                                           \
                    std::source_location where = std::source_location::current()) {                                    \
    set_kernel<Name, detail::range_form<D>>(detail::to_geometry(work, offset), f, where);                              \
  }                                                                                                                    \
  DPEP_PARALLEL_FOR_REDUCTION(range<D>)
  DPEP_PARALLEL_FOR(1)
  DPEP_PARALLEL_FOR(2)
  DPEP_PARALLEL_FOR(3)
  DPEP_PARALLEL_FOR_REDUCTION(nd_range<1>)
  DPEP_PARALLEL_FOR_REDUCTION(nd_range<2>)
  DPEP_PARALLEL_FOR_REDUCTION(nd_range<3>)
#undef DPEP_PARALLEL_FOR
#undef DPEP_PARALLEL_FOR_REDUCTION

  template <class Name = detail::unnamed, int Dimensions, class F>
  void parallel_for(nd_range<Dimensions> work, const F &f,
                    std::source_location where = std::source_location::current()) {
    using form = detail::nd_range_form<Dimensions>;
    if constexpr (detail::wants_root_sync<F>)
      set_kernel<Name, form>(detail::to_geometry(work), detail::root_synchronised<F>{f, make_root_counter()}, where);
    else
      set_kernel<Name, form>(detail::to_geometry(work), f, where);
  }

  // Kernels with properties (extension sycl_ext_oneapi_kernel_properties), before the reductions and the function.
  template <class Name = detail::unnamed, detail::kernel_properties P, class F>
  void single_task(const P &properties, const F &f, std::source_location where = std::source_location::current()) {
    detail::check_device(queue_.get_device(), properties);
    detail::with_properties<P>([&](const auto &function) { single_task<Name>(function, where); }, f);
  }
#define DPEP_PARALLEL_FOR_PROPERTIES(work_type)                                                                        \
  template <class Name = detail::unnamed, detail::kernel_properties P, class... Arguments>                             \
  void parallel_for(detail::located_work<work_type> work, const P &properties, const Arguments &...arguments) {        \
    detail::check_device(queue_.get_device(), properties);                                                             \
    detail::with_properties<P>(                                                                                        \
        [&](const auto &...all) {                                                                                      \
          if constexpr (sizeof...(all) == 1)                                                                           \
            parallel_for<Name>(work.work, all..., work.where);                                                         \
          else                                                                                                         \
            parallel_for<Name>(work, all...);                                                                          \
        },                                                                                                             \
        arguments...);                                                                                                 \
  }
  DPEP_PARALLEL_FOR_PROPERTIES(range<1>)
  DPEP_PARALLEL_FOR_PROPERTIES(range<2>)
  DPEP_PARALLEL_FOR_PROPERTIES(range<3>)
  DPEP_PARALLEL_FOR_PROPERTIES(nd_range<1>)
  DPEP_PARALLEL_FOR_PROPERTIES(nd_range<2>)
  DPEP_PARALLEL_FOR_PROPERTIES(nd_range<3>)
#undef DPEP_PARALLEL_FOR_PROPERTIES

  // Launches a hierarchical kernel: `f` is called for each work-group; see <sycl/hierarchical.hpp>.
  template <class Name = detail::unnamed, int Dimensions, class F>
  void parallel_for_work_group(range<Dimensions> groups, range<Dimensions> work_items, const F &f,
                               std::source_location where = std::source_location::current()) {
    using function = detail::work_group_function<Dimensions, F>;
    using form = detail::nd_range_form<Dimensions>;
    using name = std::conditional_t<std::is_same_v<Name, detail::unnamed>, detail::kernel_of<F, form>, Name>;
    set_kernel<name, form>(detail::to_geometry(nd_range<Dimensions>(groups * work_items, work_items)), function{f},
                           where);
  }
  template <class Name = detail::unnamed, int Dimensions, class F>
  void parallel_for_work_group(range<Dimensions> groups, const F &f,
                               std::source_location where = std::source_location::current()) {
    range<Dimensions> one;
    for (int i = 0; i < Dimensions; i++) one[i] = 1;
    parallel_for_work_group<Name>(groups, one, f, where);
  }

  /// Runs `f()` or `f(interop_handle)` on a thread of the runtime.
  template <class F> void host_task(F &&f) {
    set_action([f = std::forward<F>(f), context = queue_.get_context()](const dpep::queue &queue,
                                                                        dpep::dependencies after, std::size_t) mutable {
      return queue.host_task(
          [f = std::move(f), queue]() mutable {
            if constexpr (std::is_invocable_v<F &, interop_handle>)
              f(interop_handle(queue));
            else
              f();
          },
          after);
    });
  }

  template <class F> void codeplay_host_task(F &&f) { host_task(std::forward<F>(f)); }  // before SYCL 2020

  void memcpy(void *to, const void *from, std::size_t bytes) {
    set_action(
        [=](const dpep::queue &q, dpep::dependencies after, std::size_t) { return q.copy(to, from, bytes, after); });
  }
  template <class T> void copy(const T *from, T *to, std::size_t count) { memcpy(to, from, count * sizeof(T)); }
  void memset(void *to, int value, std::size_t bytes) {
    set_action([=](const dpep::queue &q, dpep::dependencies after, std::size_t) {
      const auto byte = static_cast<unsigned char>(value);
      return q.fill(to, &byte, 1, bytes, after);
    });
  }
  template <class T> void fill(void *to, const T &pattern, std::size_t count) {
    static_assert(detail::is_copied_as_bytes<T>, "fill: the pattern must be device copyable, as kernels' arguments");
    set_action([=](const dpep::queue &q, dpep::dependencies after, std::size_t) {
      return q.fill(to, &pattern, sizeof(T), count, after);
    });
  }
  void prefetch(const void *pointer, std::size_t bytes) {
    set_action(
        [=](const dpep::queue &q, dpep::dependencies after, std::size_t) { return q.prefetch(pointer, bytes, after); });
  }
  void mem_advise(const void *pointer, std::size_t bytes, int advice) {
    set_action([=](const dpep::queue &q, dpep::dependencies after, std::size_t) {
      return q.advise(pointer, bytes, static_cast<dpep::memory_advice>(advice), after);
    });
  }
  // Copies to and from a variable on the queue's device (extension sycl_ext_oneapi_device_global), beginning at a byte
  // or an element of it.
  template <class T, class P>
  void memcpy(ext::oneapi::experimental::device_global<T, P> &to, const void *from, std::size_t bytes = sizeof(T),
              std::size_t offset = 0) {
    memcpy(detail::device_global_to_write(to, queue_, "handler::memcpy", offset, bytes), from, bytes);
  }
  template <class T, class P>
  void memcpy(void *to, const ext::oneapi::experimental::device_global<T, P> &from, std::size_t bytes = sizeof(T),
              std::size_t offset = 0) {
    memcpy(to, detail::device_global_to_read(from, queue_, "handler::memcpy", offset, bytes), bytes);
  }
  template <class T, class P>
  void copy(const std::remove_all_extents_t<T> *from, ext::oneapi::experimental::device_global<T, P> &to,
            std::size_t count = detail::count_of<T>, std::size_t start = 0) {
    using element = std::remove_all_extents_t<T>;
    memcpy(to, from, count * sizeof(element), start * sizeof(element));
  }
  template <class T, class P>
  void copy(const ext::oneapi::experimental::device_global<T, P> &from, std::remove_all_extents_t<T> *to,
            std::size_t count = detail::count_of<T>, std::size_t start = 0) {
    using element = std::remove_all_extents_t<T>;
    memcpy(to, from, count * sizeof(element), start * sizeof(element));
  }
  // Rows of bytes or elements with padding between them (extension sycl_ext_oneapi_memcpy2d). A pitch is the distance
  // between the first bytes or elements of two rows.
  void ext_oneapi_memcpy2d(void *to, std::size_t to_pitch, const void *from, std::size_t from_pitch, std::size_t width,
                           std::size_t height) {
    copy_boxes(detail::pitched_box("ext_oneapi_memcpy2d", "destination", to, to_pitch, width, height),
               detail::pitched_box("ext_oneapi_memcpy2d", "source", from, from_pitch, width, height));
  }
  template <class T>
  void ext_oneapi_copy2d(const T *from, std::size_t from_pitch, T *to, std::size_t to_pitch, std::size_t width,
                         std::size_t height) {
    copy_boxes(detail::pitched_box("ext_oneapi_copy2d", "destination", to, to_pitch, width, height, sizeof(T)),
               detail::pitched_box("ext_oneapi_copy2d", "source", from, from_pitch, width, height, sizeof(T)));
  }
  void ext_oneapi_memset2d(void *to, std::size_t to_pitch, int value, std::size_t width, std::size_t height) {
    fill_box(detail::pitched_box("ext_oneapi_memset2d", "destination", to, to_pitch, width, height),
             static_cast<unsigned char>(value));
  }
  template <class T>
  void ext_oneapi_fill2d(void *to, std::size_t to_pitch, const T &pattern, std::size_t width, std::size_t height) {
    static_assert(is_device_copyable_v<T>);
    fill_box(detail::pitched_box("ext_oneapi_fill2d", "destination", to, to_pitch, width, height, sizeof(T)), pattern);
  }

  // Copies between the elements of accessors, in row-major order, and host or USM memory.
  template <detail::device_accessor Source, class T> void copy(const Source &from, T *to) {
    copy_boxes(detail::packed_box(to, from), from.box());
  }
  template <class T, detail::device_accessor Destination> void copy(const T *from, const Destination &to) {
    copy_boxes(to.box(), detail::packed_box(from, to));
  }
  template <detail::device_accessor Source, class T> void copy(const Source &from, std::shared_ptr<T> to) {
    copy(from, to.get());
    owner_ = std::move(to);
  }
  template <class T, detail::device_accessor Destination> void copy(std::shared_ptr<T> from, const Destination &to) {
    copy(from.get(), to);
    owner_ = std::move(from);
  }
  template <detail::device_accessor Source, detail::device_accessor Destination>
  void copy(const Source &from, const Destination &to) {
    detail::box target = to.box();
    const detail::box source = from.box();
    if (!target.shrink_to(source))
      throw exception(errc::invalid, "handler::copy: the destination's range is smaller than the source's");
    copy_boxes(target, source);
  }
  template <detail::device_accessor Destination>
  void fill(const Destination &to, const std::remove_const_t<typename Destination::value_type> &pattern) {
    fill_box(to.box(), pattern);
  }
  /// Updates the host's copy of the elements: the memory that the buffer was constructed with, if any.
  template <detail::device_accessor Accessor> void update_host(const Accessor &) {
    set_action([buffers = requirements_.buffers()](const dpep::queue &q, dpep::dependencies after, std::size_t) {
      std::vector<dpep::event> done;
      for (const dpep::buffer &b : buffers) done.push_back(b.update_host(q, after));
      return done.size() == 1 ? done.front() : q.barrier(done);
    });
  }

  /// Sets a value that kernels of this command group read through their kernel_handler.
  template <auto &Id>
  void set_specialization_constant(const typename std::remove_cvref_t<decltype(Id)>::value_type &value) {
    expect_no_command();
    expect_no_bundle("set");
    if (!values_) values_ = std::make_unique<detail::specialization_values>();
    values_->set<Id>(value);
  }
  template <auto &Id> auto get_specialization_constant() const {
    expect_no_bundle("get");
    return values_ ? values_->get<Id>() : Id.initial();
  }

  /// Uses the specialization constants of a bundle, which must have the command group's kernel. Its kernels are
  /// compiled when they are launched.
  template <class Bundle> void use_kernel_bundle(const Bundle &bundle) {
    if (!(bundle.get_context() == queue_.get_context()))
      throw exception(errc::invalid,
                      "handler::use_kernel_bundle: the bundle belongs to another context than the queue");
    expect_no_command();
    if (values_ && !has_bundle_)
      throw exception(errc::invalid, "handler::use_kernel_bundle: the command group has set specialization constants "
                                     "already; set those of the bundle instead");
    has_bundle_ = true;
    if (!bundle.has_all_kernels()) is_in_bundle_ = [bundle](const dpep::kernel &k) { return bundle.has_kernel(k); };
    if (!bundle.values().empty()) values_ = std::make_unique<detail::specialization_values>(bundle.values());
  }

  void ext_oneapi_barrier() {
    set_action([](const dpep::queue &q, dpep::dependencies after, std::size_t) { return q.barrier(after); });
  }
  void ext_oneapi_barrier(const std::vector<event> &before) {
    depends_on(before);
    if (after_.empty())
      set_action([](const dpep::queue &, dpep::dependencies, std::size_t) { return dpep::event(); });
    else
      ext_oneapi_barrier();
  }

  /// Runs a graph (extension sycl_ext_oneapi_graph).
  void ext_oneapi_graph(const detail::executable_command_graph &);

private:
  friend detail::handler_access;
  /// Submits the command, given its dependencies and the total size of its local accessors.
  using action = std::function<dpep::event(const dpep::queue &, dpep::dependencies, std::size_t local_bytes)>;
  /// Submits work that must follow the command, and returns an event for both.
  using follower = std::function<dpep::event(const dpep::queue &, const dpep::event &)>;
  static constexpr std::size_t inline_bytes = 512, inline_alignment = 16, most_local_words = 16;
  static constexpr std::size_t block_alignment = 128;  // a kernel's function object may hold a vec<double, 16>

  explicit handler(const dpep::queue &queue) noexcept : queue_(queue) {}

  void expect_no_command() const {
    if (kernel_ || action_)
      throw exception(errc::invalid, "handler: the command group has a command already; a command group is one kernel, "
                                     "copy or host task, so submit the other in its own");
  }

  void expect_no_bundle(const std::string &verb) const {
    if (has_bundle_)
      throw exception(errc::invalid, "handler::" + verb +
                                         "_specialization_constant: the command group uses a kernel "
                                         "bundle, which has the constants; " +
                                         verb + " those of the bundle instead");
  }

  void set_action(action a) {
    expect_no_command();
    action_ = std::move(a);
  }

  /// Copies the bytes of the kernel's function object: the original is destroyed before the command is submitted.
  template <class Name, class Form, class F>
  void set_kernel(const dpep::geometry &work, const F &f, std::source_location where) {
    expect_no_command();
    decltype(auto) object = detail::kernel_object<Form>(f, values_.get());
    detail::expect_no_references(object, where);
    if constexpr (!Form::has_groups && sizeof object >= detail::smallest_local_accessor)
      expect_no_local_accessors(object);
    kernel_ = &detail::find_kernel<Name, Form>(object);
    detail::check_group_size(queue_, work, *kernel_);
    if (is_in_bundle_ && !is_in_bundle_(*kernel_))
      throw exception(errc::kernel_not_supported,
                      "handler: the kernel " + kernel_->name() + " is not in the bundle of handler::use_kernel_bundle");
    work_ = work;
    where_ = where;
    argument_bytes_ = sizeof object;
    if constexpr (sizeof object > inline_bytes || alignof(std::remove_cvref_t<decltype(object)>) > inline_alignment)
      large_arguments_.reset(
          static_cast<std::byte *>(::operator new(sizeof object, std::align_val_t{block_alignment})));
    std::memcpy(arguments(), static_cast<const void *>(&object), sizeof object);
    if constexpr (sizeof object >= detail::smallest_accessor) bind_placeholders(object, arguments());
    if constexpr (Form::has_groups && sizeof object >= detail::smallest_local_accessor) find_local_ranges(object);
  }

  // The visitors of captured accessors. They are types of their own, and not lambdas in the templates below, which
  // would be compiled anew for each kernel, with all that visits the captured values.
  struct local_range_finder {
    handler &to;
    const void *object;

    void operator()(const detail::local_accessor_found &accessor) const {
      const std::size_t words = accessor.bytes / sizeof(std::size_t);
      if (accessor.dimensions < 2 || to.local_words_ + words > most_local_words) return;
      const auto offset = static_cast<const std::byte *>(accessor.object) - static_cast<const std::byte *>(object);
      for (std::size_t i = 0; i < words; i++)
        to.local_word_offsets_[to.local_words_++] = static_cast<std::uint32_t>(offset + i * sizeof(std::size_t));
    }
    template <class Accessor> void operator()(const Accessor &) const {}
  };
  struct placeholder_binder {
    const detail::requirements &required;
    const void *object;
    std::byte *copy;

    template <class Accessor> void operator()([[maybe_unused]] const Accessor &accessor) const {
      if constexpr (requires { accessor.is_placeholder(); }) {
        if (!accessor.is_placeholder()) return;
        const auto bound = accessor.bound_in(required);
        const auto offset = reinterpret_cast<const std::byte *>(&accessor) - static_cast<const std::byte *>(object);
        std::memcpy(copy + offset, static_cast<const void *>(&bound), sizeof bound);
      }
    }
  };
  struct local_accessor_refuser {
    [[noreturn]] void operator()(const detail::local_accessor_found &) const {
      throw exception(errc::kernel_argument,
                      "handler: local accessors are memory of a work-group, and this kernel has none; launch it over "
                      "an nd_range");
    }
    template <class Accessor> void operator()(const Accessor &) const {}
  };

  /// Lists the words of captured local accessors with several dimensions. Their ranges are the strides of elements,
  /// which programs rarely change, and code for their values multiplies by constants.
  template <class Object> void find_local_ranges(const Object &object) {
    if (local_bytes_) detail::for_captured_accessors(object, local_range_finder{*this, &object});
  }
  /// Writes the addresses of captured placeholders into a copy of the kernel's function object.
  template <class Object> void bind_placeholders(const Object &object, std::byte *copy) const {
    detail::for_captured_accessors(object, placeholder_binder{requirements_, &object, copy});
  }
  /// Refuses captured local accessors, for kernels without work-groups.
  template <class Object> void expect_no_local_accessors(const Object &object) const {
    if (local_bytes_) detail::for_captured_accessors(object, local_accessor_refuser{});
  }

  void set_kernel(const dpep::geometry &work, const kernel &, std::source_location);  // for kernels from bundles

  void copy_boxes(const detail::box &to, const detail::box &from) {
    set_action([to, from](const dpep::queue &q, dpep::dependencies after, std::size_t) {
      return detail::for_rows(q, after, to, from, [&](std::byte *to_row, const std::byte *from_row, std::size_t bytes) {
        return q.copy(to_row, from_row, bytes, after);
      });
    });
  }

  template <class T> void fill_box(const detail::box &to, const T &pattern) {
    set_action([to, pattern](const dpep::queue &q, dpep::dependencies after, std::size_t) {
      return detail::for_rows(q, after, to, to, [&](std::byte *row, const std::byte *, std::size_t bytes) {
        return q.fill(row, &pattern, sizeof pattern, bytes / sizeof pattern, after);
      });
    });
  }

  /// Returns a counter that is zero when the kernel starts. The command keeps it alive.
  std::uint64_t *make_root_counter() {
    const dpep::context context = queue_.get_context();
    const bool host = queue_.get_device().info().backend == dpep::backend_kind::native_cpu;
    auto *const counter =
        static_cast<std::uint64_t *>(dpep::allocate(host ? dpep::usm_kind::shared : dpep::usm_kind::device,
                                                    sizeof(std::uint64_t), 64, context, queue_.get_device()));
    owner_ = std::shared_ptr<void>(counter, [context](void *p) { dpep::free(p, context); });
    const std::uint64_t zero = 0;
    if (host)
      *counter = zero;
    else
      after_.push_back(queue_.fill(counter, &zero, sizeof zero, 1));
    return counter;
  }

  std::byte *arguments() noexcept { return large_arguments_ ? large_arguments_.get() : small_arguments_; }

  dpep::event run() {
    if (kernel_)
      return dpep::launch(queue_, *kernel_, work_, {arguments(), argument_bytes_},
                          {{local_word_offsets_, local_words_}, has_buffers_ && has_small_buffers_},
                          work_.local[0] ? local_bytes_ : 0, after_, where_);
    if (action_) return action_(queue_, after_, local_bytes_);
    if (dpep::graph::recorded_by(queue_)) return dpep::graph::add_empty(queue_, after_);
    return after_.empty() ? dpep::event() : queue_.barrier(after_);
  }

  dpep::event submit() {
    dpep::event done = requirements_.empty() ? run() : requirements_.submit(queue_, after_, [this] { return run(); });
    try {
      for (const follower &next : followers_) done = next(queue_, done);
      if (owner_ && done) done.keep_alive(std::const_pointer_cast<void>(owner_));
    } catch (...) {  // the command uses memory that the handler and the followers own
      done.wait();
      throw;
    }
    return done;
  }

  const dpep::queue &queue_;
  std::vector<dpep::event> after_;
  std::shared_ptr<const void> owner_;  // keeps memory alive that the command uses
  std::unique_ptr<detail::specialization_values> values_;
  bool has_bundle_ = false;
  std::function<bool(const dpep::kernel &)> is_in_bundle_;   // whether the used bundle has a kernel; empty: all of them
  std::unique_ptr<detail::kernel_arguments> set_arguments_;  // of set_arg
  detail::requirements requirements_;
  std::size_t local_bytes_ = 0;  // of all local accessors
  action action_;
  std::vector<follower> followers_;

  const dpep::kernel *kernel_ = nullptr;
  dpep::kernel owned_kernel_;  // for kernels from bundles: their objects may be destroyed before submission
  dpep::geometry work_;
  std::source_location where_;
  std::size_t argument_bytes_ = 0, local_words_ = 0;
  std::uint32_t local_word_offsets_[most_local_words];   // not initialised: find_local_ranges sets the used part
  bool has_buffers_ = false, has_small_buffers_ = true;  // with several dimensions
  struct delete_block {
    void operator()(std::byte *block) const noexcept { ::operator delete(block, std::align_val_t{block_alignment}); }
  };
  std::unique_ptr<std::byte, delete_block> large_arguments_;  // instead of small_arguments_
  alignas(inline_alignment) std::byte
      small_arguments_[inline_bytes];  // not initialised: set_kernel fills the used part
};

namespace detail {

/// Access to a handler's internals for the other headers.
struct handler_access {
  template <class CommandGroup> static dpep::event submit(const dpep::queue &queue, CommandGroup &group) {
    handler h(queue);
    group(h);
    return h.submit();
  }
  static const dpep::queue &queue(const handler &h) { return h.queue_; }
  static detail::requirements &requirements(handler &h) { return h.requirements_; }
  static void set_action(handler &h, handler::action a) { h.set_action(std::move(a)); }
  /// Records that the command accesses a buffer with several dimensions.
  static void add_buffer(handler &h, std::size_t elements) {
    h.has_buffers_ = true;
    h.has_small_buffers_ &= elements < dpep::argument_facts::small_buffer;
  }
  template <class F> static F with_placeholders_bound(const handler &h, const F &f) {
    F copy = f;
    if constexpr (sizeof f >= smallest_accessor) h.bind_placeholders(f, reinterpret_cast<std::byte *>(&copy));
    return copy;
  }
  static void add_follower(handler &h, handler::follower f) { h.followers_.push_back(std::move(f)); }
  /// Reserves `bytes` of the command's local memory and returns the offset, a multiple of 16 and of the alignment.
  static std::size_t take_local(handler &h, std::size_t bytes, std::size_t alignment) {
    alignment = std::max<std::size_t>(alignment, 16);
    const std::size_t offset = (h.local_bytes_ + alignment - 1) / alignment * alignment;
    h.local_bytes_ = offset + bytes;
    return offset;
  }
};

}  // namespace detail

}  // namespace sycl
