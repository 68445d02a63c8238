"""tools/wheel/finish.py: the platform tag, permitted libraries, the maximum size, and reproducible bytes."""

from __future__ import annotations

import pathlib
import subprocess
import sys
import zipfile

import pytest

FINISH = pathlib.Path(__file__).resolve().parents[2] / "tools/wheel/finish.py"
INFO = "example-1.0.dist-info"


@pytest.fixture
def library(tmp_path: pathlib.Path):
    """Compiles C to a shared library and returns its bytes."""

    def compile(source: str, *options: str) -> bytes:
        result = tmp_path / "library.so"
        subprocess.run(
            ["clang-22", "-shared", "-fPIC", "-x", "c", "-", "-o", result, *options],
            input=source, text=True, check=True,
        )  # fmt: skip
        return result.read_bytes()

    return compile


@pytest.fixture
def finish(tmp_path: pathlib.Path):
    """Makes a wheel of these files and finishes it into `dist`."""

    def run(files: dict[str, bytes]) -> subprocess.CompletedProcess:
        wheel = tmp_path / "example-1.0-cp312-cp312-linux_x86_64.whl"
        metadata = {f"{INFO}/WHEEL": b"Wheel-Version: 1.0\nTag: cp312-cp312-linux_x86_64\n", f"{INFO}/RECORD": b""}
        with zipfile.ZipFile(wheel, "w") as archive:
            for name, content in (files | metadata).items():
                archive.writestr(name, content)
        return subprocess.run(
            [sys.executable, FINISH, wheel, tmp_path / "dist"], capture_output=True, text=True,
            env={"SOURCE_DATE_EPOCH": "1700000000", "PATH": "/usr/bin:/bin"},
        )  # fmt: skip

    return run


def test_tag_names_the_oldest_sufficient_glibc(finish, library, tmp_path):
    assert finish({"a.so": library("int f(void) { return 1; }", "-nostdlib")}).returncode == 0
    assert (tmp_path / "dist/example-1.0-cp312-cp312-manylinux_2_5_x86_64.whl").is_file()
    # memcpy got its present version with glibc 2.14
    source = "#include <string.h>\nvoid *f(void *a, void *b, size_t n) { return memcpy(a, b, n); }"
    result = finish({"a.so": library(source)})
    assert "manylinux_2_14_x86_64.whl" in result.stdout
    wheel = zipfile.ZipFile(tmp_path / "dist/example-1.0-cp312-cp312-manylinux_2_14_x86_64.whl")
    assert b"Tag: cp312-cp312-manylinux_2_14_x86_64\n" in wheel.read(f"{INFO}/WHEEL")


def test_missing_library_is_an_error(finish, library):
    needing = library("int f(void) { return 1; }", "-Wl,--no-as-needed", "-lz")
    result = finish({"a.so": needing})
    assert result.returncode == 1
    assert "a.so needs libz.so.1, which is neither in the wheel nor on every system" in result.stderr
    assert finish({"a.so": needing, "libs/libz.so.1": b""}).returncode == 0


def test_search_path_of_the_building_machine_is_an_error(finish, library):
    result = finish({"a.so": library("int f(void) { return 1; }", "-Wl,-rpath,/somewhere/lib")})
    assert result.returncode == 1
    assert "a.so searches for libraries in /somewhere/lib" in result.stderr
    assert finish({"a.so": library("int f(void) { return 1; }", "-Wl,-rpath,$ORIGIN/lib")}).returncode == 0


def test_too_large_a_wheel_is_an_error(finish):
    import random

    result = finish({"data": random.Random(0).randbytes(41_000_000)})
    assert result.returncode == 1
    assert "the maximum is 40 MB" in result.stderr


def test_same_files_give_the_same_bytes_and_a_complete_record(finish, tmp_path):
    wheels = []
    for files in ({"b.py": b"1", "a.py": b"2"}, {"a.py": b"2", "b.py": b"1"}):
        assert finish(files).returncode == 0
        wheels.append((tmp_path / "dist/example-1.0-cp312-cp312-manylinux_2_5_x86_64.whl").read_bytes())
    assert wheels[0] == wheels[1]
    record = zipfile.ZipFile(tmp_path / "dist/example-1.0-cp312-cp312-manylinux_2_5_x86_64.whl").read(f"{INFO}/RECORD")
    assert record.startswith(b"a.py,sha256=1HNeOiZeFu7gP1lxi5tdAwGcB9i2xR-Q2jpmbuwTqzU,1\n")
    assert record.endswith(f"{INFO}/RECORD,,\n".encode())
