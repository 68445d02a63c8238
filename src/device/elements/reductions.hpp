// Reductions of elements: the accumulator, its identity, and its operations.
//
// Each reduction of elements of type T has:
//   using state                                  the accumulator
//   static state identity()
//   static state take(state, T, uint64_t index)  includes one more element
//   static state merge(state, state)             the first state is of earlier elements
//   static R result(state)
#pragma once

#include "device/elements/arithmetic.hpp"
#include "device/elements/casts.hpp"
#include "device/elements/comparison.hpp"
#include "device/elements/functions.hpp"
#include "device/math/scaled_sum.hpp"

namespace dpep::elements::reductions {
namespace {

template <class T> struct sum {
  using state = wide_of<T>;
  static state identity() { return {}; }
  static state take(state s, T x, std::uint64_t) { return add(s, wide(x)); }
  static state merge(state s, state o) { return add(s, o); }
  static T result(state s) { return back<T>(s); }
};

template <class T> struct prod {
  using state = wide_of<T>;
  static state identity() {
    if constexpr (is_complex<T>)
      return state{1, 0};
    else
      return state(1);
  }
  static state take(state s, T x, std::uint64_t) { return multiply(s, wide(x)); }
  static state merge(state s, state o) { return multiply(s, o); }
  static T result(state s) { return back<T>(s); }
};

template <class T> struct logsumexp {
  using state = wide_of<T>;
  static state identity() { return -device::infinity<state>; }
  static state take(state s, T x, std::uint64_t) { return logaddexp(s, wide(x)); }
  static state merge(state s, state o) { return logaddexp(s, o); }
  static T result(state s) { return back<T>(s); }
};

/// The same with a state of two numbers, so that taking an element costs one exponential and merging states none.
template <class T> struct scaled_logsumexp {
  using state = device::scaled_sum<wide_of<T>>;
  static state identity() { return device::no_exponentials<wide_of<T>>(); }
  static state take(state s, T x, std::uint64_t) { return s + device::scaled_exp(wide(x)); }
  static state merge(state s, state o) { return s + o; }
  static T result(state s) { return back<T>(device::log(s)); }
};

template <class T> struct hypot {
  using state = wide_of<T>;
  static state identity() { return 0; }
  static state take(state s, T x, std::uint64_t) { return device::hypot(s, wide(x)); }
  static state merge(state s, state o) { return device::hypot(s, o); }
  static T result(state s) { return back<T>(s); }
};

template <class T> struct any {
  using state = bool;
  static bool identity() { return false; }
  static bool take(bool s, T x, std::uint64_t) { return s || truth(x); }
  static bool merge(bool s, bool o) { return s || o; }
  static bool result(bool s) { return s; }
};

template <class T> struct all {
  using state = bool;
  static bool identity() { return true; }
  static bool take(bool s, T x, std::uint64_t) { return s && truth(x); }
  static bool merge(bool s, bool o) { return s && o; }
  static bool result(bool s) { return s; }
};

template <class T> struct count_nonzero {
  using state = std::int64_t;
  static state identity() { return 0; }
  static state take(state s, T x, std::uint64_t) { return s + truth(x); }
  static state merge(state s, state o) { return s + o; }
  static state result(state s) { return s; }
};

/// The identity of maximum or minimum, which every element replaces or equals.
template <class T, bool largest> T identity_of_extreme() {
  if constexpr (is_complex<T>)
    return {identity_of_extreme<real_of<T>, largest>(), identity_of_extreme<real_of<T>, largest>()};
  else if constexpr (is_half<T>)
    return half_of(largest ? 0xfc00 : 0x7c00);
  else if constexpr (real_float<T>)
    return largest ? -device::infinity<T> : device::infinity<T>;
  else
    return largest ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
}

/// The largest or smallest element; NaN if there is one.
template <class T, bool largest> struct extreme {
  using state = wide_of<T>;
  static state identity() { return identity_of_extreme<state, largest>(); }
  static state take(state s, T x, std::uint64_t) { return merge(s, wide(x)); }
  static state merge(state s, state o) { return largest ? maximum(s, o) : minimum(s, o); }
  static T result(state s) { return back<T>(s); }
};

inline constexpr std::uint64_t nowhere = ~std::uint64_t{0};
template <class T> struct value_at {
  T value;
  std::uint64_t index;
};

/// The index of the extreme element: the first of equal ones, and the first NaN if there is any.
template <class T, bool largest> struct position {
  using state = value_at<T>;
  static state identity() { return {identity_of_extreme<T, largest>(), nowhere}; }

  /// Whether x replaces the earlier y.
  static bool beats(T x, T y) {
    if constexpr (real_float<T>) return !isnan(y) && !(largest ? less_equal(x, y) : greater_equal(x, y));
    if (isnan(x) || isnan(y)) return !isnan(y);
    return largest ? greater(x, y) : less(x, y);
  }
  static state take(state s, T x, std::uint64_t index) {
    return s.index == nowhere || beats(x, s.value) ? state{x, index} : s;
  }
  /// Branch-free. The identity needs no special case: its value replaces no element, and its index is the largest.
  static state merge(state s, state o) {
    const bool better = beats(o.value, s.value), as_good = !beats(s.value, o.value);
    return better | (as_good & (o.index < s.index)) ? o : s;
  }
  static std::int64_t result(state s) { return std::int64_t(s.index); }
};

}  // namespace
}  // namespace dpep::elements::reductions
