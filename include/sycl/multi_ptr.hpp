// sycl::multi_ptr: a pointer with an address space (SYCL 2020, section 4.7.7).
//
// In the bitcode of kernels every address space is the generic one, so decorated and raw pointers have the same type,
// and casts between address spaces are free.
#pragma once

#include <compare>
#include <cstddef>
#include <span>  // for iterator tags; <iterator> includes the streams
#include <type_traits>

#include <sycl/memory_model.hpp>

namespace sycl {

namespace detail {

constexpr bool fits(access::address_space to, access::address_space from) {
  using enum access::address_space;
  return to == from || (to == generic_space && from != constant_space) ||
         (to == global_space && (from == ext_intel_global_device_space || from == ext_intel_global_host_space));
}

}  // namespace detail

/// The type without address spaces, which the types of dpep's decorated pointers and references do not have.
template <class T> struct remove_decoration {
  using type = T;
};
template <class T> using remove_decoration_t = typename remove_decoration<T>::type;

template <class T, access::address_space Space, access::decorated Decorated = access::decorated::legacy>
class multi_ptr {
  static constexpr bool is_void = std::is_void_v<T>;
  using item = std::conditional_t<is_void, char, T>;  // replaces void where a reference type would be formed

public:
  static constexpr bool is_decorated = Decorated == access::decorated::yes;
  static constexpr access::address_space address_space = Space;

  using value_type = T;
  using element_type = T;
  using pointer = T *;
  using pointer_t = T *;
  using const_pointer_t = const T *;
  using reference = std::add_lvalue_reference_t<T>;
  using reference_t = reference;
  using iterator_category = std::random_access_iterator_tag;
  using difference_type = std::ptrdiff_t;

  constexpr multi_ptr() = default;
  constexpr multi_ptr(const multi_ptr &) = default;
  constexpr multi_ptr(std::nullptr_t) {}
  constexpr explicit(Decorated != access::decorated::legacy) multi_ptr(T *p) : p_(p) {}
  /// Conversions to const, to void, and to wider address spaces.
  template <class U, access::address_space From, access::decorated D>
    requires(std::is_convertible_v<U *, T *> && detail::fits(Space, From))
  constexpr multi_ptr(const multi_ptr<U, From, D> &other) : p_(other.get_raw()) {}
  /// Converts from an accessor.
  template <class A>
    requires requires(const A &a) {
      typename A::accessor_type;
      { a.get_pointer() } -> std::convertible_to<T *>;
    }
  constexpr multi_ptr(const A &accessor) : p_(accessor.get_pointer()) {}

  constexpr multi_ptr &operator=(const multi_ptr &) = default;
  constexpr multi_ptr &operator=(std::nullptr_t) {
    p_ = nullptr;
    return *this;
  }

  /// Converts back from the generic address space, or from void; unchecked.
  template <class U, access::address_space To, access::decorated D>
    requires(Space == access::address_space::generic_space && To != Space &&
             (std::is_same_v<U, T> || std::is_same_v<U, const T>))
  constexpr explicit operator multi_ptr<U, To, D>() const {
    return multi_ptr<U, To, D>(p_);
  }
  template <class U>
    requires(is_void && !std::is_void_v<U>)
  constexpr explicit operator multi_ptr<U, Space, Decorated>() const {
    return multi_ptr<U, Space, Decorated>(static_cast<U *>(p_));
  }

  constexpr T *get() const { return p_; }
  constexpr T *get_raw() const { return p_; }
  constexpr T *get_decorated() const { return p_; }
  constexpr explicit(Decorated != access::decorated::legacy) operator T *() const { return p_; }

  constexpr item &operator*() const
    requires(!is_void)
  {
    return *p_;
  }
  constexpr T *operator->() const
    requires(!is_void)
  {
    return p_;
  }
  constexpr item &operator[](difference_type i) const
    requires(!is_void)
  {
    return p_[i];
  }

