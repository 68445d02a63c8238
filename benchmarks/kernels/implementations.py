"""Who runs the kernels: where their libraries are, and a process for each (worker.py)."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
POCL = pathlib.Path("/etc/OpenCL/vendors/pocl.icd")
OURS, GCC, CLANG = "dpep", "hand-written, g++", "hand-written, clang"
NATIVE = (GCC, CLANG)
PEERS = ("PoCL", "Intel OpenCL")


class Missing(Exception):
    """An implementation that this system does not have, and why."""


@dataclasses.dataclass(frozen=True)
class Implementation:
    name: str
    library: pathlib.Path
    environment: dict[str, str]
    worker: pathlib.Path = HERE / "worker.py"
    one_core: bool = False  # processor time there, not what the clock on the wall says


def build_folder() -> pathlib.Path | None:
    """Where the dpep that Python imports was built, if it was built here."""
    package = importlib.util.find_spec("dpep")
    if package is None or package.origin is None:
        return None
    folder = pathlib.Path(package.origin).parents[2]
    return folder if (folder / "CMakeCache.txt").is_file() else None


def intel_runtime(given: pathlib.Path | None) -> pathlib.Path:
    """Intel's OpenCL runtime for CPUs: the one given, or that of this environment's package intel-opencl-rt."""
    if given is not None:
        found = next(given.glob("**/libintelocl.so"), None) if given.is_dir() else given
        if found is None or not found.is_file():
            raise Missing(f"no libintelocl.so in {given}")
        return found
    try:
        files = importlib.metadata.files("intel-opencl-rt") or []
    except importlib.metadata.PackageNotFoundError:
        raise Missing("package intel-opencl-rt is not installed; --intel gives its folder") from None
    return next(pathlib.Path(file.locate()).resolve() for file in files if file.name == "libintelocl.so")


def find(name: str, built: pathlib.Path, intel: pathlib.Path | None = None, one_core: bool = False) -> Implementation:
    """The implementation, or Missing."""
    # Threads that wait for the next parallel loop must be asleep when another implementation has its turn.
    environment = {"KMP_BLOCKTIME": "2"}
    library = {OURS: "sycl", GCC: "native_gcc", CLANG: "native_clang"}.get(name, "opencl")
    path = built / "benchmarks" / "kernels" / f"{library}.so"
    if not path.is_file():
        needs = {"native_gcc": "g++", "native_clang": "libomp", "opencl": "opencl-headers and ocl-icd-opencl-dev"}
        raise Missing(f"needs {needs.get(library, 'dpcxx')} to be built")
    if name == "PoCL":
        if not POCL.is_file():
            raise Missing("package pocl-opencl-icd is not installed")
        environment["OCL_ICD_VENDORS"] = str(POCL)
    if name == "Intel OpenCL":
        environment["OCL_ICD_VENDORS"] = str(intel_runtime(intel))
    return Implementation(name, path, environment, one_core=one_core)


def build(folder: pathlib.Path) -> None:
    cmake = shutil.which("cmake")
    if cmake is None:
        raise Missing("cmake")
    command = [cmake, "--build", folder, "--target", "kernels_benchmark", "--parallel", str(os.cpu_count())]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


class Failed(Exception):
    """A worker's answer that something went wrong, in its words."""


class Process:
    """A worker with the implementation's library open."""

    def __init__(self, implementation: Implementation, environment: dict[str, str] | None = None) -> None:
        self.name = implementation.name
        variables = os.environ | implementation.environment | (environment or {})
        command = [sys.executable, implementation.worker]
        if implementation.one_core:
            variables["BENCH_PROCESSOR_TIME"] = "1"
            command = ["taskset", "--cpu-list", str(min(os.sched_getaffinity(0))), *command]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=variables
        )
        self.device = self.ask(open=str(implementation.library))["device"]

    def ask(self, **request) -> dict:
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise Failed(f"{self.name}: the process ended with {self.process.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise Failed(f"{self.name}: {answer['error']}")
        return answer

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_) -> None:
        self.process.stdin.close()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
