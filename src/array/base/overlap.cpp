// The search for a common element: integers d_k with sum(d_k * stride_k) = the distance of the first elements, where
// d_k is the difference of the two views' indices along axis k.
#include "array/base/overlap.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace dpep::array {
namespace {

constexpr std::size_t max_axes = 8;
constexpr int max_steps = 256;

/// An axis of one view, of the other one, or of both.
struct axis_pair {
  std::int64_t stride;
  std::int64_t last[2] = {0, 0};  // the last index along it in each view
};

class common_element_search {
public:
  bool add(const layout &l, int view) {
    first_[view] = l.offset;
    for (std::size_t i = 0; i < l.shape.size(); ++i) {
      const std::int64_t last = l.shape[i] - 1, stride = std::abs(l.strides[i]);
      if (last == 0 || stride == 0) continue;
      if (l.strides[i] < 0) first_[view] -= last * stride;
      axis_pair *const end = axes_.data() + count_;
      axis_pair *const known = std::find_if(axes_.data(), end, [&](const axis_pair &a) { return a.stride == stride; });
      if (known == end) {
        if (count_ == max_axes) return false;
        axes_[count_++] = {stride};
      }
      known->last[view] += last;
    }
    return true;
  }

  bool found() {
    std::sort(axes_.data(), axes_.data() + count_,
              [](const axis_pair &a, const axis_pair &b) { return a.stride > b.stride; });
    return search(0, first_[1] - first_[0]);
  }

private:
  std::array<axis_pair, max_axes> axes_;
  std::size_t count_ = 0;
  std::int64_t first_[2] = {0, 0};
  int steps_ = 0;

  static std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0); }

  /// Whether the axes from `k` on can make up the distance.
  bool search(std::size_t k, std::int64_t distance) {
    if (++steps_ > max_steps) return true;
    if (k == count_) return distance == 0;
    std::int64_t reach[2] = {0, 0};  // of the axes behind k
    for (std::size_t i = k + 1; i < count_; ++i)
      for (int view = 0; view < 2; ++view) reach[view] += axes_[i].stride * axes_[i].last[view];
    const axis_pair &a = axes_[k];
    const std::int64_t least = std::max(-a.last[1], -floor_divide(reach[0] - distance, a.stride));
    const std::int64_t most = std::min(a.last[0], floor_divide(distance + reach[1], a.stride));
    for (std::int64_t d = least; d <= most; ++d)
      if (search(k + 1, distance - d * a.stride)) return true;
    return false;
  }
};

}  // namespace

bool may_share_elements(const layout &a, const layout &b) noexcept {
  if (a.size == 0 || b.size == 0) return false;
  common_element_search search;
  return !search.add(a, 0) || !search.add(b, 1) || search.found();
}

}  // namespace dpep::array
