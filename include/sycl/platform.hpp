// sycl::platform: a driver API and its devices.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include <sycl/backend.hpp>
#include <sycl/info.hpp>

namespace sycl {

namespace detail {
/// A function that scores devices: the device with the highest score is selected, negative scores exclude.
template <class F>
concept device_selector = std::is_invocable_r_v<int, const F &, const device &>;
}  // namespace detail

class platform : public dpep::platform {
public:
  platform();  // of the default device
  platform(dpep::platform native) : dpep::platform(std::move(native)) {}
  template <detail::device_selector Selector> explicit platform(const Selector &selector);

  sycl::backend get_backend() const noexcept { return detail::to_sycl(backend()); }
  std::vector<device> get_devices(info::device_type type = info::device_type::all) const;
  template <class Descriptor> typename Descriptor::return_type get_info() const { return Descriptor::get(*this); }
  bool has(aspect) const;  // whether all its devices have it
  bool has_extension(const std::string &) const { return false; }
  context ext_oneapi_get_default_context() const;
  context khr_get_default_context() const;
  static std::vector<platform> get_platforms();
};

}  // namespace sycl

template <> struct std::hash<sycl::platform> : std::hash<dpep::platform> {};
