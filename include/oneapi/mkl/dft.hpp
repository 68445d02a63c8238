// oneapi::mkl::dft: Fourier transforms of USM memory and buffers, in any number of dimensions.
//
// The classes and functions have oneMKL's names and arguments, https://oneapi-spec.uxlfoundation.org (oneMKL, discrete
// Fourier transforms).
#pragma once

#include <concepts>
#include <cstdint>
#include <utility>
#include <vector>

#include <dpep/dft.hpp>

#include <oneapi/mkl/detail/blas_call.hpp>

namespace oneapi::mkl::dft {

enum class precision { SINGLE, DOUBLE };
enum class domain { REAL, COMPLEX };
using dpep::dft::config_param;
using dpep::dft::config_value;

/// Sizes, layout and scales of transforms (see dpep::dft::descriptor).
template <precision Precision, domain Domain> class descriptor : public dpep::dft::descriptor {
public:
  descriptor(std::int64_t length) : descriptor(std::vector<std::int64_t>{length}) {}
  descriptor(std::vector<std::int64_t> dimensions)
      : dpep::dft::descriptor(Precision == precision::DOUBLE, Domain == domain::REAL, std::move(dimensions)) {}

  using dpep::dft::descriptor::set_value;
  template <std::integral I> void set_value(config_param what, I value) {
    set_value(what, static_cast<std::int64_t>(value));
  }
  using dpep::dft::descriptor::get_value;
  void get_value(config_param, domain *value) const { *value = Domain; }
  void get_value(config_param, precision *value) const { *value = Precision; }
};

// The forward transform, with the sign -1 in the exponent, and the backward one. Neither divides by the number of
// elements, unless the descriptor's scale says so. In place, and from one array to another.
#define DPEP_MKL_DFT(name, is_forward)                                                                                 \
  template <class T>                                                                                                   \
  sycl::event name(dpep::dft::descriptor &desc, T *inout, const std::vector<sycl::event> &dependencies = {}) {         \
    const dpep::blas::operand both = detail::out(inout, 1);                                                            \
    return desc.compute(is_forward, true, both, both, sycl::detail::to_dpep(dependencies));                            \
  }                                                                                                                    \
  template <class From, class To>                                                                                      \
  sycl::event name(dpep::dft::descriptor &desc, From *in, To *out,                                                     \
                   const std::vector<sycl::event> &dependencies = {}) {                                                \
    return desc.compute(is_forward, false, detail::in(in, 1), detail::out(out, 1),                                     \
                        sycl::detail::to_dpep(dependencies));                                                          \
  }                                                                                                                    \
  template <class T> void name(dpep::dft::descriptor &desc, sycl::buffer<T, 1> &inout) {                               \
    const dpep::blas::operand both = detail::out(inout, 1);                                                            \
    desc.compute(is_forward, true, both, both);                                                                        \
  }                                                                                                                    \
  template <class From, class To>                                                                                      \
  void name(dpep::dft::descriptor &desc, sycl::buffer<From, 1> &in, sycl::buffer<To, 1> &out) {                        \
    desc.compute(is_forward, false, detail::in(in, 1), detail::out(out, 1));                                           \
  }
DPEP_MKL_DFT(compute_forward, true)
DPEP_MKL_DFT(compute_backward, false)
#undef DPEP_MKL_DFT

}  // namespace oneapi::mkl::dft
