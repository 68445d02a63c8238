"""Compilation times of the kernels, from stored bitcode to executable code, after the process's first compilation."""

from __future__ import annotations

import json
import pathlib
import statistics
import tempfile

from implementations import Implementation, Process
from problems import COMPILE_ONLY, PROBLEMS

STAGES = ("read", "link", "specialise", "lower", "optimise", "generate")
START, LARGE = COMPILE_ONLY  # START is compiled first and not measured: a process's first compilation initialises LLVM
PROCESSES = 3


def compile_all(implementation: Implementation, names: list[str], environment: dict[str, str], after) -> None:
    """Run every kernel once in one process without a cache, and call after(name) each time."""
    with Process(implementation, {"DPEP_CACHE": "off", **environment}) as worker:
        for name in (START.name, *names):
            worker.request(problem=name, small=True)
            worker.request(run=1)
            after(name)


def instructions(implementation: Implementation, names: list[str]) -> dict[str, int]:
    """The number of instructions of each kernel's bitcode."""
    counts: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        seen: set[pathlib.Path] = set()

        def count(name: str) -> None:
            new = set(pathlib.Path(folder).glob("*-read.ll")) - seen
            seen.update(new)
            lines = [line for file in new for line in file.read_text().splitlines()]
            # lines of functions' bodies are indented; so are the few cases of switches
            counts[name] = sum(line.startswith("  ") for line in lines)

        compile_all(implementation, names, {"DPEP_DUMP": folder}, count)
    return counts


def times(implementation: Implementation, names: list[str]) -> dict[str, dict[str, float]]:
    """Milliseconds of each kernel's compilation and its stages."""
    found: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        trace, read = pathlib.Path(folder) / "trace.json", 0

        def collect(name: str) -> None:
            nonlocal read
            lines = trace.read_text().splitlines()
            found[name] = dict.fromkeys(("compile", *STAGES), 0.0)
            for line in lines[read:]:
                event = json.loads(line.strip().strip(",") or "{}") if line.startswith("{") else {}
                kind = {"compile": "compile", "compile stage": event.get("name")}.get(event.get("cat"))
                if kind in found[name]:
                    found[name][kind] += event["dur"] / 1e3
            read = len(lines)

        compile_all(implementation, names, {"DPEP_TRACE": str(trace)}, collect)
    return found


def show(implementation: Implementation, names: list[str]) -> None:
    known = {problem.name for problem in PROBLEMS}
    names = [name for name in names if name in known] + [LARGE.name]
    counts = instructions(implementation, names)
    runs = [times(implementation, names) for _ in range(PROCESSES)]
    print(f"{'compiling, ms':16}{'instructions':>14}{'all':>9}" + "".join(f"{stage:>12}" for stage in STAGES))
    for name in names:
        medians = {what: statistics.median(run[name][what] for run in runs) for what in runs[0][name]}
        cells = "".join(f"{medians[stage]:>12.2f}" for stage in STAGES)
        print(f"{name:16}{counts[name]:>14}{medians['compile']:>9.2f}{cells}")
