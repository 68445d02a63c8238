/* All of dpctl's C types. */
#ifndef DPCTL_SYCL_INTERFACE_H
#define DPCTL_SYCL_INTERFACE_H

#include "syclinterface/dpctl_sycl_types.h"

#endif
