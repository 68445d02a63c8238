"""Measures and checks one row: the libraries run in turns, and their results are compared with NumPy's."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from libraries import Library, parts_of
from report import Timing, measure
from rows import Data, Row

LONG = 2.0  # seconds; a run that takes longer is not repeated
WRITTEN = "target"  # how the names of arrays begin that rows write to
WIDER = {"f4": "f8", "c8": "c16"}


class Operands:
    """The arrays of all libraries by name. They are kept until no later row needs them; targets, for one row."""

    def __init__(self, data: Data, all_libraries: list[Library]) -> None:
        self.data = data
        self.held: dict[str, dict[str, object]] = {library.name: {} for library in all_libraries}

    def of(self, library: Library, row: Row) -> list:
        held = self.held[library.name]
        for name in row.names:
            if name not in held:
                held[name] = library.put(getattr(self.data, name), name.startswith(WRITTEN))
        return [held[name] for name in row.names]

    def host(self, row: Row) -> list[np.ndarray]:
        return [getattr(self.data, name) for name in row.names]

    def keep(self, names: set[str]) -> None:
        for held in (*self.held.values(), vars(self.data)):
            arrays = [name for name, x in held.items() if hasattr(x, "shape")]
            for name in arrays:
                if name not in names or name.startswith(WRITTEN):
                    del held[name]


@dataclass
class Measured:
    """Times of a row by library, and what was wrong with the others."""

    row: Row
    times: dict[str, Timing] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)

    def ratio(self, ours: str) -> float:
        """Our median to that of the fastest peer, or NaN without either."""
        peers = [timing.median for name, timing in self.times.items() if name != ours]
        return self.times[ours].median / min(peers) if peers and ours in self.times else math.nan

    def best(self, ours: str) -> str:
        peers = {name: timing.median for name, timing in self.times.items() if name != ours}
        return min(peers, key=peers.__getitem__) if peers else ""


def reference(row: Row, operands: list[np.ndarray], numpy: Library) -> list[np.ndarray]:
    """NumPy's results, computed in float64, in the form that is compared."""
    wide = [x.astype(WIDER.get(x.dtype.str[1:], x.dtype)) for x in operands]
    result = numpy.code(row)(*wide)
    return row.comparable([np.asarray(part) for part in parts_of(result)], wide)


def difference(results: list[np.ndarray], expected: list[np.ndarray], tolerance: float) -> str:
    """Say how results differ from those expected; nothing if they do not."""
    if len(results) != len(expected):
        return f"{len(results)} results instead of {len(expected)}"
    for x, y in zip(results, expected):
        if x.shape != y.shape:
            return f"shape {x.shape} instead of {y.shape}"
        if y.dtype.kind in "biu":
            wrong = np.count_nonzero(x != y)
        else:
            with np.errstate(invalid="ignore"):
                scale = np.abs(y).max(initial=0.0)
                wrong = np.count_nonzero(~((x == y) | (np.abs(x - y) <= tolerance * (np.abs(y) + scale))))
        if wrong:
            return f"{wrong} of {y.size} elements are wrong"
    return ""


def check(library: Library, row: Row, result: object, operands: list[np.ndarray], expected: list[np.ndarray]) -> str:
    results = [library.host(part) for part in parts_of(result)]
    single = any(x.dtype.str[1:] in WIDER for x in (*results, *operands))
    return difference(row.comparable(results, operands), expected, row.tolerance or (1e-4 if single else 1e-9))


def completed(library: Library, code: Callable, operands: list, calls: int = 1) -> Callable[[], object]:
    def run() -> object:
        for _ in range(calls):
            result = code(*operands)
        library.complete(result)
        return result

    return run


class Measurement:
    """Measures rows.

    Args:
        all_libraries: The libraries.
        numpy: NumPy, for references.
        data: The arrays that are measured.
        checked: The arrays with which results are checked; the same, or smaller ones.
        repetitions: How often each library runs after its first runs.
    """

    def __init__(
        self, all_libraries: list[Library], numpy: Library, data: Data, checked: Data, repetitions: int
    ) -> None:
        self.libraries, self.numpy, self.repetitions = all_libraries, numpy, repetitions
        self.operands = Operands(data, all_libraries)
        self.checked = self.operands if checked is data else Operands(checked, all_libraries)

    def keep(self, names: set[str]) -> None:
        self.operands.keep(names)
        self.checked.keep(names)

    def row(self, row: Row) -> Measured:
        measured = Measured(row)
        host = self.checked.host(row)
        expected = reference(row, host, self.numpy)
        runs: dict[str, Callable[[], object]] = {}
        first: dict[str, float] = {}
        for library in self.libraries:
            code = library.code(row)
            if code is None:
                continue
            try:
                run = completed(library, code, self.checked.of(library, row))
                begin = time.perf_counter()
                result = run()
                first[library.name] = time.perf_counter() - begin
                if fault := check(library, row, result, host, expected):
                    measured.faults[library.name] = fault
                    continue
                del result
                run = completed(library, code, self.operands.of(library, row), row.calls)
                if first[library.name] < LONG or self.checked is not self.operands:
                    first[library.name] = 1e-3 * measure(run, 1, 0).median
                runs[library.name] = run
            except Exception as error:  # any fault of a library is a line of the report
                measured.faults[library.name] = f"{type(error).__name__}: {error}".splitlines()[0]
        times: dict[str, list[float]] = {name: [] for name in runs}
        for _ in range(self.repetitions):
            for name, run in runs.items():
                if first[name] > LONG and times[name]:
                    continue
                time.sleep(row.pause)
                times[name] += measure(run, 1, 0).times
        measured.times = {name: Timing([time / row.calls for time in found]) for name, found in times.items()}
        return measured
