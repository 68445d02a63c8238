// sycl::device: a device or a sub-device.
#pragma once

#include <algorithm>

#include <dpep/native.hpp>

#include <sycl/exception.hpp>
#include <sycl/platform.hpp>

namespace sycl {

namespace ext::oneapi {
enum class peer_access { access_supported, atomics_supported };
namespace experimental {
enum class architecture : int;
enum class arch_category : int;
enum class source_language : int;
namespace opencl {
struct cl_version;
}
}  // namespace experimental
}  // namespace ext::oneapi

class device : public dpep::device {
public:
  device() = default;
  device(dpep::device native) : dpep::device(std::move(native)) {}
  template <detail::device_selector Selector> explicit device(const Selector &selector);

  bool is_cpu() const { return has(aspect::cpu); }
  bool is_gpu() const { return has(aspect::gpu); }
  bool is_accelerator() const { return has(aspect::accelerator); }
  bool is_host() const { return false; }  // SYCL 1.2.1
  bool has(aspect wanted) const { return detail::has(*this, wanted); }
  bool has_extension(const std::string &name) const {
    const auto &all = info().extensions;
    return std::find(all.begin(), all.end(), name) != all.end();
  }

  backend get_backend() const noexcept { return detail::to_sycl(info().backend); }
  platform get_platform() const { return dpep::device::get_platform(); }
  template <class Descriptor> typename Descriptor::return_type get_info() const { return Descriptor::get(*this); }

  template <info::partition_property P>
    requires(P == info::partition_property::partition_equally)
  std::vector<device> create_sub_devices(std::size_t compute_units) const {
    return to_sycl(partition_equally(static_cast<std::uint32_t>(compute_units)));
  }
  template <info::partition_property P>
    requires(P == info::partition_property::partition_by_counts)
  std::vector<device> create_sub_devices(const std::vector<std::size_t> &counts) const {
    return to_sycl(partition_by_counts(std::vector<std::uint32_t>(counts.begin(), counts.end())));
  }
  template <info::partition_property P>
    requires(P == info::partition_property::partition_by_affinity_domain)
  std::vector<device> create_sub_devices(info::partition_affinity_domain domain) const {
    return to_sycl(partition_by_affinity(static_cast<dpep::partition_domain>(domain)));
  }

  /// Whether ext_oneapi_enable_peer_access can give kernels on this device access to the peer's memory; for
  /// `atomics_supported`, whether atomic operations on it are possible too.
  bool ext_oneapi_can_access_peer(const device &peer, ext::oneapi::peer_access what = {}) const {
    return what == ext::oneapi::peer_access::atomics_supported ? dpep::native::has_peer_atomics(*this, peer)
                                                               : dpep::native::can_access_peer(*this, peer);
  }
  /// Enables access to the peer's memory. Throws errc::invalid if it is impossible or enabled already.
  void ext_oneapi_enable_peer_access(const device &peer) const { dpep::native::set_peer_access(*this, peer, true); }
  /// Disables access to the peer's memory. Throws errc::invalid if it is not enabled.
  void ext_oneapi_disable_peer_access(const device &peer) const { dpep::native::set_peer_access(*this, peer, false); }

  // <sycl/ext/oneapi/experimental/device_architecture.hpp> defines these.
  bool ext_oneapi_architecture_is(ext::oneapi::experimental::architecture) const;
  bool ext_oneapi_architecture_is(ext::oneapi::experimental::arch_category) const;

  // Queries about kernels from source text; <sycl/ext/oneapi/experimental/kernel_compiler.hpp> defines them.
  bool ext_oneapi_can_build(ext::oneapi::experimental::source_language) const;
  bool ext_oneapi_can_compile(ext::oneapi::experimental::source_language) const;
  bool ext_oneapi_supports_cl_c_version(const ext::oneapi::experimental::opencl::cl_version &) const;
  bool ext_oneapi_supports_cl_c_feature(const std::string &name) const;
  bool ext_oneapi_supports_cl_extension(const std::string &name,
                                        ext::oneapi::experimental::opencl::cl_version *version = nullptr) const;
  std::string ext_oneapi_cl_profile() const;

  static std::vector<device> get_devices(info::device_type type = info::device_type::all) {
    std::vector<device> wanted;
    for (const dpep::device &d : dpep::all_devices())
      if (is_of(d, type)) wanted.push_back(d);
    return wanted;
  }

private:
  friend platform;
  static std::vector<device> to_sycl(const std::vector<dpep::device> &devices) {
    return {devices.begin(), devices.end()};
  }
  static bool is_of(const dpep::device &d, info::device_type type) {
    return type == info::device_type::all || type == info::device_type::automatic ||
           type == static_cast<info::device_type>(d.info().type);
  }
};

inline platform::platform() : platform(device().get_platform()) {}
template <detail::device_selector Selector>
platform::platform(const Selector &selector) : platform(device(selector).get_platform()) {}

inline std::vector<device> platform::get_devices(info::device_type type) const {
  std::vector<device> wanted;
  for (const dpep::device &d : devices())
    if (device::is_of(d, type)) wanted.push_back(d);
  return wanted;
}

inline bool platform::has(aspect wanted) const {
  const std::vector<dpep::device> all = devices();
  return std::all_of(all.begin(), all.end(), [wanted](const dpep::device &d) { return detail::has(d, wanted); });
}

inline std::vector<platform> platform::get_platforms() {
  const std::vector<dpep::platform> all = dpep::platform::all();
  return {all.begin(), all.end()};
}

namespace info::device {

inline sycl::platform platform::get(const dpep::device &d) { return d.get_platform(); }

inline sycl::device parent_device::get(const dpep::device &d) {
  if (const std::optional<dpep::device> parent = d.parent()) return *parent;
  throw exception(errc::invalid, "device::get_info<parent_device>: " + d.info().name +
                                     " is not a sub-device; only devices returned by create_sub_devices have a parent");
}

inline std::vector<partition_affinity_domain> partition_affinity_domains::get(const dpep::device &d) {
  std::vector<partition_affinity_domain> domains;
  for (const dpep::partition_domain domain : d.affinity_domains())
    domains.push_back(static_cast<partition_affinity_domain>(domain));
  return domains;
}

inline std::vector<partition_property> partition_properties::get(const dpep::device &d) {
  if (d.info().partition_max_sub_devices < 2) return {};
  using enum partition_property;
  std::vector<partition_property> ways{partition_equally, partition_by_counts};
  if (!d.affinity_domains().empty()) ways.push_back(partition_by_affinity_domain);
  return ways;
}

inline partition_property partition_type_property::get(const dpep::device &d) {
  return static_cast<partition_property>(d.made_by());
}

inline partition_affinity_domain partition_type_affinity_domain::get(const dpep::device &d) {
  return static_cast<partition_affinity_domain>(d.made_by_domain());
}

}  // namespace info::device

}  // namespace sycl

template <> struct std::hash<sycl::device> : std::hash<dpep::device> {};
