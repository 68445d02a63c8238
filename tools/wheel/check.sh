#!/bin/bash
# Installs a wheel into an empty environment and tests it as a user would use it: check.sh <wheel> <python>
#
# Lists devices and copies memory. If clang 22 is installed, also builds and runs a program and the demo's extension
# with the environment's dpcxx.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
wheel=$(realpath "$1")
python=$2

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$python" -m venv environment
# Removes everything of the build and of this shell from the environment variables.
unset PYTHONPATH LD_LIBRARY_PATH DPCXX_CLANG
export PATH=$folder/environment/bin:/usr/bin:/bin DPEP_CACHE=$folder/cache
python -m pip install --quiet --disable-pip-version-check "$wheel" pybind11
python -m dpctl --full-list
python - <<'END'
import dpctl, dpctl.memory

memory = dpctl.memory.MemoryUSMShared(1000, queue=dpctl.SyclQueue())
memory.copy_from_host(bytes(range(250)) * 4)
assert bytes(memory.copy_to_host()) == bytes(range(250)) * 4
END

if ! command -v clang++-22 >/dev/null; then
  echo "check: clang 22 is not installed, so nothing is compiled; the rest of the wheel works"
  exit
fi
cat >program.cpp <<'END'
#include <cstdio>
#include <sycl/sycl.hpp>
int main() {
  sycl::queue q;
  float *x = sycl::malloc_shared<float>(1000, q);
  q.parallel_for(1000, [=](sycl::id<1> i) { x[i] = sycl::sqrt(float(i[0])); }).wait();
  std::printf("%g\n", x[900]);
  sycl::free(x, q);
}
END
dpcxx -O2 program.cpp -o program
[[ $(./program) == 30 ]] || { echo "check: a program with a kernel gave $(./program), not 30" >&2; exit 1; }

dpcxx -O2 -shared -fPIC "-I$(python -c 'import sysconfig; print(sysconfig.get_path("include"))')" \
  "-I$(python -m pybind11 --includes | tr ' ' '\n' | sed -n 's/^-I//p' | tail -1)" $(python -m dpctl --includes) \
  "$root/examples/kde/kde_module.cpp" -o "kde_sycl$(python -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')"
python - <<'END'
import dpctl, dpctl.memory, kde_sycl
import numpy as np

q = dpctl.SyclQueue()
random = np.random.default_rng(0)
samples, points = random.random((1000, 3)), random.random((5, 3))


def usm(a):
    memory = dpctl.memory.MemoryUSMDevice(a.nbytes, queue=q)
    memory.copy_from_host(np.ascontiguousarray(a).reshape(-1).view(np.uint8))
    return memory


expected = np.exp(-0.5 * np.square(samples[None] - points[:, None]).sum(-1) / 0.01).sum(1) * (2 * np.pi * 0.01) ** -1.5 / 1000
for method in kde_sycl.Method.ATOMICS, kde_sycl.Method.GROUP_REDUCTION:
    density = dpctl.memory.MemoryUSMDevice(40, queue=q)
    kde_sycl.estimate_float64(q, usm(samples), usm(points), density, 3, 0.1, method)
    np.testing.assert_allclose(np.frombuffer(density.copy_to_host()), expected, rtol=1e-12)
END
printf 'cmake_minimum_required(VERSION 3.22)\nproject(x CXX)\nfind_package(IntelSYCL REQUIRED)\nfind_package(Dpctl REQUIRED)\n' >CMakeLists.txt
if command -v cmake >/dev/null; then cmake -B found . >/dev/null; fi
echo "check: $(basename "$wheel") works in an empty environment of $("$python" --version)"
