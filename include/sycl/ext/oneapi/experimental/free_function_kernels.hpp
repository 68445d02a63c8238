// Functions that are kernels, with parameters as the kernel's arguments (extension
// sycl_ext_oneapi_free_function_kernels).
//
// dpcxx reads the macro and states, behind the function, what it says: which functions are kernels (mark_kernel), and
// behind a definition that the unit's image has its kernel (define_kernel). Of templates, and of functions declared in
// other files than the source itself, nothing is stated: the traits are false, and the units that use the kernel define
// it.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <dpep/program.hpp>

#include <sycl/detail/kernel_arguments.hpp>
#include <sycl/ext/oneapi/experimental/enqueue_functions.hpp>
#include <sycl/kernel_bundle.hpp>

#define SYCL_EXT_ONEAPI_FREE_FUNCTION_KERNELS 1
#ifdef DPEP_KEEP_FUNCTION_PROPERTY  // dpcxx preprocesses programs before it reads the macro
#define SYCL_EXT_ONEAPI_FUNCTION_PROPERTY SYCL_EXT_ONEAPI_FUNCTION_PROPERTY
#else
#define SYCL_EXT_ONEAPI_FUNCTION_PROPERTY(...)
#endif

namespace sycl::ext::oneapi::experimental {

struct nd_range_kernel_key : detail::property_key_base {
  template <int Dims> using value_t = property_value<nd_range_kernel_key, std::integral_constant<int, Dims>>;
};
struct single_task_kernel_key : detail::property_key_base {
  using value_t = property_value<single_task_kernel_key>;
};
/// A kernel's property, with the number of its dimensions.
template <int Dims>
struct property_value<nd_range_kernel_key, std::integral_constant<int, Dims>>
    : detail::first_value<std::integral_constant<int, Dims>> {
  using key_t = nd_range_kernel_key;
  static constexpr int dimensions = Dims;
  friend constexpr bool operator==(property_value, property_value) { return true; }
};
template <int Dims> inline constexpr nd_range_kernel_key::value_t<Dims> nd_range_kernel;
inline constexpr single_task_kernel_key::value_t single_task_kernel;

}  // namespace sycl::ext::oneapi::experimental

