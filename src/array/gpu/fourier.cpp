// Fourier transforms on GPUs.
#include "array/gpu/fourier.hpp"

namespace dpep::array::gpu {

event transform(const fourier_work &) {
  throw exception(errc::feature_not_supported, "Fourier transforms are not supported on GPUs yet");
}

}  // namespace dpep::array::gpu
