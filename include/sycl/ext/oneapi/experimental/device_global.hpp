// Variables with storage on each device (extension sycl_ext_oneapi_device_global).
//
// The storage is one for each root device, which all contexts share. On the host, the object registers itself under a
// key that both passes compute from the place of its declaration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>

#include <dpep/device_variable.hpp>
#include <dpep/queue.hpp>

#include <sycl/detail/device_functions.hpp>
#include <sycl/device_copyable.hpp>
#include <sycl/ext/oneapi/experimental/properties.hpp>
#include <sycl/multi_ptr.hpp>

#define SYCL_EXT_ONEAPI_DEVICE_GLOBAL 1

/// The JIT finds the variables of this kind by their reference to this symbol (src/jit/compile/device_variables.cpp).
extern "C" const char __dpep_device_variable;

namespace sycl::ext::oneapi::experimental {

// Properties. They are promises of the program's, which devices here do not need; host_access is checked.

struct device_image_scope_key : detail::property_key_base {
  using value_t = property_value<device_image_scope_key>;
};
enum class host_access_enum { read, write, read_write, none };
struct host_access_key : detail::property_key_base {
  template <host_access_enum Access>
  using value_t = property_value<host_access_key, std::integral_constant<host_access_enum, Access>>;
};
enum class init_mode_enum { reprogram, reset };
struct init_mode_key : detail::property_key_base {
  template <init_mode_enum Trigger>
  using value_t = property_value<init_mode_key, std::integral_constant<init_mode_enum, Trigger>>;
};
struct implement_in_csr_key : detail::property_key_base {
  template <bool Enable> using value_t = property_value<implement_in_csr_key, std::bool_constant<Enable>>;
};

inline constexpr device_image_scope_key::value_t device_image_scope;
template <host_access_enum Access> inline constexpr host_access_key::value_t<Access> host_access;
inline constexpr host_access_key::value_t<host_access_enum::read> host_access_read;
inline constexpr host_access_key::value_t<host_access_enum::write> host_access_write;
inline constexpr host_access_key::value_t<host_access_enum::read_write> host_access_read_write;
inline constexpr host_access_key::value_t<host_access_enum::none> host_access_none;
template <init_mode_enum Trigger> inline constexpr init_mode_key::value_t<Trigger> init_mode;
inline constexpr init_mode_key::value_t<init_mode_enum::reprogram> init_mode_reprogram;
inline constexpr init_mode_key::value_t<init_mode_enum::reset> init_mode_reset;
template <bool Enable> inline constexpr implement_in_csr_key::value_t<Enable> implement_in_csr;
inline constexpr implement_in_csr_key::value_t<true> implement_in_csr_on;
inline constexpr implement_in_csr_key::value_t<false> implement_in_csr_off;

template <class T, class Properties = empty_properties_t> class device_global;

template <class T, class P> struct is_property_key_of<device_image_scope_key, device_global<T, P>> : std::true_type {};
template <class T, class P> struct is_property_key_of<host_access_key, device_global<T, P>> : std::true_type {};
template <class T, class P> struct is_property_key_of<init_mode_key, device_global<T, P>> : std::true_type {};
template <class T, class P> struct is_property_key_of<implement_in_csr_key, device_global<T, P>> : std::true_type {};

namespace detail {

template <class T> inline constexpr bool is_device_global = false;
template <class T, class P> inline constexpr bool is_device_global<device_global<T, P>> = true;

/// The key of dpep::device_variable.
template <class Variable> constexpr std::uint64_t variable_key(const std::source_location &where) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  const auto add = [&hash](unsigned char c) { hash = (hash ^ c) * 0x100000001b3; };
  for (const char *c = __PRETTY_FUNCTION__; *c; c++) add(static_cast<unsigned char>(*c));
  for (const char *c = where.file_name(); *c; c++) add(static_cast<unsigned char>(*c));
  for (unsigned shift = 0; shift < 32; shift += 8) add(static_cast<unsigned char>(where.line() >> shift));
  return (hash & ~std::uint64_t{0xfff}) | (where.column() & 0xfff);
}

/// An initial value: a T, which may be an array.
template <class T> struct initial_value {
  T value;
};

template <class P> constexpr bool host_may(host_access_enum wanted) {
  if constexpr (P::template has_property<host_access_key>()) {
    constexpr host_access_enum given = decltype(P::template get_property<host_access_key>())::value;
    return given == host_access_enum::read_write || given == wanted;
  }
  return true;
}

}  // namespace detail

