# find_package(IntelSYCL): compiles the SYCL sources of a CMake project with dpcxx, others with the project's compiler.
#
#   add_sycl_to_target(TARGET t [SOURCES file...])  compiles these sources (default: all of the target) with their
#                                                   kernels, and links the target with libdpep
#   IntelSYCL::SYCL_CXX                             a target that does the same for all C++ sources of its dependents
#   SYCL_COMPILER  SYCL_FLAGS  SYCL_LANGUAGE_VERSION  SYCL_IMPLEMENTATION_ID
#   SYCL_INCLUDE_DIR  SYCL_INCLUDE_SYCL_DIR  SYCL_LIBRARY_DIR  SYCL_LIBRARY
#
# If CMAKE_CXX_COMPILER is g++ or another clang++, dpcxx becomes its compiler launcher. The launcher handles
# compilations with the option -fsycl and runs the project's compiler for all others (Ninja and Makefile generators). No
# launcher is needed if CMAKE_CXX_COMPILER is dpcxx.
include("${CMAKE_CURRENT_LIST_DIR}/dpep-config.cmake")
if(DEFINED dpep_FOUND AND NOT dpep_FOUND)
  set(IntelSYCL_FOUND FALSE)
  set(IntelSYCL_NOT_FOUND_MESSAGE "${dpep_NOT_FOUND_MESSAGE}")
endif()

set(SYCL_COMPILER "${dpep_COMPILER}")
set(SYCL_FLAGS "-fsycl")
set(SYCL_LANGUAGE_VERSION 202012)
set(SYCL_IMPLEMENTATION_ID "DPEP")
set(SYCL_INCLUDE_DIR "${dpep_INCLUDE_DIR}")
set(SYCL_INCLUDE_SYCL_DIR "${dpep_INCLUDE_DIR}/sycl")
set(SYCL_LIBRARY_DIR "${dpep_LIBRARY_DIR}")
set(SYCL_LIBRARY "${dpep_LIBRARY}")

get_filename_component(_dpep_compiler_name "${CMAKE_CXX_COMPILER}" NAME)
set(_dpep_launcher "${SYCL_COMPILER}" "--launch-for=${CMAKE_CXX_COMPILER}")
if(_dpep_compiler_name MATCHES "^dpcxx")
  set(_dpep_launcher "")
elseif(NOT "${CMAKE_CXX_COMPILER_LAUNCHER}" MATCHES "--launch-for=")
  set(CMAKE_CXX_COMPILER_LAUNCHER ${_dpep_launcher} ${CMAKE_CXX_COMPILER_LAUNCHER})  # for targets created from now on
endif()
unset(_dpep_compiler_name)

if(NOT TARGET IntelSYCL::SYCL_CXX)
  add_library(IntelSYCL::SYCL_CXX INTERFACE IMPORTED)
  set_target_properties(
    IntelSYCL::SYCL_CXX PROPERTIES INTERFACE_COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:CXX>:${SYCL_FLAGS}>"
                                   INTERFACE_LINK_LIBRARIES dpep::dpep)
endif()

function(add_sycl_to_target)
  cmake_parse_arguments(SYCL "" "TARGET" "SOURCES" ${ARGN})
  if(NOT SYCL_TARGET OR NOT TARGET ${SYCL_TARGET})
    message(FATAL_ERROR "add_sycl_to_target: TARGET must be an existing target; got '${SYCL_TARGET}'")
  endif()
  if(SYCL_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "add_sycl_to_target: unknown arguments '${SYCL_UNPARSED_ARGUMENTS}'; use TARGET and SOURCES")
  endif()

  if(SYCL_SOURCES)
    set_property(SOURCE ${SYCL_SOURCES} TARGET_DIRECTORY ${SYCL_TARGET} APPEND PROPERTY COMPILE_OPTIONS ${SYCL_FLAGS})
  else()
    set_property(TARGET ${SYCL_TARGET} APPEND PROPERTY COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:CXX>:${SYCL_FLAGS}>")
  endif()
  # Sets the property, since calling target_link_libraries with another signature than the project's is an error.
  set_property(TARGET ${SYCL_TARGET} APPEND PROPERTY LINK_LIBRARIES dpep::dpep)

  get_target_property(launcher ${SYCL_TARGET} CXX_COMPILER_LAUNCHER)
  if(NOT launcher)
    set(launcher "")
  endif()
  if(_dpep_launcher AND NOT launcher MATCHES "--launch-for=")
    set_property(TARGET ${SYCL_TARGET} PROPERTY CXX_COMPILER_LAUNCHER ${_dpep_launcher} ${launcher})
  endif()
endfunction()
