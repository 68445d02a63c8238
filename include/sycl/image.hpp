// Images: sampled_image and unsampled_image of SYCL 2020 (section 4.7.3) and image of SYCL 1.2.1. They are memory of a
// buffer on every device; kernels convert their elements.
#pragma once

#include <atomic>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>

#include <sycl/buffer.hpp>
#include <sycl/detail/image_view.hpp>

namespace sycl {

using image_allocator = std::allocator<std::byte>;
enum class image_target : unsigned int { device, host_task };

template <class DataT, int Dimensions, access_mode Mode, image_target Target> class unsampled_image_accessor;
template <class DataT, int Dimensions, access_mode Mode> class host_unsampled_image_accessor;
template <class DataT, int Dimensions, image_target Target> class sampled_image_accessor;
template <class DataT, int Dimensions> class host_sampled_image_accessor;

namespace detail {

/// The element type of an output iterator that receives an image's bytes: of an iterator that only writes, that of its
/// container.
template <class I> struct written_by {
  using type = std::byte;
};
template <class I>
  requires(!std::is_void_v<typename std::iterator_traits<I>::value_type>)
struct written_by<I> {
  using type = typename std::iterator_traits<I>::value_type;
};
template <class I>
  requires(std::is_void_v<typename std::iterator_traits<I>::value_type> &&
           requires { typename I::container_type::value_type; })
struct written_by<I> {
  using type = typename I::container_type::value_type;
};

/// Writes as many elements as the bytes fill.
template <class I> void write_elements(const std::byte *from, std::size_t bytes, I to) {
  using element = typename written_by<I>::type;
  static_assert(std::is_trivially_copyable_v<element>, "set_final_data: the elements must be plain values");
  for (std::size_t at = 0; at + sizeof(element) <= bytes; at += sizeof(element)) {
    element next;
    std::memcpy(static_cast<void *>(&next), from + at, sizeof next);
    *to++ = next;
  }
}

/// The pitches of an image in bytes: of rows, and of slices.
template <int D> using pitch_range = range<(D > 1 ? D - 1 : 1)>;

template <class DataT>
inline constexpr access_mode mode_for = std::is_const_v<DataT> ? access_mode::read : access_mode::read_write;
template <class T> inline constexpr bool is_mode_tag = false;
template <access_mode M> inline constexpr bool is_mode_tag<mode_tag_t<M>> = true;
template <access_mode M, access::target T> inline constexpr bool is_mode_tag<mode_target_tag_t<M, T>> = true;
template <class T>
concept mode_tag = is_mode_tag<T>;

/// The state and the shape that all kinds of images have.
template <int Dimensions> class image_base {
public:
  static constexpr int dimensions = Dimensions;

  range<Dimensions> get_range() const { return extent_; }
  std::size_t size() const noexcept { return extent_.size(); }
  std::size_t byte_size() const noexcept { return bytes(view_); }
  pitch_range<Dimensions> get_pitch() const
    requires(Dimensions > 1)
  {
    pitch_range<Dimensions> pitch;
    pitch[0] = view_.row_pitch;
    if constexpr (Dimensions == 3) pitch[1] = view_.slice_pitch;
    return pitch;
  }
  template <class P> bool has_property() const noexcept { return state_->properties.template has_property<P>(); }
  template <class P> P get_property() const { return state_->properties.template get_property<P>(); }

  friend bool operator==(const image_base &a, const image_base &b) { return a.state_ == b.state_; }

protected:
  friend struct image_access;
  using storage = dpep::buffer::host_storage;

  image_base(texel_layout layout, const range<Dimensions> &extent, const pitch_range<Dimensions> *pitch,
             const void *host, storage how, bool writable, const property_list &properties)
      : extent_(extent), view_(make_view(layout, extent, pitch)) {
    if (extent.size() == 0) throw exception(errc::invalid, "image: a dimension of the range is 0");
    if (!host) how = storage::none;
    dpep::buffer memory =
        how == storage::none
            ? dpep::buffer(bytes(view_), 64)
            : dpep::buffer(bytes(view_), layout.bytes() % 16 ? layout.channel_bytes : 16, host, how, writable);
    state_ = std::make_shared<buffer_state>(std::move(memory), properties);
    if (how == storage::use && writable) state_->use_host_memory(const_cast<void *>(host), 16);
  }

  template <class Destination> void set_final(Destination destination) {
    if constexpr (std::is_null_pointer_v<Destination>) {
      state_->set_write_back(false);
    } else if constexpr (requires { destination.use_count(), destination.get(); }) {
      set_final(std::weak_ptr(destination));
    } else {
      if constexpr (std::is_pointer_v<Destination>)
        if (destination == nullptr) return set_final(nullptr);
      state_->set_final([destination, count = byte_size()](const void *contents) {
        const auto *const from = static_cast<const std::byte *>(contents);
        if constexpr (requires { destination.lock(); }) {
          if (const auto alive = destination.lock()) std::memcpy(static_cast<void *>(alive.get()), from, count);
        } else if constexpr (std::is_pointer_v<Destination>)
          std::memcpy(destination, from, count);
        else
          write_elements(from, count, destination);
      });
    }
  }

  std::shared_ptr<buffer_state> state_;
  range<Dimensions> extent_;
  image_view view_;  // without memory

private:
  static std::size_t bytes(const image_view &v) {
    return Dimensions == 3   ? v.slice_pitch * static_cast<std::size_t>(v.extent[2])
           : Dimensions == 2 ? v.row_pitch * static_cast<std::size_t>(v.extent[1])
                             : v.row_pitch;
  }
  static image_view make_view(texel_layout layout, const range<Dimensions> &extent,
                              const pitch_range<Dimensions> *pitch) {
    static std::atomic<std::uint32_t> images = 0;
    image_view view;
    view.number = ++images;
    view.layout = layout;
    view.dimensions = Dimensions;
    std::size_t total = layout.bytes();
    for (int d = 0; d < Dimensions; ++d)
      if (extent[d] > static_cast<std::size_t>(std::numeric_limits<int>::max()) ||
          __builtin_mul_overflow(total, extent[d], &total))
        throw exception(errc::invalid, "image: a dimension of the range is more than 2147483647, or the image has more "
                                       "bytes than an address space");
    for (int d = 0; d < Dimensions; ++d) view.extent[d] = static_cast<int>(extent[d]);
    view.row_pitch = extent[0] * layout.bytes();
    if (pitch && Dimensions > 1) {
      if ((*pitch)[0] < view.row_pitch)
        throw exception(errc::invalid,
                        "image: the pitch of rows is less than their " + std::to_string(view.row_pitch) + " bytes");
      view.row_pitch = (*pitch)[0];
    }
    view.slice_pitch = view.row_pitch * static_cast<std::size_t>(view.extent[1]);
    if constexpr (Dimensions == 3)
      if (pitch) {
        if ((*pitch)[1] < view.slice_pitch)
          throw exception(errc::invalid, "image: the pitch of slices is less than their " +
                                             std::to_string(view.slice_pitch) + " bytes");
        view.slice_pitch = (*pitch)[1];
      }
    return view;
  }
};

/// Access to an image's internals for accessors.
struct image_access {
  template <int D> static const std::shared_ptr<buffer_state> &state(const image_base<D> &i) { return i.state_; }
  template <int D> static const image_view &view(const image_base<D> &i) { return i.view_; }
};

}  // namespace detail

template <int Dimensions = 1, class Allocator = image_allocator>
class unsampled_image : public detail::image_base<Dimensions> {
  using base = detail::image_base<Dimensions>;
  using pitches = detail::pitch_range<Dimensions>;
  using storage = dpep::buffer::host_storage;

public:
  using allocator_type = Allocator;