namespace sycl::detail {

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-internal"
/// Stands for a function in the call of properties_of, which mark_kernel defines for kernels.
template <auto *Function> struct function_tag {
  friend constexpr auto properties_of(function_tag<Function>);
};
template <auto *Function, class Properties> struct mark_kernel {
  friend constexpr auto properties_of(function_tag<Function>) { return Properties(); }
};
template <auto *Function>
concept is_marked_kernel = requires { properties_of(function_tag<Function>()); };
#pragma clang diagnostic pop

template <auto *Function, class Key> constexpr bool has_function_property() {
  if constexpr (is_marked_kernel<Function>)
    return decltype(properties_of(function_tag<Function>()))::template has_property<Key>();
  else
    return false;
}
template <auto *Function> constexpr int dimensions_of_kernel() {
  using key = ext::oneapi::experimental::nd_range_kernel_key;
  if constexpr (has_function_property<Function, key>())
    return decltype(properties_of(function_tag<Function>()).template get_property<key>())::dimensions;
  else
    return 0;
}

/// The arguments of a function in memory, in order.
template <class... A> struct argument_list {};
template <class First, class... Others> struct argument_list<First, Others...> {
  First first;
  [[no_unique_address]] argument_list<Others...> others;
};

template <class Call> void call_with(const argument_list<> &, const Call &call) { call(); }
template <class First, class... Others, class Call>
void call_with(const argument_list<First, Others...> &all, const Call &call) {
  call_with(all.others, [&](const auto &...others) { call(all.first, others...); });
}

template <class First, class... Others>
argument_list<First, Others...> make_argument_list(const First &first, const Others &...others) {
  if constexpr (sizeof...(Others) == 0)
    return {first, {}};
  else
    return {first, make_argument_list<Others...>(others...)};
}

/// An argument's place in memory. Of local memory, the place of its accessor.
struct argument_place {
  dpep::argument_kind kind;
  std::size_t bytes, alignment, offset = 0;
  std::size_t element_bytes = 0, dimensions = 0;  // of local memory
};

template <class T> constexpr argument_place place_of() {
  static_assert(std::is_trivially_copyable_v<T>, "a parameter of a kernel function is a pointer, local memory or a "
                                                 "trivially copyable value");
  if constexpr (local_memory_argument<T>) {
    argument_place made{dpep::argument_kind::local, sizeof(T), alignof(T), 0, sizeof(typename T::value_type), 1};
    if constexpr (requires { T::dimensions; }) made.dimensions = T::dimensions;
    return made;
  } else {
    return {std::is_pointer_v<T> ? dpep::argument_kind::global : dpep::argument_kind::value, sizeof(T), alignof(T)};
  }
}

/// The places of all arguments in an argument_list.
template <class... A> constexpr std::array<argument_place, sizeof...(A)> places_of() {
  std::array<argument_place, sizeof...(A)> places{place_of<A>()...};
  for (std::size_t i = 1; i < places.size(); ++i) {
    std::size_t alignment = 1;  // that of the list of this argument and the following ones
    for (std::size_t j = i; j < places.size(); ++j) alignment = std::max(alignment, places[j].alignment);
    places[i].offset = (places[i - 1].offset + places[i - 1].bytes + alignment - 1) / alignment * alignment;
  }
  return places;
}

/// The function object of the kernel: its name, and its layout.
template <auto *Function, class Signature = std::remove_pointer_t<decltype(Function)>> struct free_function;
template <auto *Function, class... A, bool NoThrow> struct free_function<Function, void(A...) noexcept(NoThrow)> {
  using list = argument_list<A...>;
  list arguments;
  void operator()() const {
    call_with(arguments, [](const auto &...all) { Function(all...); });
  }
  template <class... Given> static free_function make(const Given &...given) {
    if constexpr (sizeof...(A) == 0)
      return {};
    else
      return {make_argument_list<A...>(static_cast<A>(given)...)};
  }
  static constexpr std::array<argument_place, sizeof...(A)> places = places_of<A...>();
  static std::shared_ptr<const dpep::kernel_properties> properties(const std::string &name) {
    auto made = std::make_shared<dpep::kernel_properties>();
    made->name = made->symbol = name;
    for (const argument_place &place : places)
      made->arguments.push_back({.name = std::to_string(made->arguments.size() + 1),
                                 .type = place.kind == dpep::argument_kind::global  ? "a pointer"
                                         : place.kind == dpep::argument_kind::local ? "local memory"
                                                                                    : "a value",
                                 .kind = place.kind,
                                 .bytes = place.bytes,
                                 .alignment = place.alignment,
                                 .offset = place.offset,
                                 .element_bytes = place.element_bytes,
                                 .dimensions = place.dimensions});
    made->argument_bytes = sizeof(free_function);
    return made;
  }
};
template <auto *Function> struct free_function_kernel;  // the kernel's name

/// Puts the kernel into this unit's image.
template <auto *Function> [[gnu::visibility("hidden")]] bool define_kernel() {
#if defined(__SYCL_DEVICE_ONLY__) || defined(DPEP_HAS_DEVICE_IMAGE)
  kernel_entry<free_function_kernel<Function>, single_task_form, free_function<Function>>(nullptr);
#endif
  return true;
}

/// The kernel of the function: that of the unit that defines the function if it is known to be a kernel, otherwise this
/// unit's.
template <auto *Function> [[gnu::visibility("hidden")]] const dpep::kernel &kernel_of_function() {
#ifdef __SYCL_DEVICE_ONLY__
  if constexpr (!is_marked_kernel<Function>) define_kernel<Function>();
  __builtin_unreachable();
#elif __has_builtin(__builtin_sycl_unique_stable_name) || defined(DPEP_HAS_DEVICE_IMAGE)
  if constexpr (!is_marked_kernel<Function>) define_kernel<Function>();
  static const dpep::kernel kernel = kernel_named(__builtin_sycl_unique_stable_name(free_function_kernel<Function>));
  return kernel;
#else
  static_assert(!sizeof(Function), "source files with SYCL kernels are compiled by dpcxx");
#endif
}

template <auto *Function, class... Given>
void launch_function(handler &h, const dpep::geometry &work, std::source_location where, const Given &...given) {
  handler_access::set_action(h, [object = free_function<Function>::make(given...), work,
                                 where](const dpep::queue &queue, dpep::dependencies after, std::size_t local_bytes) {
    const dpep::kernel &kernel = kernel_of_function<Function>();
    check_group_size(queue, work, kernel);
    return dpep::launch(queue, kernel, work, bytes_of(object), local_bytes, after, where);
  });
}
template <auto *Function, class... Given>
void launch_function(const queue &q, const dpep::geometry &work, std::source_location where, const Given &...given) {
  q.submit([&](handler &h) { launch_function<Function>(h, work, where, given...); });
}

}  // namespace sycl::detail

