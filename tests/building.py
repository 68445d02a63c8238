"""How tests build extension modules: as users do, with dpctl's headers."""

import functools
import importlib
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
from types import ModuleType

import dpctl
import dpep
import pytest

DPCXX = pathlib.Path(dpep.__file__).parent / "bin" / "dpcxx"


@functools.cache
def missing_compiler() -> str:
    """The message of dpcxx if it finds no clang, as on a machine with only the wheel; empty if it finds one."""
    answer = subprocess.run([DPCXX, "--version"], capture_output=True, text=True, check=False)
    if not answer.returncode:
        return ""
    assert "clang 22 was not found" in answer.stderr, answer.stderr
    return answer.stderr.partition("\n")[0]


def needs_compiler() -> None:
    if why := missing_compiler():
        pytest.skip(why)


def load(path: pathlib.Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def build(name: str, command: list[object], folder: pathlib.Path) -> ModuleType:
    """Compile with a command, to which the common flags are added, and import the module."""
    output = folder / (name + sysconfig.get_config_var("EXT_SUFFIX"))
    flags = ["-O1", "-shared", "-fPIC", "-I", sysconfig.get_path("include"), "-I", dpctl.get_include()]
    answer = subprocess.run([*map(str, command), *flags, "-o", output], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    return load(output, name)


def build_pybind11(source: pathlib.Path, folder: pathlib.Path) -> ModuleType:
    pybind11 = pytest.importorskip("pybind11")
    needs_compiler()
    return build(source.stem, [DPCXX, "-I", pybind11.get_include(), source], folder)


def build_cython(source: pathlib.Path, folder: pathlib.Path) -> ModuleType:
    pytest.importorskip("Cython")
    needs_compiler()
    translated = folder / (source.stem + ".cpp")
    packages = pathlib.Path(dpctl.__file__).parent.parent
    command = [sys.executable, "-m", "cython", "--cplus", "-I", packages, source, "-o", translated]
    subprocess.run(command, check=True)
    return build(source.stem, [DPCXX, "-Wno-unused-function", translated], folder)


C_COMPILERS = ["gcc", "clang-22", "cc"]


def build_c(source: pathlib.Path, folder: pathlib.Path, compiler: str | None = None) -> ModuleType:
    found = next(filter(None, map(shutil.which, C_COMPILERS if compiler is None else [compiler])), None)
    if found is None:
        pytest.skip(f"no C compiler named {compiler or C_COMPILERS}")
    return build(source.stem, [found, "-std=c99", "-Wall", "-Wextra", "-Werror", source], folder)


def build_by_setuptools(example: pathlib.Path, folder: str, *names: str) -> list[ModuleType]:
    """Build a copy of an example's setup.py with dpcxx in the folder, and import modules from there."""
    needs_compiler()
    source = pathlib.Path(folder) / "source"
    shutil.copytree(example, source)
    compiler = os.fspath(dpep.get_compiler())
    subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--inplace"],
        cwd=source,
        env=os.environ | {"CC": compiler, "CXX": compiler},
        check=True,
    )
    sys.path.insert(0, os.fspath(source))
    try:
        for name in names:
            sys.modules.pop(name, None)  # examples have programs of one name
        return [importlib.import_module(name) for name in names]
    finally:
        sys.path.pop(0)
