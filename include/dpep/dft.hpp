// Fourier transforms of memory on a queue. <oneapi/mkl/dft.hpp> has oneMKL's descriptors, which fill the structure.
#pragma once

#include <cstdint>
#include <vector>

#include <dpep/blas.hpp>

namespace dpep::dft {

/// A batch of transforms along all axes. Strides and distances are in elements of the side's type.
struct transform {
  bool double_precision = false, real = false;  // real: the forward side is real, the other side has n / 2 + 1 numbers
  std::vector<std::int64_t> lengths;
  /// Of the forward and the backward side: the offset of the first element, and the stride of each axis.
  std::vector<std::int64_t> forward_strides, backward_strides;
  std::int64_t count = 1, forward_distance = 0, backward_distance = 0;
  double forward_scale = 1, backward_scale = 1;
};

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

/// oneMKL's descriptor, but for its types. Without strides, rows are contiguous; the real rows of a domain of real
/// numbers in several dimensions, and in place, have room for the complex rows, 2 (n / 2 + 1) numbers. Without
/// distances, transforms follow each other. Functions throw oneapi::mkl::invalid_argument for values that do not fit.
class DPEP_API descriptor {
public:
  descriptor(bool double_precision, bool real, std::vector<std::int64_t> lengths);

  void set_value(config_param, config_value);
  void set_value(config_param, double);
  void set_value(config_param, std::int64_t);
  /// The offset of the first element, and a stride for each dimension.
  void set_value(config_param, const std::vector<std::int64_t> &strides);
  void set_value(config_param, const std::int64_t *strides);

  void get_value(config_param, std::int64_t *) const;
  void get_value(config_param, double *) const;
  void get_value(config_param, float *) const;
  void get_value(config_param, config_value *) const;

  /// Fixes the queue of the transforms.
  void commit(const queue &);
  /// Computes the transforms from one side to the other; in place, both are the same. Throws oneapi::mkl::uninitialized
  /// before `commit`.
  event compute(bool forward, bool in_place, const blas::operand &from, const blas::operand &to,
                dependencies = {}) const;

private:
  void change();
  transform completed() const;

  transform made_, committed_;
  config_value placement_ = config_value::INPLACE;
  queue queue_;  // empty until the descriptor is committed
};

}  // namespace dpep::dft
