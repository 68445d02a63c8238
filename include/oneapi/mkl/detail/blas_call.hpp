// Conversions of oneMKL's arguments to those of <dpep/blas.hpp>.
#pragma once

#include <complex>
#include <concepts>
#include <type_traits>
#include <vector>

#include <dpep/blas.hpp>

#include <oneapi/mkl/exceptions.hpp>
#include <oneapi/mkl/types.hpp>
#include <sycl/buffer.hpp>
#include <sycl/half.hpp>
#include <sycl/queue.hpp>

namespace oneapi::mkl::detail {

template <class T>
concept real = std::same_as<T, float> || std::same_as<T, double>;
template <class T>
concept complex = std::same_as<T, std::complex<float>> || std::same_as<T, std::complex<double>>;
template <class T>
concept number = real<T> || complex<T>;
template <class T>
concept number_or_half = number<T> || std::same_as<T, sycl::half>;

template <class T> struct real_of {
  using type = T;
};
template <class R> struct real_of<std::complex<R>> {
  using type = R;
};
template <class T> using real_type = typename real_of<T>::type;

template <class T> inline constexpr dpep::dtype type_of = dpep::dtype::boolean;
template <> inline constexpr dpep::dtype type_of<sycl::half> = dpep::dtype::float16;
template <> inline constexpr dpep::dtype type_of<float> = dpep::dtype::float32;
template <> inline constexpr dpep::dtype type_of<double> = dpep::dtype::float64;
template <> inline constexpr dpep::dtype type_of<std::complex<float>> = dpep::dtype::complex64;
template <> inline constexpr dpep::dtype type_of<std::complex<double>> = dpep::dtype::complex128;

constexpr char letter(transpose t) { return t == transpose::N ? 'N' : t == transpose::T ? 'T' : 'C'; }
constexpr char letter(uplo u) { return u == uplo::U ? 'U' : 'L'; }
constexpr char letter(diag d) { return d == diag::U ? 'U' : 'N'; }
constexpr char letter(side s) { return s == side::L ? 'L' : 'R'; }

inline std::vector<char> letters(const transpose *all, std::int64_t count) {
  std::vector<char> made;
  for (std::int64_t i = 0; i < count; ++i) made.push_back(letter(all[i]));
  return made;
}

// Coefficients. The type of the parameter is not deduced, so that any number converts to it.
template <class T> using value = std::type_identity_t<T>;
template <class T> using scalar = std::type_identity_t<value_or_pointer<T>>;
template <class T> dpep::blas::scalar to_scalar(const value_or_pointer<T> &x) {
  return x.is_pointer() ? dpep::blas::scalar::at(x.get_pointer()) : dpep::blas::scalar::of(x.get_value());
}
template <number_or_half T> dpep::blas::scalar to_scalar(const T &x) { return dpep::blas::scalar::of(x); }

// Operands, read or also written.
template <class T>
dpep::blas::operand in(const T *pointer, std::int64_t step, std::int64_t stride = 0,
                       dpep::access mode = dpep::access::read) {
  return {.pointer = pointer, .mode = mode, .step = step, .stride = stride};
}
template <class T> dpep::blas::operand out(T *pointer, std::int64_t step, std::int64_t stride = 0) {
  return in(pointer, step, stride, dpep::access::read_write);
}
template <class T>
dpep::blas::operand in(const sycl::buffer<T, 1> &b, std::int64_t step, std::int64_t stride = 0,
                       dpep::access mode = dpep::access::read) {
  return {.memory = &sycl::detail::buffer_access::state(b)->memory,
          .offset = sycl::detail::buffer_access::offset(b),
          .bytes = b.byte_size(),
          .mode = mode,
          .step = step,
          .stride = stride};
}
template <class T> dpep::blas::operand out(const sycl::buffer<T, 1> &b, std::int64_t step, std::int64_t stride = 0) {
  return in(b, step, stride, dpep::access::read_write);
}

}  // namespace oneapi::mkl::detail
