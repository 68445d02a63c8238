// sycl::accessor: access to a buffer's elements from kernels and host tasks.
//
// In a kernel, an accessor is a pointer and a shape. On the host, constructing one with a handler registers with the
// command group the part of the buffer and the access mode that it uses; the order of commands follows from that.
#pragma once

#include <type_traits>

#include <sycl/buffer.hpp>
#include <sycl/detail/accessor_view.hpp>
#include <sycl/detail/placeholder.hpp>
#include <sycl/handler.hpp>
#include <sycl/multi_ptr.hpp>

namespace sycl {

namespace detail {

template <class T>
inline constexpr access_mode default_mode = std::is_const_v<T> ? access_mode::read : access_mode::read_write;

// The access mode and target that a deduction tag among an accessor's arguments stands for.
template <class...> struct tag_of {
  static constexpr bool found = false;
  static constexpr access_mode mode = access_mode::read_write;
  static constexpr access::target target = access::target::device;
};
template <class First, class... Others> struct tag_of<First, Others...> : tag_of<Others...> {};
template <access_mode M, class... Others> struct tag_of<mode_tag_t<M>, Others...> {
  static constexpr bool found = true;
  static constexpr access_mode mode = M;
  static constexpr access::target target = access::target::device;
};
template <access_mode M, access::target T, class... Others> struct tag_of<mode_target_tag_t<M, T>, Others...> {
  static constexpr bool found = true;
  static constexpr access_mode mode = M;
  static constexpr access::target target = T;
};
template <class T, class... Arguments>
inline constexpr access_mode deduced_mode = tag_of<Arguments...>::found ? tag_of<Arguments...>::mode : default_mode<T>;

/// Whether an accessor of T reaches the elements of a buffer of U: constant elements are only read.
template <class U, class T, access_mode Mode>
concept accessible_as = std::is_same_v<std::remove_const_t<U>, std::remove_const_t<T>> &&
                        (!std::is_const_v<U> || std::is_const_v<T> || Mode == access_mode::read);

/// Whether an accessor converts to another one: same elements, no more access rights.
template <class ToT, access_mode ToMode, class FromT, access_mode FromMode>
inline constexpr bool accessor_converts =
    std::is_same_v<std::remove_const_t<ToT>, std::remove_const_t<FromT>> &&
    (ToMode == access_mode::read || (ToMode == FromMode && std::is_const_v<ToT> == std::is_const_v<FromT>));

}  // namespace detail

template <class T, int Dimensions = 1, access_mode Mode = detail::default_mode<T>, target Target = target::device,
          access::placeholder Placeholder = access::placeholder::false_t>
class accessor : public detail::accessor_view<T, Dimensions, Mode> {
  using view = detail::accessor_view<T, Dimensions, Mode>;
  using typename view::element;
  static constexpr int stored_dimensions = view::stored_dimensions;
  using buffer_range = range<stored_dimensions>;
  using buffer_id = id<stored_dimensions>;
  template <class U, class A> using buffer_of = buffer<U, stored_dimensions, A>;
  // The tag type that agrees with the accessor's mode and target.
  using tag = std::conditional_t<Target == target::device, mode_tag_t<Mode>, mode_target_tag_t<Mode, Target>>;

public:
  using accessor_type = accessor;  // marks accessors for multi_ptr's constructors
  template <access::decorated D> using accessor_ptr = multi_ptr<element, access::address_space::global_space, D>;
  using view::operator=;
  static constexpr target access_target = Target;

  accessor() = default;

  // Constructors without a handler make a placeholder. handler::require makes it usable in a command group.
  template <detail::accessible_as<T, Mode> U, class A> accessor(buffer_of<U, A> &b, const property_list &p = {}) {
    init(b, nullptr, view::whole(b), {}, p);
  }
  template <detail::accessible_as<T, Mode> U, class A> accessor(buffer_of<U, A> &b, tag, const property_list &p = {}) {
    init(b, nullptr, view::whole(b), {}, p);
  }
  template <detail::accessible_as<T, Mode> U, class A>
  accessor(buffer_of<U, A> &b, buffer_range r, const property_list &p = {}) {
    init(b, nullptr, r, {}, p);
  }
  template <detail::accessible_as<T, Mode> U, class A>
  accessor(buffer_of<U, A> &b, buffer_range r, tag, const property_list &p = {}) {
    init(b, nullptr, r, {}, p);
  }
  template <detail::accessible_as<T, Mode> U, class A>
  accessor(buffer_of<U, A> &b, buffer_range r, buffer_id o, const property_list &p = {}) {
    init(b, nullptr, r, o, p);
  }
  template <detail::accessible_as<T, Mode> U, class A>
  accessor(buffer_of<U, A> &b, buffer_range r, buffer_id o, tag, const property_list &p = {}) {
    init(b, nullptr, r, o, p);
  }

