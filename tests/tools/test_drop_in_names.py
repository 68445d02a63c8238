"""dpcxx under the names of other compilers, and sycl-ls."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest
from places import prefix

PROGRAM = """
#include <sycl/sycl.hpp>
int main() {
  sycl::queue q;
  int *p = sycl::malloc_shared<int>(1, q);
  q.single_task([=] { *p = 42; }).wait();
  std::cout << *p;
}
"""

CALLS = {
    "icpx": ["-fsycl", "-fsycl-targets=spir64_gen,nvptx64-nvidia-cuda", "-Xsycl-target-backend=spir64_gen",
             "-device pvc", "-fsycl-device-code-split=per_kernel", "-flink-huge-device-code", "-std=c++17"],
    "dpcpp": ["-fp-model=precise", "-Xs", "-device *"],
    "acpp": ["--acpp-targets=omp;cuda:sm_90", "--acpp-platform=cuda", "-O2"],
    "syclcc": ["--hipsycl-targets=generic"],
    "clang++": ["-fsycl", "-fsycl-targets=amdgcn-amd-amdhsa", "-Xsycl-target-backend=amdgcn-amd-amdhsa",
                "--offload-arch=gfx90a"],
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_programs_build_and_run(name, tmp_path):
    (tmp_path / "program.cpp").write_text(PROGRAM)
    compiler = prefix() / "bin" / "drop-in" / name
    subprocess.run([compiler, *CALLS[name], "program.cpp", "-o", "program"], cwd=tmp_path, check=True)
    assert subprocess.run([tmp_path / "program"], capture_output=True, text=True, check=True).stdout == "42"


def test_clang_compiles_plain_cxx_without_fsycl(tmp_path):
    (tmp_path / "plain.cpp").write_text("#ifdef SYCL_LANGUAGE_VERSION\n#error it is\n#endif\nint main() {}\n")
    subprocess.run([prefix() / "bin/drop-in/clang++", "plain.cpp", "-o", "plain"], cwd=tmp_path, check=True)


def test_the_names_on_path_do_not_hide_clang_itself(tmp_path):
    (tmp_path / "plain.cpp").write_text("int main() {}\n")
    path = f"{prefix() / 'bin/drop-in'}:{os.environ['PATH']}"
    subprocess.run(["clang++", "plain.cpp"], cwd=tmp_path, check=True, env=os.environ | {"PATH": path})


def test_the_folder_is_printed():
    environment = os.environ | {"PYTHONPATH": str(pathlib.Path(prefix()).parent)}
    found = subprocess.run([sys.executable, "-m", "dpep", "drop-in"], capture_output=True, text=True, env=environment)
    assert pathlib.Path(found.stdout.strip()).samefile(prefix() / "bin/drop-in")


def test_sycl_ls_lists_devices():
    def output(*words):
        return subprocess.run([prefix() / "bin/sycl-ls", *words], capture_output=True, text=True, check=True).stdout

    assert "[native_cpu:cpu:0]" in output()
    assert "Aspects" in output("--verbose")


def test_openmp_works_or_names_its_package(tmp_path):
    (tmp_path / "program.cpp").write_text(PROGRAM)
    built = subprocess.run(
        [prefix() / "bin/drop-in/icpx", "-fsycl", "-qopenmp", "program.cpp", "-o", "program"],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert built.returncode == 0 or "libomp-22-dev" in built.stderr
