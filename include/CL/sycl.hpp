// SYCL's header as it was called before SYCL 2020.
#pragma once

#include <sycl/sycl.hpp>
