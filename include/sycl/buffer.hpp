// sycl::buffer: an array that kernels access through accessors. The runtime places it and orders its accesses.
#pragma once

#include <memory>
#include <span>  // for iterator traits: <iterator> includes the streams, a tenth of all parsing time
#include <vector>

#include <sycl/detail/buffer_state.hpp>
#include <sycl/device_copyable.hpp>
#include <sycl/id.hpp>
#include <sycl/property_list.hpp>

namespace sycl {

class handler;
template <class T> using buffer_allocator = std::allocator<T>;

template <class T, int Dimensions, access_mode Mode, target Target, access::placeholder Placeholder> class accessor;
template <class T, int Dimensions, access_mode Mode> class host_accessor;

namespace detail {
struct buffer_access;

template <class C, class T>
concept contiguous_container = requires(C &c) {
  { std::data(c) } -> std::convertible_to<const T *>;
  { std::size(c) } -> std::convertible_to<std::size_t>;
};
template <class I>
concept any_iterator = requires { typename std::iterator_traits<I>::iterator_category; };
template <class A>
concept any_allocator = requires(A &a) { a.allocate(1); };
}  // namespace detail

template <class T, int Dimensions = 1, class Allocator = buffer_allocator<std::remove_const_t<T>>> class buffer {
  static_assert(detail::is_copied_as_bytes<std::remove_const_t<T>>,
                "the elements of a buffer must be device copyable: plain values, no std::string or std::vector");
  using element = std::remove_const_t<T>;
  using storage = dpep::buffer::host_storage;
  template <class U, int D>
  using reinterpreted =
      buffer<U, D, typename std::allocator_traits<Allocator>::template rebind_alloc<std::remove_const_t<U>>>;

public:
  using value_type = T;
  using reference = T &;
  using const_reference = const T &;
  using allocator_type = Allocator;
  static constexpr int dimensions = Dimensions;

  // A buffer in new memory. The runtime chooses the memory, so allocators are accepted and ignored.
  buffer(const range<Dimensions> &extent, const property_list &properties = {})
      : buffer(extent, dpep::buffer(extent.size() * sizeof(T), alignof(T)), properties) {}
  buffer(const range<Dimensions> &extent, Allocator, const property_list &properties = {})
      : buffer(extent, properties) {}

  // A buffer over host memory of the program. The memory belongs to the buffer while it lives and gets its final
  // contents.
  buffer(element *host, const range<Dimensions> &extent, const property_list &properties = {})
      : buffer(extent, on_host(host, extent, host ? storage::use : storage::none, true), properties) {
    state_->use_host_memory(host, alignof(T));
  }
  buffer(element *host, const range<Dimensions> &extent, Allocator, const property_list &properties = {})
      : buffer(host, extent, properties) {}
  // A buffer with a copy of constant host memory. It is copied because kernels may write to the buffer.
  buffer(const element *host, const range<Dimensions> &extent, const property_list &properties = {})
      : buffer(extent, on_host(host, extent, host ? storage::copy : storage::none, false), properties) {}
  buffer(const element *host, const range<Dimensions> &extent, Allocator, const property_list &properties = {})
      : buffer(host, extent, properties) {}

  template <class U>
    requires(std::is_convertible_v<U *, const T *> ||
             (std::is_array_v<U> && std::is_same_v<std::remove_extent_t<U>, T>))
  buffer(const std::shared_ptr<U> &host, const range<Dimensions> &extent, const property_list &properties = {})
      : buffer(host.get(), extent, properties) {
    state_->host_owner = host;
  }
  template <class U>
  buffer(const std::shared_ptr<U> &host, const range<Dimensions> &extent, Allocator,
         const property_list &properties = {})
      : buffer(host, extent, properties) {}

  /// A buffer with a copy of the elements of an iterator range. Nothing is written back unless set_final_data requests
  /// it.
  template <detail::any_iterator Iterator>
    requires(Dimensions == 1)
  buffer(Iterator first, Iterator last, const property_list &properties = {})
      : buffer(of_iterators(first, last), properties) {}
  template <detail::any_iterator Iterator>
    requires(Dimensions == 1)
  buffer(Iterator first, Iterator last, Allocator, const property_list &properties = {})
      : buffer(first, last, properties) {}

  /// A buffer over the elements of a contiguous container, which is treated like a pointer to host memory.
  template <detail::contiguous_container<T> Container>
    requires(Dimensions == 1 && !std::is_array_v<Container>)
  buffer(Container &container, const property_list &properties = {})
      : buffer(std::data(container), range<1>(std::size(container)), properties) {}
  template <detail::contiguous_container<T> Container>
    requires(Dimensions == 1 && !std::is_array_v<Container>)
  buffer(Container &container, Allocator, const property_list &properties = {}) : buffer(container, properties) {}

  /// A sub-buffer: the box of `extent` elements from `first` on, which must be contiguous in memory.
  buffer(buffer &whole, const id<Dimensions> &first, const range<Dimensions> &extent)
      : state_(whole.state_), extent_(extent), sub_buffer_(true) {
    if (whole.sub_buffer_)
      throw exception(errc::invalid,
                      "buffer: a sub-buffer can't be made from a sub-buffer; make it from the whole buffer");
    for (int i = 0; i < Dimensions; i++)
      if (first[i] > whole.extent_[i] || extent[i] > whole.extent_[i] - first[i])
        throw exception(errc::invalid, "buffer: the sub-buffer's elements " + std::to_string(first[i]) + " to " +
                                           std::to_string(first[i] + extent[i]) + " of dimension " + std::to_string(i) +
                                           " exceed the buffer's range of " + std::to_string(whole.extent_[i]));
    const auto [bytes, contiguous] = detail::hull(whole.extent_, first, extent, sizeof(T));
    if (!contiguous)
      throw exception(errc::invalid, "buffer: the sub-buffer is not contiguous in memory; all dimensions but the first "
                                     "that is longer than 1 must be those of the buffer");
    offset_ = bytes.offset;
  }

  range<Dimensions> get_range() const { return extent_; }
  std::size_t size() const noexcept { return extent_.size(); }
  std::size_t byte_size() const noexcept { return size() * sizeof(T); }
  std::size_t get_count() const { return size(); }      // SYCL 1.2.1
  std::size_t get_size() const { return byte_size(); }  // SYCL 1.2.1
  Allocator get_allocator() const { return {}; }
  bool is_sub_buffer() const { return sub_buffer_; }
  template <class P> bool has_property() const noexcept { return state_->properties.template has_property<P>(); }
  template <class P> P get_property() const { return state_->properties.template get_property<P>(); }

  template <access_mode Mode, target Target = target::device>
  accessor<T, Dimensions, Mode, Target, access::placeholder::false_t> get_access(handler &h) {
    return {*this, h};
  }
  template <access_mode Mode, target Target = target::device>
  accessor<T, Dimensions, Mode, Target, access::placeholder::false_t> get_access(handler &h, range<Dimensions> extent,
                                                                                 id<Dimensions> offset = {}) {
    return {*this, h, extent, offset};
  }
  template <access_mode Mode>
  accessor<T, Dimensions, Mode, target::host_buffer, access::placeholder::false_t> get_access() {
    return {*this};
  }
  template <access_mode Mode>
  accessor<T, Dimensions, Mode, target::host_buffer, access::placeholder::false_t>
  get_access(range<Dimensions> extent, id<Dimensions> offset = {}) {
    return {*this, extent, offset};
  }
  template <class... Arguments> auto get_access(handler &h, const Arguments &...arguments) {
    return accessor(*this, h, arguments...);
  }
  template <class... Arguments> auto get_access(const Arguments &...arguments) { return accessor(*this, arguments...); }
  template <class... Arguments> auto get_host_access(const Arguments &...arguments) {
    return host_accessor(*this, arguments...);
  }

  /// Sets the destination of the contents when the last copy of the buffer is destroyed: a pointer, an output iterator,
  /// a weak_ptr (or a shared_ptr, which is not kept), or a null pointer for none.
  template <class Destination = std::nullptr_t> void set_final_data(Destination destination = nullptr) {
    if constexpr (std::is_null_pointer_v<Destination>) {
      state_->set_write_back(false);
    } else if constexpr (requires { destination.use_count(), destination.get(); }) {
      set_final_data(std::weak_ptr(destination));
    } else {
      if constexpr (std::is_pointer_v<Destination>)
        if (destination == nullptr) return set_final_data(nullptr);
      state_->set_final([destination, first = offset_, count = size()](const void *bytes) {
        const T *from = reinterpret_cast<const T *>(static_cast<const std::byte *>(bytes) + first);
        if constexpr (requires { destination.lock(); }) {
          if (const auto alive = destination.lock()) std::copy_n(from, count, &alive.get()[0]);
        } else if constexpr (requires { destination.use_count(); }) {
          std::copy_n(from, count, &destination.get()[0]);  // a std::shared_ptr
        } else
          std::copy_n(from, count, destination);
      });
    }
  }
  void set_write_back(bool enabled = true) { state_->set_write_back(enabled); }

  template <class U, int D> reinterpreted<U, D> reinterpret(range<D> extent) const {
    if (extent.size() * sizeof(U) != byte_size())
      throw exception(errc::invalid, "buffer::reinterpret: " + std::to_string(extent.size()) + " elements of " +
                                         std::to_string(sizeof(U)) + " bytes are not the " +
                                         std::to_string(byte_size()) + " bytes of the buffer");
    return {state_, extent, offset_, sub_buffer_};
  }
  template <class U, int D = Dimensions>
    requires(D == 1 || (D == Dimensions && sizeof(U) == sizeof(T)))
  reinterpreted<U, D> reinterpret() const {
    if constexpr (D == 1) {
      if (byte_size() % sizeof(U))
        throw exception(errc::invalid, "buffer::reinterpret: the " + std::to_string(byte_size()) +
                                           " bytes of the buffer are not a multiple of the element size of " +
                                           std::to_string(sizeof(U)) + " bytes");
      return reinterpret<U, 1>(range<1>(byte_size() / sizeof(U)));
    } else
      return reinterpret<U, D>(extent_);
  }

  friend bool operator==(const buffer &a, const buffer &b) {
    return a.state_ == b.state_ && a.extent_ == b.extent_ && a.offset_ == b.offset_;
  }

private:
  template <class, int, class> friend class buffer;
  friend detail::buffer_access;
  friend std::hash<buffer>;

  buffer(const range<Dimensions> &extent, dpep::buffer memory, const property_list &properties)
      : state_(std::make_shared<detail::buffer_state>(std::move(memory), properties)), extent_(extent) {}
  buffer(std::shared_ptr<detail::buffer_state> state, range<Dimensions> extent, std::size_t offset, bool sub_buffer)
      : state_(std::move(state)), extent_(extent), offset_(offset), sub_buffer_(sub_buffer) {}
  buffer(std::pair<dpep::buffer, std::size_t> memory_and_count, const property_list &properties)
      : buffer(range<Dimensions>(memory_and_count.second), std::move(memory_and_count.first), properties) {}

  static dpep::buffer on_host(const element *host, const range<Dimensions> &extent, storage how, bool writable) {
    return how == storage::none ? dpep::buffer(extent.size() * sizeof(T), alignof(T))
                                : dpep::buffer(extent.size() * sizeof(T), alignof(T), host, how, writable);
  }
  template <class Iterator> static std::pair<dpep::buffer, std::size_t> of_iterators(Iterator first, Iterator last) {
    if constexpr (std::contiguous_iterator<Iterator>) {
      const auto count = static_cast<std::size_t>(last - first);
      return {on_host(count ? std::to_address(first) : nullptr, range<1>(count), count ? storage::copy : storage::none,
                      false),
              count};
    } else {
      const std::vector<element> all(first, last);
      return of_iterators(all.begin(), all.end());
    }
  }

  std::shared_ptr<detail::buffer_state> state_;
  range<Dimensions> extent_;
  std::size_t offset_ = 0;  // bytes; not 0 in sub-buffers
  bool sub_buffer_ = false;
};

template <class T, int D> buffer(const T *, const range<D> &, const property_list & = {}) -> buffer<T, D>;
// A range in braces, as in buffer(pointer, {8}), deduces nothing: the buffer has the default number of dimensions.
template <class T> buffer(const T *, const range<1> &, const property_list & = {}) -> buffer<T, 1>;
template <class T, int D, detail::any_allocator A>
buffer(const T *, const range<D> &, A, const property_list & = {}) -> buffer<T, D, A>;
template <class T, int D>
buffer(const std::shared_ptr<T> &, const range<D> &, const property_list & = {}) -> buffer<std::remove_extent_t<T>, D>;
template <class T>
buffer(const std::shared_ptr<T> &, const range<1> &, const property_list & = {}) -> buffer<std::remove_extent_t<T>, 1>;
template <class T, int D, detail::any_allocator A>
buffer(const std::shared_ptr<T> &, const range<D> &, A, const property_list & = {})
    -> buffer<std::remove_extent_t<T>, D, A>;
template <detail::any_iterator I, detail::any_allocator A>
buffer(I, I, A, const property_list & = {}) -> buffer<typename std::iterator_traits<I>::value_type, 1, A>;
template <class C, detail::any_allocator A>
buffer(C &, A, const property_list & = {})
    -> buffer<std::remove_cvref_t<decltype(*std::data(std::declval<C &>()))>, 1, A>;
template <detail::any_iterator I>
buffer(I, I, const property_list & = {}) -> buffer<typename std::iterator_traits<I>::value_type, 1>;
template <class C>
buffer(C &, const property_list & = {}) -> buffer<std::remove_cvref_t<decltype(*std::data(std::declval<C &>()))>, 1>;

namespace detail {

template <class T, int D, class A> inline constexpr bool takes_buffer_properties<buffer<T, D, A>> = true;

/// Access to a buffer's internals for accessors and reductions.
struct buffer_access {
  template <class T, int D, class A> static const std::shared_ptr<buffer_state> &state(const buffer<T, D, A> &b) {
    return b.state_;
  }
  template <class T, int D, class A> static std::size_t offset(const buffer<T, D, A> &b) { return b.offset_; }
  template <class U, int D>
  static buffer<U, D> make(std::shared_ptr<buffer_state> state, range<D> extent, std::size_t offset, bool sub_buffer) {
    return {std::move(state), extent, offset, sub_buffer};
  }
};

}  // namespace detail

}  // namespace sycl

template <class T, int D, class A> struct std::hash<sycl::buffer<T, D, A>> {
  std::size_t operator()(const sycl::buffer<T, D, A> &b) const noexcept {
    return std::hash<const void *>()(b.state_.get()) ^ b.offset_;
  }
};
