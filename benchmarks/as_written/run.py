"""Array programs as they are written, with named intermediates and loops: dpctl.tensor, NumPy, C++, JAX and PyTorch.

    python benchmarks/as_written/run.py [--only WORD] [--elements N ...] [--repetitions N] [--peers NAME ...]
                                        [--device cuda] [--smallest] [--one-core] [--limit SECONDS]

Our runs are at module level, where all names keep their arrays until the next run, and as a function. The peers are
NumPy, hand-written C++ (native/: one pass where one is enough, OpenMP, vectors), jax.jit and torch.compile, on GPUs
also CuPy; those that are not installed are left out. A table has medians in milliseconds, the ratios of the slower of
our two times to the hand-written loop and to the fastest of the other peers, and the times of first calls, which
compile, with an empty cache. Lists of the programs above 1.25 of hand-written and of those slower than the fastest peer
follow, and geometric means. Results are compared with NumPy's in float64. A run ends when all results are in memory,
those that other results were computed from included.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import pathlib
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

if __name__ == "__main__":  # these make NumPy's OpenBLAS slower than it is, and are read when NumPy is imported
    for variable in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
        os.environ.pop(variable, None)

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import hand_written  # noqa: E402
import simulation_programs  # noqa: E402, F401
import statistical_programs  # noqa: E402, F401
from peers import PEERS, Missing, to_numpy  # noqa: E402
from programs import PROGRAMS, Program, function_of  # noqa: E402
from report import measure, record  # noqa: E402

GOAL = 1.25  # times the hand-written loop
SHORT = 5.0  # milliseconds: shorter runs are repeated within a turn
STYLES = ("module", "function")
COLUMNS = {"numpy": "NumPy", "native": "C++", "jax": "jax", "torch": "torch", "cupy": "CuPy"}


def candidates(p: Program, xp, inputs: dict[str, object], complete: Callable[[list], list]) -> dict[str, Callable]:
    """Callables that run the program in one module, by style; each returns the results."""
    names, code = {"xp": xp}, compile(p.code, p.name, "exec")
    function = function_of(p, xp, list(inputs))

    def module():
        names.update(inputs)
        exec(code, names)
        return complete([names[r] for r in p.results])

    return {"module": module, "function": lambda: complete(list(function(**inputs)))}


def stored(results: list) -> list:
    """Wait until the results are in memory. A wait for the queue would leave those pending that others have used."""
    for x in results:
        _ = x.usm_data
    if results[0].sycl_device.is_gpu:
        results[0].sycl_queue.wait()
    return results


def exact_results(p: Program, inputs: dict[str, np.ndarray]) -> list:
    """NumPy's results in float64: its float32 sums along leading axes err by more than ours."""
    wide = {name: x.astype(np.float64) if x.dtype == np.float32 else x for name, x in inputs.items()}
    with np.errstate(all="ignore"):
        return candidates(replace(p, code=p.code.replace("float32", "float64")), np, wide, list)["function"]()


class Different(Exception):
    """A result is not NumPy's."""


def check(p: Program, style: str, ours: list, theirs: list, rounded: float = 0) -> None:
    """Compare results. `rounded` is the share of integers that may differ, since rounding decides their comparisons."""
    for name, result, reference in zip(p.results, ours, theirs, strict=True):
        x = to_numpy(result)
        if x.shape != np.shape(reference):
            raise Different(f"{p.name}, {style}: the shape of {name} is {x.shape}, NumPy's is {np.shape(reference)}")
        if x.dtype.kind in "biu" and np.mean(x != reference) <= rounded:
            continue
        error = np.max(np.abs(x.astype(complex) - reference))
        scale = np.max(np.abs(reference))
        limit = 1e-4 if x.dtype == np.float32 else 1e-8
        if not error <= limit * max(scale, 1e-300):
            raise Different(f"{p.name}, {style}: {name} differs from NumPy's by {error:.1e} of {scale:.1e}")


