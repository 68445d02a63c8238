"""Options: icpx's and clang's, response files, language standards, and queries of tools about the compiler."""

from __future__ import annotations

import subprocess

import pytest

INTEL = [
    ["-fsycl"],
    ["-fsycl", "-fsycl-targets=spir64,nvptx64-nvidia-cuda"],
    ["-fsycl-device-code-split=per_kernel"],
    ["-fsycl-device-code-split"],
    ["-fno-sycl-id-queries-fit-in-int", "-fsycl-unnamed-lambda", "-fsycl-early-optimizations"],
    ["-fno-sycl-rdc", "-fsycl-max-parallel-link-jobs=4", "-fsycl-dead-args-optimization", "-sycl-std=2020"],
    ["-Xsycl-target-backend", "-device pvc"],
    ["-Xsycl-target-backend=spir64_gen", "-device *"],
    ["-Xsycl-target-frontend=spir64", "-O3"],
    ["-Xsycl-target-linker", "--x"],
    ["-Xs", "-device pvc"],
    ["-Xsdevice"],
    ["-fp-model=precise"],
    ["-fp-model", "fast=1"],
    ["-fp-model=fast=2"],
    ["-ftarget-compile-fast", "-foffload-fp32-prec-div", "-fimf-precision=high"],
    ["-diag-disable=10441", "-qopt-report=2", "-ip", "-no-ipo"],
    ["-xHost"],
]

CLANG = [
    ["-O0"], ["-O3", "-march=native"], ["-Ofast", "-Wno-deprecated"], ["-g"], ["-g0"], ["-gdwarf-5"],
    ["-I."], ["-I", "."], ["-isystem", "."], ["-DNAME=1"], ["-D", "NAME"], ["-UNAME"], ["-pthread"],
    ["-fPIC"], ["-fvisibility=hidden"], ["-fno-strict-aliasing"], ["-ffast-math"], ["-fstack-protector-strong"],
    ["-fcf-protection"], ["-D_FORTIFY_SOURCE=2", "-O2"], ["-Wall", "-Wextra", "-Werror", "-pedantic"],
    ["-Wno-unused-parameter"], ["-pipe"], ["-m64"], ["-fno-strict-overflow", "-Wsign-compare", "-DNDEBUG", "-fwrapv"],
    ["-fdiagnostics-color=never"], ["-ffile-prefix-map=/a=/b"], ["-Xclang", "-fno-pch-timestamp"],
    ["-fdata-sections", "-ffunction-sections", "-Wl,--gc-sections"], ["-Wl,-rpath,."], ["-Xlinker", "--gc-sections"],
    ["-L."], ["-L", "."], ["-lm"], ["-l", "m"], ["-rdynamic"], ["-no-pie"], ["-flto"], ["-s"], ["-fno-exceptions"],
    ["-B", "/usr/bin"], ["--target=x86_64-pc-linux-gnu"], ["-save-temps=obj"], ["-ftime-trace"], ["--std=c++20"],
]  # fmt: skip


@pytest.mark.parametrize("flags", INTEL + CLANG, ids=" ".join)
def test_flags_are_accepted_in_one_step_and_in_two(dpcxx, kernel, flags):
    dpcxx.succeed(*flags, kernel, "-o", "one")
    assert dpcxx.execute("./one").startswith("image 1")
    dpcxx.succeed(*flags, "-c", kernel, "-o", "two.o")
    dpcxx.succeed(*flags, "two.o", "-o", "two")
    assert dpcxx.execute("./two").startswith("image 1")


@pytest.mark.parametrize("flags", [[], ["-fsycl"]], ids=["plain", "-fsycl"])
def test_sources_without_sycl_s_headers_have_the_version_of_sycl(dpcxx, flags):
    dpcxx.write(
        "version.cpp",
        "#include <iostream>\nint main() {\n#ifdef SYCL_LANGUAGE_VERSION\n"
        '  std::cout << "SYCL_LANGUAGE_VERSION=" << SYCL_LANGUAGE_VERSION;\n#endif\n}\n',
    )
    dpcxx.succeed(*flags, "version.cpp", "-o", "version")
    assert dpcxx.execute("./version") == "SYCL_LANGUAGE_VERSION=202012"


def test_the_version_of_sycl_is_the_same_with_its_headers(dpcxx, kernel):
    dpcxx.write("other.cpp", f'#include "{kernel}"\nstatic_assert(SYCL_LANGUAGE_VERSION == 202012L);\n')
    dpcxx.succeed("-fsycl", "-fsyntax-only", "other.cpp")


def test_without_sycl_its_version_is_not_defined(dpcxx):
    dpcxx.write("plain.cpp", "#ifdef SYCL_LANGUAGE_VERSION\n#error it is\n#endif\n")
    dpcxx.succeed("-fno-sycl", "-fsyntax-only", "plain.cpp")


def test_openmp_of_icpx_is_clang_s(dpcxx, calls):
    dpcxx.write("x.cpp", "static_assert(_OPENMP);\n")
    dpcxx.succeed("-fiopenmp", "-fsyntax-only", "x.cpp")
    assert "-fopenmp" in calls.read_text()