  unsampled_image(image_format format, const range<Dimensions> &extent, const property_list &p = {})
      : base(detail::layout_of(format), extent, nullptr, nullptr, storage::none, false, p) {}
  unsampled_image(image_format format, const range<Dimensions> &extent, Allocator, const property_list &p = {})
      : unsampled_image(format, extent, p) {}
  unsampled_image(image_format format, const range<Dimensions> &extent, const pitches &pitch,
                  const property_list &p = {})
    requires(Dimensions > 1)
      : base(detail::layout_of(format), extent, &pitch, nullptr, storage::none, false, p) {}
  unsampled_image(image_format format, const range<Dimensions> &extent, const pitches &pitch, Allocator,
                  const property_list &p = {})
    requires(Dimensions > 1)
      : unsampled_image(format, extent, pitch, p) {}

  // The image uses the host memory, which gets the final contents.
  unsampled_image(void *host, image_format format, const range<Dimensions> &extent, const property_list &p = {})
      : base(detail::layout_of(format), extent, nullptr, host, storage::use, true, p) {}
  unsampled_image(void *host, image_format format, const range<Dimensions> &extent, Allocator,
                  const property_list &p = {})
      : unsampled_image(host, format, extent, p) {}
  unsampled_image(void *host, image_format format, const range<Dimensions> &extent, const pitches &pitch,
                  const property_list &p = {})
    requires(Dimensions > 1)
      : base(detail::layout_of(format), extent, &pitch, host, storage::use, true, p) {}
  unsampled_image(void *host, image_format format, const range<Dimensions> &extent, const pitches &pitch, Allocator,
                  const property_list &p = {})
    requires(Dimensions > 1)
      : unsampled_image(host, format, extent, pitch, p) {}
  unsampled_image(const std::shared_ptr<void> &host, image_format format, const range<Dimensions> &extent,
                  const property_list &p = {})
      : unsampled_image(host.get(), format, extent, p) {
    this->state_->host_owner = host;
  }
  unsampled_image(const std::shared_ptr<void> &host, image_format format, const range<Dimensions> &extent, Allocator,
                  const property_list &p = {})
      : unsampled_image(host, format, extent, p) {}
  unsampled_image(const std::shared_ptr<void> &host, image_format format, const range<Dimensions> &extent,
                  const pitches &pitch, const property_list &p = {})
    requires(Dimensions > 1)
      : unsampled_image(host.get(), format, extent, pitch, p) {
    this->state_->host_owner = host;
  }
  unsampled_image(const std::shared_ptr<void> &host, image_format format, const range<Dimensions> &extent,
                  const pitches &pitch, Allocator, const property_list &p = {})
    requires(Dimensions > 1)
      : unsampled_image(host, format, extent, pitch, p) {}

