// sycl::nd_range: a range divided into work-groups of equal size.
#pragma once

#include <sycl/id.hpp>

namespace sycl {

template <int Dimensions = 1> class nd_range {
public:
  static constexpr int dimensions = Dimensions;

  constexpr nd_range() = default;
  constexpr nd_range(range<Dimensions> global, range<Dimensions> local, id<Dimensions> offset = {})
      : global_(global), local_(local), offset_(offset) {}

  constexpr range<Dimensions> get_global_range() const { return global_; }
  constexpr range<Dimensions> get_local_range() const { return local_; }
  constexpr range<Dimensions> get_group_range() const { return global_ / local_; }
  constexpr id<Dimensions> get_offset() const { return offset_; }
  friend constexpr bool operator==(const nd_range &, const nd_range &) = default;

private:
  range<Dimensions> global_, local_;
  id<Dimensions> offset_;
};

}  // namespace sycl
