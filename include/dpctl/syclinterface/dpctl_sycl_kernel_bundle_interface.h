/* Programs of kernels, from OpenCL C or SPIR-V. */
#ifndef DPCTL_SYCL_KERNEL_BUNDLE_INTERFACE_H
#define DPCTL_SYCL_KERNEL_BUNDLE_INTERFACE_H

#include "dpctl_sycl_enum_types.h"
#include "dpctl_sycl_types.h"

DPCTL_C_EXTERN_C_BEGIN

DPCTL_API DPCTLSyclKernelBundleRef DPCTLKernelBundle_CreateFromSpirv(DPCTLSyclContextRef context,
                                                                     DPCTLSyclDeviceRef device, const void *module,
                                                                     size_t bytes, const char *options);
DPCTL_API DPCTLSyclKernelBundleRef DPCTLKernelBundle_CreateFromOCLSource(DPCTLSyclContextRef context,
                                                                         DPCTLSyclDeviceRef device, const char *source,
                                                                         const char *options);
DPCTL_API DPCTLSyclKernelRef DPCTLKernelBundle_GetKernel(DPCTLSyclKernelBundleRef program, const char *name);
DPCTL_API bool DPCTLKernelBundle_HasKernel(DPCTLSyclKernelBundleRef program, const char *name);
DPCTL_API DPCTLSyclKernelBundleRef DPCTLKernelBundle_Copy(DPCTLSyclKernelBundleRef program);
DPCTL_API void DPCTLKernelBundle_Delete(DPCTLSyclKernelBundleRef program);

DPCTL_C_EXTERN_C_END

#endif
