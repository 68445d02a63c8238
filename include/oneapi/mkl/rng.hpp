// oneapi::mkl::rng: random numbers in USM memory and buffers.
//
// The classes and functions have oneMKL's names and arguments, https://oneapi-spec.uxlfoundation.org (oneMKL, random
// number generators). They are kernels, which run on every device; no library is needed.
#pragma once

#include <oneapi/mkl/rng/generate.hpp>
