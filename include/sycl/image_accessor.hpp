// Accessors of images, for kernels, host tasks and the host program.
#pragma once

#include <sycl/host_accessor.hpp>
#include <sycl/image.hpp>

namespace sycl {

namespace detail {

/// The image in a kernel or a host task. On the host, construction registers the access with the command group.
template <int Dimensions> class image_accessor_base {
public:
  std::size_t size() const noexcept { return get_range().size(); }
  range<Dimensions> get_range() const noexcept {
    range<Dimensions> extent;
    for (int d = 0; d < Dimensions; ++d) extent[d] = static_cast<std::size_t>(view_.extent[d]);
    return extent;
  }
  std::size_t get_count() const noexcept { return size(); }  // SYCL 1.2.1
  template <class P> bool has_property() const noexcept { return std::is_same_v<P, property::no_init> && no_init_; }
  template <class P> P get_property() const {
    if (!has_property<P>()) throw_no_property("image accessor");
    return P();
  }
  /// The address alone does not tell: several images may use the same host memory.
  friend bool operator==(const image_accessor_base &a, const image_accessor_base &b) {
    return a.view_.number == b.view_.number && a.view_.memory == b.view_.memory;
  }

protected:
  friend struct image_accessor_hash;
  image_accessor_base() = default;
  image_accessor_base(const image_base<Dimensions> &image, handler &h, access_mode mode, bool discard)
      : view_(image_access::view(image)) {
    const dpep::queue &queue = handler_access::queue(h);
    buffer_state &state = *image_access::state(image);
    state.check(queue);
    view_.memory = static_cast<std::byte *>(
        handler_access::requirements(h).add(queue, {state.memory, to_dpep(mode, discard), 0, state.memory.bytes()}));
  }
  image_view view_;
  bool no_init_ = false;
};

/// The image in the host program. Conflicting commands wait until all copies of the accessor are destroyed.
template <int Dimensions> class host_image_accessor_base : public image_accessor_base<Dimensions> {
public:
  host_image_accessor_base() = default;

protected:
  host_image_accessor_base(const image_base<Dimensions> &image, access_mode mode, bool discard)
      : claim_(std::make_shared<host_access_guard>(image_access::state(image), to_dpep(mode, discard))) {
    this->view_ = image_access::view(image);
    this->view_.memory = static_cast<std::byte *>(claim_->address());
  }

private:
  std::shared_ptr<host_access_guard> claim_;
};

struct image_accessor_hash {
  template <int D> std::size_t operator()(const image_accessor_base<D> &a) const noexcept {
    return std::hash<std::uint32_t>()(a.view_.number);
  }
};

inline bool discards_image(access_mode mode, const property_list &p) {
  return discards(mode) || p.has_property<property::no_init>();
}

}  // namespace detail

template <class DataT, int Dimensions, access_mode Mode, image_target Target = image_target::device>
class unsampled_image_accessor : public detail::image_accessor_base<Dimensions> {
  using base = detail::image_accessor_base<Dimensions>;

public:
  static constexpr int dimensions = Dimensions;
  static constexpr sycl::access_mode access_mode = Mode;
  static constexpr image_target access_target = Target;
  using value_type = std::conditional_t<Mode == access_mode::read || std::is_const_v<DataT>, const DataT, DataT>;
  using reference = value_type &;
  using const_reference = const DataT &;

  unsampled_image_accessor() = default;
  template <class A>
  unsampled_image_accessor(unsampled_image<Dimensions, A> &image, handler &h, const property_list &p = {})
      : base(image, h, Mode, detail::discards_image(Mode, p)) {
    this->no_init_ = p.template has_property<property::no_init>();
  }
  template <class A, class Tag>
  unsampled_image_accessor(unsampled_image<Dimensions, A> &image, handler &h, Tag, const property_list &p = {})
      : unsampled_image_accessor(image, h, p) {}

  template <class Coordinates> DataT read(const Coordinates &coords) const noexcept {
    static_assert(Mode != access_mode::write, "the image is only written through this accessor");
    return this->view_.template read<DataT, Dimensions>(coords);
  }
  template <class Coordinates> void write(const Coordinates &coords, const DataT &color) const {
    static_assert(Mode != access_mode::read, "the image is only read through this accessor");
    this->view_.template write<DataT, Dimensions>(coords, color);
  }
};

template <class DataT, int Dimensions = 1, access_mode Mode = detail::default_mode<DataT>>
class host_unsampled_image_accessor : public detail::host_image_accessor_base<Dimensions> {
  using base = detail::host_image_accessor_base<Dimensions>;

public:
  static constexpr int dimensions = Dimensions;
  static constexpr sycl::access_mode access_mode = Mode;
  using value_type = std::conditional_t<Mode == access_mode::read || std::is_const_v<DataT>, const DataT, DataT>;
  using reference = value_type &;
  using const_reference = const DataT &;

