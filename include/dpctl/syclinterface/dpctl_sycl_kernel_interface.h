/* Kernels of programs. */
#ifndef DPCTL_SYCL_KERNEL_INTERFACE_H
#define DPCTL_SYCL_KERNEL_INTERFACE_H

#include "dpctl_sycl_enum_types.h"
#include "dpctl_sycl_types.h"

DPCTL_C_EXTERN_C_BEGIN

DPCTL_API size_t DPCTLKernel_GetNumArgs(DPCTLSyclKernelRef kernel);
DPCTL_API DPCTLSyclKernelRef DPCTLKernel_Copy(DPCTLSyclKernelRef kernel);
DPCTL_API void DPCTLKernel_Delete(DPCTLSyclKernelRef kernel);
DPCTL_API size_t DPCTLKernel_GetWorkGroupSize(DPCTLSyclKernelRef kernel);
DPCTL_API size_t DPCTLKernel_GetPreferredWorkGroupSizeMultiple(DPCTLSyclKernelRef kernel);
DPCTL_API size_t DPCTLKernel_GetPrivateMemSize(DPCTLSyclKernelRef kernel);
DPCTL_API uint32_t DPCTLKernel_GetMaxNumSubGroups(DPCTLSyclKernelRef kernel);
DPCTL_API uint32_t DPCTLKernel_GetMaxSubGroupSize(DPCTLSyclKernelRef kernel);
DPCTL_API uint32_t DPCTLKernel_GetCompileNumSubGroups(DPCTLSyclKernelRef kernel);
DPCTL_API uint32_t DPCTLKernel_GetCompileSubGroupSize(DPCTLSyclKernelRef kernel);

DPCTL_C_EXTERN_C_END

#endif
