#!/bin/bash
# Runs the tests of an installed wheel with an NVIDIA GPU as the default device:
#
#   tools/test_gpu.sh [C++ test programs…] [-- pytest's arguments]
#
# C++ test programs, built on any machine (build/tests/sycl/sycl_tests), run in parallel shards with the wheel's
# library. PYTHON is the interpreter that has the wheel, pytest, pytest-xdist and hypothesis. A Python test that takes
# more than a minute prints its stack.
set -uo pipefail
python=$(command -v "${PYTHON:-python3}")
programs=()
while (($#)) && [[ $1 != -- ]]; do
  programs+=("$(realpath "$1")")
  shift
done
shift
cd "$(dirname "$0")/.." || exit
export ONEAPI_DEVICE_SELECTOR='cuda:*;native_cpu:*'
LD_LIBRARY_PATH=$("$python" -c 'import dpep, pathlib; print(pathlib.Path(dpep.__file__).parent / "lib")')
export LD_LIBRARY_PATH
failed=0
shards=4
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

for program in "${programs[@]}"; do
  for ((shard = 0; shard < shards; ++shard)); do
    GTEST_TOTAL_SHARDS=$shards GTEST_SHARD_INDEX=$shard GTEST_BRIEF=1 timeout 300 "$program" >"$logs/$shard" 2>&1 ||
      echo "shard $shard ended with $?" >>"$logs/failed" &
  done
  wait
  echo "=== $(basename "$program")"
  grep -hE 'tests? ran|FAILED|PASSED|SKIPPED' "$logs"/?
  if [[ -f $logs/failed ]]; then
    cat "$logs/failed" "$logs"/?
    failed=1
  fi
  rm -f "$logs"/*
done

folders=(tests/gpu tests/tensor tests/dpctl tests/dpnp tests/numba_dpex)
"$python" -m pytest -q -p no:benchmark -p no:cacheprovider -n "${JOBS:-$(nproc)}" -o faulthandler_timeout=60 "${folders[@]}" "$@" ||
  failed=1
exit $failed
