// The folder where compiled kernels are kept between processes.
#pragma once

#include <string>

#include <dpep/object.hpp>

namespace dpep {

struct kernel_cache_report {
  std::string folder;   // empty: the environment says that there be none
  std::string refused;  // why code from it is not trusted, and the cache not used; empty: it is
};
DPEP_API kernel_cache_report report_kernel_cache();

}  // namespace dpep
