// The C++ objects of dpctl.program's types, and of the arguments that only kernels of programs have.
#pragma once

#include <string>
#include <vector>

#include <dpep/device.hpp>
#include <dpep/program.hpp>

#include "../bindings.hpp"

namespace dpep::python {

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
/// The Python object of a kernel. C code may give it another name.
struct named_kernel {
  device_kernel kernel;
  std::string name;
};

/// Local memory, as the argument of a kernel.
struct local_memory_argument {
  std::size_t bytes;
};
struct local_accessor : local_memory_argument {};
struct work_group_memory : local_memory_argument {};
/// Bytes that are passed as they are, such as those of a structure.
struct raw_kernel_argument {
  std::vector<std::byte> bytes;
};

}  // namespace dpep::python