  Allocator get_allocator() const { return {}; }

  // The access mode is a template argument, or follows from a tag.
  template <class DataT, access_mode Mode = detail::mode_for<DataT>, image_target Target = image_target::device>
  unsampled_image_accessor<DataT, Dimensions, Mode, Target> get_access(handler &h, const property_list &p = {});
  template <class DataT, image_target Target = image_target::device, detail::mode_tag Tag>
  auto get_access(handler &h, const Tag &, const property_list &p = {});
  template <class DataT, access_mode Mode = detail::mode_for<DataT>>
  host_unsampled_image_accessor<DataT, Dimensions, Mode> get_host_access(const property_list &p = {});
  template <class DataT, detail::mode_tag Tag> auto get_host_access(const Tag &, const property_list &p = {});

  template <class Destination = std::nullptr_t> void set_final_data(Destination destination = nullptr) {
    this->set_final(destination);
  }
  void set_write_back(bool enabled = true) { this->state_->set_write_back(enabled); }
};

template <int Dimensions = 1, class Allocator = image_allocator>
class sampled_image : public detail::image_base<Dimensions> {
  using base = detail::image_base<Dimensions>;
  using pitches = detail::pitch_range<Dimensions>;
  using storage = dpep::buffer::host_storage;

public:
  // The image reads the host memory, which must not change while it lives.
  sampled_image(const void *host, image_format format, image_sampler how, const range<Dimensions> &extent,
                const property_list &p = {})
      : base(detail::layout_of(format), extent, nullptr, host, storage::use, false, p), sampler_(how) {}
  sampled_image(const void *host, image_format format, image_sampler how, const range<Dimensions> &extent,
                const pitches &pitch, const property_list &p = {})
    requires(Dimensions > 1)
      : base(detail::layout_of(format), extent, &pitch, host, storage::use, false, p), sampler_(how) {}
  sampled_image(const std::shared_ptr<const void> &host, image_format format, image_sampler how,
                const range<Dimensions> &extent, const property_list &p = {})
      : sampled_image(host.get(), format, how, extent, p) {
    this->state_->host_owner = host;
  }
  sampled_image(const std::shared_ptr<const void> &host, image_format format, image_sampler how,
                const range<Dimensions> &extent, const pitches &pitch, const property_list &p = {})
    requires(Dimensions > 1)
      : sampled_image(host.get(), format, how, extent, pitch, p) {
    this->state_->host_owner = host;
  }

  image_sampler get_sampler() const { return sampler_; }

