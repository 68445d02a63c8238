#!/bin/bash
# The C++ tests under AddressSanitizer and UBSan, and the runtime's under ThreadSanitizer.
set -euo pipefail
cd "$(dirname "$0")/.."
options=(-DCMAKE_BUILD_TYPE=RelWithDebInfo -DDPEP_PYTHON=OFF -DDPEP_WERROR=ON)

tools/build.sh build-asan "${options[@]}" -DDPEP_SANITIZE=address,undefined
export ASAN_OPTIONS=detect_stack_use_after_return=1:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:allocator_may_return_null=1
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
for program in build-asan/tests/*_tests build-asan/tests/*/*_tests; do
  if [[ -f $program && -x $program ]]; then
    echo "=== $program"
    "$program"
  fi
done

tools/build.sh build-tsan "${options[@]}" -DDPEP_SANITIZE=thread
# The runtime's suites, by the names in their sources: LLVM is not instrumented, so compiling under ThreadSanitizer
# reports what is none of our doing.
suites=$(sed -nE 's/^(TYPED_)?TEST(_F|_P)?\((\w+),.*/\3.*/p; s/^INSTANTIATE_TEST_SUITE_P\((\w+), *(\w+),.*/\1\/\2.*/p' \
  tests/core/runtime/*_test.cpp | sort -u | paste -sd:)
export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1:suppressions=$PWD/tools/thread_sanitizer.txt
echo "=== ThreadSanitizer: $suites"
build-tsan/tests/core_tests --gtest_filter="$suites"
echo "No sanitizer found anything."