/// A variable of the program, declared in a namespace or as a static member, of which each device has its own T.
/// Kernels read and write it; the host copies to and from it with a queue. Each declaration is on a line or in columns
/// of its own; in headers it is inline. Specialisations of a variable template need the program's symbol table.
template <class T, class Properties> class device_global {
  static_assert(std::is_trivially_destructible_v<T>, "device_global: T must be trivially destructible");

public:
  using element_type = std::remove_extent_t<T>;

// In the device pass the object is a constant; the initial value is the host's.
#ifdef __SYCL_DEVICE_ONLY__
#define DPEP_DEVICE_GLOBAL_CONSTRUCTOR constexpr
#define DPEP_INITIAL(...) 0
#else
#define DPEP_DEVICE_GLOBAL_CONSTRUCTOR
#define DPEP_INITIAL(...) __VA_ARGS__
#endif
  DPEP_DEVICE_GLOBAL_CONSTRUCTOR device_global(std::source_location where = std::source_location::current())
      : device_global(where, DPEP_INITIAL(detail::initial_value<T>{})) {}
// The place is the last argument, behind which a parameter pack could not be deduced: an overload for each number.
#define DPEP_NAMES(...) __VA_ARGS__
#define DPEP_DEVICE_GLOBAL_VALUES(types, parameters, arguments)                                                        \
  template <types>                                                                                                     \
    requires(!detail::is_device_global<A0>)                                                                            \
  DPEP_DEVICE_GLOBAL_CONSTRUCTOR explicit device_global(parameters,                                                    \
                                                        std::source_location where = std::source_location::current())  \
      : device_global(where, DPEP_INITIAL(make(arguments))) {}
  DPEP_DEVICE_GLOBAL_VALUES(class A0, const A0 &a0, a0)
  DPEP_DEVICE_GLOBAL_VALUES(DPEP_NAMES(class A0, class A1), DPEP_NAMES(const A0 &a0, const A1 &a1), DPEP_NAMES(a0, a1))
  DPEP_DEVICE_GLOBAL_VALUES(DPEP_NAMES(class A0, class A1, class A2),
                            DPEP_NAMES(const A0 &a0, const A1 &a1, const A2 &a2), DPEP_NAMES(a0, a1, a2))
  DPEP_DEVICE_GLOBAL_VALUES(DPEP_NAMES(class A0, class A1, class A2, class A3),
                            DPEP_NAMES(const A0 &a0, const A1 &a1, const A2 &a2, const A3 &a3),
                            DPEP_NAMES(a0, a1, a2, a3))
  DPEP_DEVICE_GLOBAL_VALUES(DPEP_NAMES(class A0, class A1, class A2, class A3, class A4),
                            DPEP_NAMES(const A0 &a0, const A1 &a1, const A2 &a2, const A3 &a3, const A4 &a4),
                            DPEP_NAMES(a0, a1, a2, a3, a4))
  DPEP_DEVICE_GLOBAL_VALUES(DPEP_NAMES(class A0, class A1, class A2, class A3, class A4, class A5),
                            DPEP_NAMES(const A0 &a0, const A1 &a1, const A2 &a2, const A3 &a3, const A4 &a4,
                                       const A5 &a5),
                            DPEP_NAMES(a0, a1, a2, a3, a4, a5))
  DPEP_DEVICE_GLOBAL_VALUES(DPEP_NAMES(class A0, class A1, class A2, class A3, class A4, class A5, class A6),
                            DPEP_NAMES(const A0 &a0, const A1 &a1, const A2 &a2, const A3 &a3, const A4 &a4,
                                       const A5 &a5, const A6 &a6),
                            DPEP_NAMES(a0, a1, a2, a3, a4, a5, a6))
  DPEP_DEVICE_GLOBAL_VALUES(DPEP_NAMES(class A0, class A1, class A2, class A3, class A4, class A5, class A6, class A7),
                            DPEP_NAMES(const A0 &a0, const A1 &a1, const A2 &a2, const A3 &a3, const A4 &a4,
                                       const A5 &a5, const A6 &a6, const A7 &a7),
                            DPEP_NAMES(a0, a1, a2, a3, a4, a5, a6, a7))
#undef DPEP_DEVICE_GLOBAL_VALUES
#undef DPEP_NAMES
  /// The storage starts with the other's initial value.
  DPEP_DEVICE_GLOBAL_CONSTRUCTOR device_global([[maybe_unused]] const device_global &other,
                                               std::source_location where = std::source_location::current())
    requires(!Properties::template has_property<device_image_scope_key>())
      : device_global(where, DPEP_INITIAL(other.initial_)) {}
  template <class OtherT, class OtherProperties>
    requires(!Properties::template has_property<device_image_scope_key>() && std::is_convertible_v<OtherT, T>)
  DPEP_DEVICE_GLOBAL_CONSTRUCTOR device_global([[maybe_unused]] const device_global<OtherT, OtherProperties> &other,
                                               std::source_location where = std::source_location::current())
      : device_global(where, DPEP_INITIAL(detail::initial_value<T>{static_cast<T>(other.initial_.value)})) {}
#undef DPEP_INITIAL
#undef DPEP_DEVICE_GLOBAL_CONSTRUCTOR
  device_global(const device_global &&) = delete;
  device_global &operator=(const device_global &) = delete;
  device_global &operator=(const device_global &&) = delete;

  // For kernels only; the host has no access to the storage.
  T &get() noexcept { return *storage(); }
  const T &get() const noexcept { return *storage(); }
  operator T &() noexcept { return get(); }
  operator const T &() const noexcept { return get(); }
  template <access::decorated Decorated>
  multi_ptr<T, access::address_space::global_space, Decorated> get_multi_ptr() noexcept {
    return address_space_cast<access::address_space::global_space, Decorated>(&get());
  }
  template <access::decorated Decorated>
  multi_ptr<const T, access::address_space::global_space, Decorated> get_multi_ptr() const noexcept {
    return address_space_cast<access::address_space::global_space, Decorated>(&get());
  }
  device_global &operator=(const T &x) noexcept
    requires(!std::is_array_v<T>)
  {
    get() = x;
    return *this;
  }
  decltype(auto) operator[](std::ptrdiff_t index) noexcept
    requires requires(T &x) { x[std::ptrdiff_t{}]; }
  {
    return get()[index];
  }
  decltype(auto) operator[](std::ptrdiff_t index) const noexcept
    requires requires(const T &x) { x[std::ptrdiff_t{}]; }
  {
    return get()[index];
  }
  T &operator->() noexcept
    requires(std::is_pointer_v<T> || requires(T &x) { x.operator->(); })
  {
    return get();
  }
  const T &operator->() const noexcept
    requires(std::is_pointer_v<T> || requires(const T &x) { x.operator->(); })
  {
    return get();
  }

  template <class Key> static constexpr bool has_property() { return Properties::template has_property<Key>(); }
  template <class Key> static constexpr auto get_property() { return Properties::template get_property<Key>(); }

  /// The address of `bytes` bytes of the storage on a device, for copies. Throws errc::invalid beyond its end.
  std::byte *bytes_on(const dpep::device &d, const char *function, std::size_t offset, std::size_t bytes) const {
    if (offset > sizeof(T) || bytes > sizeof(T) - offset)
      throw exception(errc::invalid, std::string(function) + ": " + std::to_string(bytes) + " bytes at the offset " +
                                         std::to_string(offset) + " of a device_global of " +
                                         std::to_string(sizeof(T)) + " bytes");
#ifdef __SYCL_DEVICE_ONLY__
    static_cast<void>(d);
    return nullptr;
#else
    return static_cast<std::byte *>(registered_.storage(d)) + offset;
#endif
  }

private:
  template <class, class> friend class device_global;

  template <class... A> static constexpr detail::initial_value<T> make(const A &...values) {
    if constexpr (std::is_array_v<T>)
      return {{static_cast<std::remove_all_extents_t<T>>(values)...}};
    else if constexpr (sizeof...(A) > 1)
      return {{values...}};
    else
      return {static_cast<T>(values)...};
  }
#ifdef __SYCL_DEVICE_ONLY__
  constexpr device_global(const std::source_location &where, int) : key_(detail::variable_key<device_global>(where)) {}

  // The first word of the object, where the JIT puts the address. Volatile, as the compiler knows the null pointer.
  [[gnu::always_inline]] T *storage() const noexcept { return storage_; }

  T *volatile storage_ = nullptr;
  const char *const kind_ = &__dpep_device_variable;
  const std::uint64_t key_;
#else
  device_global(const std::source_location &where, const detail::initial_value<T> &initial)
      : initial_(initial), registered_(detail::variable_key<device_global>(where), &initial_, sizeof(T), alignof(T)) {}

  T *storage() const noexcept { return nullptr; }

  const detail::initial_value<T> initial_;
  const dpep::device_variable registered_;
#endif
};

}  // namespace sycl::ext::oneapi::experimental

