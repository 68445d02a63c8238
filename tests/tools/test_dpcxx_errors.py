"""Errors and warnings: reported once, with the correct exit status, and without leftover files."""

from __future__ import annotations

import os
import signal
import subprocess
import time

import pytest


def test_error_is_reported_once(dpcxx):
    dpcxx.write("x.cpp", "#include <sycl/sycl.hpp>\nint main() { TOY_KERNEL(p[0] = 1) undeclared(); }\n")
    result = dpcxx.run("-c", "x.cpp")
    assert result.returncode == 1
    assert result.stderr.count("error: use of undeclared identifier 'undeclared'") == 1
    assert result.stderr.endswith("1 error generated.\n")
    assert not (dpcxx.folder / "x.o").exists()


def test_error_of_the_host_pass_is_reported(dpcxx):
    dpcxx.write("x.cpp", "#include <sycl/sycl.hpp>\n#ifndef __SYCL_DEVICE_ONLY__\n#error only here\n#endif\n")
    result = dpcxx.run("-c", "x.cpp")
    assert result.returncode == 1
    assert result.stderr.count("only here") == 2  # the message, and the line that it quotes


def test_source_that_includes_sycl_indirectly_and_cannot_be_preprocessed(dpcxx):
    dpcxx.write(
        "all.hpp",
        "#include <sycl/sycl.hpp>\n#if !defined(DPEP_DEVICE_IMAGE) && !defined(__SYCL_DEVICE_ONLY__)\n"
        'static_assert(false, "compiled without dpcxx");\n#endif\n',
    )
    dpcxx.write("x.cpp", '#include "all.hpp"\n#error stop\nvoid f() { TOY_KERNEL(p[0] = 1) }\n')
    result = dpcxx.run("-c", "x.cpp")
    assert result.returncode == 1
    assert result.stderr.count("error:") == 1
    assert "dpcxx" not in result.stderr


def test_warnings_are_reported_once_and_counted(dpcxx):
    dpcxx.write(
        "x.cpp",
        "#include <sycl/sycl.hpp>\nint f() { int unused; TOY_KERNEL(p[0] = 1) }\n"
        "#ifdef __SYCL_DEVICE_ONLY__\n#warning device\n#else\n#warning host\n#endif\n",
    )
    result = dpcxx.run("-Wall", "-c", "x.cpp")
    assert result.returncode == 0
    for text in ("unused variable 'unused'", "warning: device", "warning: host"):
        assert result.stderr.count(text) == 1
    assert result.stderr.count("does not return a value") == 1
    assert result.stderr.endswith("4 warnings generated.\n")


def test_warnings_as_errors(dpcxx):
    dpcxx.write("x.cpp", "#include <sycl/sycl.hpp>\nvoid f() { int unused; }\n")
    result = dpcxx.run("-Wall", "-Werror", "-c", "x.cpp")
    assert result.returncode == 1
    assert result.stderr.count("unused variable") == 1


def test_notes_stay_with_their_warning(dpcxx):
    dpcxx.write("x.h", "inline int g(int x) { if (x = 1) return 2; return 3; }\n")
    dpcxx.write("x.cpp", '#include <sycl/sycl.hpp>\n#include "x.h"\n')
    lines = dpcxx.run("-Wall", "-c", "x.cpp").stderr.splitlines()
    assert lines[0] == "In file included from x.cpp:2:"
    assert [line.split(": ")[1] for line in lines if line.startswith("./x.h:")] == ["warning", "note", "note"]


def test_each_of_several_sources_shows_its_errors(dpcxx):
    for name in "ab":
        dpcxx.write(f"{name}.cpp", f"#include <sycl/sycl.hpp>\nint {name} = wrong_{name};\n")
    result = dpcxx.run("-c", "a.cpp", "b.cpp")
    assert result.returncode == 1
    assert "wrong_a" in result.stderr
    assert "wrong_b" in result.stderr


