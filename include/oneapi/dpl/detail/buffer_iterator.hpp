// begin(buffer) and end(buffer): positions in SYCL buffers, for algorithms with a device policy.
#pragma once

#include <cstddef>
#include <iterator>

#include <sycl/access.hpp>
#include <sycl/buffer.hpp>
#include <sycl/property_list.hpp>

namespace oneapi::dpl {
namespace detail {

/// A position in a buffer. It cannot be dereferenced: the elements are where the algorithm runs.
template <class T, class Allocator> class buffer_iterator {
public:
  using value_type = std::remove_const_t<T>;
  using reference = T &;
  using pointer = T *;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;

  buffer_iterator(const sycl::buffer<T, 1, Allocator> &b, difference_type at) : buffer_(b), at_(at) {}
  const sycl::buffer<T, 1, Allocator> &get_buffer() const { return buffer_; }
  difference_type position() const { return at_; }
  T &operator*() const;  // declared for the traits of iterators, not defined

  buffer_iterator &operator+=(difference_type n) {
    at_ += n;
    return *this;
  }
  buffer_iterator &operator-=(difference_type n) { return *this += -n; }
  buffer_iterator &operator++() { return *this += 1; }
  buffer_iterator &operator--() { return *this += -1; }
  friend buffer_iterator operator+(buffer_iterator i, difference_type n) { return i += n; }
  friend buffer_iterator operator+(difference_type n, buffer_iterator i) { return i += n; }
  friend buffer_iterator operator-(buffer_iterator i, difference_type n) { return i -= n; }
  friend difference_type operator-(const buffer_iterator &a, const buffer_iterator &b) { return a.at_ - b.at_; }
  friend bool operator==(const buffer_iterator &a, const buffer_iterator &b) { return a.at_ == b.at_; }
  friend bool operator<(const buffer_iterator &a, const buffer_iterator &b) { return a.at_ < b.at_; }

private:
  sycl::buffer<T, 1, Allocator> buffer_;
  difference_type at_;
};

}  // namespace detail

// The access mode and no_init are accepted as oneDPL's; algorithms know how they use their arguments.
template <class T, class A, class... Tags>
detail::buffer_iterator<T, A> begin(const sycl::buffer<T, 1, A> &b, Tags...) {
  return {b, 0};
}
template <class T, class A, class... Tags> detail::buffer_iterator<T, A> end(const sycl::buffer<T, 1, A> &b, Tags...) {
  return {b, static_cast<std::ptrdiff_t>(b.size())};
}

}  // namespace oneapi::dpl
