"""dpctl.program: programs from source text in SYCL."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys

import dpctl
import dpctl.tensor as dpt
import numpy as np
import pytest
from dpctl.program import (
    SyclProgramCompilationError,
    create_kernel_bundle_from_sycl_source,
    is_sycl_source_compilation_available,
)

START = """
#include <sycl/sycl.hpp>
namespace syclex = sycl::ext::oneapi::experimental;
using sycl::ext::oneapi::this_work_item::get_nd_item;
"""
SOURCE = (
    START
    + """
#include "kernels/pair.hpp"

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
void scaled(const float *x, float *y, float factor) {
  const std::size_t i = get_nd_item<1>().get_global_id(0);
  y[i] = factor * x[i];
}

namespace space {

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<3>))
void places(long *out, pair p, wide w /* in memory */, char more) {
  const auto item = get_nd_item<3>();
  const auto id = item.get_global_id();
  out[item.get_global_linear_id()] =
      id[0] * 10000 + id[1] * 100 + id[2] + p.a + long(p.b) + long(w.values[3]) + more;
}

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
void sums(const int *x, int *y, syclex::work_group_memory<int[]> t, sycl::local_accessor<short, 2> u) {
  const auto item = get_nd_item<1>();
  const std::size_t l = item.get_local_id(0);
  t[l] = x[item.get_global_id(0)];
  u[1][l] = short(t[l]);
  sycl::group_barrier(item.get_group());
  if (l > 0) return;
  int sum = int(100 * u.get_range()[0]);
  for (std::size_t i = 0; i < item.get_local_range(0); ++i) sum += t[i] + u[1][i];
  y[item.get_group(0)] = sum;
}

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>)) [[sycl::reqd_work_group_size(4)]]
void of_fours(int *x) { x[get_nd_item<1>().get_global_id(0)] = int(get_nd_item<1>().get_local_range(0)); }

