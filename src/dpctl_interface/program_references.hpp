// What the references to programs and kernels of dpctl's C interface point to.
#pragma once

#include <dpep/device.hpp>
#include <dpep/program.hpp>

namespace dpep::dpctl_interface {

/// What a DPCTLSyclKernelBundleRef points to: a program, and the device that it was made for.
struct device_program {
  dpep::program program;
  device where;
};
/// What a DPCTLSyclKernelRef points to.
struct device_kernel {
  program_kernel kernel;
  device where;
};

}  // namespace dpep::dpctl_interface
