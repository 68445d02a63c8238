// A context: the devices among which memory and events can be shared.
#pragma once

#include <span>
#include <vector>

#include <dpep/device.hpp>

namespace dpep {

class DPEP_API context : public handle {
public:
  using handle::handle;
  /// All devices must be of one platform; throws errc::invalid otherwise, or when there is none.
  explicit context(std::span<const device> devices);
  explicit context(const device &only) : context(std::span(&only, 1)) {}

  /// The context that queues of a device share unless told otherwise (one a platform).
  static context default_for(const device &);

  const std::vector<device> &devices() const noexcept;
  platform get_platform() const;
  bool contains(const device &) const noexcept;  // sub-devices of a member are members
};

}  // namespace dpep

DPEP_HASH_BY_IDENTITY(dpep::context);
