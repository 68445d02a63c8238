// The C++ objects of dpctl.program's types, and of the arguments that only kernels of programs have.
#pragma once

#include <string>
#include <vector>

#include <dpctl/dpctl_program_references.hpp>
#include <dpep/device.hpp>
#include <dpep/program.hpp>

#include "../bindings.hpp"

namespace dpep::python {

using dpctl::detail::device_kernel;
using dpctl::detail::device_program;

/// The Python object of a kernel. C code may give it another name.
struct named_kernel {
  device_kernel kernel;
  std::string name;
};

/// Local memory, as the argument of a kernel.
struct local_memory_argument {
  std::size_t bytes;
  std::vector<std::size_t> extents = {};  // the numbers of elements, if they are known
};
struct local_accessor : local_memory_argument {};
struct work_group_memory : local_memory_argument {};
/// Bytes that are passed as they are, such as those of a structure.
struct raw_kernel_argument {
  std::vector<std::byte> bytes;
};

}  // namespace dpep::python
