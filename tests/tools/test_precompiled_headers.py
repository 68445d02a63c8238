"""Precompiled headers: made once for each set of options, and never the reason of a failure."""

from __future__ import annotations

import os
import pathlib
import subprocess

import pytest
from places import prefix

KERNEL = """
int main() {
  sycl::queue q;
  int *p = sycl::malloc_shared<int>(1, q);
  q.single_task([=] { *p = VALUE; }).wait();
  std::cout << *p;
}
"""
INCLUDE = "#include <sycl/sycl.hpp>\n"


@pytest.fixture(scope="module")
def shared_cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


class Project:
    def __init__(self, folder: pathlib.Path, cache: pathlib.Path | str) -> None:
        self.folder, self.cache = folder, cache

    def build(self, text: str, *words: str, value: int = 1) -> str:
        (self.folder / "program.cpp").write_text(text)
        subprocess.run(
            [prefix() / "bin/dpcxx", f"-DVALUE={value}", *words, "program.cpp", "-o", "program"], cwd=self.folder,
            env=os.environ | {"DPEP_CACHE": os.fspath(self.cache)}, check=True,
        )  # fmt: skip
        return subprocess.run([self.folder / "program"], capture_output=True, text=True, check=True).stdout

    def headers(self) -> set[pathlib.Path]:
        return set(pathlib.Path(self.cache).glob("headers/*.pch"))


@pytest.fixture
def project(tmp_path, shared_cache):
    return Project(tmp_path, shared_cache)


def test_are_made_once_and_shared(project):
    assert project.build(INCLUDE + KERNEL, value=5) == "5"
    made = project.headers()
    assert len(made) == 2
    # Macros, warnings, folders and standard headers before SYCL's do not matter.
    text = "// A comment\n/* and\n another */\n#include <vector>\n#include <math.h>\n" + INCLUDE + KERNEL
    assert project.build(text, "-Wall", "-Wextra", "-Werror", "-I.", "-DM=2", "-g", value=6) == "6"
    assert project.headers() == made


@pytest.mark.parametrize(
    "before", ["#define NDEBUG\n", "#include <unistd.h>\n", "#if 1\n#endif\n", "using size = int;\n"]
)
def test_are_not_used_behind_what_may_change_the_header(project, tmp_path, before):
    project.cache = tmp_path / "own"
    assert project.build(before + INCLUDE + KERNEL) == "1"
    assert not project.headers()


def test_are_not_used_with_another_sycl_hpp(tmp_path):
    project = Project(tmp_path, tmp_path / "own")
    (tmp_path / "other/sycl").mkdir(parents=True)
    (tmp_path / "other/sycl/sycl.hpp").write_text("#include_next <sycl/sycl.hpp>\n#define EXTRA 1\n")
    text = INCLUDE + "static_assert(EXTRA);\n" + KERNEL
    assert project.build(text, "-Iother") == "1"
    assert not project.headers()


def test_a_damaged_one_is_replaced(project):
    project.build(INCLUDE + KERNEL)
    for header in project.headers():
        header.write_bytes(header.read_bytes()[:100_000])
    assert project.build(INCLUDE + KERNEL, value=7) == "7"
    assert project.build(INCLUDE + KERNEL, value=8) == "8"
    assert all(header.stat().st_size > 1_000_000 for header in project.headers())


def test_need_a_folder_of_the_user_s_own(tmp_path):
    assert Project(tmp_path, "off").build(INCLUDE + KERNEL) == "1"
    cache = tmp_path / "open"
    cache.mkdir(mode=0o777)
    cache.chmod(0o777)
    project = Project(tmp_path, cache)
    assert project.build(INCLUDE + KERNEL) == "1"
    assert not project.headers()


def test_depfiles_name_the_headers_themselves(project):
    project.build(INCLUDE + KERNEL, "-MD", "-MF", "program.d")
    rule = (project.folder / "program.d").read_text()
    assert "sycl/sycl.hpp" in rule
    assert "iostream" in rule
    assert ".pch" not in rule
