# LLVM 22, the linker, ccache, warnings and sanitizers: what every target of the build uses.

find_package(LLVM 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/llvm)
# What LLVM needs goes into libdpep too: a wheel cannot count on finding either on another system.
foreach(need IN ITEMS z/ZLIB::ZLIB zstd/zstd::libzstd_shared)
  string(REGEX REPLACE "^([^/]+)/(.+)$" "\\1" library ${need})
  string(REGEX REPLACE "^([^/]+)/(.+)$" "\\2" target ${need})
  find_library(DPEP_${library}_ARCHIVE NAMES lib${library}.a REQUIRED)
  set_target_properties(${target} PROPERTIES IMPORTED_LOCATION ${DPEP_${library}_ARCHIVE}
                                             IMPORTED_LOCATION_RELEASE ${DPEP_${library}_ARCHIVE})
endforeach()
set(DPEP_LLVM_BIN ${LLVM_TOOLS_BINARY_DIR})
find_program(DPEP_CLANG NAMES clang++-22 HINTS ${DPEP_LLVM_BIN} REQUIRED)  # compiles device code, whatever compiles the host's

find_program(DPEP_CCACHE ccache)
if(DPEP_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # relative paths, so that clones and build folders share one cache
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1 ${DPEP_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()

add_library(dpep_flags INTERFACE)
# The prefix map keeps the place of the sources out of what is built: builds are the same wherever they are made.
target_compile_options(dpep_flags INTERFACE -Wall -Wextra -ffunction-sections -fdata-sections
                                            -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
if(DPEP_WERROR)
  target_compile_options(dpep_flags INTERFACE -Werror)
endif()
target_link_options(dpep_flags INTERFACE -fuse-ld=lld)
if(DPEP_SANITIZE)
  target_compile_options(dpep_flags INTERFACE -fsanitize=${DPEP_SANITIZE} -fno-omit-frame-pointer -g1)
  target_link_options(dpep_flags INTERFACE -fsanitize=${DPEP_SANITIZE})
endif()

add_library(dpep_headers INTERFACE)
target_include_directories(dpep_headers INTERFACE ${CMAKE_SOURCE_DIR}/include)
