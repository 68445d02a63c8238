"""Kernels defined at a prompt, by -c, on standard input, in a notebook or by exec."""

from __future__ import annotations

import inspect
import linecache
import math
import os
import pty
import select
import subprocess
import sys
import textwrap
import time

import dpctl.tensor as dpt
import more_language_kernels  # noqa: F401  adds its cases
import numba_dpex as ndx
import numpy as np
import pytest
from language_kernels import CASES, Case
from numba_dpex import kernel_api as kapi
from numba_dpex.core.exceptions import TypingError

PROGRAM = """\
import dpctl.tensor as dpt
import numba_dpex as ndx

offset = 3

@ndx.device_func
def twice(x):
    return 2 * x

@ndx.kernel
def fill(item, a):
    i = item.get_id(0)
    if i % 2:
        a[i] = twice(i) + offset
    else:
        a[i] = 0

a = dpt.zeros(6, dtype="i4")
ndx.call_kernel(fill, ndx.Range(6), a)
print(dpt.asnumpy(a).tolist())

@ndx.kernel
def wrong(item, a):
    a[item.get_id(0)] = missing

try:
    ndx.call_kernel(wrong, ndx.Range(6), a)
except TypeError as error:
    print(error)

"""
RESULT = "[0, 5, 0, 9, 0, 13]"


def run(arguments: list[str], text: str | None = None, **options) -> str:
    done = subprocess.run([sys.executable, *arguments], input=text, capture_output=True, text=True, **options)
    assert RESULT in done.stdout, done.stdout + done.stderr
    assert "name 'missing' is not defined" in done.stdout, done.stdout + done.stderr
    return done.stdout


def test_a_program_given_by_c():
    for arguments in (["-c", PROGRAM], ["-Bc", PROGRAM, "-c", "something else"]):
        assert "a[item.get_id(0)] = missing" in run(arguments)


def test_a_program_on_standard_input(tmp_path):
    run(["-"], PROGRAM)  # of a pipe there is only byte code
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    with file.open() as stream:
        done = subprocess.run([sys.executable], stdin=stream, capture_output=True, text=True)
    assert RESULT in done.stdout
    assert "a[item.get_id(0)] = missing" in done.stdout


def at_a_prompt(program: str) -> str:
    """Return the interpreter's output when the program is typed at a terminal."""
    terminal, its_end = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-q"], stdin=its_end, stdout=its_end, stderr=its_end, start_new_session=True,
        env=os.environ | {"TERM": "dumb"},
    )  # fmt: skip
    os.close(its_end)
    said, until = "", time.monotonic() + 60

    def listen() -> bool:
        """Read until the prompt, and return whether it came."""
        nonlocal said
        heard = ""
        while time.monotonic() < until and not heard.endswith((">>> ", "... ")):
            if select.select([terminal], [], [], 1)[0]:
                try:
                    heard += os.read(terminal, 65536).decode()
                except OSError:  # the interpreter has ended
                    break
        said += heard
        return heard.endswith((">>> ", "... "))

    for line in [*program.split("\n"), "exit()"]:
        if listen():
            os.write(terminal, f"{line}\n".encode())
    listen()
    process.wait(60)
    os.close(terminal)
    return said


@pytest.mark.skipif(sys.platform != "linux", reason="a terminal of its own")
def test_kernels_typed_at_a_prompt():
    said = at_a_prompt(PROGRAM)
    assert RESULT in said, said
    # the message shows the line, as typed
    assert "name 'missing' is not defined" in said, said
    assert said.count("a[item.get_id(0)] = missing") == 2, said


def test_a_cell_of_a_notebook():
    # as IPython stores cells
    name = "<ipython-input-7-0123456789ab>"
    text = PROGRAM.replace("print(error)", "said.append(str(error))")
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    try:
        names = {"__name__": "__main__", "said": []}
        exec(compile(text, name, "exec"), names)
    finally:
        del linecache.cache[name]
    assert dpt.asnumpy(names["a"]).tolist() == [0, 5, 0, 9, 0, 13]
    assert "a[item.get_id(0)] = missing" in names["said"][0]


def test_a_different_source_of_the_same_file_name_is_not_used():
    for factor in (2, 3, 4):
        names = {"ndx": ndx}
        exec(f"@ndx.kernel\ndef scale(item, a):\n    a[item.get_id(0)] *= {factor}", names)
        a = dpt.ones(4)
        ndx.call_kernel(names["scale"], ndx.Range(4), a)
        assert dpt.asnumpy(a).tolist() == [factor] * 4


