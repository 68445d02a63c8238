#!/bin/bash
# Checks formatting, the order of layers, and what every file of ours promises. `lint.sh --fix` formats.
set -uo pipefail
cd "$(dirname "$0")/../.."
failed=()

check() {
  local name=$1
  shift
  "$@" || failed+=("$name")
}

mapfile -t sources < <(git ls-files --cached --others --exclude-standard '*.cpp' '*.hpp' '*.h' | while read -r file; do
  [[ -f $file ]] && echo "$file"
done)
if [[ ${1:-} == --fix ]]; then
  clang-format-22 -i "${sources[@]}"
  .venv/bin/ruff check --quiet --fix
  .venv/bin/ruff format --quiet
fi
check clang-format clang-format-22 --dry-run --Werror "${sources[@]}"
check "ruff check" .venv/bin/ruff check --quiet
check "ruff format" .venv/bin/ruff format --quiet --check
check layers .venv/bin/python tools/lint/layers.py
check files .venv/bin/python tools/lint/files.py

if ((${#failed[@]})); then
  echo "lint FAILED: ${failed[*]}"
  exit 1
fi
echo "lint passed"
