// Lists the kernels of a device image without compiling them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <dpep/kernel_reports.hpp>

namespace dpep::jit {

/// A kernel's name, and whether it reads its arguments.
struct declared_kernel {
  std::string name;
  bool reads_arguments;
};

/// Returns the kernels that the image defines. Throws errc::build if the image is damaged.
std::vector<declared_kernel> kernels_in(std::span<const unsigned char> image);

/// Returns what a kernel of the image requires of its launches; nothing for a name that the image does not define.
required_sizes required_sizes_in(std::span<const unsigned char> image, const std::string &kernel);

}  // namespace dpep::jit