  host_unsampled_image_accessor() = default;
  template <class A>
  host_unsampled_image_accessor(unsampled_image<Dimensions, A> &image, const property_list &p = {})
      : base(image, Mode, detail::discards_image(Mode, p)) {
    this->no_init_ = p.template has_property<property::no_init>();
  }
  template <class A, class Tag>
  host_unsampled_image_accessor(unsampled_image<Dimensions, A> &image, Tag, const property_list &p = {})
      : host_unsampled_image_accessor(image, p) {}

  template <class Coordinates> DataT read(const Coordinates &coords) const noexcept {
    static_assert(Mode != access_mode::write, "the image is only written through this accessor");
    return this->view_.template read<DataT, Dimensions>(coords);
  }
  template <class Coordinates> void write(const Coordinates &coords, const DataT &color) const {
    static_assert(Mode != access_mode::read, "the image is only read through this accessor");
    this->view_.template write<DataT, Dimensions>(coords, color);
  }
};

template <class DataT, int Dimensions, image_target Target = image_target::device>
class sampled_image_accessor : public detail::image_accessor_base<Dimensions> {
public:
  static constexpr int dimensions = Dimensions;
  static constexpr image_target access_target = Target;
  using value_type = const DataT;
  using reference = const DataT &;
  using const_reference = const DataT &;

  sampled_image_accessor() = default;
  template <class A>
  sampled_image_accessor(sampled_image<Dimensions, A> &image, handler &h, const property_list & = {})
      : detail::image_accessor_base<Dimensions>(image, h, access_mode::read, false), sampler_(image.get_sampler()) {}
  template <class A, class Tag>
  sampled_image_accessor(sampled_image<Dimensions, A> &image, handler &h, Tag, const property_list & = {})
      : sampled_image_accessor(image, h) {}

  template <class Coordinates> DataT read(const Coordinates &coords) const noexcept {
    return this->view_.template sample<DataT, Dimensions>(coords, sampler_);
  }

private:
  image_sampler sampler_{};
};

template <class DataT, int Dimensions>
class host_sampled_image_accessor : public detail::host_image_accessor_base<Dimensions> {
public:
  static constexpr int dimensions = Dimensions;
  using value_type = const DataT;
  using reference = const DataT &;
  using const_reference = const DataT &;

  host_sampled_image_accessor() = default;
  template <class A>
  host_sampled_image_accessor(sampled_image<Dimensions, A> &image, const property_list & = {})
      : detail::host_image_accessor_base<Dimensions>(image, access_mode::read, false), sampler_(image.get_sampler()) {}

  template <class Coordinates> DataT read(const Coordinates &coords) const noexcept {
    return this->view_.template sample<DataT, Dimensions>(coords, sampler_);
  }

private:
  image_sampler sampler_{};
};

template <int Dimensions, class Allocator>
template <class DataT, access_mode Mode, image_target Target>
unsampled_image_accessor<DataT, Dimensions, Mode, Target>
unsampled_image<Dimensions, Allocator>::get_access(handler &h, const property_list &p) {
  return {*this, h, p};
}
template <int Dimensions, class Allocator>
template <class DataT, image_target Target, detail::mode_tag Tag>
auto unsampled_image<Dimensions, Allocator>::get_access(handler &h, const Tag &, const property_list &p) {
  return unsampled_image_accessor<DataT, Dimensions, detail::deduced_mode<DataT, Tag>, Target>(*this, h, p);
}
template <int Dimensions, class Allocator>
template <class DataT, access_mode Mode>
host_unsampled_image_accessor<DataT, Dimensions, Mode>
unsampled_image<Dimensions, Allocator>::get_host_access(const property_list &p) {
  return {*this, p};
}
template <int Dimensions, class Allocator>
template <class DataT, detail::mode_tag Tag>
auto unsampled_image<Dimensions, Allocator>::get_host_access(const Tag &, const property_list &p) {
  return host_unsampled_image_accessor<DataT, Dimensions, detail::deduced_mode<DataT, Tag>>(*this, p);
}
template <int Dimensions, class Allocator>
template <class DataT, image_target Target>
sampled_image_accessor<DataT, Dimensions, Target>
sampled_image<Dimensions, Allocator>::get_access(handler &h, const property_list &p) {
  return {*this, h, p};
}
template <int Dimensions, class Allocator>
template <class DataT>
host_sampled_image_accessor<DataT, Dimensions>
sampled_image<Dimensions, Allocator>::get_host_access(const property_list &p) {
  return {*this, p};
}

// Accessors of SYCL 1.2.1's images.

template <class DataT, int Dimensions, access_mode Mode, access::placeholder P>
class accessor<DataT, Dimensions, Mode, target::image, P> : public detail::image_accessor_base<Dimensions> {
public:
  static constexpr int dimensions = Dimensions;
  using value_type = DataT;
  using reference = DataT &;
  using const_reference = const DataT &;
  template <class A>
  accessor(image<Dimensions, A> &of, handler &h, const property_list &p = {})
      : detail::image_accessor_base<Dimensions>(of, h, Mode, detail::discards_image(Mode, p)) {}

