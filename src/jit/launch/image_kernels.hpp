// What an image says of its kernels, without compiling any.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace dpep::jit {

struct declared_kernel {
  std::string name;
  bool reads_arguments;
};

/// Opens the image; throws errc::build when it is damaged.
std::vector<declared_kernel> kernels_in(std::span<const unsigned char> image);

}  // namespace dpep::jit
