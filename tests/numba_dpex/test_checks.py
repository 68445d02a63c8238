"""Errors of running kernels: assertions, exceptions, and indices out of range with DPEP_CHECK=1."""

from __future__ import annotations

import os
import subprocess
import sys

import dpctl.tensor as dpt
import dpep
import numba_dpex as ndx
import pytest


@ndx.kernel
def asserts(item, a):
    i = item.get_id(0)
    assert a[i] < 3, "too large"
    a[i] = 7


@ndx.kernel
def raises(item, a):
    if a[item.get_id(0)] == 2:
        raise ValueError("two is no value")


@pytest.mark.parametrize(
    ("kernel", "words", "line"),
    [(asserts, "AssertionError: too large", 18), (raises, "ValueError: two is no value", 25)],
)
def test_errors_name_the_exception_and_its_line(kernel, words, line):
    a = dpt.arange(4)
    with pytest.raises(dpep.Error, match=words) as raised:
        ndx.call_kernel(kernel, ndx.Range(4), a)
    assert f"test_checks.py:{line}" in str(raised.value)
    ndx.call_kernel(kernel, ndx.Range(1), dpt.arange(4))  # the queue is still usable


@ndx.kernel
def single(a):
    assert a[0] < 3, "too large"


def launched_on_line(launch):
    """Launch on the line after the `def`. The error is reported later, so it must name the launching line."""
    with pytest.raises(dpep.Error, match="too large") as raised:
        launch()[0].wait()
    line = launch.__code__.co_firstlineno + 1
    assert f", launched at {launch.__code__.co_filename}:{line}, failed" in str(raised.value)


def test_errors_of_asynchronous_launches_name_the_launching_line():
    large = dpt.full(1, 5)

    def over_a_range(a=large):
        return ndx.call_kernel_async(asserts, ndx.Range(1), (), a)

    def by_a_function_of_the_package():
        return ndx.single_task_async(single, (), large)

    for _ in range(2):  # lines are cached
        launched_on_line(over_a_range)
        launched_on_line(by_a_function_of_the_package)
        over_a_range(dpt.zeros(1))[0].wait()

    source = "def launch():\n  return ndx.call_kernel_async(asserts, ndx.Range(1), (), a)"
    for k in range(200):  # more than the cache holds, of code objects that are freed
        names = {"ndx": ndx, "asserts": asserts, "a": large if k % 50 == 49 else dpt.zeros(1)}
        exec(compile(source, f"<generated {k}>", "exec"), names)
        if k % 50 == 49:
            launched_on_line(names["launch"])
        else:
            names["launch"]()[0].wait()


PROGRAM = """
import sys
import dpctl.tensor as dpt
import numba_dpex as ndx

@ndx.kernel
def shift(item, a, b):
    i = item.get_id(0)
    b[i] = a[i + 1]

a = dpt.arange(8)
b = dpt.zeros_like(a)
ndx.call_kernel(shift, ndx.Range(7), a, b)
print(b[6])
try:
    ndx.call_kernel(shift, ndx.Range(8), a, b)
except IndexError as error:
    print(error)
ndx.call_kernel(shift, ndx.Range(3), a, b)

@ndx.kernel
def sizes(item, a, n):
    for d in range(n):
        a[d] = item.get_range(d)

ndx.call_kernel(sizes, ndx.Range(1, 1), a, 2)
try:
    ndx.call_kernel(sizes, ndx.Range(1, 1), a, 3)
except IndexError as error:
    print(error)
"""


def test_indices_out_of_range_raise_index_error_when_checked(tmp_path):
    program = tmp_path / "shift.py"
    program.write_text(PROGRAM)
    run = subprocess.run([sys.executable, str(program)], env=os.environ | {"DPEP_CHECK": "1"}, capture_output=True,
                         text=True, check=True)  # fmt: skip
    assert "7" in run.stdout
    assert "IndexError: index 8 is out of range for axis 0 of length 8" in run.stdout
    assert "shift.py:9" in run.stdout
    assert "IndexError: a dimension is out of range: the launch has 2 dimensions (in sizes, " in run.stdout
    assert "shift.py:24" in run.stdout


