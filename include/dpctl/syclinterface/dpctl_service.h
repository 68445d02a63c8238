/* The version of the compiler that the library was made with, and the logger, which is not used. */
#ifndef DPCTL_SERVICE_H
#define DPCTL_SERVICE_H

#include "dpctl_sycl_types.h"

DPCTL_C_EXTERN_C_BEGIN

DPCTL_API const char *DPCTLService_GetDPCPPVersion(void);
DPCTL_API void DPCTLService_InitLogger(const char *application, const char *folder);
DPCTL_API void DPCTLService_ShutdownLogger(void);

DPCTL_C_EXTERN_C_END

#endif
