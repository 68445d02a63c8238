#!/bin/bash
# Runs the C++ tests under AddressSanitizer and UBSan, and the runtime's tests under ThreadSanitizer.
# `sanitize.sh widths` runs the SYCL tests under AddressSanitizer and UBSan with all vector widths.
set -euo pipefail
cd "$(dirname "$0")/.."
options=(-DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1" -DDPEP_PYTHON=OFF -DDPEP_WERROR=ON
  -DDPEP_PRECOMPILE=OFF)

[[ ${1:-} == widths ]] && export TARGETS=sycl_tests
tools/build.sh build-asan "${options[@]}" -DDPEP_SANITIZE=address,undefined
export ASAN_OPTIONS=detect_stack_use_after_return=1:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:allocator_may_return_null=1
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
if [[ ${1:-} == widths ]]; then
  for setting in DPEP_VECTOR_WIDTH=1 DPEP_VECTOR_WIDTH=64 DPEP_ISA=x86-64-v2 DPEP_ISA=x86-64-v3 DPEP_ISA=x86-64-v4; do
    echo "=== sycl_tests with $setting"
    env "$setting" build-asan/tests/sycl/sycl_tests --gtest_brief=1
  done
  echo "No sanitizer found anything at any width."
  exit
fi
for program in build-asan/tests/*_tests build-asan/tests/*/*_tests; do
  if [[ -f $program && -x $program ]]; then
    echo "=== $program"
    "$program"
  fi
done

# Only the runtime's tests: LLVM is not instrumented, so ThreadSanitizer would report false positives in compilations.
TARGETS=runtime_tests tools/build.sh build-tsan "${options[@]}" -DDPEP_SANITIZE=thread
export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1:suppressions=$PWD/tools/thread_sanitizer.txt
echo "=== runtime_tests under ThreadSanitizer"
build-tsan/tests/core/runtime/runtime_tests
echo "No sanitizer found anything."
