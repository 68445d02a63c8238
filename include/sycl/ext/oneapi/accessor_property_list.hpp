// Properties of accessors in a list with a type of its own (extension sycl_ext_oneapi_accessor_properties).
#pragma once

#include <sycl/property_list.hpp>

#define SYCL_EXT_ONEAPI_ACCESSOR_PROPERTIES 1

namespace sycl::ext::oneapi {

namespace property {
/// The program promises that no other accessor of the kernel refers to the same elements. Without effect.
struct no_alias : sycl::detail::property_base {};
/// The program promises that the accessor has no offset. Without effect.
struct no_offset : sycl::detail::property_base {};
}  // namespace property

inline constexpr property::no_alias no_alias;
inline constexpr property::no_offset no_offset;

/// A property_list that has its properties' types in its own.
template <class... Properties> class accessor_property_list : public property_list {
public:
  accessor_property_list() = default;
  accessor_property_list(const Properties &...properties)
    requires(sizeof...(Properties) > 0)
      : property_list(properties...) {}
};
template <class... Properties> accessor_property_list(const Properties &...) -> accessor_property_list<Properties...>;

}  // namespace sycl::ext::oneapi
