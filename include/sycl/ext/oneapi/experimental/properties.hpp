// Lists of properties that are part of a type (extension sycl_ext_oneapi_properties), and those of kernels
// (extension sycl_ext_oneapi_kernel_properties).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>

#include <sycl/aspect.hpp>
#include <sycl/detail/required_sizes.hpp>
#include <sycl/device_copyable.hpp>
#include <sycl/exception.hpp>

namespace sycl::ext::oneapi::experimental {

namespace detail {
struct property_key_base {};

template <class... A> struct first_value {};
template <class First, class... Others> struct first_value<First, Others...> {
  using value_t = First;
};
template <class T, T Value, class... Others> struct first_value<std::integral_constant<T, Value>, Others...> {
  using value_t = std::integral_constant<T, Value>;
  static constexpr T value = Value;
};

template <class V> struct key_of {
  using type = V;  // of a property with a value at run time: itself
};
}  // namespace detail

/// A compile-time property: its key and its parameters, numbers as std::integral_constant.
template <class Key, class... A> struct property_value : detail::first_value<A...> {
  using key_t = Key;
  /// The parameter of a dimension, of a property with numbers.
  constexpr auto operator[](std::size_t dimension) const
    requires(sizeof...(A) > 0) && requires { (A::value, ...); }
  {
    const typename std::tuple_element_t<0, std::tuple<A...>>::value_type all[] = {A::value...};
    return all[dimension];
  }
  friend constexpr bool operator==(property_value, property_value) { return true; }
  template <class... B>
  friend constexpr bool operator==(property_value, property_value<Key, B...>)
    requires(!std::is_same_v<property_value, property_value<Key, B...>>)
  {
    return false;
  }
};
namespace detail {
template <class Key, class... A> struct key_of<property_value<Key, A...>> {
  using type = Key;
};
}  // namespace detail

// Programs specialise these for their own properties.
template <class T> struct is_property_key : std::is_base_of<detail::property_key_base, T> {};
template <class K, class Object> struct is_property_key_of : std::false_type {};
template <class T> struct is_property_value : is_property_key<T> {};
template <class Key, class... A> struct is_property_value<property_value<Key, A...>> : is_property_key<Key> {};
template <class V, class Object>
struct is_property_value_of : is_property_key_of<typename detail::key_of<V>::type, Object> {};
template <class T> inline constexpr bool is_property_key_v = is_property_key<T>::value;
template <class T> inline constexpr bool is_property_value_v = is_property_value<std::remove_cv_t<T>>::value;

namespace detail {

template <class T> constexpr std::string_view name_of_type() { return __PRETTY_FUNCTION__; }

/// The position of a property in a list by the names of the keys.
template <class V, class... Values> constexpr std::size_t rank_of() {
  constexpr std::string_view own = name_of_type<typename key_of<V>::type>();
  return (std::size_t{0} + ... + std::size_t{name_of_type<typename key_of<Values>::type>() < own});
}
template <class V, class... Values> constexpr std::size_t position_of() {
  constexpr bool found[] = {std::is_same_v<V, Values>...};
  std::size_t i = 0;
  while (!found[i]) ++i;
  return i;
}
template <std::size_t Rank, class... Values> constexpr std::size_t position_of_rank() {
  constexpr std::size_t ranks[] = {rank_of<Values, Values...>()...};
  for (std::size_t i = 0; i < sizeof...(Values); ++i)
    if (ranks[i] == Rank) return i;
  return Rank;  // of lists that have a key twice, which remain as they are
}
template <class V, class... Values> inline constexpr bool contains = (std::is_same_v<V, Values> || ...);
/// The property that takes the place of `V` in the sorted list.
template <class V, class... Values>
using sorted = std::tuple_element_t<position_of_rank<position_of<V, Values...>(), Values...>(), std::tuple<Values...>>;

}  // namespace detail

/// A list of properties. Those with values at run time are stored. Lists of the same properties that are written in
/// different orders have one type.
template <class... Values> class properties {
  template <class Key> static constexpr std::size_t index_of() {
    constexpr bool found[] = {std::is_same_v<typename detail::key_of<Values>::type, Key>..., false};
    std::size_t i = 0;
    while (i < sizeof...(Values) && !found[i]) ++i;
    return i;
  }

public:
  constexpr properties() = default;
  template <class... Given>
    requires(sizeof...(Values) > 0 && sizeof...(Given) == sizeof...(Values) &&
             (detail::contains<Values, Given...> && ...))
  constexpr properties(const Given &...given)
      : values_(std::get<const Values &>(std::tuple<const Given &...>(given...))...) {}

  template <class Key> static constexpr bool has_property() { return index_of<Key>() < sizeof...(Values); }
  /// The property with the key. A compile-time property is the same for every list of the type.
  template <class Key> constexpr auto get_property() const {
    static_assert(has_property<Key>(), "the list has no property with this key");
    return std::get<index_of<Key>()>(values_);
  }
  template <class Key>
    requires(std::is_empty_v<std::tuple_element_t<index_of<Key>(), std::tuple<Values..., void *>>>)
  static constexpr auto get_property() {
    return std::tuple_element_t<index_of<Key>(), std::tuple<Values...>>();
  }
  friend constexpr bool operator==(const properties &, const properties &) = default;

private:
  [[no_unique_address]] std::tuple<Values...> values_;
};
template <class... Values> properties(const Values &...) -> properties<detail::sorted<Values, Values...>...>;
using empty_properties_t = properties<>;

template <class T> struct is_property_list : std::false_type {};
template <class... Values> struct is_property_list<properties<Values...>> : std::true_type {};
template <class T> inline constexpr bool is_property_list_v = is_property_list<T>::value;

/// The parameter of a kernel function object's member `get`, which returns the kernel's properties.
struct properties_tag {};

// Properties of kernels.

struct work_group_size_key : detail::property_key_base {
  template <std::size_t... Sizes>
  using value_t = property_value<work_group_size_key, std::integral_constant<std::size_t, Sizes>...>;
};
struct work_group_size_hint_key : detail::property_key_base {
  template <std::size_t... Sizes>
  using value_t = property_value<work_group_size_hint_key, std::integral_constant<std::size_t, Sizes>...>;
};
struct sub_group_size_key : detail::property_key_base {
  template <std::uint32_t Size>
  using value_t = property_value<sub_group_size_key, std::integral_constant<std::uint32_t, Size>>;
};
struct device_has_key : detail::property_key_base {
  template <aspect... Aspects>
  using value_t = property_value<device_has_key, std::integral_constant<aspect, Aspects>...>;
};

template <std::size_t... Sizes> inline constexpr work_group_size_key::value_t<Sizes...> work_group_size;
template <std::size_t... Sizes> inline constexpr work_group_size_hint_key::value_t<Sizes...> work_group_size_hint;
template <std::uint32_t Size> inline constexpr sub_group_size_key::value_t<Size> sub_group_size;
template <aspect... Aspects> inline constexpr device_has_key::value_t<Aspects...> device_has;

}  // namespace sycl::ext::oneapi::experimental

