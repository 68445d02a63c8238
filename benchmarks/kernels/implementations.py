"""The implementations of the kernels: their libraries, and the process that runs each (worker.py)."""

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
OURS, PROGRAMS, GCC, CLANG = "dpep", "dpep, OpenCL C", "hand-written, g++", "hand-written, clang"
NATIVE = (GCC, CLANG)
PEERS = ("PoCL", "Intel OpenCL")


class Missing(Exception):
    """The implementation is not available on this system; the message gives the reason."""


@dataclasses.dataclass(frozen=True)
class Implementation:
    name: str
    library: pathlib.Path
    environment: dict[str, str]
    worker: pathlib.Path = HERE / "worker.py"
    one_core: bool = False  # run on one core, and measure processor time instead of wall-clock time


def build_folder() -> pathlib.Path | None:
    """The build folder of the dpep that Python imports; None if it was not built from source."""
    package = importlib.util.find_spec("dpep")
    if package is None or package.origin is None:
        return None
    folder = pathlib.Path(package.origin).parents[2]
    return folder if (folder / "CMakeCache.txt").is_file() else None


def intel_runtime(given: pathlib.Path | None) -> pathlib.Path:
    """Intel's OpenCL runtime for CPUs: `given`, or that of the environment's package intel-opencl-rt."""
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
    """The implementation of that name. Raises Missing if this system does not have it."""
    # Idle OpenMP threads must stop spinning before the next implementation's turn.
    environment = {"KMP_BLOCKTIME": "2"}
    library = {OURS: "sycl", PROGRAMS: "programs", GCC: "native_gcc", CLANG: "native_clang"}.get(name, "opencl")
    path = built / "benchmarks" / "kernels" / f"{library}.so"
    if not path.is_file():
        needs = {"native_gcc": "g++", "native_clang": "libomp", "opencl": "opencl-headers and ocl-icd-opencl-dev"}
        raise Missing(f"building it needs {needs.get(library, 'dpcxx')}")
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
        raise Missing("building the libraries needs cmake")
    command = [cmake, "--build", folder, "--target", "kernels_benchmark", "--parallel", str(os.cpu_count())]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


class Failed(Exception):
    """A worker reported an error; the message is the worker's."""


class Process:
    """A worker process that has loaded the implementation's library."""

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
        self.device = self.request(open=str(implementation.library))["device"]

    def request(self, **message) -> dict:
        try:
            self.process.stdin.write(json.dumps(message) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise Failed(f"{self.name}: the process ended with status {self.process.wait()}")
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
