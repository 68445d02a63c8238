// The registry of all platforms and root devices.
#pragma once

#include <string>
#include <vector>

#include "runtime/device.hpp"

namespace dpep::runtime {

struct registry {
  std::vector<platform> platforms;      // those with devices that ONEAPI_DEVICE_SELECTOR allows
  std::vector<device> devices;          // that ONEAPI_DEVICE_SELECTOR allows, by platform
  std::vector<backend_report> reports;  // of all back ends, available or not
  std::vector<std::string> existing;    // the filter strings of all devices, allowed or not

  /// Discovers the devices in the first call. Throws errc::invalid for a malformed ONEAPI_DEVICE_SELECTOR.
  static const registry &get();
};

}  // namespace dpep::runtime