template <class... Values>
struct sycl::is_device_copyable<sycl::ext::oneapi::experimental::properties<Values...>>
    : std::bool_constant<(sycl::is_device_copyable<Values>::value && ...)> {};

namespace sycl::detail {

template <class T>
concept kernel_properties = ext::oneapi::experimental::is_property_list_v<std::remove_cvref_t<T>>;

// The effect of a property in a kernel, at its start.
template <class V> [[gnu::always_inline]] constexpr void apply_property(V) {}
template <class... Size>
[[gnu::always_inline]] constexpr void
apply_property(ext::oneapi::experimental::property_value<ext::oneapi::experimental::work_group_size_key, Size...>) {
  static_assert(sizeof...(Size) >= 1 && sizeof...(Size) <= 3, "a work-group has one to three dimensions");
  require_work_group_size(Size::value...);
}
template <class Size>
[[gnu::always_inline]] constexpr void
apply_property(ext::oneapi::experimental::property_value<ext::oneapi::experimental::sub_group_size_key, Size>) {
  require_sub_group_size(Size::value);
}
template <class... V>
[[gnu::always_inline]] constexpr void apply_properties(const ext::oneapi::experimental::properties<V...> &) {
  (apply_property(V()), ...);
}

/// The properties of a kernel's function object: those of its member get(properties_tag), if it has one.
template <class F>
concept has_kernel_properties = requires(const F &f) { f.get(ext::oneapi::experimental::properties_tag()); };
template <class F> [[gnu::always_inline]] constexpr void apply_properties_of(const F &f) {
  if constexpr (has_kernel_properties<F>) apply_properties(f.get(ext::oneapi::experimental::properties_tag()));
}

/// A kernel's function with properties that were given at the launch.
template <class F, class Properties> struct function_with_properties {
  F function;
  template <class... A>
    requires std::is_invocable_v<const F &, A...>
  void operator()(A &&...arguments) const {
    apply_properties(Properties());
    function(arguments...);
  }
};

template <class... Aspect>
void check_aspects(const dpep::device &where,
                   ext::oneapi::experimental::property_value<ext::oneapi::experimental::device_has_key, Aspect...>) {
  if (!(has(where, Aspect::value) && ...))
    throw exception(errc::kernel_not_supported, "the device '" + where.info().name +
                                                    "' lacks an aspect that the kernel's property device_has names");
}
template <class Properties> void check_device([[maybe_unused]] const dpep::device &where, const Properties &) {
  using key = ext::oneapi::experimental::device_has_key;
  if constexpr (Properties::template has_property<key>())
    check_aspects(where, Properties::template get_property<key>());
}

/// Calls `call` with the arguments of a parallel_for, the last of which, the kernel's function, gets the properties.
template <class Properties, class Call, class... Arguments>
decltype(auto) with_properties(const Call &call, const Arguments &...arguments) {
  const auto all = std::tie(arguments...);
  constexpr std::size_t last = sizeof...(Arguments) - 1;
  using function = std::remove_cvref_t<std::tuple_element_t<last, std::tuple<Arguments...>>>;
  return [&]<std::size_t... I>(std::index_sequence<I...>) -> decltype(auto) {
    return call(std::get<I>(all)..., function_with_properties<function, Properties>{std::get<last>(all)});
  }(std::make_index_sequence<last>());
}

}  // namespace sycl::detail