def test_intel_libraries_are_refused_with_advice(dpcxx, kernel):
    result = dpcxx.run("-qmkl=parallel", kernel)
    assert result.returncode == 1
    assert result.stderr.startswith("dpcxx: error: -qmkl=parallel: dpcxx has no Intel libraries of its own; name")


@pytest.mark.parametrize(
    ("flags", "sycl", "plain_value"),
    [
        ([], 202002, 202002),
        (["-std=c++17"], 202002, 201703),
        (["-std=gnu++14"], 202002, 201402),
        (["-std=c++20"], 202002, 202002),
        (["-std=c++17", "-std=c++23"], 202302, 202302),
    ],
    ids=str,
)
def test_sycl_sources_get_at_least_cxx20_and_others_the_given_standard(dpcxx, kernel, plain, flags, sycl, plain_value):
    dpcxx.succeed(*flags, kernel)
    assert dpcxx.execute() == f"image 1, standard {sycl}\n"
    dpcxx.succeed(*flags, plain)
    assert dpcxx.execute() == f"{plain_value}\n"


def test_c_sources_are_c(dpcxx):
    dpcxx.write("x.c", "int main(void) { int class = 0; return class; }\n")
    dpcxx.succeed("-std=c11", "x.c")
    assert dpcxx.execute() == ""


def test_language_of_option_x_applies_until_it_is_reset(dpcxx):
    dpcxx.write(
        "main.txt", "#include <sycl/sycl.hpp>\nint f();\nint main() { TOY_KERNEL(p[0] = 1) TOY_REPORT; return f(); }\n"
    )
    dpcxx.write("f.c", "int f() { return 0; }\n")  # as C++: C would not find the name
    dpcxx.write("g.cpp", "int g;\n")
    dpcxx.succeed("-c", "g.cpp", "-o", "g.o")
    dpcxx.succeed("-x", "c++", "main.txt", "f.c", "-x", "none", "g.o")
    assert dpcxx.execute().startswith("image 1")


def test_response_files_nest_and_quote(dpcxx, kernel):
    dpcxx.write("inner.rsp", "-DTEXT='\"a b\"' -O1\n")
    dpcxx.write("outer.rsp", f'@inner.rsp\n"{kernel}" -o my\\ program\n')
    dpcxx.write(kernel, "#include <sycl/sycl.hpp>\nint main() { TOY_KERNEL(p[0] = 1) return sizeof(TEXT) != 4; }\n")
    dpcxx.succeed("@outer.rsp")
    assert dpcxx.execute("./my program") == ""


def test_definitions_with_spaces_and_quotes_survive(dpcxx):
    dpcxx.write("x.cpp", "#include <sycl/sycl.hpp>\nint main() { TOY_KERNEL(p[0] = 1) return sizeof(TEXT) != 6; }\n")
    dpcxx.succeed('-DTEXT="a \'b$"', "x.cpp", "-o", "x")
    assert dpcxx.execute("./x") == ""


@pytest.mark.parametrize("query", ["-dumpmachine", "-dumpversion", "-print-resource-dir", "-print-search-dirs"])
def test_queries_about_the_compiler_are_answered_by_clang(dpcxx, query):
    clang = subprocess.run(["clang++-22", query], capture_output=True, text=True).stdout
    assert dpcxx.succeed(query) == clang


def test_version_is_clang_s_followed_by_dpcxx_s(dpcxx):
    clang = subprocess.run(["clang++-22", "--version"], capture_output=True, text=True).stdout
    text = dpcxx.succeed("--version")
    assert text.startswith(clang)
    assert "\ndpcxx " in text


def test_help_is_about_dpcxx(dpcxx):
    assert dpcxx.succeed("--help").startswith("dpcxx: compile C++ with SYCL kernels")


def test_predefined_macros_are_clang_s_with_cxx20(dpcxx):
    text = dpcxx.succeed("-E", "-dM", "-x", "c++", "-", text="")
    assert "#define __clang_major__ 22\n" in text
    assert "#define __cplusplus 202002L\n" in text


def test_dry_run_shows_both_passes_and_creates_no_files(dpcxx, kernel):
    before = set(dpcxx.folder.iterdir())
    text = dpcxx.run("-###", "-c", kernel).stderr
    assert text.count('"-cc1"') == 2
    assert "-fsycl-is-device" in text
    assert set(dpcxx.folder.iterdir()) == before


def test_verbose_shows_both_passes_and_the_link(dpcxx, kernel):
    result = dpcxx.run("-v", kernel)
    assert result.returncode == 0
    assert result.stderr.count("-cc1 -triple") == 2
    assert "-ldpep" in result.stderr


def test_linker_options_work_without_inputs(dpcxx):
    assert "GNU ld" in dpcxx.run("-Wl,--version").stdout


def test_host_code_may_use_the_processors_own_headers(dpcxx, kernel):
    dpcxx.write("x.cpp", f'#include <immintrin.h>\n#include "{kernel}"\n')
    dpcxx.succeed("-mavx2", "-Wno-unused-function", "x.cpp", "-o", "x")
    assert dpcxx.execute("./x").startswith("image 1")
