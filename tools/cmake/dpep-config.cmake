# find_package(dpep): the library, its headers and the compiler driver.
#
#   dpep::dpep        libdpep and the headers, for C++ without kernels
#   dpep_COMPILER     dpcxx
#   dpep_INCLUDE_DIR  dpep_LIBRARY_DIR  dpep_LIBRARY
get_filename_component(_dpep_prefix "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
set(dpep_COMPILER "${_dpep_prefix}/bin/dpcxx")
set(dpep_INCLUDE_DIR "${_dpep_prefix}/include")
set(dpep_LIBRARY_DIR "${_dpep_prefix}/lib")
set(dpep_LIBRARY "${dpep_LIBRARY_DIR}/libdpep.so")
unset(_dpep_prefix)

foreach(_dpep_file IN ITEMS "${dpep_COMPILER}" "${dpep_INCLUDE_DIR}/dpep/device.hpp" "${dpep_LIBRARY}")
  if(NOT EXISTS "${_dpep_file}")
    set(dpep_FOUND FALSE)
    set(dpep_NOT_FOUND_MESSAGE "${_dpep_file} is missing: reinstall dpep, or build it")
  endif()
endforeach()
unset(_dpep_file)

if(NOT TARGET dpep::dpep)
  add_library(dpep::dpep SHARED IMPORTED)
  set_target_properties(dpep::dpep PROPERTIES IMPORTED_LOCATION "${dpep_LIBRARY}" IMPORTED_SONAME libdpep.so.0
                                              INTERFACE_INCLUDE_DIRECTORIES "${dpep_INCLUDE_DIR}")
endif()
