// oneMKL's header: mathematics on queues, USM memory and buffers.
#pragma once

#include <sycl/sycl.hpp>

#include <oneapi/mkl/blas.hpp>
#include <oneapi/mkl/dft.hpp>
#include <oneapi/mkl/lapack.hpp>
#include <oneapi/mkl/rng.hpp>
#include <oneapi/mkl/spblas.hpp>
#include <oneapi/mkl/vm.hpp>
