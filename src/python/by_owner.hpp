// A map for values that Python reads often, by the device, platform or context that they belong to.
#pragma once

#include <utility>
#include <vector>

#include <dpep/object.hpp>

namespace dpep::python {

/// Values by owner: few, of which that of the first owner is read most. Owners live until the process ends. Protected
/// by the GIL.
template <class Value> class by_owner {
public:
  /// Null for an unknown owner. Valid until the next `add`.
  const Value *find(const object *owner) const noexcept {
    if (owner == first_.first) [[likely]]
      return &first_.second;
    return find_other(owner);
  }
  void add(const object *owner, Value value) {
    if (first_.first)
      others_.emplace_back(owner, value);
    else
      first_ = {owner, value};
  }
  std::size_t size() const noexcept { return others_.size() + (first_.first != nullptr); }

private:
  [[gnu::noinline]] const Value *find_other(const object *owner) const noexcept {
    for (const auto &[known, value] : others_)
      if (known == owner) return &value;
    return nullptr;
  }

  std::pair<const object *, Value> first_{};
  std::vector<std::pair<const object *, Value>> others_;
};

}  // namespace dpep::python
