# Precompiled headers: those of the standard library, {fmt}, LLVM, GoogleTest and nanobind, which take most of the time that
# a file compiles. They contain no header of dpep, so no change of dpep compiles them again.
option(DPEP_PRECOMPILE "Precompile headers of other projects; without it, missing #include lines are found" ON)

if(DPEP_PRECOMPILE)
  # an option of clang's driver, whose path ccache makes relative, instead of CMake's -Xclang
  set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -include-pch <PCH_FILE>)
endif()

set(DPEP_STANDARD_HEADERS
    <algorithm> <array> <atomic> <bit> <cmath> <complex> <functional> <map> <memory> <mutex> <optional> <span> <string>
    <string_view> <utility> <vector>)
set(DPEP_LLVM_HEADERS
    <llvm/ADT/DenseMap.h> <llvm/ADT/SetVector.h> <llvm/ADT/SmallVector.h> <llvm/Analysis/LoopInfo.h>
    <llvm/Analysis/ScalarEvolution.h> <llvm/Analysis/TargetTransformInfo.h> <llvm/Analysis/ValueTracking.h>
    <llvm/IR/Dominators.h> <llvm/IR/IRBuilder.h> <llvm/IR/InstIterator.h> <llvm/IR/Instructions.h>
    <llvm/IR/IntrinsicInst.h> <llvm/IR/Module.h> <llvm/IR/PassManager.h> <llvm/IR/PatternMatch.h>
    <llvm/Support/raw_ostream.h>)

# Precompiles headers for the files of a target: dpep_precompile(target headers… [INCLUDES folders…]). ccache gets a
# checksum of the preprocessed headers, which is the same in all clones; a precompiled header contains paths.
function(dpep_precompile target)
  if(NOT DPEP_PRECOMPILE)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 given "" "" INCLUDES)
  target_precompile_headers(${target} PRIVATE ${given_UNPARSED_ARGUMENTS})
  target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  list(TRANSFORM given_UNPARSED_ARGUMENTS REPLACE "(.+)" "#include \\1\n" OUTPUT_VARIABLE lines)
  string(JOIN "" text ${lines})
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${target}_headers.hpp)
  file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
  list(TRANSFORM given_INCLUDES PREPEND -I)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 -E -P ${given_INCLUDES} ${file}
                  OUTPUT_VARIABLE preprocessed COMMAND_ERROR_IS_FATAL ANY)
  string(SHA256 sum "${preprocessed}")
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/cmake_pch.hxx.pch.sum CONTENT "${sum}\n" @ONLY)
endfunction()
