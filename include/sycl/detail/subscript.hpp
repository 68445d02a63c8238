// Subscripts of multi-dimensional accessors, a[i][j][k], and iterators over boxes.
#pragma once

#include <cstddef>
#include <span>  // for iterator traits: <iterator> includes the streams, a tenth of all parsing time

#include <sycl/id.hpp>

namespace sycl::detail {

/// Types that convert to an id<1> and not to a number: the program's own indices.
template <class T>
concept id_like = !std::is_convertible_v<const T &, std::size_t> && std::is_convertible_v<const T &, id<1>>;

/// The result of `a[i]` if more subscripts follow: the accessor and the indices so far.
template <class Accessor, int Dimensions, int Done> class subscript {
public:
  subscript(const Accessor &a, const id<Dimensions> &index) : accessor_(a), index_(index) {}
  decltype(auto) operator[](std::size_t i) const {
    id<Dimensions> index = index_;
    index[Done] = i;
    if constexpr (Done + 1 == Dimensions)
      return accessor_[index];
    else
      return subscript<Accessor, Dimensions, Done + 1>(accessor_, index);
  }

private:
  const Accessor &accessor_;
  id<Dimensions> index_;
};

/// Iterates over the elements of a box in an array, the last dimension fastest.
template <class T, int Dimensions> class box_iterator {
public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::remove_const_t<T>;
  using difference_type = std::ptrdiff_t;
  using pointer = T *;
  using reference = T &;

  box_iterator() = default;
  box_iterator(T *first, const range<Dimensions> &extent, const range<Dimensions> &box, difference_type position)
      : first_(first), extent_(extent), box_(box), position_(position) {}

  reference operator*() const { return (*this)[0]; }
  pointer operator->() const { return &**this; }
  reference operator[](difference_type n) const {
    auto left = static_cast<std::size_t>(position_ + n);
    id<Dimensions> index;
    DPEP_UNROLL for (int i = Dimensions - 1; i >= 0; i--) {
      index[i] = left % box_[i];
      left /= box_[i];
    }
    return first_[linear(index, extent_)];
  }
  box_iterator &operator+=(difference_type n) {
    position_ += n;
    return *this;
  }
  box_iterator &operator-=(difference_type n) { return *this += -n; }
  box_iterator &operator++() { return *this += 1; }
  box_iterator &operator--() { return *this += -1; }
  box_iterator operator++(int) {
    box_iterator before = *this;
    ++*this;
    return before;
  }
  box_iterator operator--(int) {
    box_iterator before = *this;
    --*this;
    return before;
  }
  friend box_iterator operator+(box_iterator i, difference_type n) { return i += n; }
  friend box_iterator operator+(difference_type n, box_iterator i) { return i += n; }
  friend box_iterator operator-(box_iterator i, difference_type n) { return i -= n; }
  friend difference_type operator-(const box_iterator &a, const box_iterator &b) { return a.position_ - b.position_; }
  friend bool operator==(const box_iterator &a, const box_iterator &b) { return a.position_ == b.position_; }
  friend auto operator<=>(const box_iterator &a, const box_iterator &b) { return a.position_ <=> b.position_; }

private:
  T *first_ = nullptr;
  range<Dimensions> extent_, box_;
  difference_type position_ = 0;
};

}  // namespace sycl::detail
