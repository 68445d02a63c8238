// The on-disk cache of compiled kernels: its folder, and whether it is used.
#pragma once

#include <string>

#include <dpep/object.hpp>

namespace dpep {

struct kernel_cache_report {
  std::string folder;            // empty: DPEP_CACHE turns the cache off
  std::string untrusted_reason;  // why the folder's code is not trusted and the cache not used; empty: it is used
};
DPEP_API kernel_cache_report report_kernel_cache();

}  // namespace dpep
