// The implementations of dpep::platform and dpep::device, with access to their back ends.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <dpep/device.hpp>

#include "backend/backend.hpp"

namespace dpep::runtime {

class platform_object final : public object {
public:
  backend_kind kind{};
  std::string name, vendor, version;
  std::vector<device> roots;  // those that ONEAPI_DEVICE_SELECTOR allows, best first
};

class device_object final : public object {
public:
  device_object(std::unique_ptr<backend::device> target, ref<platform_object> platform, ref<device_object> parent)
      : target(std::move(target)), platform(std::move(platform)), parent(std::move(parent)) {}

  device_object &root() noexcept { return parent ? parent->root() : *this; }

  const std::unique_ptr<backend::device> target;
  const ref<platform_object> platform;
  const ref<device_object> parent;  // null for a root device
  partition_kind made_by = partition_kind::none;
  partition_domain made_by_domain = partition_domain::not_applicable;
  std::size_t relative_index = 0;  // index among the root devices of the same back end and type
};

/// Throws errc::invalid for an empty handle; `operation` names the caller in the message.
device_object &implementation_of(const device &, const char *operation = "device");

/// The back end's device. For a sub-device, one with fewer compute units than its root.
inline backend::device &backend_of(const device &d) { return *implementation_of(d).target; }
/// The device that code is compiled for and cached by: the root device, since sub-devices run the same code.
inline backend::device &code_device_of(const device &d) { return *implementation_of(d).root().target; }

}  // namespace dpep::runtime
