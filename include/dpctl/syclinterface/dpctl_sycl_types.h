/* Opaque references to SYCL objects for C and Cython code.
 *
 * Each is the address of a C++ object: DPCTLSyclQueueRef of a sycl::queue, and so on (dpctl_sycl_type_casters.hpp). The
 * functions that return a reference make an object, which the function …_Delete of its type destroys. A function that
 * fails returns NULL or 0; with DPCTL_VERBOSITY=error in the environment, it prints why. */
#ifndef DPCTL_SYCL_TYPES_H
#define DPCTL_SYCL_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "Config/dpctl_config.h"

#define DPCTL_API __attribute__((visibility("default")))
#ifdef __cplusplus
#define DPCTL_C_EXTERN_C_BEGIN extern "C" {
#define DPCTL_C_EXTERN_C_END }
#else
#define DPCTL_C_EXTERN_C_BEGIN
#define DPCTL_C_EXTERN_C_END
#endif

typedef struct DPCTLOpaqueSyclPlatform *DPCTLSyclPlatformRef;
typedef struct DPCTLOpaqueSyclDevice *DPCTLSyclDeviceRef;
typedef struct DPCTLOpaqueSyclDeviceSelector *DPCTLSyclDeviceSelectorRef;
typedef struct DPCTLOpaqueSyclContext *DPCTLSyclContextRef;
typedef struct DPCTLOpaqueSyclQueue *DPCTLSyclQueueRef;
typedef struct DPCTLOpaqueSyclEvent *DPCTLSyclEventRef;
typedef struct DPCTLOpaqueSyclKernel *DPCTLSyclKernelRef;
typedef struct DPCTLOpaqueSyclKernelBundle *DPCTLSyclKernelBundleRef;
typedef struct DPCTLOpaqueSyclUSM *DPCTLSyclUSMRef; /* the address of the first byte */

/* Receives the code of an asynchronous error. */
typedef void error_handler_callback(int code);

#endif
