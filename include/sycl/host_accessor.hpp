// sycl::host_accessor: access to a buffer from the host program. Conflicting commands wait until it is destroyed.
#pragma once

#include <memory>

#include <sycl/accessor.hpp>

namespace sycl {

namespace detail {
/// Blocks conflicting commands until all copies of the accessor are destroyed.
class host_access_guard {
public:
  host_access_guard(std::shared_ptr<buffer_state> state, dpep::access mode)
      : state_(std::move(state)), mode_(mode), address_(state_->memory.acquire_host(mode)) {}
  host_access_guard(const host_access_guard &) = delete;
  host_access_guard &operator=(const host_access_guard &) = delete;
  ~host_access_guard() { state_->memory.release_host(mode_); }
  void *address() const noexcept { return address_; }

private:
  const std::shared_ptr<buffer_state> state_;
  const dpep::access mode_;
  void *const address_;
};
}  // namespace detail

template <class T, int Dimensions = 1, access_mode Mode = detail::default_mode<T>>
class host_accessor : public detail::accessor_view<T, Dimensions, Mode> {
  using view = detail::accessor_view<T, Dimensions, Mode>;
  using typename view::element;
  static constexpr int stored_dimensions = view::stored_dimensions;
  template <class U, class A> using buffer_of = buffer<U, stored_dimensions, A>;
  using tag = mode_tag_t<Mode>;

public:
  using view::operator=;

  host_accessor() = default;
  template <detail::accessible_as<T, Mode> U, class A> host_accessor(buffer_of<U, A> &b, const property_list &p = {}) {
    init(b, view::whole(b), {}, p);
  }
  template <detail::accessible_as<T, Mode> U, class A>
  host_accessor(buffer_of<U, A> &b, tag, const property_list &p = {}) {
    init(b, view::whole(b), {}, p);
  }
  template <detail::accessible_as<T, Mode> U, class A>
  host_accessor(buffer_of<U, A> &b, range<stored_dimensions> r, const property_list &p = {}) {
    init(b, r, {}, p);
  }
  template <detail::accessible_as<T, Mode> U, class A>
  host_accessor(buffer_of<U, A> &b, range<stored_dimensions> r, tag, const property_list &p = {}) {
    init(b, r, {}, p);
  }
  template <detail::accessible_as<T, Mode> U, class A>
  host_accessor(buffer_of<U, A> &b, range<stored_dimensions> r, id<stored_dimensions> o, const property_list &p = {}) {
    init(b, r, o, p);
  }
  template <detail::accessible_as<T, Mode> U, class A>
  host_accessor(buffer_of<U, A> &b, range<stored_dimensions> r, id<stored_dimensions> o, tag,
                const property_list &p = {}) {
    init(b, r, o, p);
  }

  template <class U, access_mode M>
    requires(detail::accessor_converts<T, Mode, U, M>)
  host_accessor(const host_accessor<U, Dimensions, M> &other) : claim_(other.claim_), no_init_(other.no_init_) {
    this->first_ = other.first_;
    this->extent_ = other.extent_;
    this->box_ = other.box_;
    this->offset_ = other.offset_;
  }

  void swap(host_accessor &other) noexcept { std::swap(*this, other); }
  template <class P> bool has_property() const noexcept { return std::is_same_v<P, property::no_init> && no_init_; }
  template <class P> P get_property() const {
    if (!has_property<P>()) detail::throw_no_property("host_accessor");
    return P();
  }
  element *get_pointer() const noexcept { return this->start(); }
  element *data() const noexcept { return this->start(); }

  friend bool operator==(const host_accessor &a, const host_accessor &b) {
    return a.claim_ == b.claim_ && a.first_ == b.first_ && a.box_ == b.box_;
  }

private:
  template <class, int, access_mode> friend class host_accessor;
  friend std::hash<host_accessor>;

  template <class Buffer>
  void init(Buffer &b, const range<stored_dimensions> &box, const id<stored_dimensions> &offset,
            const property_list &properties) {
    view::check_properties("host_accessor", properties);
    for (int i = 0; i < stored_dimensions; i++)
      if (offset[i] > b.get_range()[i] || box[i] > b.get_range()[i] - offset[i])
        throw exception(errc::invalid, "host_accessor: elements " + std::to_string(offset[i]) + " to " +
                                           std::to_string(offset[i] + box[i]) + " of dimension " + std::to_string(i) +
                                           " exceed the buffer's range of " + std::to_string(b.get_range()[i]));
    const bool all = box == b.get_range() && !b.is_sub_buffer();
    no_init_ = properties.has_property<property::no_init>();
    const bool discard = all && (detail::discards(Mode) || no_init_);
    claim_ =
        std::make_shared<detail::host_access_guard>(detail::buffer_access::state(b), detail::to_dpep(Mode, discard));
    this->extent_ = b.get_range();
    this->box_ = box;
    this->offset_ = offset;
    this->first_ =
        reinterpret_cast<element *>(static_cast<std::byte *>(claim_->address()) + detail::buffer_access::offset(b)) +
        detail::linear(offset, this->extent_);
  }

  std::shared_ptr<detail::host_access_guard> claim_;
  bool no_init_ = false;
};

// Explicit as in accessor: nothing can be deduced from the braces of a property list.
template <class T, int D, class A>
host_accessor(buffer<T, D, A> &, const property_list & = {}) -> host_accessor<T, D, detail::deduced_mode<T>>;
template <class T, int D, class A, class A1>
host_accessor(buffer<T, D, A> &, const A1 &, const property_list & = {})
    -> host_accessor<T, D, detail::deduced_mode<T, A1>>;
template <class T, int D, class A, class A1, class A2>
host_accessor(buffer<T, D, A> &, const A1 &, const A2 &, const property_list & = {})
    -> host_accessor<T, D, detail::deduced_mode<T, A1, A2>>;
template <class T, int D, class A, class A1, class A2, class A3>
host_accessor(buffer<T, D, A> &, const A1 &, const A2 &, const A3 &, const property_list & = {})
    -> host_accessor<T, D, detail::deduced_mode<T, A1, A2, A3>>;

// The deprecated spelling accessor<…, target::host_buffer>.
template <class T, int D, access_mode M, access::placeholder P>
class accessor<T, D, M, target::host_buffer, P> : public host_accessor<T, D, M> {
public:
  using host_accessor<T, D, M>::host_accessor;
  accessor(const host_accessor<T, D, M> &other) : host_accessor<T, D, M>(other) {}
  bool is_placeholder() const noexcept { return false; }
};
template <class T, int D, access_mode M>
accessor(const host_accessor<T, D, M> &) -> accessor<T, D, M, target::host_buffer, access::placeholder::false_t>;

namespace detail {
template <class T, int D, access_mode M> inline constexpr bool takes_no_init<host_accessor<T, D, M>> = true;
}  // namespace detail

}  // namespace sycl

template <class T, int D, sycl::access_mode M> struct std::hash<sycl::host_accessor<T, D, M>> {
  std::size_t operator()(const sycl::host_accessor<T, D, M> &a) const noexcept {
    return std::hash<const void *>()(a.claim_.get()) ^ std::hash<const void *>()(a.first_);
  }
};
template <class T, int D, sycl::access_mode M, sycl::access::placeholder P>
struct std::hash<sycl::accessor<T, D, M, sycl::target::host_buffer, P>> : std::hash<sycl::host_accessor<T, D, M>> {};
