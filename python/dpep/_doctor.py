"""What `python -m dpep doctor` looks at: devices, drivers, the kernel cache, and the compiler for C++ kernels."""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import dpep
from dpep import _core

_INSTALL_CLANG = "install clang 22 (Debian, Ubuntu: https://apt.llvm.org, packages clang-22 and lld-22), or set DPEP_CLANG"


def _versions() -> list[tuple[bool, str]]:
    return [(True, f"dpep {dpep.__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}")]


def _backends() -> list[tuple[bool | None, str]]:
    """A line for each back end; one that is missing is no fault as long as there is a device."""
    lines: list[tuple[bool | None, str]] = []
    for name, available, detail in _core.backend_reports():
        lines.append((True if available else None, f"{name}: {detail}"))
    if not _core.get_devices():
        selector = os.environ.get("ONEAPI_DEVICE_SELECTOR")
        cause = f"ONEAPI_DEVICE_SELECTOR={selector} excludes them all" if selector else "no back end found one"
        lines.append((False, f"there is no device: {cause}"))
    return lines


def _devices() -> list[tuple[bool, str]]:
    return [
        (True, f"{d.filter_string}: {d.name}, {d.max_compute_units} compute units, {d.global_mem_size / 2**30:.1f} GiB")
        for d in _core.get_devices()
    ]


def _cache_folder() -> Path:
    if folder := os.environ.get("DPEP_CACHE"):
        return Path(folder)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dpep"


def _cache() -> list[tuple[bool | None, str]]:
    folder = _cache_folder()
    if not folder.exists():
        return [(True, f"{folder}: not there yet, made with the first kernel")]
    if not folder.is_dir():
        return [(None, f"{folder} is not a folder, so kernels are compiled in each process; set DPEP_CACHE to one")]
    files = [f.stat() for f in folder.rglob("*") if f.is_file()]
    state = f"{folder}: {len(files)} files, {sum(f.st_size for f in files) / 2**20:.1f} MiB"
    if not os.access(folder, os.W_OK | os.X_OK):
        return [(None, f"{state}, not writable, so new kernels are compiled in each process; set DPEP_CACHE to a folder of yours")]
    free = shutil.disk_usage(folder).free
    if free < 2**26:
        return [(None, f"{state}, and the disk has only {free / 2**20:.0f} MiB left")]
    return [(True, state)]


def _compiler() -> list[tuple[bool | None, str]]:
    """dpcxx and the clang that it calls. Only building C++ extensions needs them."""
    driver = Path(dpep.__file__).parent / "bin" / "dpcxx"
    if not driver.exists():
        return [(None, f"dpcxx is missing at {driver}; reinstall dpep")]
    clang = next(filter(None, map(shutil.which, [os.environ.get("DPEP_CLANG") or "clang++-22", "clang++"])), None)
    if clang is None:
        return [(None, f"dpcxx: {driver}; but no clang 22 for it: {_INSTALL_CLANG}")]
    answer = subprocess.run([clang, "--version"], capture_output=True, text=True, check=False)
    version = (answer.stdout or answer.stderr).partition("\n")[0]
    if "version 22" not in version:
        return [(None, f"dpcxx: {driver}; but {clang} is {version}: {_INSTALL_CLANG}")]
    return [(True, f"dpcxx: {driver}"), (True, f"clang: {clang}, {version}")]


def doctor() -> int:
    """Print the report. Return 0 when kernels can run here, 1 when they cannot."""
    healthy = True
    for title, examine in {
        "Versions": _versions,
        "Back ends": _backends,
        "Devices": _devices,
        "Kernel cache": _cache,
        "Compiler of C++ kernels": _compiler,
    }.items():
        print(title)
        for good, text in examine():
            healthy = healthy and good is not False
            print(f"  [{'ok' if good else 'missing' if good is None else 'FAULT'}] {text}")
    print("Kernels can run here." if healthy else "Kernels cannot run here.", file=sys.stdout)
    return 0 if healthy else 1
