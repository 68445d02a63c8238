// sycl::item: a work-item of a kernel over a range.
#pragma once

#include <sycl/id.hpp>

namespace sycl {

namespace detail {
struct item_maker;
}

template <int Dimensions = 1, bool WithOffset = true> class item {
public:
  static constexpr int dimensions = Dimensions;

  constexpr id<Dimensions> get_id() const noexcept { return index_; }
  constexpr std::size_t get_id(int dimension) const noexcept { return index_[dimension]; }
  constexpr std::size_t operator[](int dimension) const noexcept { return index_[dimension]; }
  constexpr range<Dimensions> get_range() const noexcept { return extent_; }
  constexpr std::size_t get_range(int dimension) const noexcept { return extent_[dimension]; }
  constexpr id<Dimensions> get_offset() const
    requires WithOffset
  {
    return offset_;
  }
  constexpr std::size_t get_linear_id() const noexcept { return detail::linear(index_ - offset_, extent_); }

  constexpr operator std::size_t() const
    requires(Dimensions == 1)
  {
    return index_[0];
  }
  constexpr operator item<Dimensions, true>() const
    requires(!WithOffset)
  {
    return {index_, extent_, offset_};
  }
  friend constexpr bool operator==(const item &, const item &) = default;

private:
  friend detail::item_maker;
  template <int, bool> friend class item;
  constexpr item(const id<Dimensions> &index, const range<Dimensions> &extent, const id<Dimensions> &offset)
      : index_(index), extent_(extent), offset_(offset) {}

  // Stored values instead of device queries, since reductions call one work-item's function for several indices. The
  // optimiser removes unused members.
  id<Dimensions> index_;
  range<Dimensions> extent_;
  id<Dimensions> offset_;
};

namespace detail {
struct item_maker {
  template <int Dimensions>
  static constexpr item<Dimensions> make(const id<Dimensions> &index, const range<Dimensions> &extent,
                                         const id<Dimensions> &offset = {}) {
    return {index, extent, offset};
  }
  template <int Dimensions>
  static constexpr item<Dimensions, false> make_without_offset(const id<Dimensions> &index,
                                                               const range<Dimensions> &extent) {
    return {index, extent, {}};
  }
};
}  // namespace detail

}  // namespace sycl
