"""Kernels of copies, products and reductions access memory in vectors where the layout allows it."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

BEGIN = """
import dpctl, dpctl.tensor as dpt
q = dpctl.SyclQueue("cuda:gpu:0")
def zeros(*shape, dtype="f8"):
    return dpt.zeros(shape, dtype=dtype, sycl_queue=q)
"""


@pytest.fixture
def kernel(gpu, tmp_path):
    """The assembly of the kernel with a name that a program compiles, in a process without other kernels."""

    def compiled(name: str, program: str) -> str:
        environment = dict(os.environ, DPEP_CACHE="off", DPEP_DUMP=str(tmp_path))
        code = BEGIN + program + "\nq.wait()\n"
        run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr
        (path,) = tmp_path.glob(f"{name}-*.ptx")
        return path.read_text()

    return compiled


def stores(code: str) -> set[str]:
    return set(re.findall(r"st\.global\.(\S+)", code))


def loads(code: str) -> set[str]:
    return set(re.findall(r"ld\.global(?:\.nc)?\.(\S+)", code))


@pytest.mark.parametrize(("code", "count", "stored"), [("f8", 2, "v2.b64"), ("f4", 2, "v4.b32"), ("f4", 4, "v4.b32")])
def test_stacked_elements_are_stored_together(kernel, code, count, stored):
    program = f"""
parts = [zeros(300_000, dtype="{code}") for _ in range({count})]
q.wait()
r = dpt.stack([x + 1 for x in parts], axis=1)"""
    assert stores(kernel("array_add*", program)) == {stored}


def test_stored_rows_are_copied_in_vectors(kernel):
    code = kernel("array_select_scatter*", "a = zeros(3000, 16); a[zeros(3000, dtype='i8')] = zeros(3000, 16)")
    assert stores(code) == {"v2.b64"}


def test_rows_of_small_products_are_stored_in_vectors(kernel):
    code = kernel("array_product_rows*", "r = zeros(5000, 4, 4) @ zeros(5000, 4, 4)")
    assert stores(code) == {"v2.b64"} and "v2.b64" in loads(code)


def test_rows_of_bytes_are_read_in_the_largest_vectors_that_fit(kernel):
    assert loads(kernel("array_any*", "a = zeros(3000, 1000, dtype='?'); q.wait(); r = dpt.any(a, axis=1)")) == {
        "v2.b32"
    }


@pytest.mark.parametrize(("begin", "loaded"), [(0, {"v2.b64"}), (2, {"v2.b64"}), (1, {"b64"})])
def test_python_kernels_load_aligned_rows_in_vectors(kernel, begin, loaded):
    program = f"""
from numba_dpex import dpjit, prange

@dpjit
def sums(x, out):
    for i in prange(out.size):
        out[i] = x[i, 0] + x[i, 1] * x[i, 2] - x[i, 3]

x = dpt.reshape(zeros(4004)[{begin}:{begin} + 4000], (1000, 4))
sums(x, zeros(1000))"""
    assert loads(kernel("sums_line_*", program)) == loaded
