# find_package(Dpctl): headers for extensions with dpctl's objects as arguments and results.
#
#   Dpctl_INCLUDE_DIR         the folder of dpctl4pybind11.hpp, dpctl_capi.h, dpctl_sycl_interface.h
#   Dpctl_INCLUDE_DIRS        this folder and the folder of the SYCL headers
#   Dpctl_TENSOR_INCLUDE_DIR  the same as Dpctl_INCLUDE_DIR
#   Dpctl::DpctlCAPI          a target with Dpctl_INCLUDE_DIRS
include("${CMAKE_CURRENT_LIST_DIR}/dpep-config.cmake")

set(Dpctl_INCLUDE_DIR "${dpep_INCLUDE_DIR}/dpctl")
set(Dpctl_INCLUDE_DIRS "${Dpctl_INCLUDE_DIR}" "${dpep_INCLUDE_DIR}")
set(Dpctl_TENSOR_INCLUDE_DIR "${Dpctl_INCLUDE_DIR}")
if(DEFINED dpep_FOUND AND NOT dpep_FOUND)
  set(${CMAKE_FIND_PACKAGE_NAME}_FOUND FALSE)
  set(${CMAKE_FIND_PACKAGE_NAME}_NOT_FOUND_MESSAGE "${dpep_NOT_FOUND_MESSAGE}")
endif()

if(NOT TARGET Dpctl::DpctlCAPI)
  add_library(Dpctl::DpctlCAPI INTERFACE IMPORTED)
  set_target_properties(Dpctl::DpctlCAPI PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${Dpctl_INCLUDE_DIRS}")
endif()
