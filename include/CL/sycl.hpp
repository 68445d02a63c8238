// SYCL's header and namespace as they were called before SYCL 2020.
#pragma once

#include <sycl/sycl.hpp>

namespace cl {
namespace sycl = ::sycl;
}