class Stopwatch:
    """Measures runs in milliseconds: medians of wall-clock time, or what --smallest and --one-core ask for."""

    def __init__(self, repetitions: int, smallest: bool, one_core: bool) -> None:
        self.repetitions = repetitions
        self.typical = min if smallest else statistics.median
        self.clock = time.process_time if one_core else time.perf_counter

    def measure(self, run: Callable[[], object], repetitions: int = 1) -> float:
        times = []
        for _ in range(repetitions):
            start = self.clock()
            run()
            times.append(1e3 * (self.clock() - start))
        return statistics.median(times)

    def in_turns(self, runs: dict[str, Callable[[], object]]) -> dict[str, float]:
        """Typical times, measured in turns; that of a turn is the median of its runs.

        A pause before each candidate lets the threads of the one before go to sleep. Short runs are repeated within a
        turn, after one that wakes the candidate's own threads.
        """
        times: dict[str, list[float]] = {name: [] for name in runs}
        for _ in range(self.repetitions):
            for name, run in runs.items():
                time.sleep(0.005)
                single = self.measure(run)
                if single < SHORT:
                    single = self.measure(run, max(1, min(100, int(SHORT / max(single, 1e-3)))))
                times[name].append(single)
        return {name: self.typical(found) for name, found in times.items()}


class Row:
    """The times of one program at one size, by candidate."""

    def __init__(self, p: Program, elements: int, times: dict[str, float], first: dict[str, float]) -> None:
        self.title = f"{p.name}, {elements:,}"
        self.times, self.first = times, first
        self.ours = max(times[style] for style in STYLES)
        for candidate, value in times.items():
            record(f"{self.title}, {candidate}", "dpctl.tensor" if candidate in STYLES else candidate, value)

    def ratio(self, *peers: str) -> float:
        """Our slower style to the fastest of the peers."""
        return self.ours / min((self.times[peer] for peer in peers if peer in self.times), default=math.nan)


class Table:
    """Rows that are printed as they come; the lists and means follow at the end."""

    def __init__(self, peers: list[str]) -> None:
        self.peers, self.rows = peers, []
        self.others = [peer for peer in peers if peer != "native"]
        self.first = [*(peer for peer in self.others if peer != "numpy"), "function"]
        titles = [
            *(COLUMNS[peer] for peer in peers),
            *STYLES,
            "/C++",
            "/best",
            *("1st " + self._short(c) for c in self.first),
        ]
        print(f"{'milliseconds':47}" + "".join(f"{title:>10}" for title in titles), flush=True)

    @staticmethod
    def _short(candidate: str) -> str:
        return COLUMNS.get(candidate, "ours")

    def add(self, row: Row) -> None:
        self.rows.append(row)
        cells = [row.times.get(candidate, math.nan) for candidate in (*self.peers, *STYLES)]
        ratios = [row.ratio("native"), row.ratio(*self.others)]
        first = [row.first.get(candidate, math.nan) for candidate in self.first]
        texts = [*(f"{x:.3f}" for x in cells), *(f"{x:.2f}" for x in ratios), *(f"{x:.1f}" for x in first)]
        print(f"{row.title:47}" + "".join(f"{'–' if t == 'nan' else t:>10}" for t in texts), flush=True)

    def _list(self, title: str, limit: float, ratio: Callable[[Row], float]) -> None:
        found = sorted(((ratio(row), row.title) for row in self.rows if ratio(row) > limit), reverse=True)
        compared = sum(not math.isnan(ratio(row)) for row in self.rows)
        print(f"\n{title}: {len(found)} of {compared}")
        for value, name in found:
            print(f"  {value:6.2f}  {name}")

    def close(self) -> None:
        if "native" in self.peers:
            self._list(f"above {GOAL} of the hand-written loop", GOAL, lambda row: row.ratio("native"))
        self._list("slower than the fastest of the other peers", 1, lambda row: row.ratio(*self.others))
        print("\ngeometric means of the ratios of our slower style")
        for title, peers in {
            **{COLUMNS[peer]: [peer] for peer in self.peers},
            "the fastest of others": self.others,
        }.items():
            if ratios := [r for row in self.rows if not math.isnan(r := row.ratio(*peers))]:
                print(f"  to {title}: {statistics.geometric_mean(ratios):.2f} ({len(ratios)} rows)")


