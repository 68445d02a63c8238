// Fourier transforms on CPUs.
#include "array/cpu/fourier.hpp"

namespace dpep::array::cpu {

event transform(const fourier_work &) {
  throw exception(errc::feature_not_supported, "Fourier transforms are not supported on CPUs yet");
}

}  // namespace dpep::array::cpu
