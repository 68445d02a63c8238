/* Device selectors. */
#ifndef DPCTL_SYCL_DEVICE_SELECTOR_INTERFACE_H
#define DPCTL_SYCL_DEVICE_SELECTOR_INTERFACE_H

#include "dpctl_sycl_types.h"

DPCTL_C_EXTERN_C_BEGIN

DPCTL_API DPCTLSyclDeviceSelectorRef DPCTLAcceleratorSelector_Create(void);
DPCTL_API DPCTLSyclDeviceSelectorRef DPCTLDefaultSelector_Create(void);
DPCTL_API DPCTLSyclDeviceSelectorRef DPCTLCPUSelector_Create(void);
DPCTL_API DPCTLSyclDeviceSelectorRef DPCTLGPUSelector_Create(void);
DPCTL_API DPCTLSyclDeviceSelectorRef DPCTLFilterSelector_Create(const char *filter);
DPCTL_API void DPCTLDeviceSelector_Delete(DPCTLSyclDeviceSelectorRef selector);
/* Negative for devices that it does not select. */
DPCTL_API int DPCTLDeviceSelector_Score(DPCTLSyclDeviceSelectorRef selector, DPCTLSyclDeviceRef device);

DPCTL_C_EXTERN_C_END

#endif
