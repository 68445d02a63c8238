#!/bin/bash
# Runs all tests of a build folder with their output. The last line says whether all passed.
set -uo pipefail
cd "$(dirname "$0")/.."
folder=$1
failed=()
passed=()

run() {
  local name=$1
  shift
  echo "=== $name"
  if "$@"; then passed+=("$name"); else failed+=("$name"); fi
}

for program in "$folder"/tests/*_tests "$folder"/tests/*/*_tests; do
  [[ -f $program && -x $program ]] && run "$(basename "$program")" "$program" --gtest_brief="${GTEST_BRIEF:-0}"
done
run pytest .venv/bin/python -m pytest --numprocesses "${JOBS:-$(nproc)}" --dist loadfile -ra tests

echo
if ((${#failed[@]})); then
  echo "FAILED: ${failed[*]}"
  exit 1
fi
echo "All tests passed: ${passed[*]}"
