"""dpep.progress() and DPEP_PROGRESS: the progress line of long work, and no output otherwise."""

import os
import pty
import re
import subprocess
import sys
import textwrap

import dpctl
import dpep
import pytest

pytestmark = pytest.mark.skipif(not dpctl.select_default_device().is_cpu, reason="GPU queues do not report progress")

# 7 s of kernels, since work is shown after 5 s.
WORK = """
import dpctl.tensor as dpt, dpep, numba_dpex
from numba_dpex import kernel_api as kapi

@numba_dpex.kernel
def slow(item: kapi.Item, x, rounds):
    i = item.get_id(0)
    value = x[i]
    for _ in range(rounds):
        value = value * 1.0000001 + 1e-9
    x[i] = value

def work():
    import time
    x = dpt.ones(64)
    until = time.monotonic() + 7
    events = [numba_dpex.call_kernel_async(slow, kapi.Range(64), (), x, 20_000_000)[1] for _ in range(4000)]
    while time.monotonic() < until:
        time.sleep(0.1)
    print("worked")
    import os; os._exit(0)
"""


def run(tmp_path, code: str, terminal: bool = True, **environment: str) -> str:
    """Run a program and return its output on stderr, which is a terminal if `terminal`."""
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(code))
    environment = {**os.environ, "DPEP_CACHE": "off", "PYTHONPATH": str(tmp_path), **environment}
    if not terminal:
        return subprocess.run([sys.executable, program], capture_output=True, text=True, env=environment).stderr
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, program], stderr=theirs, stdout=subprocess.DEVNULL, env=environment
    ) as child:
        os.close(theirs)
        seen = b""
        try:
            while part := os.read(ours, 4096):
                seen += part
        except OSError:  # the child has closed the terminal
            pass
        assert child.wait() == 0
    os.close(ours)
    return seen.decode()


@pytest.fixture
def without_tqdm(tmp_path):
    (tmp_path / "tqdm").mkdir()
    (tmp_path / "tqdm" / "__init__.py").write_text("raise ImportError('not here')")


COMPILATION = """
lines = "".join(f"    a = math.sin(a) * math.cos(a + {n})\\n    if a > {n}: a = math.sqrt(a)\\n" for n in range(200))
source = "import math\\nimport numba_dpex\\nfrom numba_dpex import kernel_api as kapi\\n@numba_dpex.kernel\\n"
source += f"def large(item: kapi.Item, x):\\n    a = x[item.get_id(0)]\\n{lines}    x[item.get_id(0)] = a\\n"
import pathlib, sys
folder = pathlib.Path(__file__).parent
(folder / "large_kernel.py").write_text(source)
import large_kernel, numba_dpex, dpctl.tensor as dpt, dpep
from numba_dpex import kernel_api as kapi
def compile():
    numba_dpex.call_kernel(large_kernel.large, kapi.Range(10), dpt.ones(10))
"""


@pytest.mark.usefixtures("without_tqdm")
class TestOnTerminals:
    def test_long_work_shows_the_kernel_its_progress_and_its_time(self, tmp_path):
        seen = run(tmp_path, WORK + "with dpep.progress(): work()")
        assert re.search(r"\rdpep: computing 'slow': \d+ % of \d+, [567] s", seen), seen

    def test_a_long_compilation_shows_its_stage(self, tmp_path):
        seen = run(tmp_path, COMPILATION + "with dpep.progress(): compile()")
        assert re.search(r"\rdpep: compiling 'large' \((optimise|generate)\): \d+ % of 6, \d+ s", seen), seen
        assert seen.endswith("\r")  # the line is erased

    def test_an_environment_variable_turns_it_on(self, tmp_path):
        seen = run(tmp_path, COMPILATION + "compile()", DPEP_PROGRESS="1")
        assert "compiling 'large'" in seen

    @pytest.mark.parametrize("value", [None, "0"])
    def test_nothing_is_shown_by_default(self, tmp_path, value):
        environment = {} if value is None else {"DPEP_PROGRESS": value}
        assert run(tmp_path, COMPILATION + "compile()", **environment) == ""

    def test_short_work_shows_nothing(self, tmp_path):
        code = "import dpctl.tensor as dpt, dpep\nwith dpep.progress(): float(dpt.sum(dpt.ones(1000)))"
        assert run(tmp_path, code) == ""


def test_nothing_is_shown_without_a_terminal(tmp_path):
    assert run(tmp_path, COMPILATION + "with dpep.progress(): compile()", terminal=False) == ""


def test_a_given_file_need_not_be_a_terminal(tmp_path):
    (tmp_path / "tqdm").mkdir()
    (tmp_path / "tqdm" / "__init__.py").write_text("raise ImportError('not here')")
    run(tmp_path, COMPILATION + f"with open('{tmp_path}/out', 'w') as f, dpep.progress(file=f): compile()", False)
    assert "compiling 'large'" in (tmp_path / "out").read_text()


def test_tqdm_is_used_if_installed(tmp_path):
    """Uses a substitute for tqdm with the used part of its documented interface."""
    (tmp_path / "tqdm").mkdir()
    (tmp_path / "tqdm" / "__init__.py").write_text("")
    (tmp_path / "tqdm" / "auto.py").write_text(
        textwrap.dedent("""
            class tqdm:
                def __init__(self, *, total, file, leave, bar_format):
                    self.total, self.file, self.n = total, file, 0
                def set_description_str(self, text, refresh):
                    self.text = text
                def refresh(self):
                    print(f"<{self.text} {self.n}/{self.total}>", file=self.file)
                def close(self):
                    print("<closed>", file=self.file)
        """)
    )
    seen = run(tmp_path, COMPILATION + "with dpep.progress(): compile()")
    assert re.search(r"<dpep: compiling 'large' \(\w+\) [0-5]/6>\s+<closed>", seen), seen


def test_the_function_is_documented():
    assert "1 s" in dpep.progress.__doc__