@contextlib.contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Raise TimeoutError after so many seconds: compilers may take hours for loops that they unroll."""

    def stop(*_) -> None:
        raise TimeoutError(f"the first call takes more than {seconds} s")

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


class Benchmark:
    """The peers that there are, and what they said when they could not run a program."""

    def __init__(self, names: list[str], device: str, folder: str, limit: int) -> None:
        self.limit = limit
        self.peers, self.notes, self.compiled, self.library = [], [], {}, None
        for name in names:
            try:
                if name == "native":
                    if device != "cpu":
                        raise Missing("hand-written loops run on CPUs only")
                    self.library = hand_written.compile_loops(folder)
                elif name != "numpy":
                    self.compiled[name] = PEERS[name](device)
                self.peers.append(name)
            except Missing as reason:
                print(f"without {COLUMNS[name]}: {reason}")

    def others(self, p: Program, inputs: dict[str, np.ndarray], reference: list) -> tuple[dict, dict]:
        """The peers' functions, checked, and the times of the first calls of those that compile."""
        runs, first = {}, {}
        if "numpy" in self.peers:
            runs["numpy"] = candidates(p, np, inputs, list)["function"]
        if self.library and (run := hand_written.hand_written(p, inputs, self.library)):
            runs["native"] = run
            check(p, "C++", run(), reference, 1e-5)
        for name, peer in self.compiled.items():
            try:
                run = peer.prepare(p, inputs)
                with time_limit(self.limit):
                    first[name] = measure(run, 1, 0).median
                check(p, COLUMNS[name], run(), reference, 1e-5)
                runs[name] = run
            except Exception as error:  # a function that the peer does not have, or a result that is wrong
                self.notes.append(
                    f"{p.name}, {COLUMNS[name]}: {type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
                )
        return runs, first

    def row(self, p: Program, elements: int, watch: Stopwatch) -> Row:
        import dpctl.tensor as dpt

        inputs = p.inputs(np.random.default_rng(0), elements)
        reference = exact_results(p, inputs)
        ours = candidates(p, dpt, {name: dpt.asarray(x) for name, x in inputs.items()}, stored)
        started = measure(ours["function"], 1, 0).median
        for style, run in ours.items():
            for _ in range(3):
                check(p, style, run(), reference)
        runs, first = self.others(p, inputs, reference)
        return Row(p, elements, watch.in_turns({**runs, **ours}), {**first, "function": started})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="run only programs whose name contains this word")
    parser.add_argument("--elements", type=int, nargs="+", help="numbers of elements (default: each program's own)")
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--peers", nargs="*", choices=list(COLUMNS), default=list(COLUMNS), help="default: all")
    parser.add_argument("--limit", type=int, default=60, help="seconds that the first call of a peer may take")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument(
        "--smallest", action="store_true", help="compare the smallest times, on a machine that others use"
    )
    parser.add_argument("--one-core", action="store_true", help="compare processor time on one core, on such a machine")
    options = parser.parse_args()
    watch = Stopwatch(options.repetitions, options.smallest, options.one_core)
    if options.one_core:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

    # OpenMP's threads, the loops' and PyTorch's, wait actively for some 20 µs before they sleep. By default they do so
    # for milliseconds, which makes whoever runs next wait, and all of them if other programs run on the machine.
    os.environ["GOMP_SPINCOUNT"] = "10000"
    os.environ["ONEAPI_DEVICE_SELECTOR"] = {"cpu": "*:cpu", "cuda": "cuda:*"}[options.device]
    with tempfile.TemporaryDirectory() as folder, np.errstate(all="ignore"):
        os.environ["DPEP_CACHE"] = str(pathlib.Path(folder) / "dpep")
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(pathlib.Path(folder) / "torch")
        benchmark = Benchmark(
            [name for name in COLUMNS if name in options.peers], options.device, folder, options.limit
        )
        table = Table(benchmark.peers)
        for p in PROGRAMS:
            if options.only in p.name:
                for elements in options.elements or p.sizes:
                    try:
                        table.add(benchmark.row(p, elements, watch))
                    except Different as difference:  # ours or the loop's: neither is measured
                        raise SystemExit(str(difference)) from None
        table.close()
        for note in benchmark.notes:
            print(note)


if __name__ == "__main__":
    main()