  template <detail::accessible_as<T, Mode> U, class A>
  accessor(buffer_of<U, A> &b, handler &h, const property_list &p = {}) {
    init(b, &h, view::whole(b), {}, p);
  }
  template <detail::accessible_as<T, Mode> U, class A>
  accessor(buffer_of<U, A> &b, handler &h, tag, const property_list &p = {}) {
    init(b, &h, view::whole(b), {}, p);
  }
  template <detail::accessible_as<T, Mode> U, class A>
  accessor(buffer_of<U, A> &b, handler &h, buffer_range r, const property_list &p = {}) {
    init(b, &h, r, {}, p);
  }
  template <detail::accessible_as<T, Mode> U, class A>
  accessor(buffer_of<U, A> &b, handler &h, buffer_range r, tag, const property_list &p = {}) {
    init(b, &h, r, {}, p);
  }
  template <detail::accessible_as<T, Mode> U, class A>
  accessor(buffer_of<U, A> &b, handler &h, buffer_range r, buffer_id o, const property_list &p = {}) {
    init(b, &h, r, o, p);
  }
  template <detail::accessible_as<T, Mode> U, class A>
  accessor(buffer_of<U, A> &b, handler &h, buffer_range r, buffer_id o, tag, const property_list &p = {}) {
    init(b, &h, r, o, p);
  }

  template <class U, access_mode M, access::placeholder P>
    requires(detail::accessor_converts<T, Mode, U, M>)
  accessor(const accessor<U, Dimensions, M, Target, P> &other) {
    this->first_ = other.first_;
    this->extent_ = other.extent_;
    this->box_ = other.box_;
    this->offset_ = other.offset_;
    placeholder_ = other.placeholder_;
    bytes_before_ = other.bytes_before_;
    discard_ = other.discard_;
    no_init_ = other.no_init_;
    bound_ = other.bound_;
  }

  void swap(accessor &other) noexcept { std::swap(*this, other); }
  bool is_placeholder() const noexcept { return placeholder_ != nullptr; }
  auto get_pointer() const noexcept {
    if constexpr (Target == target::host_task)
      return this->start();
    else if constexpr (Target == target::constant_buffer)
      return constant_ptr<T>(this->start());
    else
      return global_ptr<element>(this->start());
  }
  template <access::decorated D> accessor_ptr<D> get_multi_ptr() const noexcept {
    return accessor_ptr<D>(this->start());
  }

  template <class P> bool has_property() const noexcept { return std::is_same_v<P, property::no_init> && no_init_; }
  template <class P> P get_property() const {
    if (!has_property<P>()) detail::throw_no_property("accessor");
    return P();
  }

  /// The accessed elements, for handler::copy and handler::fill.
  detail::box box() const {
    if (placeholder_ && !this->first_) detail::throw_unbound("the copy or fill");
    return detail::make_box(this->first_, this->box_, this->extent_, sizeof(T));
  }

  /// The address of a placeholder does not count: handler::require sets it in one copy only.
  friend bool operator==(const accessor &a, const accessor &b) {
    return a.placeholder_ == b.placeholder_ && (a.placeholder_ || a.first_ == b.first_) && a.extent_ == b.extent_ &&
           a.box_ == b.box_ && a.offset_ == b.offset_ && a.bytes_before_ == b.bytes_before_;
  }

private:
  template <class, int, access_mode, target, access::placeholder> friend class accessor;
  friend handler;
  friend std::hash<accessor>;

  template <class Buffer>
  void init(Buffer &b, handler *h, const buffer_range &box, const buffer_id &offset, const property_list &properties) {
    view::check_properties("accessor", properties);
    for (int i = 0; i < stored_dimensions; i++)
      if (offset[i] > b.get_range()[i] || box[i] > b.get_range()[i] - offset[i])
        throw exception(errc::invalid, "accessor: elements " + std::to_string(offset[i]) + " to " +
                                           std::to_string(offset[i] + box[i]) + " of dimension " + std::to_string(i) +
                                           " exceed the buffer's range of " + std::to_string(b.get_range()[i]));
    this->extent_ = b.get_range();
    this->box_ = box;
    this->offset_ = offset;
    bound_ = true;
    no_init_ = properties.has_property<property::no_init>();
    discard_ = detail::discards(Mode) || no_init_;
    // The address is unknown until the accessor is bound: `bytes_before_` holds the offset of its elements within the
    // buffer.
    bytes_before_ = detail::buffer_access::offset(b);
    if (h)
      register_access(*detail::buffer_access::state(b), *h);
    else
      placeholder_ = detail::buffer_access::state(b).get();
  }