template <class T> SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
void doubled(T *x) { x[get_nd_item<1>().get_global_id(0)] *= 2; }

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::single_task_kernel)) void stored(int *x) { *x = VALUE; }
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::single_task_kernel)) void stored(float *x) { *x = VALUE + 0.5f; }

}
"""
)
HEADERS = [
    ("kernels/pair.hpp", '#pragma once\n#include "wide.hpp"\nstruct pair { int a; double b; };\n'),
    ("kernels/wide.hpp", "struct alignas(32) wide { double values[4]; };\n"),
]
NAMES = ["space::doubled<float>", "space::doubled<short>", "space::sums"]


@pytest.fixture(scope="module")
def program():
    return create_kernel_bundle_from_sycl_source(dpctl.SyclQueue(), SOURCE, HEADERS, NAMES, ["-DVALUE=7"])


def test_kernels_have_the_names_of_their_functions(program):
    assert type(program) is dpctl.program.SyclProgram
    assert repr(program) == (
        "<dpctl.program.SyclProgram with kernels ['scaled', 'space::places', 'space::sums', 'space::of_fours', "
        "'space::stored(int*)', 'space::stored(float*)', 'space::doubled<float>', 'space::doubled<short>']>"
    )
    for name in ("scaled", "space::sums", "space::stored(float*)", "_ZN5space6storedEPi", "space::doubled<short>"):
        assert program.has_sycl_kernel(name)
        assert program.get_sycl_kernel(name).get_function_name() == name
    for name in ("sums", "space::stored", "space::doubled", "_Z6scaledPKfPff", "none", ""):
        assert not program.has_sycl_kernel(name)
    assert program.get_sycl_kernel("scaled").num_args == 3
    assert is_sycl_source_compilation_available()


@pytest.mark.parametrize("n", [10, 300_000])
@pytest.mark.parametrize("factor", [ctypes.c_float(2.5), np.float32(2.5), dpctl.RawKernelArg(np.float32(2.5))])
@pytest.mark.parametrize("local", [None, [5]])
def test_kernels_run_on_arrays_and_numbers(n, factor, local, program, queue):
    x = dpt.arange(n, dtype="f4", sycl_queue=queue)
    for submit in (queue.submit, queue.submit_async):
        y = dpt.zeros_like(x)
        submit(program.get_sycl_kernel("scaled"), [x, y.usm_data, factor], [n], local).wait()
        np.testing.assert_array_equal(dpt.asnumpy(y), np.arange(n, dtype=np.float32) * np.float32(2.5))


class Pair(ctypes.Structure):
    _fields_ = (("a", ctypes.c_int), ("b", ctypes.c_double))


def test_structures_are_arguments_and_ranges_have_three_dimensions(program, queue):
    out = dpt.zeros((2, 3, 4), dtype="i8", sycl_queue=queue)
    arguments = [out, Pair(1_000_000, 2e6), np.array([0, 0, 0, 4e6]), ctypes.c_char(100)]
    queue.submit(program.get_sycl_kernel("space::places"), arguments, [2, 3, 4], [1, 3, 2])
    i, j, k = np.indices((2, 3, 4))
    np.testing.assert_array_equal(dpt.asnumpy(out), 10_000 * i + 100 * j + k + 7_000_100)


def test_local_memory_has_its_extents(program, queue):
    x = dpt.arange(512, dtype="i4", sycl_queue=queue)
    y = dpt.zeros(8, dtype="i4", sycl_queue=queue)
    arguments = [x, y, dpctl.WorkGroupMemory("i4", 64), dpctl.LocalAccessor("i2", (2, 64))]
    queue.submit(program.get_sycl_kernel("space::sums"), arguments, [512], [64])
    np.testing.assert_array_equal(dpt.asnumpy(y), 2 * np.arange(512).reshape(8, 64).sum(1) + 200)


def test_attributes_require_work_groups(program, queue):
    kernel = program.get_sycl_kernel("space::of_fours")
    assert kernel.work_group_size == 4
    x = dpt.zeros(8, dtype="i4", sycl_queue=queue)
    queue.submit(kernel, [x], [8])
    assert dpt.asnumpy(x).tolist() == [4] * 8
    with pytest.raises(dpctl.SyclKernelInvalidRangeError):
        queue.submit(kernel, [x], [8], [8])


def test_registered_names_are_kernels_of_templates(program, queue):
    for name, dtype in (("space::doubled<float>", "f4"), ("space::doubled<short>", "i2")):
        x = dpt.arange(100, dtype=dtype, sycl_queue=queue)
        queue.submit(program.get_sycl_kernel(name), [x], [100])
        np.testing.assert_array_equal(dpt.asnumpy(x), 2 * np.arange(100, dtype=dtype))


def test_overloads_are_told_apart_by_their_parameters(program, queue):
    for name, dtype, expected in (("space::stored(int*)", "i4", 7), ("space::stored(float*)", "f4", 7.5)):
        x = dpt.zeros(1, dtype=dtype, sycl_queue=queue)
        queue.submit(program.get_sycl_kernel(name), [x], [1])
        assert dpt.asnumpy(x)[0] == expected


WRONG_ARGUMENTS = {
    "expected 4 bytes, got ctypes.c_double with 8": ("scaled", lambda x: [x, x, ctypes.c_double(1)]),
    r"argument 1 \('const float\* x'\) of kernel 'scaled': expected USM memory": ("scaled", lambda x: [np.float32(1)]),
    r"argument 3 \('float factor'\) is missing": ("scaled", lambda x: [x, x]),
    r"'pair p'\) of kernel 'space::places': expected 16 bytes": ("space::places", lambda x: [x, np.float32(1)]),
    r"elements of 4 bytes, got dpctl.WorkGroupMemory with 7 bytes": (
        "space::sums", lambda x: [x, x, dpctl.WorkGroupMemory(7)]),
    r"argument 4 .* expected a LocalAccessor of 2 dimensions": (
        "space::sums", lambda x: [x, x, dpctl.WorkGroupMemory(8), dpctl.LocalAccessor("i2", (8,))]),
    r"argument 1 \('float\* 1'\)": ("space::doubled<float>", lambda x: [np.float32(1)]),
}  # fmt: skip


@pytest.mark.parametrize("message", WRONG_ARGUMENTS)
def test_arguments_that_do_not_fit_are_errors_with_their_names(message, program, queue):
    name, arguments = WRONG_ARGUMENTS[message]
    x = dpt.zeros(8, dtype="f4", sycl_queue=queue)
    with pytest.raises(dpctl.SyclKernelSubmitError, match=message):
        queue.submit(program.get_sycl_kernel(name), arguments(x), [8], [8])


KERNEL = "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::single_task_kernel)) void f(int *x) { *x = %s; }\n"
WRONG_SOURCES = {
    START + "\n" + KERNEL % "y": r"^program.cpp:6:.* error: use of undeclared identifier 'y'\n +6 \| SYCL.*= y; }\n",
    START + '#include "none.hpp"': "program.cpp:5:10: fatal error: 'none.hpp' file not found",
    START + "#include <string>\n" + KERNEL.replace("int *x", "int *x, std::string s") % "1": "trivially",
    KERNEL % "1": "error",
    START + "\0": "NUL",
}


@pytest.mark.parametrize("source", WRONG_SOURCES)
def test_wrong_sources_are_errors_with_the_compilers_messages(source, queue):
    with pytest.raises(SyclProgramCompilationError, match=WRONG_SOURCES[source]) as caught:
        create_kernel_bundle_from_sycl_source(queue, source)
    assert "dpep-program" not in str(caught.value)  # the temporary folder


@pytest.mark.parametrize(("arguments", "message"), [
    ({"registered_names": ["f", "none<int>"]}, "registered_names:2:1: error: use of undeclared identifier 'none'"),
    ({"registered_names": [""]}, "a registered name must be an expression"),
    ({"headers": [("/a.hpp", "")]}, "must be a relative path"), ({"headers": [("b/../a.hpp", "")]}, "relative path"),
    ({"headers": [("a.hpp", "int x = y;")], "copts": ["-include", "a.hpp"]}, "a.hpp:1:9: error: use of undeclared"),
    ({"copts": ["-o"]}, "'-o' is not an option"), ({"copts": ["-fplugin=x"]}, "'-fplugin=x' is not an option"),
])  # fmt: skip
def test_wrong_headers_names_and_options_are_errors(arguments, message, queue):
    with pytest.raises(SyclProgramCompilationError, match=message):
        create_kernel_bundle_from_sycl_source(queue, START + KERNEL % "1", **arguments)


@pytest.mark.parametrize("arguments", [
    {"headers": ["a.hpp"]}, {"headers": [("a.hpp", b"")]}, {"headers": "a.hpp"}, {"registered_names": "f"},
    {"registered_names": [1]}, {"copts": "-DX"}, {"copts": None}, {"copts": [b"-DX"]}, {"source": b"int x;"}, {"q": 3},
])  # fmt: skip
def test_wrong_types_are_type_errors(arguments, queue):
    with pytest.raises(TypeError):
        create_kernel_bundle_from_sycl_source(**({"q": queue, "source": START} | arguments))


def test_a_source_without_kernels_is_a_program_without_kernels(queue):
    program = create_kernel_bundle_from_sycl_source(queue, START)
    assert repr(program) == "<dpctl.program.SyclProgram with kernels []>"


def test_macros_and_headers_may_have_kernels(queue):
    source = (
        START
        + """
