"""Fixtures of the dpcxx tests: the built compiler, and a minimal SYCL that compiles in a tenth of a second."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess

import pytest
from places import prefix

# Like SYCL's headers: the kernel is an entry point for the device, the host embeds the image.
TOY_SYCL = """
#pragma once
extern "C" int printf(const char *, ...);
namespace toy {
#ifdef DPEP_DEVICE_IMAGE
static const unsigned char image[] = {
#embed DPEP_DEVICE_IMAGE
};
inline constexpr bool has_image(int) { return image[0] == 'B'; }
#else
inline constexpr bool has_image(int) { return false; }
#endif
template <class Name, class F> [[clang::sycl_kernel_entry_point(Name)]] void entry(const F *f) { (*f)(); }
template <class F> void launch(F f) { entry<F>(&f); }
}
#define TOY_KERNEL(statement) { int *p = nullptr; toy::launch([=] { (void)p; statement; }); }
#define TOY_REPORT printf("image %d, standard %ld\\n", toy::has_image(0), __cplusplus)
"""


class Compiler:
    """dpcxx in a folder of sources."""

    def __init__(self, program: pathlib.Path, folder: pathlib.Path) -> None:
        self.program, self.folder = program, folder
        self.environment = {k: v for k, v in os.environ.items() if k != "DPCXX_CLANG"}
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        self.environment["TMPDIR"] = os.fspath(self.temporary)

    def write(self, name: str, text: str) -> str:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return name

    def run(self, *words: str, text: str | None = None, **environment: str) -> subprocess.CompletedProcess:
        """Run dpcxx, which must delete its temporary files in every case."""
        result = subprocess.run(
            [self.program, *words], cwd=self.folder, env=self.environment | environment, input=text,
            stdin=subprocess.DEVNULL if text is None else None, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert list(self.temporary.iterdir()) == []
        return result

    def succeed(self, *words: str, **options: str) -> str:
        """Run dpcxx, which must succeed without warnings, and return its output."""
        result = self.run(*words, **options)
        assert (result.returncode, result.stderr) == (0, "")
        return result.stdout

    def execute(self, program: str = "./a.out") -> str:
        result = subprocess.run([program], cwd=self.folder, capture_output=True, text=True, timeout=60)
        assert result.returncode == 0, result.stderr
        return result.stdout


@pytest.fixture(scope="session")
def toy_prefix(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    root = tmp_path_factory.mktemp("toy")
    for folder in ("bin", "include/sycl", "lib"):
        (root / folder).mkdir(parents=True)
    shutil.copy(prefix() / "bin" / "dpcxx", root / "bin")
    (root / "include/sycl/sycl.hpp").write_text(TOY_SYCL)
    subprocess.run(["clang-22", "-shared", "-fPIC", "-x", "c", "/dev/null", "-o", root / "lib/libdpep.so"], check=True)
    return root


@pytest.fixture
def dpcxx(toy_prefix: pathlib.Path, tmp_path: pathlib.Path) -> Compiler:
    """dpcxx with the toy SYCL, in an empty folder."""
    return Compiler(toy_prefix / "bin/dpcxx", tmp_path)


KERNEL = "#include <sycl/sycl.hpp>\nint main() { TOY_KERNEL(p[0] = 1) TOY_REPORT; }\n"


@pytest.fixture
def kernel(dpcxx: Compiler) -> str:
    """A source with a kernel, which prints whether it has an image, and the language standard."""
    return dpcxx.write("kernel.cpp", KERNEL)


@pytest.fixture
def plain(dpcxx: Compiler) -> str:
    """A source without SYCL."""
    return dpcxx.write("plain.cpp", '#include <cstdio>\nint main() { std::printf("%ld\\n", __cplusplus); }\n')


@pytest.fixture
def calls(dpcxx: Compiler) -> pathlib.Path:
    """The file into which the clang that dpcxx runs writes its commands, a line each."""
    log = dpcxx.folder / "calls.txt"
    log.touch()
    clang = dpcxx.folder / "logging-clang"
    clang.write_text(f'#!/bin/sh\n[ "$1" = --version ] || echo "$@" >>{log}\nexec clang++-22 "$@"\n')
    clang.chmod(0o755)
    dpcxx.environment["DPCXX_CLANG"] = os.fspath(clang)
    return log
