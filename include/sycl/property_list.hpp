// sycl::property_list: optional properties for the construction of objects.
#pragma once

#include <memory>
#include <mutex>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include <sycl/exception.hpp>

namespace sycl {

class queue;

namespace detail {
/// The base class of properties.
struct property_base {};
/// Whether a property is one of an object of this type. The headers of objects specialise it for theirs.
template <class P, class Object> inline constexpr bool belongs_to = true;

[[noreturn, gnu::cold]] inline void throw_no_property(const char *object) {
  throw exception(errc::invalid, std::string(object) + "::get_property: the object does not have this property; ask "
                                                       "has_property first");
}
}  // namespace detail

/// Whether P may be put in a property_list.

template <class P> struct is_property : std::is_base_of<detail::property_base, P> {};
template <class P> inline constexpr bool is_property_v = is_property<P>::value;

/// A property's namespace names its object (property::queue, property::buffer, …); other objects ignore it.
template <class P, class Object>
struct is_property_of : std::bool_constant<is_property_v<P> && detail::belongs_to<P, Object>> {};
template <class P, class Object> inline constexpr bool is_property_of_v = is_property_of<P, Object>::value;

class property_list {
public:
  property_list() = default;
  template <class... Properties>
    requires(sizeof...(Properties) > 0 && (is_property_v<Properties> && ...))
  property_list(Properties... properties) {
    entries_.reserve(sizeof...(Properties));
    (entries_.push_back({&typeid(Properties), std::make_shared<Properties>(std::move(properties))}), ...);
  }

  template <class P> bool has_property() const noexcept { return find(typeid(P)) != nullptr; }
  template <class P> P get_property() const {
    const void *found = find(typeid(P));
    if (!found)
      throw exception(errc::invalid, std::string("property_list::get_property: the list has no property ") +
                                         typeid(P).name() + "; ask has_property first");
    return *static_cast<const P *>(found);
  }

private:
  struct entry {
    const std::type_info *type;
    std::shared_ptr<const void> value;
  };
  const void *find(const std::type_info &type) const noexcept {
    for (const entry &e : entries_)
      if (*e.type == type) return e.value.get();
    return nullptr;
  }
  std::vector<entry> entries_;
};

namespace property {

struct no_init : detail::property_base {};

namespace queue {
struct in_order : detail::property_base {};
struct enable_profiling : detail::property_base {};
}  // namespace queue

namespace buffer {

struct use_host_ptr : detail::property_base {};

/// The mutex that the program holds while it uses the host memory of a buffer.
class use_mutex : public detail::property_base {
public:
  explicit use_mutex(std::mutex &mutex) : mutex_(&mutex) {}
  std::mutex *get_mutex_ptr() const { return mutex_; }

private:
  std::mutex *mutex_;
};

}  // namespace buffer

}  // namespace property

namespace detail {
template <class Object>
inline constexpr bool belongs_to<property::queue::in_order, Object> = std::is_same_v<Object, sycl::queue>;
template <class Object>
inline constexpr bool belongs_to<property::queue::enable_profiling, Object> = std::is_same_v<Object, sycl::queue>;

template <class Object> inline constexpr bool takes_buffer_properties = false;
template <class Object>
inline constexpr bool belongs_to<property::buffer::use_host_ptr, Object> = takes_buffer_properties<Object>;
template <class Object>
inline constexpr bool belongs_to<property::buffer::use_mutex, Object> = takes_buffer_properties<Object>;
template <class Object> inline constexpr bool takes_no_init = false;
template <class Object> inline constexpr bool belongs_to<property::no_init, Object> = takes_no_init<Object>;
}  // namespace detail

inline constexpr property::no_init no_init{};

namespace ext::oneapi::property::queue {
struct priority_normal : detail::property_base {};
struct priority_low : detail::property_base {};
struct priority_high : detail::property_base {};
struct discard_events : detail::property_base {};  // a hint without effect: events are cheap and always created
}  // namespace ext::oneapi::property::queue

}  // namespace sycl
