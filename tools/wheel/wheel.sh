#!/bin/bash
# Builds a self-contained wheel into dist/ for the Python given by PYTHON: a name such as python3.12, or a path. The
# default is the one of .venv.
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=tools/setup/interpreters.sh
source tools/setup/interpreters.sh
python=$(find_python "${PYTHON:-.venv/bin/python}")
echo "wheel: for $("$python" --version), $python"

# Reproducible: the same commit gives the same bytes.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

identity='import sys; print(sys.base_prefix, *sys.version_info[:3])'
tag=$("$python" -c 'import sys; print("cp%d%d" % sys.version_info[:2])')
if [[ $("$python" -c "$identity") == "$(.venv/bin/python -c "$identity")" ]]; then
  environment=.venv  # has the same tools, and the same Python headers as `make build`
else
  environment=build-wheel/tools-$tag
  [[ -x $environment/bin/python ]] || "$python" -m venv "$environment"
  "$environment/bin/python" -m pip install --quiet --disable-pip-version-check -r tools/wheel/requirements.txt
fi
export PATH=$PWD/$environment/bin:$PATH CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-$(nproc)}
rm -rf build-wheel/out
"$environment/bin/python" -m build --wheel --no-isolation --outdir build-wheel/out \
  --config-setting=cmake.define.DPEP_WERROR=ON .  # the options of `make build`, so that ccache has most objects
.venv/bin/python tools/wheel/finish.py build-wheel/out/*.whl dist
tools/wheel/check.sh "$(ls -t dist/*-"$tag"-*.whl | head -1)" "$python"