  constexpr multi_ptr &operator++() { return *this += 1; }
  constexpr multi_ptr &operator--() { return *this -= 1; }
  constexpr multi_ptr operator++(int) {
    multi_ptr old = *this;
    ++*this;
    return old;
  }
  constexpr multi_ptr operator--(int) {
    multi_ptr old = *this;
    --*this;
    return old;
  }
  constexpr multi_ptr &operator+=(difference_type n) {
    p_ += n;
    return *this;
  }
  constexpr multi_ptr &operator-=(difference_type n) {
    p_ -= n;
    return *this;
  }
  friend constexpr multi_ptr operator+(multi_ptr p, difference_type n) { return p += n; }
  friend constexpr multi_ptr operator+(difference_type n, multi_ptr p) { return p += n; }
  friend constexpr multi_ptr operator-(multi_ptr p, difference_type n) { return p -= n; }
  friend constexpr difference_type operator-(const multi_ptr &a, const multi_ptr &b) { return a.p_ - b.p_; }

  friend constexpr bool operator==(const multi_ptr &a, const multi_ptr &b) { return a.p_ == b.p_; }
  friend constexpr auto operator<=>(const multi_ptr &a, const multi_ptr &b) { return a.p_ <=> b.p_; }
  friend constexpr bool operator==(const multi_ptr &a, std::nullptr_t) { return a.p_ == nullptr; }

  void prefetch(std::size_t) const {}

private:
  T *p_ = nullptr;
};

namespace detail {
template <class P> inline constexpr bool is_multi_ptr = false;
template <class T, access::address_space S, access::decorated D>
inline constexpr bool is_multi_ptr<multi_ptr<T, S, D>> = true;
template <class P, class T>
concept multi_ptr_to = is_multi_ptr<P> && requires(P p) {
  { p.get_raw() } -> std::convertible_to<T *>;
};
/// Returns the raw pointer of a built-in function's pointer argument, which is a `T *` or a `multi_ptr<T, …>`.
template <class P> inline auto *raw(P p) {
  if constexpr (std::is_pointer_v<P>)
    return p;
  else
    return p.get_raw();
}
}  // namespace detail

template <access::address_space Space, access::decorated Decorated = access::decorated::legacy, class T>
constexpr multi_ptr<T, Space, Decorated> address_space_cast(T *p) {
  return multi_ptr<T, Space, Decorated>(p);
}
template <access::address_space Space, access::decorated Decorated, class T, access::address_space From,
          access::decorated D>
constexpr multi_ptr<T, Space, Decorated> address_space_cast(const multi_ptr<T, From, D> &p) {
  return multi_ptr<T, Space, Decorated>(p.get_raw());
}
template <access::address_space Space, access::decorated Decorated = access::decorated::legacy, class T>
constexpr multi_ptr<T, Space, Decorated> make_ptr(T *p) {
  return multi_ptr<T, Space, Decorated>(p);
}
template <class T, access::address_space Space, access::decorated Decorated = access::decorated::legacy>
constexpr multi_ptr<T, Space, Decorated> make_ptr(T *p) {
  return multi_ptr<T, Space, Decorated>(p);
}

template <class T, access::decorated D = access::decorated::legacy>
using global_ptr = multi_ptr<T, access::address_space::global_space, D>;
template <class T, access::decorated D = access::decorated::legacy>
using local_ptr = multi_ptr<T, access::address_space::local_space, D>;
template <class T, access::decorated D = access::decorated::legacy>
using private_ptr = multi_ptr<T, access::address_space::private_space, D>;
template <class T, access::decorated D = access::decorated::legacy>
using generic_ptr = multi_ptr<T, access::address_space::generic_space, D>;
template <class T> using constant_ptr = multi_ptr<const T, access::address_space::constant_space>;
template <class T> using raw_global_ptr = global_ptr<T, access::decorated::no>;
template <class T> using raw_local_ptr = local_ptr<T, access::decorated::no>;
template <class T> using raw_private_ptr = private_ptr<T, access::decorated::no>;
template <class T> using raw_generic_ptr = generic_ptr<T, access::decorated::no>;
template <class T> using decorated_global_ptr = global_ptr<T, access::decorated::yes>;
template <class T> using decorated_local_ptr = local_ptr<T, access::decorated::yes>;
template <class T> using decorated_private_ptr = private_ptr<T, access::decorated::yes>;
template <class T> using decorated_generic_ptr = generic_ptr<T, access::decorated::yes>;

}  // namespace sycl