@pytest.mark.parametrize("source", ["kernel", "plain"])
def test_unknown_option_is_clang_s_error_once(dpcxx, source, request):
    result = dpcxx.run("-c", "-fno-such-option", request.getfixturevalue(source))
    assert result.returncode == 1
    assert result.stderr.count("unknown argument: '-fno-such-option'") == 1


def test_missing_source(dpcxx):
    result = dpcxx.run("-c", "nowhere.cpp")
    assert result.returncode == 1
    assert result.stderr.count("no such file or directory: 'nowhere.cpp'") == 1


def test_missing_header_is_reported_once(dpcxx):
    dpcxx.write("x.cpp", '#include <sycl/sycl.hpp>\n#include "nowhere.h"\n')
    result = dpcxx.run("-c", "x.cpp")
    assert result.returncode == 1
    assert result.stderr.count("'nowhere.h' file not found") == 1


def test_no_input(dpcxx):
    result = dpcxx.run()
    assert result.returncode == 1
    assert "no input files" in result.stderr


def test_option_without_its_value(dpcxx):
    result = dpcxx.run("-c", "x.cpp", "-o")
    assert result.returncode == 1
    assert result.stderr == "dpcxx: error: argument to '-o' is missing (expected 1 value)\n"


def test_linker_error(dpcxx):
    dpcxx.write("x.cpp", "#include <sycl/sycl.hpp>\nvoid missing();\nint main() { TOY_KERNEL(p[0] = 1) missing(); }\n")
    result = dpcxx.run("x.cpp")
    assert result.returncode == 1
    assert result.stderr.count("undefined reference to `missing()'") == 1


def test_missing_clang_names_the_searched_program_and_the_remedy(dpcxx, kernel):
    result = dpcxx.run("-c", kernel, DPCXX_CLANG="/nowhere/clang++")
    assert result.returncode == 1
    assert "clang 22 was not found" in result.stderr
    assert "DPCXX_CLANG=/nowhere/clang++: no such program" in result.stderr
    assert "apt-get install clang-22" in result.stderr
    assert "set DPCXX_CLANG" in result.stderr


def test_clang_of_another_version_is_refused(dpcxx, kernel):
    old = dpcxx.folder / "old-clang"
    old.write_text("#!/bin/sh\necho 'Debian clang version 14.0.6'\n")
    old.chmod(0o755)
    result = dpcxx.run("-c", kernel, DPCXX_CLANG=os.fspath(old))
    assert result.returncode == 1
    assert f"DPCXX_CLANG: {old} is clang 14.0.6" in result.stderr


def fake_clang(dpcxx, action: str) -> None:
    """Make dpcxx run a clang that does nothing but this action."""
    clang = dpcxx.folder / "fake_clang"
    clang.write_text(f"#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'clang version 22.0.0'; exit; fi\n{action}\n")
    clang.chmod(0o755)
    dpcxx.environment["DPCXX_CLANG"] = os.fspath(clang)


def test_exit_status_is_clang_s(dpcxx, kernel):
    fake_clang(dpcxx, "exit 70")
    assert dpcxx.run("-c", kernel).returncode == 70


def test_signal_that_ends_clang_ends_dpcxx(dpcxx, kernel):
    fake_clang(dpcxx, "ulimit -c 0; kill -SEGV $$")
    assert dpcxx.run("-c", kernel).returncode == -signal.SIGSEGV


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_interrupt_leaves_no_files(dpcxx, kernel, number):
    fake_clang(dpcxx, f"touch {dpcxx.folder}/started; exec sleep 60")
    process = subprocess.Popen(
        [dpcxx.program, "-c", kernel],
        cwd=dpcxx.folder,
        env=dpcxx.environment,
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # child processes of nohup ignore SIGHUP
    )
    while not (dpcxx.folder / "started").exists():
        time.sleep(0.01)
    process.send_signal(number)
    try:
        assert process.wait(timeout=10) == -number
    finally:
        process.kill()
    assert list(dpcxx.temporary.iterdir()) == []


def test_missing_temporary_folder_falls_back_to_the_system_s(dpcxx, kernel):
    assert dpcxx.run("-c", kernel, TMPDIR=os.fspath(dpcxx.folder / "nowhere")).returncode == 0
