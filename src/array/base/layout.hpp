// Layouts: shape, strides and offset of arrays and views.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <dpep/array.hpp>

namespace dpep::array {

/// A list of lengths or strides. Up to 5 are stored without an allocation: most arrays have no more dimensions.
class extents_list {
public:
  static constexpr std::size_t inline_capacity = 5;
  extents_list() noexcept = default;
  explicit extents_list(std::size_t n, std::int64_t value = 0) {
    resize_new(n);
    std::fill_n(data(), n, value);
  }
  extents_list(std::span<const std::int64_t> from) {  // NOLINT: implicit, as for std::span
    resize_new(from.size());
    std::copy(from.begin(), from.end(), data());
  }
  extents_list(std::initializer_list<std::int64_t> from) : extents_list(std::span(from.begin(), from.size())) {}
  extents_list(const extents_list &o) : extents_list(std::span<const std::int64_t>(o)) {}
  extents_list(extents_list &&) noexcept = default;
  extents_list &operator=(extents_list o) noexcept {
    size_ = o.size_;
    heap_ = std::move(o.heap_);
    std::copy_n(o.inline_, inline_capacity, inline_);
    return *this;
  }

  std::int64_t *data() noexcept { return heap_ ? heap_.get() : inline_; }
  const std::int64_t *data() const noexcept { return heap_ ? heap_.get() : inline_; }
  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  std::int64_t &operator[](std::size_t i) noexcept { return data()[i]; }
  std::int64_t operator[](std::size_t i) const noexcept { return data()[i]; }
  std::int64_t *begin() noexcept { return data(); }
  std::int64_t *end() noexcept { return data() + size_; }
  const std::int64_t *begin() const noexcept { return data(); }
  const std::int64_t *end() const noexcept { return data() + size_; }
  operator std::span<const std::int64_t>() const noexcept { return {data(), size_}; }
  friend bool operator==(const extents_list &a, const extents_list &b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

private:
  void resize_new(std::size_t n) {
    size_ = static_cast<std::uint32_t>(n);
    if (n > inline_capacity) heap_ = std::make_unique_for_overwrite<std::int64_t[]>(n);
  }
  std::uint32_t size_ = 0;
  std::int64_t inline_[inline_capacity] = {};
  std::unique_ptr<std::int64_t[]> heap_;
};

/// Shape, strides and offset, in elements, with the size and contiguity that follow from them.
struct layout {
  extents_list shape, strides;
  std::int64_t offset = 0;
  std::int64_t size = 1;
  bool row_major = true, column_major = true;

  layout() = default;  // of a scalar
  /// The layout of contiguous elements. Throws refusal::value for a negative length, for more elements than can be
  /// addressed, and for more than 64 dimensions.
  static layout contiguous(std::span<const std::int64_t> shape, order = order::row_major);
  layout(extents_list shape, extents_list strides, std::int64_t offset);

  int dimensions() const noexcept { return static_cast<int>(shape.size()); }
  /// The lowest and the highest element index in memory. Undefined for size 0.
  std::pair<std::int64_t, std::int64_t> bounds() const noexcept;
};

/// The shape as Python writes it: "(3, 4)".
std::string text_of(std::span<const std::int64_t> shape);
/// The strides of a view of the same elements, in row-major order, in another shape of the same size, which must not be
/// 0. nullopt if no strides give such a view.
std::optional<std::vector<std::int64_t>> row_major_strides(std::span<const std::int64_t> old_shape,
                                                           std::span<const std::int64_t> old_strides,
                                                           std::span<const std::int64_t> shape);
/// The strides of a result in its operands' memory order (NumPy's order K).
extents_list kept_order_strides(std::span<const std::int64_t> shape, std::span<const layout *const> operands);

}  // namespace dpep::array
