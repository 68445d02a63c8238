// Launches C++ function objects as kernels: the kernel entry that the device pass compiles, and its name.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include <dpep/kernel.hpp>
#include <dpep/kernel_reports.hpp>

#include <sycl/detail/assert.hpp>
#include <sycl/detail/device_image.hpp>
#include <sycl/detail/geometry.hpp>
#include <sycl/detail/placeholder.hpp>
#include <sycl/detail/required_sizes.hpp>
#include <sycl/device_copyable.hpp>
#include <sycl/ext/oneapi/experimental/properties.hpp>
#include <sycl/item.hpp>
#include <sycl/kernel_handler.hpp>
#include <sycl/nd_item.hpp>

namespace sycl::detail {

struct unnamed;                                  // the kernel name of unnamed kernels
template <class F, class Form> class kernel_of;  // the entry's name for unnamed kernels

template <class Name, class Form, class F>
using kernel_name = std::conditional_t<std::is_same_v<Name, unnamed>, kernel_of<F, Form>, Name>;

/// A kernel's function with a kernel_handler parameter, and the values that the handler reads.
template <class F> struct function_with_values {
  F function;
  specialization_values values;
};

template <class F> inline constexpr bool is_function_with_values = false;
template <class F> inline constexpr bool is_function_with_values<function_with_values<F>> = true;

template <class F, class... Arguments> void call_kernel(const F &f, const Arguments &...arguments) {
  apply_properties_of(f);
  f(arguments...);
}
template <class F, class... Arguments>
void call_kernel(const function_with_values<F> &f, const Arguments &...arguments) {
  apply_properties_of(f.function);
  f.function(arguments..., kernel_handler(f.values));
}

// Forms: how a kernel's function is called for each work-item. Functions with an id, a number or another type to which
// an item converts are called with an item.

/// Whether const objects of type F are called with such arguments. std::is_invocable asks the same by six class
/// templates, which every kernel would instantiate.
template <class F, class... Arguments>
concept callable = requires(const F &f, Arguments &&...arguments) { f(static_cast<Arguments &&>(arguments)...); };

struct single_task_form {
  static constexpr bool has_groups = false;
  template <class F, class... More> static constexpr bool calls = callable<F, More...>;
  template <class F> static void call(const F &f) { call_kernel(f); }
};

template <int Dimensions> struct range_form {
  static constexpr bool has_groups = false;
  template <class F, class... More> static constexpr bool calls = callable<F, item<Dimensions>, More...>;
  template <class F> static void call(const F &f) {
    call_kernel(f, item_maker::make(query<id<Dimensions>, __dpep_global_id>(),
                                    query<range<Dimensions>, __dpep_global_size>(),
                                    query<id<Dimensions>, __dpep_global_offset>()));
  }
};

template <int Dimensions> struct nd_range_form {
  static constexpr bool has_groups = true;
  template <class F, class... More> static constexpr bool calls = callable<F, nd_item<Dimensions>, More...>;
  template <class F> static void call(const F &f) { call_kernel(f, nd_item_maker::make<Dimensions>()); }
};

/// The names of the program's kernels that have a kernel_handler: those that may read specialization constants.
inline std::vector<std::string> &kernels_with_values() {
  static std::vector<std::string> names;
  return names;
}
#if defined(DPEP_HAS_DEVICE_IMAGE) && !defined(__SYCL_DEVICE_ONLY__)
template <class UniqueName> struct reads_values {
  static inline const bool known =
      (kernels_with_values().emplace_back(__builtin_sycl_unique_stable_name(UniqueName)), true);
};
#endif

/// The kernel's object for `f`: `f` itself, or `f` with the values that its kernel_handler reads.
template <class Form, class F>
decltype(auto) kernel_object(const F &f, [[maybe_unused]] const specialization_values *values) {
  if constexpr (Form::template calls<F>)
    return static_cast<const F &>(f);
  else {
    static_assert(Form::template calls<F, kernel_handler>,
                  "the kernel's function must be callable, and be const, for an item of the range, an nd_item of the "
                  "nd_range or nothing for a single task; with a kernel_handler after it or not");
    return function_with_values<F>{f, values ? *values : specialization_values()};
  }
}

#if defined(__SYCL_DEVICE_ONLY__) || defined(DPEP_HAS_DEVICE_IMAGE)
/// The kernel entry. The device pass emits it as the kernel `_ZTS…`; the host pass emits no body.
template <class Name, class Form, class F> [[clang::sycl_kernel_entry_point(Name)]] void kernel_entry(const F *f) {
  Form::call(*f);
}
#endif

/// Returns the kernel that runs `f` in the given form. Hidden, so that libraries never share references to their
/// images.
template <class Name, class Form, class F>
[[gnu::visibility("hidden")]] const dpep::kernel &find_kernel([[maybe_unused]] const F &f) {
  static_assert(is_copied_as_bytes<F>,
                "a kernel's function and what it captures must be device copyable: plain values, "
                "USM pointers and accessors, no std::vector, std::string or references");
#if defined(__SYCL_DEVICE_ONLY__) || defined(DPEP_HAS_DEVICE_IMAGE)
  using unique_name = kernel_name<Name, Form, F>;
  kernel_entry<unique_name, Form, F>(&f);
#endif
#if defined(__SYCL_DEVICE_ONLY__)
  __builtin_unreachable();  // host code, which is only parsed in the device pass
#elif defined(DPEP_HAS_DEVICE_IMAGE)
  if constexpr (is_function_with_values<F>) static_cast<void>(reads_values<unique_name>::known);
  static const dpep::kernel kernel(this_image, __builtin_sycl_unique_stable_name(unique_name));
  return kernel;
#else
  static_assert(!sizeof(F),
                "source files with SYCL kernels are compiled by dpcxx, which compiles them for devices too");
#endif
}

template <class F> std::span<const std::byte> bytes_of(const F &f) {
  return {reinterpret_cast<const std::byte *>(&f), sizeof f};
}

/// Refuses work-groups that are larger than the device's max_work_group_size. The runtime accepts larger ones on CPUs,
/// for kernels in Python; SYCL requires the error. The runtime checks limits below 1024 itself.
inline void check_group_size(const dpep::queue &queue, const dpep::geometry &work, const dpep::kernel &kernel) {
  std::size_t items = 1;
  bool over = false;
  for (std::uint32_t d = 0; d < work.dimensions; ++d) over |= __builtin_mul_overflow(items, work.local[d], &items);
  if (!over && items <= 1024) return;
  const dpep::device device = queue.get_device();
  const std::size_t most = device.info().max_work_group_size;
  if (!over && items <= most) return;
  const auto required = dpep::required_sizes_of(kernel).work_group;
  throw exception(required[0] * required[1] * required[2] > most ? errc::kernel_not_supported : errc::nd_range,
                  "launch of a kernel: a work-group has " + (over ? "more than 2^64" : std::to_string(items)) +
                      " work-items; the device '" + device.info().name + "' allows at most " + std::to_string(most));
}

/// Launches `f` in the given form immediately. Command groups use handler instead.
template <class Name, class Form, class F>
dpep::event launch(const dpep::queue &queue, const dpep::geometry &work, const F &f, dpep::dependencies after = {},
                   std::size_t local_bytes = 0, std::source_location where = std::source_location::current()) {
  decltype(auto) object = kernel_object<Form>(f, nullptr);
  expect_no_placeholders(object);
  expect_no_references(object, where);
  const dpep::kernel &kernel = find_kernel<Name, Form>(object);
  check_group_size(queue, work, kernel);
  return dpep::launch(queue, kernel, work, bytes_of(object), local_bytes, after, where);
}

}  // namespace sycl::detail
