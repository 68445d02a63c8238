// sycl::context: the devices that share memory and events.
#pragma once

#include <dpep/async_handler.hpp>
#include <dpep/context.hpp>

#include <sycl/device_selector.hpp>
#include <sycl/property_list.hpp>

namespace sycl {

class context : public dpep::context {
public:
  // A context's handler serves its queues without one. Without either, the errors are thrown from wait.
  explicit context(const property_list &properties = {}) : context(device(), properties) {}
  explicit context(const async_handler &handler, const property_list &properties = {})
      : context(device(), handler, properties) {}
  explicit context(const device &only, const property_list & = {}) : dpep::context(only) {}
  explicit context(const device &only, const async_handler &handler, const property_list & = {}) : dpep::context(only) {
    dpep::set_async_handler(*this, detail::to_dpep(handler));
  }
  explicit context(const std::vector<device> &devices, const property_list & = {})
      : dpep::context(std::vector<dpep::device>(devices.begin(), devices.end())) {}
  explicit context(const std::vector<device> &devices, const async_handler &handler,
                   const property_list &properties = {})
      : context(devices, properties) {
    dpep::set_async_handler(*this, detail::to_dpep(handler));
  }
  explicit context(const sycl::platform &all, const property_list &properties = {})
      : context(all.get_devices(), properties) {}
  explicit context(const sycl::platform &all, const async_handler &handler, const property_list &properties = {})
      : context(all.get_devices(), handler, properties) {}
  context(dpep::context native) : dpep::context(std::move(native)) {}

  backend get_backend() const noexcept { return detail::to_sycl(devices().front().info().backend); }
  platform get_platform() const { return dpep::context::get_platform(); }
  std::vector<device> get_devices() const { return {devices().begin(), devices().end()}; }
  bool is_host() const { return false; }                                   // SYCL 1.2.1
  template <class P> bool has_property() const noexcept { return false; }  // contexts have no properties
  template <class P> P get_property() const {
    throw exception(errc::invalid, "context::get_property: the context was made without this property");
  }

  template <class Descriptor> typename Descriptor::return_type get_info() const {
    if constexpr (std::is_same_v<Descriptor, info::context::platform>)
      return get_platform();
    else if constexpr (std::is_same_v<Descriptor, info::context::devices>)
      return get_devices();
    else if constexpr (std::is_same_v<Descriptor, info::context::reference_count>)
      return get()->reference_count();
    else if constexpr (std::is_same_v<typename Descriptor::return_type, std::vector<memory_order>>)
      return detail::all_memory_orders();
    else
      return detail::all_memory_scopes();
  }
};

inline context platform::ext_oneapi_get_default_context() const {
  return dpep::context::default_for(devices().front());
}
inline context platform::khr_get_default_context() const { return ext_oneapi_get_default_context(); }

namespace property::buffer {
/// Restricts a buffer to the queues of a context.
class context_bound : public detail::property_base {
public:
  explicit context_bound(sycl::context bound) : bound_(std::move(bound)) {}
  sycl::context get_context() const { return bound_; }

private:
  sycl::context bound_;
};
}  // namespace property::buffer
namespace property::image {  // an image is memory of a buffer
using buffer::context_bound;
using buffer::use_host_ptr;
using buffer::use_mutex;
}  // namespace property::image

namespace detail {
template <class Object>
inline constexpr bool belongs_to<property::buffer::context_bound, Object> = takes_buffer_properties<Object>;
}  // namespace detail

}  // namespace sycl

template <> struct std::hash<sycl::context> : std::hash<dpep::context> {};
