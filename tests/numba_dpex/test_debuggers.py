"""gdb in kernels: breakpoints, steps, arguments and variables, device functions in the backtrace."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import dpctl.tensor as dpt
import more_language_kernels  # noqa: F401  adds its cases
import numba_dpex as ndx
import numpy as np
import pytest
from language_kernels import CASES

PROGRAM = """\
from collections import namedtuple

import dpctl.tensor as dpt
import numba_dpex as ndx
import numpy as np
from numba_dpex import kernel_api as kapi

Pair = namedtuple("Pair", ["number", "flag"])

@ndx.device_func
def sum_of_two(x, y):
    result = x + y
    return result

@ndx.device_func
def element(values, at):
    return values[at]

@ndx.kernel(debug=True)
def sums(item, a, b, c):
    i = item.get_id(0)
    z = complex(a[i], 2.0)
    pair = Pair(i, a[i] > 3)
    c[i] = sum_of_two(a[i], b[i]) + z.imag

@ndx.kernel(debug=True)
def turned(item, a, tile):
    k = item.get_local_id(0)
    tile[k] = a[item.get_global_id(0)]
    kapi.group_barrier(item.get_group())
    other = tile[3 - k]
    a[item.get_global_id(0)] = element(tile, 3 - k) + other - other

a, b = dpt.arange(8, dtype="f4"), dpt.full(8, 10, dtype="f4")
c = dpt.zeros((4, 2), dtype="f4")
ndx.call_kernel(sums, ndx.Range(8), a, b, dpt.reshape(c, -1))
ndx.call_kernel(turned, ndx.NdRange((8,), (4,)), b, kapi.LocalAccessor(4, "f4"))
print("done", *dpt.asnumpy(c).ravel()[3:5])
"""
ADD, FIRST_OF_SUMS, LAST_OF_SUMS, BEHIND_BARRIER = 12, 21, 24, 31  # lines


COMMANDS = {
    "line": ["info locals", "info args", "print a.data[5]", "print pair.flag", "whatis i", "next", "print i"],
    "function": ["continue", "backtrace 2", "print y", "next", "info locals", "set variable result = 100",
                 "info functions sums"],
    "step": ["tbreak program.py:24 if i == 7", "continue", "step"],
    "barrier": ["continue", "print k", "next", "print other", "print tile.data[1]"],
    "end": ["delete", "continue"],
}  # fmt: skip


def debugged(folder, breaks: list[str], commands_by_name: dict[str, list[str]]) -> dict[str, str]:
    """Return gdb's output by command. Breakpoints are set before any kernel is compiled."""
    if not shutil.which("gdb"):
        pytest.skip("gdb is not installed")
    program = folder / "program.py"
    program.write_text(PROGRAM)
    lines = ["set breakpoint pending on", "set style enabled off", "set debuginfod enabled off", "set width 0",
             *(f"break {place}" for place in breaks), f"run {program}"]  # fmt: skip
    for name, commands in commands_by_name.items():
        lines += [f"echo <{name}>\\n", *commands, f"echo </{name}>\\n"]
    script = folder / "commands"
    script.write_text("\n".join(lines))
    environment = {k: v for k, v in os.environ.items() if not k.startswith("DPEP_")}
    environment |= {"DPEP_CACHE": str(folder / "cache"), "ONEAPI_DEVICE_SELECTOR": "*:cpu"}
    run = subprocess.run(["gdb", "-q", "-nx", "-batch", "-x", script, sys.executable], env=environment, text=True,
                         capture_output=True, timeout=120, check=False)  # fmt: skip
    said = {name: run.stdout.partition(f"<{name}>\n")[2].partition(f"</{name}>\n")[0] for name in commands_by_name}
    return said | {"start": run.stdout.partition("\n<")[0] + "\n"}


@pytest.fixture(scope="module")
def gdb(tmp_path_factory) -> dict[str, str]:
    breaks = [f"program.py:{LAST_OF_SUMS} if i == 3", "sum_of_two if x == 4", f"program.py:{BEHIND_BARRIER} if k == 2"]
    return debugged(tmp_path_factory.mktemp("gdb"), breaks, COMMANDS)


def test_a_breakpoint_on_a_line(gdb):
    assert f" sums (a=..., b=..., c=...) at program.py:{LAST_OF_SUMS}\n" in gdb["start"]


def test_arguments_and_variables_are_printed(gdb):
    said = gdb["line"]
    assert "i = 3\n" in said
    assert "z = 3 + 2i\n" in said
    assert "pair = {number = 3, flag = false}" in said
    assert "a = {nitems = 8, itemsize = 4, data = 0x" in said
    assert "shape = {8}, strides = {4}}" in said
    assert "$1 = 5\n$2 = false\n" in said
    assert "type = int64\n" in said
    assert f"\n{FIRST_OF_SUMS}\t" in said  # the next work-item


def test_device_functions_are_found_by_name_and_in_the_backtrace(gdb):
    said = gdb["function"]
    assert f"#0  sum_of_two (x=4, y=10) at program.py:{ADD}\n#1  " in said
    assert f" in sums (a=..., b=..., c=...) at program.py:{LAST_OF_SUMS}\n" in said
    assert "= 10\n" in said
    assert "result = 14\n" in said
    assert "20:\tvoid sums(" in said


@pytest.mark.parametrize("name", ["sum_of_two", "program.py:sum_of_two"])
def test_breakpoints_at_names_of_functions(tmp_path, name):
    """Breakpoints at function names, before any kernel is compiled; arguments of device functions are available."""
    commands = {"there": ["print y", "up", "print i", "down", "finish"], "end": ["delete", "continue"]}
    said = debugged(tmp_path, [f"{name} if x == 4"], commands)
    assert f" sum_of_two (x=4, y=10) at program.py:{ADD}\n" in said["start"]
    assert "$1 = 10\n" in said["there"]
    assert "$2 = 4\n" in said["there"]
    assert f" in sums (a=..., b=..., c=...) at program.py:{LAST_OF_SUMS}\n" in said["there"].partition("$2")[2]


def test_functions_of_arrays_are_inlined_and_found_by_name(tmp_path):
    said = debugged(tmp_path, ["element if at == 1"], {"there": ["backtrace 2", "print at"]})
    assert " element (values=..., at=1) at program.py:17\n" in said["start"]
    assert f"#1  turned (a=..., tile=...) at program.py:{BEHIND_BARRIER + 1}\n" in said["there"]
    assert "$1 = 1\n" in said["there"]


def test_variables_are_set(gdb):
    assert "done 15.0 102.0" in gdb["end"]


def test_steps_go_into_device_functions(gdb):
    assert f"sum_of_two (x=7, y=10) at program.py:{ADD}\n" in gdb["step"]


def test_variables_are_visible_after_barriers(gdb):
    said = gdb["barrier"]
    assert f"program.py:{BEHIND_BARRIER}\n" in said
    values = [line.partition(" = ")[2] for line in said.splitlines() if line.startswith("$")]
    assert values == ["2", "10", "10"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.function.__name__)
def test_kernels_for_debuggers_compute_the_same(case):
    results = []
    for debug in (True, False):
        out = dpt.zeros(case.out.shape, dtype=case.out.dtype)
        arguments = [dpt.asarray(x, copy=True) if isinstance(x, np.ndarray) else x for x in case.arguments]
        ndx.call_kernel(ndx.kernel(case.function, debug=debug), case.space, out, *arguments)
        results.append(dpt.asnumpy(out))
    np.testing.assert_allclose(results[0], results[1], rtol=1e-5, atol=1e-6)
