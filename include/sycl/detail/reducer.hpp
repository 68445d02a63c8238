// The partial result of one work-item, or of a loop over several, in a reduction: sycl::reducer and its value.
#pragma once

#include <cstddef>
#include <type_traits>

#include <sycl/detail/fold.hpp>

namespace sycl {

namespace detail {

/// A partial result. It starts as the identity, or as empty if the operation has no known identity.
template <class T, bool HasIdentity> struct partial {
  T value;
  static partial none(const T &identity) { return {identity}; }
  template <class Op> void add(const T &x, Op op) { value = detail::combine<T>(value, x, op); }
  template <class Op> void add(const partial &other, Op op) { add(other.value, op); }
  /// Writes the result, combined with the value in memory unless `fresh`.
  template <class Op> void write(T &result, bool fresh, Op op) const {
    result = fresh ? value : static_cast<T>(op(result, value));
  }
};
/// Takes the place of an identity that is not known.
struct no_identity {};
template <class T, bool HasIdentity> using identity_t = std::conditional_t<HasIdentity, T, no_identity>;

/// Bytes for the value, since T may have no default constructor.
template <class T> struct partial<T, false> {
  alignas(T) std::byte bytes[sizeof(T)];
  bool any;
  static partial none(no_identity) {
    partial empty;
    empty.any = false;
    return empty;
  }
  const T &value() const { return *reinterpret_cast<const T *>(bytes); }
  template <class Op> void add(const T &x, Op op) {
    const T sum = any ? static_cast<T>(op(value(), x)) : x;
    __builtin_memcpy(bytes, static_cast<const void *>(&sum), sizeof sum);
    any = true;
  }
  template <class Op> void add(const partial &other, Op op) {
    if (other.any) add(other.value(), op);
  }
  template <class Op> void write(T &result, bool, Op op) const {
    if (any) result = static_cast<T>(op(result, value()));
  }
};

/// The reducer operators of an operation. Members, since elements of reducers are temporaries.
template <class Derived, class T, class Op> class reducer_operators {
  static constexpr operation what = operation_of<Op>;
  Derived &add(const T &x) {
    static_cast<Derived &>(*this).combine(x);
    return static_cast<Derived &>(*this);
  }

public:
  Derived &operator+=(const T &x)
    requires(what == operation::plus)
  {
    return add(x);
  }
  Derived &operator*=(const T &x)
    requires(what == operation::multiplies)
  {
    return add(x);
  }
  Derived &operator&=(const T &x)
    requires(what == operation::bit_and)
  {
    return add(x);
  }
  Derived &operator|=(const T &x)
    requires(what == operation::bit_or)
  {
    return add(x);
  }
  Derived &operator^=(const T &x)
    requires(what == operation::bit_xor)
  {
    return add(x);
  }
  Derived &operator++()
    requires(what == operation::plus && std::is_constructible_v<T, int>)
  {
    return add(T(1));
  }
  /// Returns nothing: a reducer has no value to return, and is not copyable.
  void operator++(int)
    requires(what == operation::plus && std::is_constructible_v<T, int>)
  {
    add(T(1));
  }
};

struct reducer_access;

}  // namespace detail

/// The kernel's argument for each sycl::reduction: combine, or the operation's own operator, adds a value. For
/// reductions of spans (Dimensions 1) it has Extent values, and operator[] returns one.
template <class T, class Op, int Dimensions = 0, std::size_t Extent = 1, bool HasIdentity = true>
class reducer : public detail::reducer_operators<reducer<T, Op, Dimensions, Extent, HasIdentity>, T, Op> {
public:
  using value_type = T;
  using binary_operation = Op;
  static constexpr int dimensions = Dimensions;

  reducer(const reducer &) = delete;
  reducer &operator=(const reducer &) = delete;

  reducer &combine(const T &x) {
    partial_.add(x, op_);
    return *this;
  }
  T identity() const
    requires HasIdentity
  {
    return identity_;
  }

private:
  friend detail::reducer_access;
  using start_type = detail::identity_t<T, HasIdentity>;
  reducer(const start_type &start, const Op &op)
      : identity_(start), op_(op), partial_(decltype(partial_)::none(start)) {}

  [[no_unique_address]] start_type identity_;
  [[no_unique_address]] Op op_;
  detail::partial<T, HasIdentity> partial_;
};

template <class T, class Op, std::size_t Extent, bool HasIdentity> class reducer<T, Op, 1, Extent, HasIdentity> {
public:
  using value_type = T;
  using binary_operation = Op;
  static constexpr int dimensions = 1;

  /// One of the values of a span.
  class element : public detail::reducer_operators<element, T, Op> {
  public:
    element &combine(const T &x) {
      partial_.add(x, op_);
      return *this;
    }

  private:
    friend reducer;
    element(detail::partial<T, HasIdentity> &p, const Op &op) : partial_(p), op_(op) {}
    detail::partial<T, HasIdentity> &partial_;
    const Op &op_;
  };

  reducer(const reducer &) = delete;
  reducer &operator=(const reducer &) = delete;

  element operator[](std::size_t i) { return {partials_[i], op_}; }
  T identity() const
    requires HasIdentity
  {
    return identity_;
  }

private:
  friend detail::reducer_access;
  using start_type = detail::identity_t<T, HasIdentity>;
  reducer(const start_type &start, const Op &op) : identity_(start), op_(op) {
    for (auto &p : partials_) p = detail::partial<T, HasIdentity>::none(start);
  }

  [[no_unique_address]] start_type identity_;
  [[no_unique_address]] Op op_;
  detail::partial<T, HasIdentity> partials_[Extent];
};

}  // namespace sycl
