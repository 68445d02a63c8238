// The arithmetic that random access iterators have in common.
#pragma once

#include <cstddef>
#include <iterator>

namespace oneapi::dpl::detail {

/// A random access iterator from `Derived::advance(n)`, `Derived::distance_to(other)` and `Derived::operator*`.
template <class Derived, class Value, class Reference> class iterator_base {
public:
  using value_type = Value;
  using reference = Reference;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using iterator_category = std::random_access_iterator_tag;

  Derived &operator+=(difference_type n) {
    self().advance(n);
    return self();
  }
  Derived &operator-=(difference_type n) { return *this += -n; }
  Derived &operator++() { return *this += 1; }
  Derived &operator--() { return *this += -1; }
  Derived operator++(int) {
    const Derived old = self();
    ++*this;
    return old;
  }
  Derived operator--(int) {
    const Derived old = self();
    --*this;
    return old;
  }
  Reference operator[](difference_type n) const { return *(self() + n); }

  friend Derived operator+(Derived i, difference_type n) { return i += n; }
  friend Derived operator+(difference_type n, Derived i) { return i += n; }
  friend Derived operator-(Derived i, difference_type n) { return i -= n; }
  friend difference_type operator-(const Derived &a, const Derived &b) { return b.distance_to(a); }
  friend bool operator==(const Derived &a, const Derived &b) { return b.distance_to(a) == 0; }
  friend bool operator<(const Derived &a, const Derived &b) { return b.distance_to(a) < 0; }
  friend bool operator>(const Derived &a, const Derived &b) { return b < a; }
  friend bool operator<=(const Derived &a, const Derived &b) { return !(b < a); }
  friend bool operator>=(const Derived &a, const Derived &b) { return !(a < b); }

private:
  Derived &self() { return static_cast<Derived &>(*this); }
  const Derived &self() const { return static_cast<const Derived &>(*this); }
};

}  // namespace oneapi::dpl::detail
