// Inspects a kernel's captured values, by their types, before the kernel is launched: finds placeholder accessors, and
// refuses references.
#pragma once

#include <cstddef>
#include <source_location>
#include <string>
#include <type_traits>

#include <sycl/access.hpp>
#include <sycl/exception.hpp>

namespace sycl {

template <class T, int Dimensions, access_mode Mode, target Target, access::placeholder Placeholder> class accessor;
template <class T, int Dimensions> class local_accessor;

namespace detail {

constexpr std::size_t smallest_accessor = 56;        // bytes; checked in <sycl/accessor.hpp>
constexpr std::size_t smallest_local_accessor = 16;  // bytes; checked in <sycl/local_accessor.hpp>

[[noreturn, gnu::cold]] inline void throw_unbound(const char *operation) {
  throw exception(errc::kernel_argument, std::string(operation) +
                                             " uses a placeholder accessor that was not required: call "
                                             "handler::require(accessor) in the command group before it");
}

template <class Object, class F> void for_captured_accessors(const Object &object, const F &f);

/// A captured local accessor: an offset in the launch's local memory and a range, each number a word.
struct local_accessor_found {
  const void *object;
  int dimensions;
  std::size_t bytes;
};

// The captured object at an address: an accessor, an array, or an object that may contain accessors.
template <class T, class F> void for_accessors_at([[maybe_unused]] const T *object, [[maybe_unused]] const F &f) {
  if constexpr (std::is_array_v<T>) {
    if constexpr (std::is_class_v<std::remove_all_extents_t<T>>)
      for (const auto &element : *object) for_accessors_at(&element, f);
  } else if constexpr (std::is_class_v<T>)
    for_captured_accessors(*object, f);
}
template <class T, int D, access_mode M, target G, access::placeholder P, class F>
void for_accessors_at([[maybe_unused]] const accessor<T, D, M, G, P> *object, [[maybe_unused]] const F &f) {
  if constexpr (G == target::local)
    f(local_accessor_found{object, D, sizeof *object});
  else if constexpr (G != target::host_buffer && G != target::image && G != target::host_image &&
                     G != target::image_array)
    f(*object);
}
template <class T, int D, class F>
void for_accessors_at([[maybe_unused]] const local_accessor<T, D> *object, [[maybe_unused]] const F &f) {
  f(local_accessor_found{object, D, sizeof *object});
}

/// Receives what __builtin_dump_struct prints of an object: for each member a format, strings, and the member's value
/// if printf can print it. Of another member it is the address, the only pointer that is not an lvalue.
template <class F> struct member_visitor {
  const F &f;
  template <class T> void operator()(const char *, const char *, const char *, const char *, T &&member) const {
    using value = std::remove_reference_t<T>;
    if constexpr (!std::is_lvalue_reference_v<T &&> && std::is_pointer_v<value>)
      if constexpr (!std::is_function_v<std::remove_pointer_t<value>>) for_accessors_at(member, f);
  }
  template <class... Others> void operator()(const Others &...) const {}  // braces, and bit-fields with their widths
};

/// Calls `f` with each accessor to a buffer, and with local_accessor_found for each local accessor, that the object
/// contains: among the captured values of a lambda, members of a function object, of their members and bases, and
/// elements of arrays.
template <class Object, class F> void for_captured_accessors(const Object &object, const F &f) {
  if constexpr (!__is_empty(Object)) __builtin_dump_struct(&object, member_visitor<F>{f});
}

template <class Object> void expect_no_references(const Object &object, std::source_location where);

/// As member_visitor, but looks at the names of the members' types.
struct reference_visitor {
  std::source_location where;

  template <class T> void operator()(const char *, const char *, const char *type, const char *, T &&member) const {
    using value = std::remove_reference_t<T>;
    if (type[__builtin_strlen(type) - 1] == '&') refuse(type);
    if constexpr (!std::is_lvalue_reference_v<T &&> && std::is_pointer_v<value>)
      if constexpr (std::is_class_v<std::remove_pointer_t<value>>) expect_no_references(*member, where);
  }
  template <class... Others> void operator()(const Others &...) const {}

private:
  [[noreturn, gnu::cold]] void refuse(const char *type) const {
    throw exception(errc::kernel_argument,
                    std::string("the kernel at ") + where.file_name() + ":" + std::to_string(where.line()) +
                        " captures a reference (" + type +
                        "), and a device cannot access the host's variables; capture by value, [=], and give results "
                        "back in USM memory or a buffer");
  }
};

/// Throws errc::kernel_argument if the kernel's function captures a variable by reference. A type with a reference
/// cannot be assigned to. The compiler's traits, here and elsewhere in what each kernel instantiates: the standard
/// library's are several templates each.
template <class Object> void expect_no_references(const Object &object, std::source_location where) {
  if constexpr (!__is_empty(Object) && !__is_assignable(Object &, const Object &))
    __builtin_dump_struct(&object, reference_visitor{where});
}

struct placeholder_refuser {
  template <class Accessor> void operator()([[maybe_unused]] const Accessor &accessor) const {
    if constexpr (requires { accessor.is_placeholder(); })
      if (accessor.is_placeholder()) throw_unbound("the kernel");
  }
};
/// Throws if a captured accessor is a placeholder, for launches without a command group.
template <class F> void expect_no_placeholders([[maybe_unused]] const F &kernel) {
  if constexpr (sizeof(F) >= smallest_accessor) for_captured_accessors(kernel, placeholder_refuser{});
}

}  // namespace detail
}  // namespace sycl
