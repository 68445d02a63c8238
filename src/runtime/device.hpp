// The objects behind dpep::platform and dpep::device, and the way from a handle to its back end.
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
  std::vector<device> roots;  // as ONEAPI_DEVICE_SELECTOR left them, best first
};

class device_object final : public object {
public:
  device_object(std::unique_ptr<backend::device> target, ref<platform_object> platform, ref<device_object> parent)
      : target(std::move(target)), platform(std::move(platform)), parent(std::move(parent)) {}

  device_object &root() noexcept { return parent ? parent->root() : *this; }

  const std::unique_ptr<backend::device> target;
  const ref<platform_object> platform;
  const ref<device_object> parent;  // null for a root device
  std::size_t relative_index = 0;   // among the root devices of the same back end and type
};

/// Throws errc::invalid for an empty handle; `operation` names the caller in the message.
device_object &implementation_of(const device &, const char *operation = "device");

/// The device itself; a sub-device has fewer compute units than its root.
inline backend::device &backend_of(const device &d) { return *implementation_of(d).target; }
/// The device to compile for and to key compiled code by: the root, since sub-devices run the same code.
inline backend::device &code_device_of(const device &d) { return *implementation_of(d).root().target; }

}  // namespace dpep::runtime
