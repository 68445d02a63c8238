#!/bin/bash
# Builds a self-contained wheel into dist/, for the Python that PYTHON names (python3.12, a path; .venv's by default).
set -euo pipefail
cd "$(dirname "$0")/../.."
python=${PYTHON:-.venv/bin/python}
"$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || {
  echo "wheel: PYTHON=$python is not Python 3.11, 3.12 or 3.13" >&2
  exit 1
}

# The same commit gives the same bytes.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

tag=$("$python" -c 'import sys; print("cp%d%d" % sys.version_info[:2])')
environment=build-wheel/tools-$tag
[[ -x $environment/bin/python ]] || "$python" -m venv "$environment"
"$environment/bin/python" -m pip install --quiet --disable-pip-version-check -r tools/wheel/requirements.txt
export PATH=$PWD/$environment/bin:$PATH CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-$(nproc)}
rm -rf build-wheel/out
"$environment/bin/python" -m build --wheel --no-isolation --outdir build-wheel/out \
  --config-setting=cmake.define.DPEP_WERROR=ON .  # as `make build`, so that ccache has most of it
.venv/bin/python tools/wheel/finish.py build-wheel/out/*.whl dist
tools/wheel/check.sh "$(ls -t dist/*-"$tag"-*.whl | head -1)" "$python"
