// Shapes and strides: the arithmetic of views.
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

/// A short list of numbers, without an allocation up to 5: most arrays have no more dimensions.
class extents_list {
public:
  static constexpr std::size_t inline_capacity = 5;
  extents_list() noexcept = default;
  explicit extents_list(std::size_t n, std::int64_t value = 0) {
    resize_new(n);
    std::fill_n(data(), n, value);
  }
  extents_list(std::span<const std::int64_t> from) {  // NOLINT: a list of numbers is one
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

/// Shape, strides and offset, submission_counts in elements, and what follows from them.
struct layout {
  extents_list shape, strides;
  std::int64_t offset = 0;
  std::int64_t size = 1;
  bool row_major = true, column_major = true;

  layout() = default;  // of a scalar
  /// Row-major or column-major. refusal::value for negative or too many elements, and more than 64 dimensions.
  static layout contiguous(std::span<const std::int64_t> shape, order = order::row_major);
  layout(extents_list shape, extents_list strides, std::int64_t offset);

  int dimensions() const noexcept { return static_cast<int>(shape.size()); }
  /// First and last element that is reached, relative to the memory's beginning; meaningless for size 0.
  std::pair<std::int64_t, std::int64_t> bounds() const noexcept;
};

/// "(3, 4)", as Python writes shapes.
std::string text_of(std::span<const std::int64_t> shape);
/// Strides that show the same elements, in row-major order, in another shape of as many (and not none); nothing where
/// no strides do.
std::optional<std::vector<std::int64_t>> row_major_strides(std::span<const std::int64_t> old_shape,
                                                           std::span<const std::int64_t> old_strides,
                                                           std::span<const std::int64_t> shape);
/// The memory order that a result takes from its operands (NumPy's K): their dominating order of axes.
extents_list kept_order_strides(std::span<const std::int64_t> shape, std::span<const layout *const> operands);

}  // namespace dpep::array