namespace sycl::detail {

template <class T> inline constexpr std::size_t count_of = sizeof(T) / sizeof(std::remove_all_extents_t<T>);

/// The addresses of a variable's bytes on the queue's device, for copies of the host's.
template <class T, class P>
std::byte *device_global_to_write(const ext::oneapi::experimental::device_global<T, P> &variable,
                                  const dpep::queue &queue, const char *function, std::size_t offset,
                                  std::size_t bytes) {
  namespace syclex = ext::oneapi::experimental;
  static_assert(syclex::detail::host_may<P>(syclex::host_access_enum::write),
                "the variable's property host_access says that the host never writes it");
  static_assert(is_device_copyable_v<std::remove_all_extents_t<T>>, "the variable's type must be device copyable");
  return variable.bytes_on(queue.get_device(), function, offset, bytes);
}
template <class T, class P>
const std::byte *device_global_to_read(const ext::oneapi::experimental::device_global<T, P> &variable,
                                       const dpep::queue &queue, const char *function, std::size_t offset,
                                       std::size_t bytes) {
  namespace syclex = ext::oneapi::experimental;
  static_assert(syclex::detail::host_may<P>(syclex::host_access_enum::read),
                "the variable's property host_access says that the host never reads it");
  static_assert(is_device_copyable_v<std::remove_all_extents_t<T>>, "the variable's type must be device copyable");
  return variable.bytes_on(queue.get_device(), function, offset, bytes);
}

}  // namespace sycl::detail