  template <class DataT, image_target Target = image_target::device>
  sampled_image_accessor<DataT, Dimensions, Target> get_access(handler &h, const property_list &p = {});
  template <class DataT> host_sampled_image_accessor<DataT, Dimensions> get_host_access(const property_list &p = {});

private:
  image_sampler sampler_;
};

/// The image of SYCL 1.2.1. Its accessors have the targets image, image_array and host_image.
template <int Dimensions = 1, class Allocator = image_allocator> class image : public detail::image_base<Dimensions> {
  using base = detail::image_base<Dimensions>;
  using pitches = detail::pitch_range<Dimensions>;
  using storage = dpep::buffer::host_storage;

public:
  image(image_channel_order order, image_channel_type type, const range<Dimensions> &extent,
        const property_list &p = {})
      : base(detail::layout_of(order, type), extent, nullptr, nullptr, storage::none, false, p) {}
  image(image_channel_order order, image_channel_type type, const range<Dimensions> &extent, Allocator,
        const property_list &p = {})
      : image(order, type, extent, p) {}
  image(image_channel_order order, image_channel_type type, const range<Dimensions> &extent, const pitches &pitch,
        const property_list &p = {})
    requires(Dimensions > 1)
      : base(detail::layout_of(order, type), extent, &pitch, nullptr, storage::none, false, p) {}
  image(image_channel_order order, image_channel_type type, const range<Dimensions> &extent, const pitches &pitch,
        Allocator, const property_list &p = {})
    requires(Dimensions > 1)
      : image(order, type, extent, pitch, p) {}
  image(void *host, image_channel_order order, image_channel_type type, const range<Dimensions> &extent,
        const property_list &p = {})
      : base(detail::layout_of(order, type), extent, nullptr, host, storage::use, true, p) {}
  image(void *host, image_channel_order order, image_channel_type type, const range<Dimensions> &extent, Allocator,
        const property_list &p = {})
      : image(host, order, type, extent, p) {}
  image(void *host, image_channel_order order, image_channel_type type, const range<Dimensions> &extent,
        const pitches &pitch, const property_list &p = {})
    requires(Dimensions > 1)
      : base(detail::layout_of(order, type), extent, &pitch, host, storage::use, true, p) {}
  image(void *host, image_channel_order order, image_channel_type type, const range<Dimensions> &extent,
        const pitches &pitch, Allocator, const property_list &p = {})
    requires(Dimensions > 1)
      : image(host, order, type, extent, pitch, p) {}
  image(const void *host, image_channel_order order, image_channel_type type, const range<Dimensions> &extent,
        const property_list &p = {})
      : base(detail::layout_of(order, type), extent, nullptr, host, storage::copy, false, p) {}
  image(const void *host, image_channel_order order, image_channel_type type, const range<Dimensions> &extent,
        Allocator, const property_list &p = {})
      : image(host, order, type, extent, p) {}
  image(const std::shared_ptr<void> &host, image_channel_order order, image_channel_type type,
        const range<Dimensions> &extent, const property_list &p = {})
      : image(host.get(), order, type, extent, p) {
    this->state_->host_owner = host;
  }
  image(const std::shared_ptr<void> &host, image_channel_order order, image_channel_type type,
        const range<Dimensions> &extent, Allocator, const property_list &p = {})
      : image(host, order, type, extent, p) {}
  image(const std::shared_ptr<void> &host, image_channel_order order, image_channel_type type,
        const range<Dimensions> &extent, const pitches &pitch, const property_list &p = {})
    requires(Dimensions > 1)
      : image(host.get(), order, type, extent, pitch, p) {
    this->state_->host_owner = host;
  }
  image(const std::shared_ptr<void> &host, image_channel_order order, image_channel_type type,
        const range<Dimensions> &extent, const pitches &pitch, Allocator, const property_list &p = {})
    requires(Dimensions > 1)
      : image(host, order, type, extent, pitch, p) {}

  std::size_t get_size() const { return this->byte_size(); }
  std::size_t get_count() const { return this->size(); }
  Allocator get_allocator() const { return {}; }

  template <class DataT, access_mode Mode>
  accessor<DataT, Dimensions, Mode, target::image, access::placeholder::false_t> get_access(handler &h) {
    return {*this, h};
  }
  template <class DataT, access_mode Mode>
  accessor<DataT, Dimensions, Mode, target::host_image, access::placeholder::false_t> get_access() {
    return {*this};
  }

  template <class Destination = std::nullptr_t> void set_final_data(Destination destination = nullptr) {
    this->set_final(destination);
  }
  void set_write_back(bool enabled = true) { this->state_->set_write_back(enabled); }
};

namespace detail {
template <int D, class A> inline constexpr bool takes_buffer_properties<unsampled_image<D, A>> = true;
template <int D, class A> inline constexpr bool takes_buffer_properties<sampled_image<D, A>> = true;
template <int D, class A> inline constexpr bool takes_buffer_properties<image<D, A>> = true;
}  // namespace detail

}  // namespace sycl

template <int D, class A> struct std::hash<sycl::unsampled_image<D, A>> {
  std::size_t operator()(const sycl::unsampled_image<D, A> &i) const noexcept {
    return std::hash<const void *>()(sycl::detail::image_access::state(i).get());
  }
};
template <int D, class A> struct std::hash<sycl::sampled_image<D, A>> {
  std::size_t operator()(const sycl::sampled_image<D, A> &i) const noexcept {
    return std::hash<const void *>()(sycl::detail::image_access::state(i).get());
  }
};
template <int D, class A> struct std::hash<sycl::image<D, A>> {
  std::size_t operator()(const sycl::image<D, A> &i) const noexcept {
    return std::hash<const void *>()(sycl::detail::image_access::state(i).get());
  }
};
