/* Frees strings and arrays that functions return. */
#ifndef DPCTL_UTILS_H
#define DPCTL_UTILS_H

#include "dpctl_sycl_types.h"

DPCTL_C_EXTERN_C_BEGIN

DPCTL_API void DPCTLCString_Delete(const char *text);
DPCTL_API void DPCTLSize_t_Array_Delete(size_t *array);

DPCTL_C_EXTERN_C_END

#endif
