#!/bin/bash
# Builds a self-contained wheel into dist/, for the Python that PYTHON names (python3.12, a path; .venv's by default).
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=tools/setup/interpreters.sh
source tools/setup/interpreters.sh
python=$(find_python "${PYTHON:-.venv/bin/python}")
echo "wheel: for $("$python" --version), $python"

# The same commit gives the same bytes.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

identity='import sys; print(sys.base_prefix, *sys.version_info[:3])'
tag=$("$python" -c 'import sys; print("cp%d%d" % sys.version_info[:2])')
if [[ $("$python" -c "$identity") == "$(.venv/bin/python -c "$identity")" ]]; then
  environment=.venv  # has the same tools; the bindings are compiled with the same headers as by `make build`
else
  environment=build-wheel/tools-$tag
  [[ -x $environment/bin/python ]] || "$python" -m venv "$environment"
  "$environment/bin/python" -m pip install --quiet --disable-pip-version-check -r tools/wheel/requirements.txt
fi
export PATH=$PWD/$environment/bin:$PATH CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-$(nproc)}
rm -rf build-wheel/out
"$environment/bin/python" -m build --wheel --no-isolation --outdir build-wheel/out \
  --config-setting=cmake.define.DPEP_WERROR=ON .  # as `make build`, so that ccache has most of it
.venv/bin/python tools/wheel/finish.py build-wheel/out/*.whl dist
tools/wheel/check.sh "$(ls -t dist/*-"$tag"-*.whl | head -1)" "$python"
