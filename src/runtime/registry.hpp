// What the back ends found: all platforms and root devices of the process.
#pragma once

#include <string>
#include <vector>

#include "runtime/device.hpp"

namespace dpep::runtime {

struct registry {
  std::vector<platform> platforms;      // that ONEAPI_DEVICE_SELECTOR left a device of
  std::vector<device> devices;          // the same for devices, by platform
  std::vector<backend_report> reports;  // of all back ends, found or not
  std::vector<std::string> existing;    // filter strings of all devices, before the selector

  /// Looked for on the first call. Throws errc::invalid for a malformed ONEAPI_DEVICE_SELECTOR.
  static const registry &get();
};

}  // namespace dpep::runtime
