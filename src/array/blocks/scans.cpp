// Accumulations: cumulative sums, products, maxima, minima and logsumexp.
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

template <class Op, class T> void scan(std::size_t count, const void *input, void *results, void *state) {
  const T *const x = static_cast<const T *>(input);
  T *const to = static_cast<T *>(results);
  T value = *static_cast<T *>(state);
  for (std::size_t i = 0; i < count; ++i) {
    value = Op::of(value, x[i]);
    to[i] = value;
  }
  *static_cast<T *>(state) = value;
}
/// The vector shifted up by `step` elements; zeros are shifted in.
template <class T, std::size_t step, std::size_t... j>
[[gnu::always_inline]] inline vector_of<T> shifted_up(vector_of<T> v, std::index_sequence<j...>) {
  return __builtin_shufflevector(v, vector_of<T>(T(0)), int(j >= step ? j - step : sizeof...(j) + j)...);
}
template <class T, std::size_t step = 1> [[gnu::always_inline]] inline vector_of<T> sums_in(vector_of<T> v) {
  v += shifted_up<T, step>(v, std::make_index_sequence<lanes<T>>());
  if constexpr (2 * step < lanes<T>)
    return sums_in<T, 2 * step>(v);
  else
    return v;
}
/// Cumulative sums within vectors first, so that only one addition a vector depends on the one before. Few numbers are
/// added sequentially: nothing is gained for them, and the rounding then equals that of other libraries.
template <class T> void scan_sum(std::size_t count, const void *input, void *results, void *state) {
  constexpr std::size_t n = lanes<T>, few = 512;
  if (elements::real_float<T> && count < few) return scan<sum, T>(count, input, results, state);
  const T *const x = static_cast<const T *>(input);
  T *const to = static_cast<T *>(results);
  vector_of<T> before(*static_cast<T *>(state));
  std::size_t i = 0;
  for (; i + n <= count; i += n) {
    const vector_of<T> sums = sums_in<T>(load(x + i)), all = sums + before;
    __builtin_memcpy(to + i, &all, sizeof all);
    before += vector_of<T>(sums[n - 1]);
  }
  *static_cast<T *>(state) = before[0];
  scan<sum, T>(count - i, x + i, to + i, state);
}
/// log(exp(x[0]) + … + exp(x[i])) by sums of exp(x - m), where m is the largest value of a piece: exponentials and
/// logarithms are vectorised, and only sums are sequential. If sums would underflow relative to e^m, or values are not
/// finite, elements are processed one by one.
template <class T> void scan_logsumexp(std::size_t count, const void *input, void *results, void *state) {
  constexpr std::size_t piece = 256;
  constexpr T reach = std::is_same_v<T, float> ? T(60) : T(600);
  const T *x = static_cast<const T *>(input);
  T *to = static_cast<T *>(results);
  T before = *static_cast<T *>(state);
  for (std::size_t n; count > 0; count -= n, x += n, to += n) {
    n = count < piece ? count : piece;
    T largest = before;
    for (std::size_t i = 0; i < n; ++i) largest = elements::maximum(largest, x[i]);
    const T first = elements::maximum(before, x[0]);
    if (!(largest - first < reach) || !elements::isfinite(largest)) {
      scan<logsumexp, T>(n, x, to, &before);
      continue;
    }
    T sums[piece];
    DPEP_VECTOR_LOOP
    for (std::size_t i = 0; i < n; ++i) sums[i] = device::exp(x[i] - largest);
    T sum = device::exp(before - largest);
    for (std::size_t i = 0; i < n; ++i) sums[i] = sum += sums[i];
    DPEP_VECTOR_LOOP
    for (std::size_t i = 0; i < n; ++i) to[i] = largest + device::log(sums[i]);
    before = to[n - 1];
  }
  *static_cast<T *>(state) = before;
}
template <class Op, class T> void scan_any(std::size_t count, const void *input, void *results, void *state) {
  if constexpr (std::is_same_v<Op, logsumexp>)
    scan_logsumexp<T>(count, input, results, state);
  else if constexpr (std::is_same_v<Op, sum> && (elements::real_float<T> || elements::integer<T>) && sizeof(T) >= 4)
    scan_sum<T>(count, input, results, state);
  else
    scan<Op, T>(count, input, results, state);
}
/// float16 is accumulated in float32, which is also the type of the state.
template <class Op> void scan_halves(std::size_t count, const void *input, void *results, void *state) {
  constexpr std::size_t piece = 512;
  const elements::half *const x = static_cast<const elements::half *>(input);
  elements::half *const to = static_cast<elements::half *>(results);
  for (std::size_t begin = 0; begin < count; begin += piece) {
    const std::size_t n = count - begin < piece ? count - begin : piece;
    float values[piece];
    DPEP_VECTOR_LOOP
    for (std::size_t i = 0; i < n; ++i) values[i] = elements::widen(x[begin + i]);
    scan_any<Op, float>(n, values, values, state);
    DPEP_VECTOR_LOOP
    for (std::size_t i = 0; i < n; ++i) to[begin + i] = elements::narrow(values[i]);
  }
}
template <class Op, class T> constexpr scan_function scan_of() {
  if constexpr (elements::is_half<T>)
    return scan_halves<Op>;
  else
    return scan_any<Op, T>;
}

constexpr scan_kernels make() {
  scan_kernels all{};
  const auto entry = [&](accumulation how, dtype t) -> scan_function & {
    return all.functions[std::size_t(how)][std::size_t(t)];
  };
  each_type([&]<dtype t> {
    using T = element<t>;
    using U = typename unsigned_equivalent<T>::type;
    entry(accumulation::sum, t) = scan_of<sum, U>();
    entry(accumulation::prod, t) = scan_of<prod, U>();
    entry(accumulation::max, t) = scan_of<max, T>();
    entry(accumulation::min, t) = scan_of<min, T>();
    if constexpr (elements::any_float<T>) entry(accumulation::logsumexp, t) = scan_of<logsumexp, T>();
  });
  return all;
}
constexpr scan_kernels table = make();

}  // namespace

const scan_kernels scans = table;

}  // namespace dpep::array::blocks::DPEP_ISA
