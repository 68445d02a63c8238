// A part of SYCL by its name in the extension sycl_khr_split_headers: all of it, whose precompiled header is the
// faster.
#pragma once

#include <sycl/sycl.hpp>
