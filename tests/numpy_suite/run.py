"""Runs NumPy's own tests against dpnp and counts outcomes by module.

python tests/numpy_suite/run.py [linalg/linalg lib …] [--report out.csv] [-k expression]

Without modules it runs all in rules.MODULES. Each module has a process of its own. After a crash, the tests behind it
run in another one.
"""

from __future__ import annotations

import argparse
import collections
import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy
import rules

HERE = pathlib.Path(__file__).parent
TESTS = pathlib.Path(numpy.__file__).parent
OUTCOMES = ("passed", "failed", "crashed", "refused", "missing", "skipped", "deselected")


def selected(names: list[str]) -> list[str]:
    every = [f"{folder}/{name}" for folder, modules in rules.MODULES.items() for name in modules.split()]
    return [m for m in every if not names or m in names or m.split("/")[0] in names]


def run_module(module: str, report: pathlib.Path, options: list[str]) -> None:
    folder, name = module.split("/")
    file = TESTS / folder / "tests" / f"test_{name}.py"
    command = [
        sys.executable, "-m", "pytest", "-p", "plugin", "-c", os.devnull, "--rootdir", str(TESTS), "--noconftest", "-q",
        "--no-header", "-p", "no:cacheprovider", "--tb=short", "-W", "ignore", "--import-mode=importlib", "--dpnp-done",
        "--dpnp-report", str(report), str(file), *options,
    ]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])}
    running = report.with_suffix(".running")
    for _ in range(20):  # crashes of a module
        running.unlink(missing_ok=True)
        try:
            done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900)
            status = done.returncode
        except subprocess.TimeoutExpired:
            status = -9
        if status in (2, 3, 4):
            print(done.stdout[-3000:], done.stderr[-3000:])
        if status >= 0 and status < 128:
            return
        if not running.exists():
            print(f"{module}: ended with {status} before its first test")
            return
        with report.open("a", newline="") as rows:
            csv.writer(rows).writerow([*running.read_text().splitlines()[:2], "crashed", f"status {status}"])


def count(report: pathlib.Path) -> None:
    counts: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    with report.open(newline="") as rows:
        for module, _, outcome, _ in csv.reader(rows):
            counts[module][outcome] += 1
            counts["total"][outcome] += 1
    print(f"{'module':28}", *(f"{o:>10}" for o in OUTCOMES))
    for module in [*sorted(set(counts) - {"total"}), "total"]:
        print(f"{module:28}", *(f"{counts[module][o]:10}" for o in OUTCOMES))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*")
    parser.add_argument("--report", type=pathlib.Path)
    parser.add_argument("-k", dest="expression")
    arguments = parser.parse_args()
    report = arguments.report or pathlib.Path(tempfile.mkdtemp()) / "report.csv"
    report.unlink(missing_ok=True)
    options = ["-k", arguments.expression] if arguments.expression else []
    for module in selected(arguments.modules):
        start = time.monotonic()
        run_module(module, report, options)
        print(f"{module}: {time.monotonic() - start:.0f} s", file=sys.stderr)
    count(report)


if __name__ == "__main__":
    main()