LOADED = """
import dpctl.tensor as dpt
import numba_dpex as ndx

@ndx.kernel
def gather(item, a, index, b):
    i = item.get_id(0)
    b[i] = a[index[i]]

a = dpt.arange(8)
for wrong in (8, -9, 2**32, 2**32 - 1, -(2**32), 2**33 + 3):
    index = dpt.asarray([0, -8, wrong, 7])
    try:
        ndx.call_kernel(gather, ndx.Range(4), a, index, dpt.zeros_like(index))
    except IndexError as error:
        print(error)
"""


def test_loaded_indices_are_checked_in_all_their_bits(tmp_path):
    program = tmp_path / "gather.py"
    program.write_text(LOADED)
    run = subprocess.run([sys.executable, str(program)], env=os.environ | {"DPEP_CHECK": "1"}, capture_output=True,
                         text=True, check=True)  # fmt: skip
    for wrong in (8, -9, 2**32, 2**32 - 1, -(2**32), 2**33 + 3):
        assert f"IndexError: index {wrong} is out of range for axis 0 of length 8" in run.stdout


OF_TUPLES = """
import dpctl.tensor as dpt
import numba_dpex as ndx

@ndx.kernel
def members(item, index, b):
    i = item.get_id(0)
    t = (10, 20, 30)
    b[i] = t[index[i]]

b = dpt.zeros(4, dtype=int)
ndx.call_kernel(members, ndx.Range(4), dpt.asarray([0, -3, 2, -1]), b)
print(b.tolist() if hasattr(b, "tolist") else [int(each) for each in b])
for wrong in (3, -4):
    try:
        ndx.call_kernel(members, ndx.Range(4), dpt.asarray([0, 1, wrong, 2]), b)
    except IndexError as error:
        print(error)
"""


def test_indices_of_tuples_are_checked(tmp_path):
    program = tmp_path / "members.py"
    program.write_text(OF_TUPLES)
    run = subprocess.run([sys.executable, str(program)], env=os.environ | {"DPEP_CHECK": "1"}, capture_output=True,
                         text=True, check=True)  # fmt: skip
    assert "[10, 10, 30, 30]" in run.stdout
    for wrong in (3, -4):
        assert f"IndexError: index {wrong} is out of range for axis 0 of length 3" in run.stdout


@ndx.kernel
def doubles(item, a, b):
    i = item.get_id(0)
    if a[i] < 0:
        raise ValueError("a negative number")
    b[i] = a[i] * 2


def test_kernels_that_may_raise_are_vectorised_and_reported_so():
    a = dpt.arange(1000, dtype="f4")
    b = dpt.zeros_like(a)
    ndx.call_kernel(doubles, ndx.Range(1000), a, b)
    assert dpt.asnumpy(b).tolist() == [2.0 * x for x in range(1000)]
    if a.device.sycl_device.is_cpu:
        (reports,) = doubles.inspect_reports().values()
        assert [report["vector_width"] >= 4 for report in reports] == [True]
        assert set(reports[0]) == {"vector_width", "static_local_bytes", "uses_barriers", "remarks"}
    a[700] = -1
    with pytest.raises(dpep.Error, match="a negative number"):
        ndx.call_kernel(doubles, ndx.Range(1000), a, b)


SPIN = """
import dpctl.tensor as dpt
import dpep
import numba_dpex as ndx

@ndx.kernel
def spins(item, a):
    i = item.get_id(0)
    while a[i] != 5:
        a[i] += 2

a = dpt.ones(64, dtype="i4", device="cpu")
ndx.call_kernel(spins, ndx.Range(64), a)
print(int(dpt.min(a)), int(dpt.max(a)))
a = dpt.zeros(64, dtype="i4", device="cpu")
try:
    ndx.call_kernel(spins, ndx.Range(64), a)
except dpep.Error as error:
    print(error)
"""


def test_endless_loops_are_errors_that_name_the_line(tmp_path):
    program = tmp_path / "spin.py"
    program.write_text(SPIN)
    run = subprocess.run([sys.executable, str(program)], env=os.environ | {"DPEP_CHECK_SECONDS": "0.2"},
                         capture_output=True, text=True, check=True, timeout=120)  # fmt: skip
    assert run.stdout.startswith("5 5\n")
    assert "more than 0.2 seconds" in run.stdout
    assert "spin.py:9" in run.stdout or "spin.py:10" in run.stdout
