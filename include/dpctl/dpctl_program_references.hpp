// What the references to programs and kernels of dpctl's C interface point to.
#pragma once

#include <dpep/device.hpp>
#include <dpep/program.hpp>

namespace dpctl::detail {

/// What a DPCTLSyclKernelBundleRef points to: a program, and the device that it was made for.
struct device_program {
  dpep::program program;
  dpep::device where;
};
/// What a DPCTLSyclKernelRef points to.
struct device_kernel {
  dpep::program_kernel kernel;
  dpep::device where;
};

}  // namespace dpctl::detail
