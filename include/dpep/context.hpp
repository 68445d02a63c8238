// A context: a set of devices that can share memory and events.
#pragma once

#include <span>
#include <vector>

#include <dpep/device.hpp>

namespace dpep {

class DPEP_API context : public handle {
public:
  using handle::handle;
  /// Throws errc::invalid if `devices` is empty or has devices of more than one platform.
  explicit context(std::span<const device> devices);
  explicit context(const device &only) : context(std::span(&only, 1)) {}

  /// The default context of the device's platform, which has all of the platform's root devices.
  static context default_for(const device &);

  const std::vector<device> &devices() const noexcept;
  platform get_platform() const;
  /// Whether the device, or a device that it is a part of, belongs to the context.
  bool contains(const device &) const noexcept;
};

}  // namespace dpep

DPEP_HASH_BY_IDENTITY(dpep::context);
