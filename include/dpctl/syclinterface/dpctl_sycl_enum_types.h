/* Enumerations of the C interface. */
#ifndef DPCTL_SYCL_ENUM_TYPES_H
#define DPCTL_SYCL_ENUM_TYPES_H

#include "dpctl_sycl_types.h"

DPCTL_C_EXTERN_C_BEGIN

typedef enum { DPCTL_USM_UNKNOWN = 0, DPCTL_USM_DEVICE, DPCTL_USM_SHARED, DPCTL_USM_HOST } DPCTLSyclUSMType;

/* Back ends and device types are combined by |. CPUs of dpep are of no back end that is named here. */
typedef enum {
  DPCTL_UNKNOWN_BACKEND = 0,
  DPCTL_CUDA = 1 << 16,
  DPCTL_LEVEL_ZERO = 1 << 17,
  DPCTL_OPENCL = 1 << 18,
  DPCTL_HIP = 1 << 19,
  DPCTL_ALL_BACKENDS = ((1 << 5) - 1) << 16
} DPCTLSyclBackendType;

typedef enum {
  DPCTL_UNKNOWN_DEVICE = 0,
  DPCTL_ACCELERATOR = 1 << 0,
  DPCTL_AUTOMATIC = 1 << 1,
  DPCTL_CPU = 1 << 2,
  DPCTL_CUSTOM = 1 << 3,
  DPCTL_GPU = 1 << 4,
  DPCTL_ALL = (1 << 6) - 1
} DPCTLSyclDeviceType;

typedef enum {
  DPCTL_INT8_T,
  DPCTL_UINT8_T,
  DPCTL_INT16_T,
  DPCTL_UINT16_T,
  DPCTL_INT32_T,
  DPCTL_UINT32_T,
  DPCTL_INT64_T,
  DPCTL_UINT64_T,
  DPCTL_FLOAT32_T,
  DPCTL_FLOAT64_T,
  DPCTL_VOID_PTR,
  DPCTL_LOCAL_ACCESSOR,
  DPCTL_WORK_GROUP_MEMORY,
  DPCTL_RAW_KERNEL_ARG,
  DPCTL_UNSUPPORTED_KERNEL_ARG
} DPCTLKernelArgType;

/* The argument of type DPCTL_LOCAL_ACCESSOR. */
typedef struct MDLocalAccessorTy {
  size_t ndim;
  DPCTLKernelArgType dpctl_type_id;
  size_t dim0, dim1, dim2;
} MDLocalAccessor;

typedef enum {
  host,
  cpu,
  gpu,
  accelerator,
  custom,
  fp16,
  fp64,
  atomic64,
  image,
  online_compiler,
  online_linker,
  queue_profiling,
  usm_device_allocations,
  usm_host_allocations,
  usm_shared_allocations,
  usm_system_allocations,
  usm_atomic_host_allocations,
  usm_atomic_shared_allocations,
  host_debuggable,
  emulated,
  is_component,
  is_composite
} DPCTLSyclAspectType;

typedef enum {
  not_applicable,
  numa,
  L4_cache,
  L3_cache,
  L2_cache,
  L1_cache,
  next_partitionable
} DPCTLPartitionAffinityDomainType;

typedef enum { access_supported, atomics_supported } DPCTLPeerAccessType;

typedef enum {
  DPCTL_DEFAULT_PROPERTY = 0,
  DPCTL_ENABLE_PROFILING = 1 << 0,
  DPCTL_IN_ORDER = 1 << 1
} DPCTLQueuePropertyType;

typedef enum { DPCTL_UNKNOWN_STATUS, DPCTL_SUBMITTED, DPCTL_RUNNING, DPCTL_COMPLETE } DPCTLSyclEventStatusType;

typedef enum {
  DPCTL_MEM_CACHE_TYPE_INDETERMINATE,
  DPCTL_MEM_CACHE_TYPE_NONE,
  DPCTL_MEM_CACHE_TYPE_READ_ONLY,
  DPCTL_MEM_CACHE_TYPE_READ_WRITE
} DPCTLGlobalMemCacheType;

DPCTL_C_EXTERN_C_END

#endif