def test_messages_of_kernels_defined_by_exec_name_the_line():
    names = {"ndx": ndx}
    exec("\n\n@ndx.kernel\ndef wrong(item, a):\n    x = 1\n    a[item.get_id(0)] = x + a\n", names)
    with pytest.raises(TypingError, match=r"operator \+ is not defined for int and a 1-dim") as raised:
        ndx.call_kernel(names["wrong"], ndx.Range(4), dpt.ones(4))
    assert raised.value.lineno == 6


def without_source(function, kind=ndx.kernel, seen=None):
    """Return the function as a kernel with byte code only, as have the functions that it calls."""
    seen = {} if seen is None else seen
    text = textwrap.dedent("".join(inspect.getsourcelines(function)[0]))
    body = text[text.index("def ") :]
    names = dict(function.__globals__)
    if function.__closure__:
        names |= {n: c.cell_contents for n, c in zip(function.__code__.co_freevars, function.__closure__)}
    for name in function.__code__.co_names:
        inner = names.get(name)
        if type(inner).__name__ == "DeviceFunction":
            if name not in seen:
                seen[name] = without_source(inner.py_func, ndx.device_func, seen)
            names[name] = seen[name]
    exec(body, names)
    made = names[function.__name__]
    made.__defaults__ = function.__defaults__
    return kind(made)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.function.__name__)
def test_the_whole_language_is_decompiled_from_byte_code(case: Case):
    """Every construct of the language, without source, computes the same as in CPython."""
    expected = case.out.copy()
    with np.errstate(all="ignore"):
        kapi.call_kernel(case.function, case.space, expected, *case.arguments)
    kernel = without_source(case.function)
    got = dpt.zeros(case.out.shape, dtype=case.out.dtype)
    arguments = [dpt.asarray(x) if isinstance(x, np.ndarray) else x for x in case.arguments]
    ndx.call_kernel(kernel, case.space, got, *arguments)
    np.testing.assert_allclose(dpt.asnumpy(got), expected, rtol=2e-6, atol=1e-6)


def loops(item, out, n):
    """Exits of loops, and values that several paths assign."""
    k = item.get_id(0)
    total = 0
    for i in range(n):
        if i == k:
            continue
        if i > k + 5:
            break
        for j in range(i):
            if j == 4:
                break
            total += j * i
        else:
            total += 100
    else:
        total -= 1
    steps = k + 1
    while True:
        steps += 1
        while steps < 5 and n > 2:
            steps += 1
            if steps == 3:
                continue
            total = (total if k < 3 else -total) + steps
        else:
            total += 7
        if steps > 20 or (total % 2 == 0 and steps > 9) or 3 < steps <= k:
            break
    a, b = k or 5, total and 3
    a, b = b, a
    out[k] += total + math.floor((a if a > b else b) / (2 if k else 4)) + (k == 2 and n is not None)


def test_loops_and_conditionals_are_decompiled_from_byte_code():
    for n in range(12):
        expected, got = np.ones(8), dpt.ones(8)
        kapi.call_kernel(loops, kapi.Range(8), expected, n)
        ndx.call_kernel(without_source(loops), kapi.Range(8), got, n)
        np.testing.assert_array_equal(dpt.asnumpy(got), expected)


def test_device_functions_and_element_functions_are_decompiled():
    names = {"ndx": ndx, "math": math}
    exec(
        textwrap.dedent("""
            @ndx.device_func
            def sign(x, unit=1):
                if x < 0:
                    return -unit
                return unit if x > 0 else 0

            @ndx.vectorize
            def wave(x, damping):
                if x < 0:
                    return 0.0
                return math.exp(-damping * x) * sign(x)

            @ndx.kernel
            def signs(item, x, out):
                i = item.get_id(0)
                out[i] = sign(x[i]) + sign(x[i], unit=10)
        """),
        names,
    )
    x = np.array([-2.0, 0.0, 3.0])
    out = dpt.zeros(3)
    ndx.call_kernel(names["signs"], ndx.Range(3), dpt.asarray(x), out)
    assert dpt.asnumpy(out).tolist() == [-11, 0, 11]
    np.testing.assert_allclose(dpt.asnumpy(names["wave"](dpt.asarray(x), 0.5)), [0, 0, np.exp(-1.5)])


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ("try:\n        a[0] = 1\n    except IndexError:\n        pass", "try"),
        ("with a:\n        pass", "with"),
        ("a[0] = len([x for x in a])", "comprehension"),
        ("a[0] = {1: 2}[1]", "dictionary|BUILD|CONST"),
        ("yield a", "generator"),
        ("import math", "import"),
    ],
)
def test_errors_name_the_construct_that_cannot_be_decompiled(body, word):
    names = {}
    exec(f"def made(item, a):\n    {body}\n", names)
    with pytest.raises(OSError, match=rf"'made'.*({word})"):
        ndx.call_kernel(ndx.kernel(names["made"]), ndx.Range(1), dpt.zeros(1))