#include "more.hpp"
#define GLOBAL SYCL_EXTERNAL SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
extern "C" GLOBAL void f(int *x) { x[0] = 3; }
"""
    )
    program = create_kernel_bundle_from_sycl_source(queue, source, [("more.hpp", (KERNEL % "4").replace(" f(", " g("))])
    for name, expected in (("f", 3), ("g", 4)):
        x = dpt.zeros(1, dtype="i4", sycl_queue=queue)
        queue.submit(program.get_sycl_kernel(name), [x], [1])
        assert dpt.asnumpy(x)[0] == expected


def test_included_files_are_part_of_a_program(queue, tmp_path):
    source = START + '#include "value.h"\n' + KERNEL % "VALUE"
    x = dpt.zeros(1, dtype="i4", sycl_queue=queue)
    for value in (1, 2):  # the same source and options
        (tmp_path / "value.h").write_text(f"#define VALUE {value}\n")
        program = create_kernel_bundle_from_sycl_source(queue, source, copts=["-I", str(tmp_path)])
        queue.submit(program.get_sycl_kernel("f"), [x], [1])
        assert dpt.asnumpy(x)[0] == value


RUN = (
    """
import dpctl, dpctl.program, dpctl.tensor as dpt
q = dpctl.SyclQueue()
source = '''"""
    + START
    + KERNEL % "33"
    + """'''
program = dpctl.program.create_kernel_bundle_from_sycl_source(q, source)
x = dpt.zeros(1, dtype="i4", sycl_queue=q)
q.submit(program.get_sycl_kernel("f"), [x], [1])
print(dpt.asnumpy(x)[0])
"""
)


@pytest.mark.skipif(not shutil.which("clang-22"), reason="clang 22 is not installed")
def test_without_clang_programs_come_from_the_cache_or_an_error_names_what_is_missing(tmp_path):
    def run(**environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", RUN], env=os.environ | environment, capture_output=True, text=True, check=False
        )

    missing = {"DPCXX_CLANG": "/nowhere/clang++", "DPEP_CACHE": str(tmp_path)}
    without = run(**missing)
    assert "SyclProgramCompilationError: clang 22 was not found" in without.stderr
    assert "create_kernel_bundle_from_sycl_source needs it" in without.stderr
    assert "/nowhere/clang++" in without.stderr
    assert run(DPEP_CACHE=str(tmp_path)).stdout == "33\n"
    assert run(**missing).stdout == "33\n"
