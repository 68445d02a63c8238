// sycl::local_accessor: memory that the work-items of a work-group share.
#pragma once

#include <sycl/accessor.hpp>

namespace sycl {

template <class T, int Dimensions = 1> class local_accessor {
  static constexpr int stored_dimensions = Dimensions == 0 ? 1 : Dimensions;

public:
  using accessor_type = local_accessor;
  using value_type = T;
  using reference = T &;
  using const_reference = const T &;
  using iterator = T *;
  using const_iterator = const T *;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  using difference_type = std::ptrdiff_t;
  using size_type = std::size_t;
  template <access::decorated D> using accessor_ptr = multi_ptr<T, access::address_space::local_space, D>;
  static constexpr int dimensions = Dimensions;
  static constexpr bool is_local_memory_argument = true;  // of handler::set_arg

  local_accessor() = default;
  local_accessor(handler &h, const property_list & = {})
    requires(Dimensions == 0)
      : local_accessor(range<1>(1), &h) {}
  local_accessor(range<stored_dimensions> extent, handler &h, const property_list & = {})
    requires(Dimensions > 0)
      : local_accessor(extent, &h) {}

  template <class U>
    requires(!std::is_const_v<U> && std::is_same_v<const U, T>)
  local_accessor(const local_accessor<U, Dimensions> &other) : offset_(other.offset_), extent_(other.extent_) {}

  template <class P> bool has_property() const noexcept { return false; }
  template <class P> P get_property() const { detail::throw_no_property("local_accessor"); }
  std::size_t size() const noexcept { return extent_.size(); }
  std::size_t max_size() const noexcept { return detail::largest_extent<T, Dimensions>; }
  std::size_t byte_size() const noexcept { return size() * sizeof(T); }
  std::size_t get_count() const noexcept { return size(); }      // SYCL 1.2.1
  std::size_t get_size() const noexcept { return byte_size(); }  // SYCL 1.2.1
  bool empty() const noexcept { return size() == 0; }
  range<stored_dimensions> get_range() const
    requires(Dimensions > 0)
  {
    return extent_;
  }

  T &operator[](const id<stored_dimensions> &index) const
    requires(Dimensions > 1)
  {
    return data()[detail::linear(index, extent_)];
  }
  decltype(auto) operator[](std::size_t i) const
    requires(Dimensions > 0)
  {
    if constexpr (Dimensions == 1)
      return static_cast<T &>(data()[i]);
    else {
      id<stored_dimensions> index;
      index[0] = i;
      return detail::subscript<local_accessor, stored_dimensions, 1>(*this, index);
    }
  }
  template <class Index>
    requires(Dimensions == 1 && detail::id_like<Index>)
  T &operator[](const Index &index) const {
    return data()[static_cast<id<1>>(index)[0]];
  }
  operator T &() const
    requires(Dimensions == 0)
  {
    return *data();
  }
  const local_accessor &operator=(const T &value) const
    requires(Dimensions == 0 && !std::is_const_v<T>)
  {
    *data() = value;
    return *this;
  }

  void swap(local_accessor &other) noexcept { std::swap(*this, other); }
  local_ptr<T> get_pointer() const noexcept { return local_ptr<T>(data()); }
  template <access::decorated D> accessor_ptr<D> get_multi_ptr() const noexcept { return accessor_ptr<D>(data()); }
  iterator begin() const noexcept { return data(); }
  iterator end() const noexcept { return data() + size(); }
  const_iterator cbegin() const noexcept { return begin(); }
  const_iterator cend() const noexcept { return end(); }
  reverse_iterator rbegin() const noexcept { return reverse_iterator(end()); }
  reverse_iterator rend() const noexcept { return reverse_iterator(begin()); }
  const_reverse_iterator crbegin() const noexcept { return const_reverse_iterator(cend()); }
  const_reverse_iterator crend() const noexcept { return const_reverse_iterator(cbegin()); }

  friend bool operator==(const local_accessor &, const local_accessor &) = default;

private:
  friend std::hash<local_accessor>;
  template <class, int> friend class local_accessor;
  local_accessor(const range<stored_dimensions> &extent, handler *h)
      : offset_(detail::handler_access::take_local(*h, bytes_of(extent), alignof(T))), extent_(extent) {}

  // Refuses sizes that no launch can provide before their sum overflows.
  static std::size_t bytes_of(const range<stored_dimensions> &extent) {
    std::size_t bytes = sizeof(T);
    bool over = false;
    for (int d = 0; d < stored_dimensions; ++d) over |= __builtin_mul_overflow(bytes, extent[d], &bytes);
    if (over || bytes > std::size_t{1} << 48)
      throw exception(errc::memory_allocation, "local_accessor: its range needs more bytes than can be addressed");
    return bytes;
  }

  T *data() const noexcept {
    // The offset is a multiple of 16. On GPUs LLVM is told so, and loads or stores neighbouring elements together.
    const std::size_t offset = __dpep_has_fast_shuffles() ? offset_ / 16 * 16 : offset_;
    return static_cast<T *>(__dpep_sized_memory(static_cast<std::byte *>(__dpep_local_memory()) + offset, byte_size()));
  }

  std::size_t offset_ = 0;  // within the launch's dynamic local memory
  range<stored_dimensions> extent_;
};

template <class T, int D>
multi_ptr(local_accessor<T, D>) -> multi_ptr<T, access::address_space::local_space, access::decorated::no>;

// The deprecated type accessor<…, target::local>.
template <class T, int D, access_mode M, access::placeholder P>
class accessor<T, D, M, target::local, P> : public local_accessor<T, D> {
public:
  using local_accessor<T, D>::local_accessor;
  using local_accessor<T, D>::operator=;
  bool is_placeholder() const noexcept { return false; }
};
template <class T, int D, access::placeholder P>
class accessor<T, D, access_mode::atomic, target::local, P> : public local_accessor<T, D> {
  using base = local_accessor<T, D>;

public:
  using base::base;
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  using atomic_element = atomic<T, access::address_space::local_space>;
#pragma clang diagnostic pop
  operator atomic_element() const
    requires(D == 0)
  {
    return local_ptr<T>(&static_cast<T &>(static_cast<const base &>(*this)));
  }
  atomic_element operator[](const id<(D > 0 ? D : 1)> &index) const
    requires(D > 1)
  {
    return local_ptr<T>(&base::operator[](index));
  }
  auto operator[](std::size_t i) const
    requires(D > 0)
  {
    if constexpr (D == 1)
      return atomic_element(local_ptr<T>(&base::operator[](i)));
    else {
      id<D> index;
      index[0] = i;
      return detail::subscript<accessor, D, 1>(*this, index);
    }
  }
};

static_assert(sizeof(local_accessor<char, 0>) >= detail::smallest_local_accessor);
static_assert(sizeof(local_accessor<char, 3>) == 4 * sizeof(std::size_t));  // as detail::local_accessor_found

}  // namespace sycl

template <class T, int D> struct std::hash<sycl::local_accessor<T, D>> {
  std::size_t operator()(const sycl::local_accessor<T, D> &a) const noexcept { return a.offset_ ^ a.extent_.size(); }
};
template <class T, int D, sycl::access_mode M, sycl::access::placeholder P>
struct std::hash<sycl::accessor<T, D, M, sycl::target::local, P>> : std::hash<sycl::local_accessor<T, D>> {};
