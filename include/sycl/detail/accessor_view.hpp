// The common base of accessors to buffers and host accessors: a box of elements in an array.
#pragma once

#include <cstddef>
#include <limits>
#include <span>  // for iterator traits: <iterator> includes the streams, a tenth of all parsing time
#include <string>
#include <type_traits>

#include <sycl/access.hpp>
#include <sycl/atomic.hpp>
#include <sycl/detail/device_functions.hpp>
#include <sycl/detail/subscript.hpp>
#include <sycl/exception.hpp>
#include <sycl/property_list.hpp>

namespace sycl::detail {

/// The number of elements that an accessor could have.
template <class T, int Dimensions>
inline constexpr std::size_t largest_extent =
    Dimensions == 0 ? 1 : std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T);

/// The index of an element of a buffer, as given: in kernels, the JIT may compute it in 32 bits.
inline std::size_t buffer_index(std::size_t position) noexcept {
#ifdef __SYCL_DEVICE_ONLY__
  return __dpep_buffer_index(position);
#else
  return position;
#endif
}

/// Trivially copyable, since kernels receive it as bytes.
template <class T, int Dimensions, access_mode Mode> class accessor_view {
protected:
  // Zero-dimensional accessors are stored as one element in one dimension.
  static constexpr int stored_dimensions = Dimensions == 0 ? 1 : Dimensions;
  static constexpr bool constant = Mode == access_mode::read || std::is_const_v<T>;
  static constexpr bool atomic = Mode == access_mode::atomic;
  using element = std::conditional_t<constant, const T, T>;
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  using atomic_element = sycl::atomic<std::remove_const_t<T>, access::address_space::global_space>;
#pragma clang diagnostic pop

public:
  using value_type = element;
  using reference = element &;
  using const_reference = const T &;
  using iterator = std::conditional_t<stored_dimensions == 1, element *, box_iterator<element, stored_dimensions>>;
  using const_iterator =
      std::conditional_t<stored_dimensions == 1, const T *, box_iterator<const T, stored_dimensions>>;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  using difference_type = std::ptrdiff_t;
  using size_type = std::size_t;
  static constexpr int dimensions = Dimensions;
  static constexpr sycl::access_mode access_mode = Mode;

  std::size_t size() const noexcept { return box_.size(); }
  std::size_t max_size() const noexcept { return largest_extent<T, Dimensions>; }
  std::size_t byte_size() const noexcept { return size() * sizeof(T); }
  std::size_t get_count() const noexcept { return size(); }      // SYCL 1.2.1
  std::size_t get_size() const noexcept { return byte_size(); }  // SYCL 1.2.1
  bool empty() const noexcept { return size() == 0; }
  range<stored_dimensions> get_range() const
    requires(Dimensions > 0)
  {
    return box_;
  }
  id<stored_dimensions> get_offset() const
    requires(Dimensions > 0)
  {
    return offset_;
  }

  /// Element at an index relative to the accessor's offset. One-dimensional indices are numbers: ids and items convert.
  decltype(auto) operator[](const id<stored_dimensions> &index) const
    requires(Dimensions > 1)
  {
    return at(buffer_index(linear(index, extent_)));
  }
  decltype(auto) operator[](std::size_t i) const
    requires(Dimensions > 0)
  {
    if constexpr (Dimensions == 1)
      return at(i);
    else {
      id<stored_dimensions> index;
      index[0] = i;
      return subscript<accessor_view, stored_dimensions, 1>(*this, index);
    }
  }
  template <class Index>
    requires(Dimensions == 1 && id_like<Index>)
  decltype(auto) operator[](const Index &index) const {
    return at(static_cast<id<1>>(index)[0]);
  }
  operator reference() const
    requires(Dimensions == 0 && !atomic)
  {
    return *first_;
  }
  operator atomic_element() const
    requires(Dimensions == 0 && atomic)
  {
    return at(0);
  }
  const accessor_view &operator=(const T &value) const
    requires(Dimensions == 0 && !constant)
  {
    *first_ = value;
    return *this;
  }

  iterator begin() const noexcept { return iterator_at<iterator>(0); }
  iterator end() const noexcept { return iterator_at<iterator>(size()); }
  const_iterator cbegin() const noexcept { return iterator_at<const_iterator>(0); }
  const_iterator cend() const noexcept { return iterator_at<const_iterator>(size()); }
  reverse_iterator rbegin() const noexcept { return reverse_iterator(end()); }
  reverse_iterator rend() const noexcept { return reverse_iterator(begin()); }
  const_reverse_iterator crbegin() const noexcept { return const_reverse_iterator(cend()); }
  const_reverse_iterator crend() const noexcept { return const_reverse_iterator(cbegin()); }

protected:
  accessor_view() = default;

  /// The elements of an accessor without a range: all of the buffer. If the accessor has no dimensions, the first one,
  /// or none of an empty buffer.
  template <class Buffer> static range<stored_dimensions> whole(const Buffer &b) {
    if constexpr (Dimensions == 0)
      return b.size() ? 1 : 0;
    else
      return b.get_range();
  }
  static void check_properties([[maybe_unused]] const char *type, [[maybe_unused]] const property_list &properties) {
    if constexpr (Mode == access_mode::read)
      if (properties.has_property<property::no_init>())
        throw exception(errc::invalid, std::string(type) + ": an accessor that only reads has no values with the "
                                                           "property no_init; leave out the property");
  }

  /// The address of the whole buffer, which get_pointer returns even if the accessor has an offset.
  element *start() const noexcept { return first_ - linear(offset_, extent_); }

  element *first_ = nullptr;         // first element of the box
  range<stored_dimensions> extent_;  // range of the buffer
  range<stored_dimensions> box_;
  id<stored_dimensions> offset_;

private:
  template <class, int, sycl::access_mode> friend class accessor_view;

  decltype(auto) at(std::size_t position) const {
    if constexpr (atomic)
      return atomic_element(multi_ptr<T, access::address_space::global_space>(first_ + position));
    else
      return static_cast<reference>(first_[position]);
  }
  template <class I> I iterator_at(std::size_t position) const noexcept {
    if constexpr (std::is_pointer_v<I>)
      return first_ + position;
    else
      return {first_, extent_, box_, static_cast<std::ptrdiff_t>(position)};
  }
};

}  // namespace sycl::detail
