// Running sums, products, maxima and the like.
#include "array/blocks/types.hpp"
#include "device/elements/arithmetic.hpp"
#include "device/elements/functions.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

struct sum {
  template <class T> static T of(T x, T y) { return elements::add(x, y); }
};
struct prod {
  template <class T> static T of(T x, T y) { return elements::multiply(x, y); }
};
struct logsumexp {
  template <class T> static T of(T x, T y) { return elements::logaddexp(x, y); }
};
struct max {
  template <class T> static T of(T x, T y) { return elements::maximum(x, y); }
};
struct min {
  template <class T> static T of(T x, T y) { return elements::minimum(x, y); }
};

/// Halves are accumulated as floats; the state is one.
template <class Op, class T> void scan(std::size_t count, const void *input, void *results, void *state) {
  using S = elements::wide_of<T>;
  const T *const x = static_cast<const T *>(input);
  T *const to = static_cast<T *>(results);
  S value = *static_cast<S *>(state);
  for (std::size_t i = 0; i < count; ++i) {
    value = Op::of(value, elements::wide(x[i]));
    to[i] = elements::back<T>(value);
  }
  *static_cast<S *>(state) = value;
}

constexpr scan_kernels make() {
  scan_kernels all{};
  const auto place = [&](accumulation how, dtype t) -> scan_function & {
    return all.functions[std::size_t(how)][std::size_t(t)];
  };
  each_type([&]<dtype t> {
    using T = element<t>;
    using U = typename sign_forgotten<T>::type;
    place(accumulation::sum, t) = scan<sum, U>;
    place(accumulation::prod, t) = scan<prod, U>;
    place(accumulation::max, t) = scan<max, T>;
    place(accumulation::min, t) = scan<min, T>;
    if constexpr (elements::any_float<T>) place(accumulation::logsumexp, t) = scan<logsumexp, T>;
  });
  return all;
}
constexpr scan_kernels table = make();

}  // namespace

const scan_kernels scans = table;

}  // namespace dpep::array::blocks::DPEP_ISA
