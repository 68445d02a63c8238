#!/bin/bash
# Runs all tests of a build folder with their output. The last lines repeat the failures, and say whether all passed.
set -uo pipefail
cd "$(dirname "$0")/.."
folder=$1
failed=()
passed=()
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

run() {
  local name=$1
  shift
  echo "=== $name"
  if "$@" 2>&1 | tee "$logs/$name"; then passed+=("$name"); else failed+=("$name"); fi
}

for program in "$folder"/tests/*_tests "$folder"/tests/*/*_tests; do
  [[ -f $program && -x $program ]] && run "$(basename "$program")" "$program" --gtest_brief="${GTEST_BRIEF:-0}"
done
run pytest .venv/bin/python -m pytest --numprocesses "${JOBS:-$(nproc)}" --dist loadfile -ra tests

echo
if ((${#failed[@]})); then
  for name in "${failed[@]}"; do
    echo "=== failures of $name"
    grep -m 60 -A 12 -E ': Failure$|^\[  FAILED  \]|^(FAILED|ERROR) |terminate called|Sanitizer' "$logs/$name" || tail -n 30 "$logs/$name"
  done
  echo "FAILED: ${failed[*]}"
  exit 1
fi
echo "All tests passed: ${passed[*]}"
