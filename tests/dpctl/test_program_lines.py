"""Errors in kernels of programs: checks name the lines of the source."""

from __future__ import annotations

import dpctl
import dpctl.tensor as dpt
import pytest
from dpctl.program import create_kernel_bundle_from_sycl_source, create_program_from_source

OPENCL = {  # the third line fails
    "write of 4 bytes at byte 16 of local memory, which has 16": """
        local int t[4];
        t[2 * get_local_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE); x[i] = t[0];""",
    "read of 4 bytes at byte 16 of a private array, which has 16": """
        int t[4]; for (int k = 0; k < 4; ++k) t[k] = k + x[i];
        x[i] = t[i];""",
    "read of 4 bytes at byte 16 of a constant array, which has 16": """
        const int t[4] = {1, 2, 3, 4};
        x[i] = t[i];""",
    "read through a null pointer": """
        global int *y = (global int *)(long)x[i];
        x[i] = *y;""",
    "write through a null pointer": """
        global int *y = (global int *)(long)x[i];
        *y = i;""",
    "integer division by zero or overflow": """
        const int zero = x[i];
        x[i] = i / zero;""",
    "integer division by zero, at": """
        const uint zero = x[i];
        x[i] = i % zero;""",
    "some wait at program.cl:4": """
        if (i % 4 < 2)
        barrier(CLK_LOCAL_MEM_FENCE); x[i] = 1;""",
}
SYCL = {
    "read of 4 bytes at byte 16 of a constant array, which has 16": """
        const int t[4] = {1, 2, 3, 4};
        x[i] = t[i];""",
    "assertion 'x.i. == 1' failed": """

        assert(x[i] == 1);""",
    "integer division by zero or overflow": """
        const int zero = x[i];
        x[i] = int(i) / zero;""",
}
SYCL_START = """#include <sycl/sycl.hpp>
namespace syclex = sycl::ext::oneapi::experimental;
extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>)) void f(int *x) {
const std::size_t i = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_id(0);"""


@pytest.fixture
def cpu(monkeypatch):
    monkeypatch.setenv("DPEP_CHECK", "1")
    return dpctl.SyclQueue("cpu")  # GPUs have no such checks


def error_of(cpu, program) -> str:
    x = dpt.zeros(8, dtype="i4", sycl_queue=cpu)
    with pytest.raises(Exception, match=r"kernel 'f', launched at .*test_program_lines.py") as caught:
        cpu.submit(program.get_sycl_kernel("f"), [x], [8], [4])
    return str(caught.value)


@pytest.mark.parametrize("message", OPENCL)
def test_checks_name_the_line_in_opencl_c(message, cpu):
    source = f"kernel void f(global int *x) {{ const int i = get_global_id(0);\n{OPENCL[message].strip(' ')}\n}}"
    text = error_of(cpu, create_program_from_source(cpu, source))
    assert message in text
    assert "program.cl:4" in text


@pytest.mark.parametrize("message", SYCL)
def test_checks_name_the_line_in_sycl(message, cpu):
    text = error_of(cpu, create_kernel_bundle_from_sycl_source(cpu, SYCL_START + SYCL[message] + "\n}"))
    assert message.replace(".", "[", 1).replace(".", "]", 1) in text
    assert "program.cpp:6" in text


def test_endless_loops_are_errors_with_their_line(monkeypatch):
    monkeypatch.setenv("DPEP_CHECK_SECONDS", "0.2")
    cpu = dpctl.SyclQueue("cpu")
    source = "kernel void f(global int *x) {\n\n  while (((volatile global int *)x)[0] == 0) {}\n}"
    assert "the loop at program.cl:3" in error_of(cpu, create_program_from_source(cpu, source))


def test_lines_are_kept_by_the_option_g(monkeypatch):
    monkeypatch.delenv("DPEP_CHECK", raising=False)
    cpu = dpctl.SyclQueue("cpu")
    program = create_program_from_source(cpu, "kernel void f(global int *x) {\n  x[0] = 3 / x[1];\n}", "-g")
    monkeypatch.setenv("DPEP_CHECK", "1")
    assert "program.cl:2" in error_of(cpu, program)
