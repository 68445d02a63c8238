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

/// Whether P may be put in a property_list: true for the types derived from this base class.
namespace detail {
struct property_base {};
}  // namespace detail

template <class P> struct is_property : std::is_base_of<detail::property_base, P> {};
template <class P> inline constexpr bool is_property_v = is_property<P>::value;

/// A property's namespace names its object (property::queue, property::buffer, …); other objects ignore it.
template <class P, class Object> struct is_property_of : is_property<P> {};
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

inline constexpr property::no_init no_init{};

namespace ext::oneapi::property::queue {
struct priority_normal : detail::property_base {};
struct priority_low : detail::property_base {};
struct priority_high : detail::property_base {};
struct discard_events : detail::property_base {};  // a hint without effect: events are cheap and always created
}  // namespace ext::oneapi::property::queue

}  // namespace sycl
