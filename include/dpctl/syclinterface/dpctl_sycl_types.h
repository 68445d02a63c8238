/* Opaque references to SYCL objects for C and Cython code.
 *
 * Each is the address of a C++ object: DPCTLSyclQueueRef of a sycl::queue, and so on (dpctl_sycl_type_casters.hpp). */
#ifndef DPCTL_SYCL_TYPES_H
#define DPCTL_SYCL_TYPES_H

#include "Config/dpctl_config.h"

typedef struct DPCTLOpaqueSyclPlatform *DPCTLSyclPlatformRef;
typedef struct DPCTLOpaqueSyclDevice *DPCTLSyclDeviceRef;
typedef struct DPCTLOpaqueSyclContext *DPCTLSyclContextRef;
typedef struct DPCTLOpaqueSyclQueue *DPCTLSyclQueueRef;
typedef struct DPCTLOpaqueSyclEvent *DPCTLSyclEventRef;
typedef struct DPCTLOpaqueSyclUSM *DPCTLSyclUSMRef; /* the address of the first byte */

#endif
