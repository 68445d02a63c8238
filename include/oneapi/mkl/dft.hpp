// oneapi::mkl::dft: Fourier transforms of USM memory and buffers, in any number of dimensions.
//
// The classes and functions have oneMKL's names and arguments, https://oneapi-spec.uxlfoundation.org (oneMKL, discrete
// Fourier transforms).
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <dpep/dft.hpp>

#include <oneapi/mkl/detail/blas_call.hpp>

namespace oneapi::mkl::dft {

enum class precision { SINGLE, DOUBLE };
enum class domain { REAL, COMPLEX };
enum class config_param {
  FORWARD_DOMAIN,
  DIMENSION,
  LENGTHS,
  PRECISION,
  FORWARD_SCALE,
  BACKWARD_SCALE,
  NUMBER_OF_TRANSFORMS,
  PLACEMENT,
  FWD_STRIDES,
  BWD_STRIDES,
  FWD_DISTANCE,
  BWD_DISTANCE,
  COMMIT_STATUS
};
enum class config_value { COMMITTED, UNCOMMITTED, INPLACE, NOT_INPLACE };

/// Sizes, layout and scales of transforms. Without strides, rows are contiguous; the real rows of a domain of real
/// numbers in several dimensions have room for the complex rows, 2 (n / 2 + 1) numbers. Without distances, transforms
/// follow each other.
template <precision Precision, domain Domain> class descriptor {
public:
  using real_type = std::conditional_t<Precision == precision::SINGLE, float, double>;
  using complex_type = std::complex<real_type>;
  using forward_type = std::conditional_t<Domain == domain::REAL, real_type, complex_type>;

  descriptor(std::int64_t length) : descriptor(std::vector<std::int64_t>{length}) {}
  descriptor(std::vector<std::int64_t> dimensions) {
    if (dimensions.empty()) refuse("descriptor", "a transform has one dimension at least");
    for (const std::int64_t n : dimensions)
      if (n < 1) refuse("descriptor", "lengths must be positive");
    made_.double_precision = Precision == precision::DOUBLE;
    made_.real = Domain == domain::REAL;
    made_.lengths = std::move(dimensions);
  }

  void set_value(config_param what, config_value value) {
    if (what != config_param::PLACEMENT || (value != config_value::INPLACE && value != config_value::NOT_INPLACE))
      refuse("set_value", "PLACEMENT is INPLACE or NOT_INPLACE; other parameters have other types");
    change();
    placement_ = value;
  }
  template <std::floating_point R> void set_value(config_param what, R value) {
    if (what != config_param::FORWARD_SCALE && what != config_param::BACKWARD_SCALE)
      refuse("set_value", "only FORWARD_SCALE and BACKWARD_SCALE are floating-point numbers");
    change();
    (what == config_param::FORWARD_SCALE ? made_.forward_scale : made_.backward_scale) = value;
  }
  template <std::integral I> void set_value(config_param what, I value) {
    change();
    switch (what) {
    case config_param::NUMBER_OF_TRANSFORMS:
      if (value < 1) refuse("set_value", "NUMBER_OF_TRANSFORMS must be positive");
      made_.count = value;
      return;
    case config_param::FWD_DISTANCE:
      made_.forward_distance = value;
      return;
    case config_param::BWD_DISTANCE:
      made_.backward_distance = value;
      return;
    case config_param::FORWARD_SCALE:
    case config_param::BACKWARD_SCALE:
      return set_value(what, static_cast<double>(value));
    default:
      refuse("set_value", "the parameter is not an integer, or cannot be set");
    }
  }
  /// The offset of the first element, and a stride for each dimension.
  void set_value(config_param what, const std::vector<std::int64_t> &strides) {
    if (what != config_param::FWD_STRIDES && what != config_param::BWD_STRIDES)
      refuse("set_value", "only FWD_STRIDES and BWD_STRIDES are vectors");
    if (strides.size() != made_.lengths.size() + 1)
      refuse("set_value", "strides are an offset and a number for each dimension");
    change();
    (what == config_param::FWD_STRIDES ? made_.forward_strides : made_.backward_strides) = strides;
  }
  void set_value(config_param what, const std::int64_t *strides) {
    set_value(what, std::vector<std::int64_t>(strides, strides + made_.lengths.size() + 1));
  }

  void get_value(config_param what, std::int64_t *value) const {
    switch (what) {
    case config_param::DIMENSION:
      *value = static_cast<std::int64_t>(made_.lengths.size());
      return;
    case config_param::NUMBER_OF_TRANSFORMS:
      *value = made_.count;
      return;
    case config_param::LENGTHS:
      for (const std::int64_t n : made_.lengths) *value++ = n;
      return;
    default:
      break;
    }
    const dpep::dft::transform complete = completed();
    switch (what) {
    case config_param::FWD_DISTANCE:
      *value = complete.forward_distance;
      return;
    case config_param::BWD_DISTANCE:
      *value = complete.backward_distance;
      return;
    case config_param::FWD_STRIDES:
      for (const std::int64_t s : complete.forward_strides) *value++ = s;
      return;
    case config_param::BWD_STRIDES:
      for (const std::int64_t s : complete.backward_strides) *value++ = s;
      return;
    default:
      refuse("get_value", "the parameter has no integers");
    }
  }
  void get_value(config_param what, real_type *value) const {
    if (what != config_param::FORWARD_SCALE && what != config_param::BACKWARD_SCALE)
      refuse("get_value", "only FORWARD_SCALE and BACKWARD_SCALE are floating-point numbers");
    *value = static_cast<real_type>(what == config_param::FORWARD_SCALE ? made_.forward_scale : made_.backward_scale);
  }
  void get_value(config_param what, config_value *value) const {
    if (what != config_param::PLACEMENT && what != config_param::COMMIT_STATUS)
      refuse("get_value", "only PLACEMENT and COMMIT_STATUS are such values");
    *value = what == config_param::PLACEMENT ? placement_
             : queue_                        ? config_value::COMMITTED
                                             : config_value::UNCOMMITTED;
  }
  void get_value(config_param what, domain *value) const {
    if (what != config_param::FORWARD_DOMAIN) refuse("get_value", "only FORWARD_DOMAIN is a domain");
    *value = Domain;
  }
  void get_value(config_param what, precision *value) const {
    if (what != config_param::PRECISION) refuse("get_value", "only PRECISION is a precision");
    *value = Precision;
  }

  /// Fixes the queue of the transforms.
  void commit(sycl::queue &queue) {
    committed_ = completed();
    queue_ = queue;
  }

  /// Of compute_forward and compute_backward.
  sycl::event compute(const char *function, bool forward, bool in_place, const dpep::blas::operand &from,
                      const dpep::blas::operand &to, const std::vector<sycl::event> &after) const {
    if (!queue_) throw uninitialized("dft", function, "commit the descriptor first");
    if (in_place != (placement_ == config_value::INPLACE))
      refuse(function, in_place ? "the descriptor's PLACEMENT is NOT_INPLACE, but there is one array"
                                : "the descriptor's PLACEMENT is INPLACE, but there are two arrays");
    return dpep::dft::compute(*queue_, committed_, forward, from, to, sycl::detail::to_dpep(after));
  }

private:
  [[noreturn]] static void refuse(const char *function, const char *why) {
    throw invalid_argument("dft", function, why);
  }
  void change() { queue_.reset(); }

  /// With strides and distances.
  dpep::dft::transform completed() const {
    dpep::dft::transform t = made_;
    const bool real = Domain == domain::REAL;
    const std::int64_t half = t.lengths.back() / 2 + 1;
    const auto complete = [&](std::vector<std::int64_t> &strides, std::int64_t &distance, std::int64_t row) {
      std::vector<std::int64_t> usual(t.lengths.size() + 1, 0);
      std::int64_t next = 1;
      for (std::size_t i = t.lengths.size(); i > 0; --i) {
        usual[i] = next;
        next *= i == t.lengths.size() ? row : t.lengths[i - 1];
      }
      if (strides.empty()) strides = usual;
      if (!distance) distance = next;
    };
    const bool padded = real && (t.lengths.size() > 1 || placement_ == config_value::INPLACE);
    complete(t.forward_strides, t.forward_distance, padded ? 2 * half : t.lengths.back());
    complete(t.backward_strides, t.backward_distance, real ? half : t.lengths.back());
    return t;
  }

  dpep::dft::transform made_, committed_;
  config_value placement_ = config_value::INPLACE;
  std::optional<sycl::queue> queue_;
};

// The forward transform, with the sign -1 in the exponent, and the backward one. Neither divides by the number of
// elements, unless the descriptor's scale says so. In place, and from one array to another.
#define DPEP_MKL_DFT(name, is_forward)                                                                                 \
  template <class Descriptor, class T>                                                                                 \
  sycl::event name(Descriptor &descriptor, T *inout, const std::vector<sycl::event> &dependencies = {}) {              \
    const dpep::blas::operand both = mkl::detail::out(inout, 1);                                                       \
    return descriptor.compute(#name, is_forward, true, both, both, dependencies);                                      \
  }                                                                                                                    \
  template <class Descriptor, class From, class To>                                                                    \
  sycl::event name(Descriptor &descriptor, From *in, To *out, const std::vector<sycl::event> &dependencies = {}) {     \
    return descriptor.compute(#name, is_forward, false, mkl::detail::in(in, 1), mkl::detail::out(out, 1),              \
                              dependencies);                                                                           \
  }                                                                                                                    \
  template <class Descriptor, class T> void name(Descriptor &descriptor, sycl::buffer<T, 1> &inout) {                  \
    const dpep::blas::operand both = mkl::detail::out(inout, 1);                                                       \
    descriptor.compute(#name, is_forward, true, both, both, {});                                                       \
  }                                                                                                                    \
  template <class Descriptor, class From, class To>                                                                    \
  void name(Descriptor &descriptor, sycl::buffer<From, 1> &in, sycl::buffer<To, 1> &out) {                             \
    descriptor.compute(#name, is_forward, false, mkl::detail::in(in, 1), mkl::detail::out(out, 1), {});                \
  }
DPEP_MKL_DFT(compute_forward, true)
DPEP_MKL_DFT(compute_backward, false)
#undef DPEP_MKL_DFT

}  // namespace oneapi::mkl::dft