namespace sycl::ext::oneapi::experimental {

template <auto *Function, int Dims>
struct is_nd_range_kernel : std::bool_constant<Dims != 0 && sycl::detail::dimensions_of_kernel<Function>() == Dims> {};
template <auto *Function, int Dims>
inline constexpr bool is_nd_range_kernel_v = is_nd_range_kernel<Function, Dims>::value;
template <auto *Function>
struct is_single_task_kernel
    : std::bool_constant<sycl::detail::has_function_property<Function, single_task_kernel_key>()> {};
template <auto *Function> inline constexpr bool is_single_task_kernel_v = is_single_task_kernel<Function>::value;
template <auto *Function> struct is_kernel : std::bool_constant<sycl::detail::is_marked_kernel<Function>> {};
template <auto *Function> inline constexpr bool is_kernel_v = is_kernel<Function>::value;

/// Names the function in launches.
template <auto *Function> struct kernel_function_s {};
template <auto *Function> inline constexpr kernel_function_s<Function> kernel_function;

namespace detail {
// Functions of which nothing is known may be any kernels.
template <auto *Function>
concept single_task_function = is_single_task_kernel_v<Function> || !is_kernel_v<Function>;
template <auto *Function, int D>
concept nd_range_function = is_nd_range_kernel_v<Function, D> || !is_kernel_v<Function>;
}  // namespace detail

template <auto *Function, detail::queue_or_handler To, class... A>
  requires detail::single_task_function<Function> && std::is_invocable_v<decltype(Function), A...>
void single_task(To &&to, kernel_function_s<Function>, const A &...arguments) {
  sycl::detail::launch_function<Function>(to, dpep::geometry(), std::source_location::current(), arguments...);
}
template <auto *Function, detail::queue_or_handler To, int D, class... A>
  requires detail::nd_range_function<Function, D> && std::is_invocable_v<decltype(Function), A...>
void nd_launch(To &&to, nd_range<D> work, kernel_function_s<Function>, const A &...arguments) {
  sycl::detail::launch_function<Function>(to, sycl::detail::to_geometry(work), std::source_location::current(),
                                          arguments...);
}
template <auto *Function, detail::queue_or_handler To, int D, class P, class... A>
  requires detail::nd_range_function<Function, D> && std::is_invocable_v<decltype(Function), A...>
void nd_launch(To &&to, const launch_config<nd_range<D>, P> &c, kernel_function_s<Function>, const A &...arguments) {
  static_assert(std::is_same_v<P, empty_properties_t>, "a launch of a kernel function has no properties of its own");
  sycl::detail::launch_function<Function>(to, sycl::detail::to_geometry(c.get_range()), c.where(), arguments...);
}

template <auto *Function> kernel_id get_kernel_id() {
  const dpep::kernel &kernel = sycl::detail::kernel_of_function<Function>();
  return sycl::detail::kernel_id_maker::make(kernel, sycl::detail::free_function<Function>::properties(kernel.name()));
}
template <auto *Function, bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &with, const std::vector<device> &devices) {
  return sycl::get_kernel_bundle<State>(with, devices, {get_kernel_id<Function>()});
}
template <auto *Function, bundle_state State> kernel_bundle<State> get_kernel_bundle(const context &with) {
  return get_kernel_bundle<Function, State>(with, with.get_devices());
}
template <auto *Function, bundle_state State>
bool has_kernel_bundle(const context &with, const std::vector<device> &devices) {
  return sycl::has_kernel_bundle<State>(with, devices, {get_kernel_id<Function>()});
}
template <auto *Function, bundle_state State> bool has_kernel_bundle(const context &with) {
  return has_kernel_bundle<Function, State>(with, with.get_devices());
}
template <auto *Function> bool is_compatible(const device &on) {
  return sycl::is_compatible({get_kernel_id<Function>()}, on);
}

/// Information about the kernel, for all devices, a device or a queue.
template <auto *Function, class Descriptor> typename Descriptor::return_type get_kernel_info(const context &with) {
  return get_kernel_bundle<Function, bundle_state::executable>(with)
      .get_kernel(get_kernel_id<Function>())
      .template get_info<Descriptor>();
}
template <auto *Function, class Descriptor>
typename Descriptor::return_type get_kernel_info(const context &with, const device &on) {
  return get_kernel_bundle<Function, bundle_state::executable>(with)
      .get_kernel(get_kernel_id<Function>())
      .template get_info<Descriptor>(on);
}
template <auto *Function, class Descriptor> typename Descriptor::return_type get_kernel_info(const queue &q) {
  return get_kernel_info<Function, Descriptor>(q.get_context(), q.get_device());
}

}  // namespace sycl::ext::oneapi::experimental

namespace sycl {

template <bundle_state State>
template <auto *Function>
kernel kernel_bundle<State>::ext_oneapi_get_kernel() const
  requires(State == bundle_state::executable)
{
  return get_kernel(ext::oneapi::experimental::get_kernel_id<Function>());
}
template <bundle_state State>
template <auto *Function>
bool kernel_bundle<State>::ext_oneapi_has_kernel() const noexcept {
  return has_kernel(ext::oneapi::experimental::get_kernel_id<Function>());
}
template <bundle_state State>
template <auto *Function>
bool kernel_bundle<State>::ext_oneapi_has_kernel(const device &on) const noexcept {
  return has_kernel(ext::oneapi::experimental::get_kernel_id<Function>(), on);
}

}  // namespace sycl