  detail::requirement requirement_for(const detail::buffer_state &state) const {
    const auto [part, contiguous] = detail::hull(this->extent_, this->offset_, this->box_, sizeof(T));
    return {state.memory, detail::to_dpep(Mode, discard_ && contiguous), bytes_before_ + part.offset, part.bytes};
  }
  void set_address(void *of_buffer) {
    this->first_ = reinterpret_cast<element *>(static_cast<std::byte *>(of_buffer) + bytes_before_) +
                   detail::linear(this->offset_, this->extent_);
  }
  /// Registers the access with the command group and stores the elements' address.
  void register_access(detail::buffer_state &state, handler &h) {
    const dpep::queue &queue = detail::handler_access::queue(h);
    state.check(queue);
    if constexpr (Target != target::host_task) detail::buffer_state::check_origin(queue, bytes_before_);
    detail::requirement required = requirement_for(state);
    required.of_placeholder = is_placeholder();
    set_address(detail::handler_access::requirements(h).add(queue, std::move(required)));
    if constexpr (Dimensions > 1) detail::handler_access::add_buffer(h, this->extent_.size());
  }
  /// The captured placeholder with the address for the command group, which must have required it: this accessor or
  /// one like it. Copies of accessors are the same accessor, also those made before the call of handler::require.
  accessor bound_in(const detail::requirements &group) const {
    void *const address = group.find(requirement_for(*placeholder_));
    if (!address) detail::throw_unbound("the kernel");
    accessor result = *this;
    result.set_address(address);
    return result;
  }

  /// Implements handler::require, which has no effect on other accessors than placeholders. The buffer must still
  /// exist.
  void bind(handler &h) const {
    if (!placeholder_) {
      if (!bound_)
        throw exception(errc::invalid, "handler::require: the accessor has no buffer, as it was made by its default "
                                       "constructor");
      return;
    }
    // A kernel captures the program's accessor object after handler::require, which takes it by constant reference.
    const_cast<accessor *>(this)->register_access(*placeholder_, h);
  }

  detail::buffer_state *placeholder_ = nullptr;
  std::size_t bytes_before_ = 0;
  bool discard_ = false, no_init_ = false, bound_ = false;  // bound_: has a buffer
};

static_assert(sizeof(accessor<char, 1>) >= detail::smallest_accessor);

// Deduction guides with a range, an id and a tag in the order of the constructors. Each guide names the property list,
// since nothing can be deduced from the braces in which it is often written.
template <class T, int D, class A>
accessor(buffer<T, D, A> &, const property_list & = {})
    -> accessor<T, D, detail::deduced_mode<T>, detail::tag_of<>::target>;
template <class T, int D, class A, class A1>
accessor(buffer<T, D, A> &, const A1 &, const property_list & = {})
    -> accessor<T, D, detail::deduced_mode<T, A1>, detail::tag_of<A1>::target>;
template <class T, int D, class A, class A1, class A2>
accessor(buffer<T, D, A> &, const A1 &, const A2 &, const property_list & = {})
    -> accessor<T, D, detail::deduced_mode<T, A1, A2>, detail::tag_of<A1, A2>::target>;
template <class T, int D, class A, class A1, class A2, class A3>
accessor(buffer<T, D, A> &, const A1 &, const A2 &, const A3 &, const property_list & = {})
    -> accessor<T, D, detail::deduced_mode<T, A1, A2, A3>, detail::tag_of<A1, A2, A3>::target>;
template <class T, int D, class A>
accessor(buffer<T, D, A> &, handler &, const property_list & = {})
    -> accessor<T, D, detail::deduced_mode<T>, detail::tag_of<>::target>;
template <class T, int D, class A, class A1>
accessor(buffer<T, D, A> &, handler &, const A1 &, const property_list & = {})
    -> accessor<T, D, detail::deduced_mode<T, A1>, detail::tag_of<A1>::target>;
template <class T, int D, class A, class A1, class A2>
accessor(buffer<T, D, A> &, handler &, const A1 &, const A2 &, const property_list & = {})
    -> accessor<T, D, detail::deduced_mode<T, A1, A2>, detail::tag_of<A1, A2>::target>;
template <class T, int D, class A, class A1, class A2, class A3>
accessor(buffer<T, D, A> &, handler &, const A1 &, const A2 &, const A3 &, const property_list & = {})
    -> accessor<T, D, detail::deduced_mode<T, A1, A2, A3>, detail::tag_of<A1, A2, A3>::target>;

template <class T, int D, access_mode M, access::placeholder P>
multi_ptr(accessor<T, D, M, target::device, P>)
    -> multi_ptr<typename accessor<T, D, M, target::device, P>::value_type, access::address_space::global_space,
                 access::decorated::no>;

namespace detail {
template <class T, int D, access_mode M, target G, access::placeholder P>
inline constexpr bool takes_no_init<accessor<T, D, M, G, P>> = true;
}  // namespace detail

}  // namespace sycl

template <class T, int D, sycl::access_mode M, sycl::target G, sycl::access::placeholder P>
struct std::hash<sycl::accessor<T, D, M, G, P>> {
  std::size_t operator()(const sycl::accessor<T, D, M, G, P> &a) const noexcept {
    return a.placeholder_ ? std::hash<const void *>()(a.placeholder_) : std::hash<const void *>()(a.first_);
  }
};
