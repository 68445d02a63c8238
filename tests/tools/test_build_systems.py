"""dpcxx as the compiler of a project: CMake (three ways) and Meson; the CMake packages. Extensions: tests/docs."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys

import pytest
from places import prefix

MAIN = """
#include <sycl/sycl.hpp>
#include <cstdio>
int other();
int main() {
  sycl::queue q;
  int *x = sycl::malloc_shared<int>(4, q);
  const int y = other();
  q.parallel_for(sycl::range<1>(4), [=](sycl::id<1> i) { x[i] = y * int(i[0]); }).wait();
  std::printf("%d %d %d %d\\n", x[0], x[1], x[2], x[3]);
  sycl::free(x, q);
}
"""

# Returns 1 if it was compiled by clang, 2 otherwise.
OTHER = """
int other() {
#if defined(__clang__)
  return 1;
#else
  return 2;
#endif
}
"""


@pytest.fixture
def project(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "main.cpp").write_text(MAIN)
    (tmp_path / "other.cpp").write_text(OTHER)
    return tmp_path


def run(*words: str | os.PathLike[str], folder: pathlib.Path, **environment: str) -> str:
    result = subprocess.run(
        words, cwd=folder, env=os.environ | environment, capture_output=True, text=True, timeout=300
    )  # fmt: skip
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def dpcxx() -> str:
    return os.fspath(prefix() / "bin" / "dpcxx")


def cmake(project: pathlib.Path, text: str, *options: str, generator: str = "Ninja") -> str:
    """Configure and build; return the output of the configuration."""
    header = "cmake_minimum_required(VERSION 3.22)\nproject(example LANGUAGES CXX)\n"
    (project / "CMakeLists.txt").write_text(header + text)
    output = run(
        "cmake", "-S", ".", "-B", "b", "-G", generator, f"-DCMAKE_PREFIX_PATH={prefix()}", *options, folder=project,
        CXX=host_compilers()[0],
    )  # fmt: skip
    run("cmake", "--build", "b", folder=project)
    return output


@pytest.mark.parametrize("generator", ["Ninja", "Unix Makefiles"])
def test_cmake_with_dpcxx_as_the_compiler(project, generator):
    output = cmake(
        project,
        "add_executable(program main.cpp other.cpp)\n"
        'message(STATUS "compiler ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")\n',
        f"-DCMAKE_CXX_COMPILER={dpcxx()}",
        generator=generator,
    )
    assert "-- compiler Clang 22." in output
    assert run("b/program", folder=project) == "0 1 2 3\n"


def test_cmake_rebuilds_changed_files_only(project):
    cmake(project, "add_executable(program main.cpp other.cpp)\n", f"-DCMAKE_CXX_COMPILER={dpcxx()}")
    assert "no work to do" in run("ninja", "-C", "b", folder=project)
    (project / "other.cpp").write_text("int other() { return 5; }\n")
    run("ninja", "-C", "b", folder=project)
    assert run("b/program", folder=project) == "0 5 10 15\n"


def host_compilers() -> list[str]:
    return [name for name in ("g++", "clang++-22") if shutil.which(name)]


@pytest.mark.parametrize("compiler", host_compilers())
@pytest.mark.parametrize("sources", ["SOURCES main.cpp", ""], ids=["named", "all"])
def test_add_sycl_to_target_in_a_project_of_another_compiler(project, compiler, sources):
    cmake(
        project,
        "add_executable(program main.cpp other.cpp)\n"  # the more difficult order: before the package is found
        "find_package(IntelSYCL REQUIRED)\n"
        f"add_sycl_to_target(TARGET program {sources})\n",
        f"-DCMAKE_CXX_COMPILER={compiler}",
    )
    with_gcc = compiler == "g++" and sources != ""
    assert run("b/program", folder=project) == ("0 2 4 6\n" if with_gcc else "0 1 2 3\n")


@pytest.mark.parametrize("compiler", [*host_compilers(), "dpcxx"])
def test_linking_the_target_of_the_package_is_sufficient(project, compiler):
    cmake(
        project,
        "find_package(IntelSYCL REQUIRED)\n"
        "add_executable(program main.cpp other.cpp)\n"
        "target_link_libraries(program PRIVATE IntelSYCL::SYCL_CXX)\n",
        f"-DCMAKE_CXX_COMPILER={dpcxx() if compiler == 'dpcxx' else compiler}",
    )
    assert run("b/program", folder=project) == "0 1 2 3\n"


def test_cmake_packages_set_the_paths_of_their_files(project):
    output = cmake(
        project,
        "find_package(IntelSYCL REQUIRED)\nfind_package(Dpctl 0.17 REQUIRED)\nfind_package(dpep REQUIRED)\n"
        "foreach(name SYCL_INCLUDE_DIR SYCL_LIBRARY_DIR SYCL_FLAGS SYCL_LANGUAGE_VERSION\n"
        "             Dpctl_INCLUDE_DIR dpep_COMPILER)\n"
        '  message(STATUS "${name}=${${name}}")\nendforeach()\n',
    )
    values = dict(line[3:].split("=", 1) for line in output.splitlines() if line.startswith("-- ") and "=" in line)
    assert (pathlib.Path(values["SYCL_INCLUDE_DIR"]) / "sycl/sycl.hpp").is_file()
    assert (pathlib.Path(values["SYCL_LIBRARY_DIR"]) / "libdpep.so.0").is_file()
    assert (pathlib.Path(values["Dpctl_INCLUDE_DIR"]) / "dpctl4pybind11.hpp").is_file()
    assert pathlib.Path(values["dpep_COMPILER"]).samefile(dpcxx())
    assert (values["SYCL_FLAGS"], values["SYCL_LANGUAGE_VERSION"]) == ("-fsycl", "202012")


def test_add_sycl_to_target_reports_an_unknown_target(project):
    header = "cmake_minimum_required(VERSION 3.22)\nproject(example LANGUAGES CXX)\nfind_package(IntelSYCL REQUIRED)\n"
    (project / "CMakeLists.txt").write_text(header + "add_sycl_to_target(TARGET nothing SOURCES main.cpp)\n")
    result = subprocess.run(
        ["cmake", "-B", "b", f"-DCMAKE_PREFIX_PATH={prefix()}", f"-DCMAKE_CXX_COMPILER={host_compilers()[0]}"],
        cwd=project, capture_output=True, text=True,
    )  # fmt: skip
    assert result.returncode != 0
    assert "TARGET must be an existing target; got 'nothing'" in result.stderr


def test_meson(project):
    (project / "meson.build").write_text(
        "project('example', 'cpp', default_options: ['cpp_std=c++20', 'warning_level=2', 'werror=true'])\n"
        "executable('program', 'main.cpp', 'other.cpp')\n"
    )
    output = run(sys.executable, "-m", "mesonbuild.mesonmain", "setup", "b", folder=project, CXX=dpcxx())
    assert "(clang 22." in output
    run("ninja", "-C", "b", folder=project)
    assert run("b/program", folder=project) == "0 1 2 3\n"
