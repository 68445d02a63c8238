// Feature-test macros (SYCL 2020, sections 4.18 and 5.10.1).
#pragma once

#ifndef SYCL_LANGUAGE_VERSION  // defined by clang in both passes of SYCL sources
#define SYCL_LANGUAGE_VERSION 202012L
#endif
#define CL_SYCL_LANGUAGE_VERSION SYCL_LANGUAGE_VERSION
#define SYCL_IMPLEMENTATION_DPEP 1

#if __has_cpp_attribute(clang::sycl_external) && (defined(__SYCL_DEVICE_ONLY__) || defined(DPEP_DEVICE_IMAGE))
#define SYCL_EXTERNAL [[clang::sycl_external]]
#else
#define SYCL_EXTERNAL
#endif

#define SYCL_FEATURE_SET_FULL 0
#define SYCL_EXT_ONEAPI_ENQUEUE_BARRIER 1
#define SYCL_EXT_ONEAPI_DEFAULT_CONTEXT 1
#define SYCL_EXT_ONEAPI_FILTER_SELECTOR 1
#define SYCL_EXT_ONEAPI_SUB_GROUP 1
#define SYCL_EXT_ONEAPI_USE_PINNED_HOST_MEMORY_PROPERTY 0
