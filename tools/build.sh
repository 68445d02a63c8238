#!/bin/bash
# Builds a build folder, after configuring it if it is new: [TARGETS=…] tools/build.sh <folder> [CMake options…]
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1
shift
if ! [[ -f $folder/build.ninja ]]; then
  cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=clang-22 \
    -DCMAKE_CXX_COMPILER=clang++-22 -DPython_EXECUTABLE="$PWD/.venv/bin/python" "$@"
fi
# shellcheck disable=SC2086  # several targets are several words
ninja -C "$folder" -j "${JOBS:-$(nproc)}" ${TARGETS:-}
