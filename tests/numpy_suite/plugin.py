"""A pytest plugin that runs NumPy's test modules against dpnp and writes a row for each test.

`--dpnp-report FILE` is the table, `--dpnp-done` leaves out the tests that have a row in it already.
"""

from __future__ import annotations

import csv
import pathlib
import re
import signal

import adapter
import numpy
import pytest
import rules

SECONDS = 20  # a test that takes longer is a failure


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--dpnp-report", default=None)
    parser.addoption("--dpnp-done", action="store_true")


class Module(pytest.Module):
    """A test module of NumPy, imported by the adapter."""

    def _getobj(self) -> object:
        relative = self.path.relative_to(pathlib.Path(numpy.__file__).parent.parent).with_suffix("")
        return adapter.load(".".join(relative.parts), str(self.path))


def pytest_pycollect_makemodule(module_path: pathlib.Path, parent: pytest.Collector) -> pytest.Module | None:
    if pathlib.Path(numpy.__file__).parent in module_path.parents:
        return Module.from_parent(parent, path=module_path)
    return None


def _name(item: pytest.Item) -> str:
    return item.nodeid.split("::", 1)[1]


def _module(item: pytest.Item) -> str:
    return f"{item.path.parent.parent.name}/{item.path.stem.removeprefix('test_')}"


def _private_names(module: object) -> set[str]:
    """Names in a test module of NumPy's private modules, and of what they define for tests."""
    return {
        name
        for name, value in vars(module).items()
        if isinstance(value, adapter.Facade) and re.search(r"\._|^_", value.__name__)
    }


def reason_to_leave_out(item: pytest.Item) -> str | None:
    for name, value in (item.callspec.params if hasattr(item, "callspec") else {}).items():
        if reason := rules.unsupported(value):
            return reason if name else None
    tree = adapter.source_tree(item.function)
    return rules.why_not(tree, _private_names(item.module), item.path.parent.parent.name) if tree else None


class Report:
    """The table of outcomes, a row a test: module, test, outcome, cause."""

    def __init__(self, path: str) -> None:
        self.path = pathlib.Path(path)
        done = self.path.read_text().splitlines() if self.path.exists() else []
        self.done = {(row[0], row[1]) for row in csv.reader(done)}
        self.file = self.path.open("a", newline="")
        self.writer = csv.writer(self.file)

    def add(self, item: pytest.Item, outcome: str, cause: str = "") -> None:
        self.writer.writerow([_module(item), _name(item), outcome, cause])
        self.file.flush()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    path = config.getoption("--dpnp-report")
    report = config.dpnp_report = Report(path) if path else None
    kept, left_out = [], []
    for item in items:
        if report and config.getoption("--dpnp-done") and (_module(item), _name(item)) in report.done:
            left_out.append(item)
        elif reason := reason_to_leave_out(item):
            left_out.append(item)
            if report:
                report.add(item, "deselected", reason)
        else:
            kept.append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=left_out)


def _expired(*_: object) -> None:
    raise TimeoutError(f"the test took more than {SECONDS} s")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> object:
    if item.config.dpnp_report:  # a crash leaves its name
        item.config.dpnp_report.path.with_suffix(".running").write_text(f"{_module(item)}\n{_name(item)}\n")
    before = signal.signal(signal.SIGALRM, _expired)
    signal.alarm(SECONDS)
    try:
        return (yield)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _cause(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).strip().splitlines() if line.strip()]
    return f"{type(error).__name__}: {' | '.join(lines)[:300]}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo) -> object:
    result = yield
    report = item.config.dpnp_report
    if report and (call.when == "call" or result.outcome != "passed") and call.when != "teardown":
        error = call.excinfo.value if call.excinfo else None
        if result.outcome == "failed" and (reason := rules.refusal(str(error))):
            report.add(item, "refused", f"{reason}: {_cause(error)}")
        elif result.outcome == "skipped":
            report.add(item, "missing" if "missing: " in str(error) else "skipped", str(error)[:200])
        else:
            report.add(item, result.outcome, _cause(error) if error else "")
    return result
