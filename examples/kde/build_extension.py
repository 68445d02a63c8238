"""Builds the example's extension module with dpcxx, unless it is up to date."""

from __future__ import annotations

import os
import pathlib
import shlex
import subprocess
import sysconfig

import dpctl
import dpep
import pybind11

HERE = pathlib.Path(__file__).resolve().parent


def build(folder: pathlib.Path) -> pathlib.Path:
    """Compile `kde_sycl` into `folder` and return the folder. Prints the equivalent shell command."""
    folder.mkdir(parents=True, exist_ok=True)
    module = folder / ("kde_sycl" + sysconfig.get_config_var("EXT_SUFFIX"))
    compiler = pathlib.Path(dpep.get_compiler())
    inputs = [HERE / "kde_module.cpp", HERE / "kde_kernels.hpp", compiler]
    if module.exists() and module.stat().st_mtime > max(p.stat().st_mtime for p in inputs):
        return folder
    command = [
        os.fspath(compiler), "-O2", "-std=c++20", "-shared", "-fPIC",
        "-I" + sysconfig.get_path("include"), "-I" + pybind11.get_include(), "-I" + dpctl.get_include(),
        os.fspath(HERE / "kde_module.cpp"), "-o", os.fspath(module),
    ]  # fmt: skip
    print("Building the extension:\n  " + shlex.join(command), flush=True)
    subprocess.run(command, check=True)
    return folder