  bool is_placeholder() const noexcept { return false; }
  template <class Coordinates> DataT read(const Coordinates &coords) const {
    return this->view_.template read<DataT, Dimensions>(coords);
  }
  template <class Coordinates> DataT read(const Coordinates &coords, const sampler &how) const {
    return this->view_.template sample<DataT, Dimensions>(coords, how);
  }
  template <class Coordinates> void write(const Coordinates &coords, const DataT &color) const {
    this->view_.template write<DataT, Dimensions>(coords, color);
  }
};

template <class DataT, int Dimensions, access_mode Mode, access::placeholder P>
class accessor<DataT, Dimensions, Mode, target::host_image, P> : public detail::host_image_accessor_base<Dimensions> {
public:
  static constexpr int dimensions = Dimensions;
  using value_type = DataT;
  using reference = DataT &;
  using const_reference = const DataT &;
  template <class A>
  accessor(image<Dimensions, A> &of, const property_list &p = {})
      : detail::host_image_accessor_base<Dimensions>(of, Mode, detail::discards_image(Mode, p)) {}

  template <class Coordinates> DataT read(const Coordinates &coords) const {
    return this->view_.template read<DataT, Dimensions>(coords);
  }
  template <class Coordinates> DataT read(const Coordinates &coords, const sampler &how) const {
    return this->view_.template sample<DataT, Dimensions>(coords, how);
  }
  template <class Coordinates> void write(const Coordinates &coords, const DataT &color) const {
    this->view_.template write<DataT, Dimensions>(coords, color);
  }
};

namespace detail {
/// One of the images of an array.
template <class DataT, int Dimensions> class image_array_slice {
public:
  image_array_slice(const image_view &array, std::size_t index) : view_(array) {
    const std::size_t last = static_cast<std::size_t>(array.extent[Dimensions]) - 1;
    view_.memory += (index < last ? index : last) * (Dimensions == 1 ? array.row_pitch : array.slice_pitch);
    view_.dimensions = Dimensions;
    view_.extent[Dimensions] = 1;
  }
  template <class Coordinates> DataT read(const Coordinates &coords) const {
    return view_.template read<DataT, Dimensions>(coords);
  }
  template <class Coordinates> DataT read(const Coordinates &coords, const sampler &how) const {
    return view_.template sample<DataT, Dimensions>(coords, how);
  }
  template <class Coordinates> void write(const Coordinates &coords, const DataT &color) const {
    view_.template write<DataT, Dimensions>(coords, color);
  }

private:
  image_view view_;
};
}  // namespace detail

/// An image's last dimension as an array of images of one dimension less.
template <class DataT, int Dimensions, access_mode Mode, access::placeholder P>
class accessor<DataT, Dimensions, Mode, target::image_array, P> : public detail::image_accessor_base<Dimensions + 1> {
public:
  static constexpr int dimensions = Dimensions;
  using value_type = DataT;
  using reference = DataT &;
  using const_reference = const DataT &;
  template <class A>
  accessor(image<Dimensions + 1, A> &of, handler &h, const property_list &p = {})
      : detail::image_accessor_base<Dimensions + 1>(of, h, Mode, detail::discards_image(Mode, p)) {}

  bool is_placeholder() const noexcept { return false; }
  detail::image_array_slice<DataT, Dimensions> operator[](std::size_t index) const { return {this->view_, index}; }
};

namespace detail {
template <class T, int D, access_mode M, image_target G>
inline constexpr bool takes_no_init<unsampled_image_accessor<T, D, M, G>> = true;
template <class T, int D, access_mode M>
inline constexpr bool takes_no_init<host_unsampled_image_accessor<T, D, M>> = true;
}  // namespace detail

}  // namespace sycl

template <class T, int D, sycl::access_mode M, sycl::image_target G>
struct std::hash<sycl::unsampled_image_accessor<T, D, M, G>> : sycl::detail::image_accessor_hash {};
template <class T, int D, sycl::access_mode M>
struct std::hash<sycl::host_unsampled_image_accessor<T, D, M>> : sycl::detail::image_accessor_hash {};
template <class T, int D, sycl::image_target G>
struct std::hash<sycl::sampled_image_accessor<T, D, G>> : sycl::detail::image_accessor_hash {};
template <class T, int D>
struct std::hash<sycl::host_sampled_image_accessor<T, D>> : sycl::detail::image_accessor_hash {};
template <class T, int D, sycl::access_mode M, sycl::access::placeholder P>
struct std::hash<sycl::accessor<T, D, M, sycl::target::image, P>> : sycl::detail::image_accessor_hash {};
template <class T, int D, sycl::access_mode M, sycl::access::placeholder P>
struct std::hash<sycl::accessor<T, D, M, sycl::target::host_image, P>> : sycl::detail::image_accessor_hash {};
template <class T, int D, sycl::access_mode M, sycl::access::placeholder P>
struct std::hash<sycl::accessor<T, D, M, sycl::target::image_array, P>> : sycl::detail::image_accessor_hash {};
