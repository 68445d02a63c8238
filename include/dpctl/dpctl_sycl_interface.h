/* dpctl's C types: includes syclinterface/dpctl_sycl_types.h under the name that dpctl's headers have. */
#ifndef DPCTL_SYCL_INTERFACE_H
#define DPCTL_SYCL_INTERFACE_H

#include "syclinterface/dpctl_sycl_types.h"

#endif
