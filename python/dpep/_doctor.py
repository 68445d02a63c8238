"""`python -m dpep doctor`: a report on devices, drivers, the kernel cache, and the compiler of C++ kernels."""

import math
import os
import platform
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import dpep
from dpep import _core

# Whether a component works (None: missing, but kernels run without it), and a description.
_Finding = tuple[bool | None, str]


def _versions() -> list[_Finding]:
    return [
        (True, f"dpep {dpep.__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}")
    ]


def _backends() -> list[_Finding]:
    """A finding for each back end. A missing one is not a fault as long as there is a device."""
    lines: list[_Finding] = []
    for name, available, detail in _core.backend_reports():
        lines.append((True if available else None, f"{name}: {detail}"))
    if not _core.get_devices():
        selector = os.environ.get("ONEAPI_DEVICE_SELECTOR")
        cause = f"ONEAPI_DEVICE_SELECTOR={selector} excludes them all" if selector else "no back end found one"
        lines.append((False, f"there is no device: {cause}"))
    return lines


def _libraries() -> list[_Finding]:
    """A finding for each library of mathematics. Only linear algebra needs them."""
    import numpy  # noqa: F401  so that its OpenBLAS is found as programs find it

    return [(True if available else None, f"{name}: {detail}") for name, available, detail in _core.library_reports()]


def _devices() -> list[_Finding]:
    """A finding for each selected device, after a test computation on it, or with its error."""
    lines: list[_Finding] = []
    for device in _core.get_devices():
        what = f"{device.filter_string}: {device.name}"
        try:
            lines.append((True, f"{what}, {_size(device)}; {_try(device.filter_string)}"))
        except (ImportError, MemoryError, RuntimeError, ValueError) as error:
            lines.append((False, f"{what} is there, but cannot compute: {error}"))
    return lines


def _size(device: _core.SyclDevice) -> str:
    return f"{device.max_compute_units} compute units, {device.global_mem_size / 2**30:.1f} GiB"


def _try(device: str) -> str:
    """Return the time of a first kernel, including allocation, compilation, launch and copies."""
    from dpctl import tensor

    began = time.perf_counter()
    numbers = tensor.asarray([1.5, -2.0, 3.25], dtype="f4", device=device)
    got = tensor.asnumpy(tensor.sin(numbers) + numbers).tolist()
    if any(abs(x - y - math.sin(y)) > 1e-5 for x, y in zip(got, (1.5, -2.0, 3.25))):
        raise RuntimeError(f"sin(x) + x gave {got} for x = [1.5, -2.0, 3.25]")
    return f"a first kernel took {1e3 * (time.perf_counter() - began):.0f} ms"


def _cache() -> list[_Finding]:
    name, refused = _core.kernel_cache()
    if not name:
        asked = f"DPEP_CACHE={os.environ['DPEP_CACHE']}" if os.environ.get("DPEP_CACHE") else "HOME is not set"
        return [(True, f"switched off ({asked}), so kernels are compiled in each process")]
    folder = Path(name)
    if refused:
        return [
            (
                None,
                f"{folder} is not used, because another user could put code into it: {refused}; so kernels are "
                "compiled in each process. Remove the write permission of others (chmod go-w), or set DPEP_CACHE",
            )
        ]
    if not folder.exists():
        return [(True, f"{folder}: not there yet, made with the first kernel")]
    if not folder.is_dir():
        return [(None, f"{folder} is not a folder, so kernels are compiled in each process; set DPEP_CACHE to one")]
    files = [f.stat() for f in folder.rglob("*") if f.is_file()]
    state = f"{folder}: {len(files)} files, {sum(f.st_size for f in files) / 2**20:.1f} MiB"
    if not os.access(folder, os.W_OK | os.X_OK):
        return [(None, f"{state}, not writable, so new kernels are compiled in each process; set DPEP_CACHE")]
    free = shutil.disk_usage(folder).free
    if free < 2**26:
        return [(None, f"{state}, and the disk has only {free / 2**20:.0f} MiB left")]
    return [(True, state)]


def _compiler() -> list[_Finding]:
    """A finding for dpcxx and its clang, which only the building of C++ extensions needs."""
    driver = dpep.get_compiler()
    if not os.access(driver, os.X_OK):
        return [(None, f"dpcxx is missing at {driver}; reinstall dpep")]
    answer = subprocess.run([driver, "--version"], capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        return [(None, line) for line in answer.stderr.strip().splitlines()]
    return [(True, line) for line in answer.stdout.splitlines() if "version" in line or "dpcxx" in line]


def _examine(what: Callable[[], list[_Finding]]) -> list[_Finding]:
    """Return the findings of a function, or its error, such as a malformed environment variable, as a finding."""
    try:
        return what()
    except (OSError, ValueError, RuntimeError) as error:
        return [(False, str(error))]


def doctor() -> int:
    """Print the report. Return 0 when kernels can run here, 1 when they cannot."""
    healthy = True
    for title, what in {
        "Versions": _versions,
        "Back ends": _backends,
        "Kernel cache": _cache,  # before the devices, whose test computations write to it
        "Devices": _devices,
        "Libraries": _libraries,
        "Compiler of C++ kernels": _compiler,
    }.items():
        print(title)
        for good, text in _examine(what):
            healthy = healthy and good is not False
            print(f"  [{'ok' if good else 'missing' if good is None else 'FAULT'}] {text}")
    print("Kernels can run here." if healthy else "Kernels cannot run here.")
    return 0 if healthy else 1
