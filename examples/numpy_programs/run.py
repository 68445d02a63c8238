"""Runs each program with NumPy and with dpnp: only the import differs. Checks that results agree, and times both.

    python examples/numpy_programs/run.py [--only WORD] [--small] [--repetitions N] [--markdown FILE]

Times are the least of alternating runs, the results on the host included, after a first run, which compiles. Results of
programs with normal numbers are compared by the tolerances of their estimates, since NumPy's numbers are others.
"""

from __future__ import annotations

import argparse
import math
import pathlib
import statistics
import time
import types

import dpnp
import numpy

FOLDER = pathlib.Path(__file__).resolve().parent
NAMES = sorted(path.stem for path in FOLDER.glob("*.py") if path.name != "run.py")
IMPORT = "import dpnp as np\n"


class Different(Exception):
    """A result of a program differs from NumPy's."""


def load(name: str, module: str) -> types.ModuleType:
    """Return the program as a module whose import names `module`, "dpnp" or "numpy". Both have the same generator."""
    text = (FOLDER / f"{name}.py").read_text()
    if IMPORT not in text:
        raise ValueError(f"{name}: the program has no line {IMPORT.strip()!r}")
    text = text.replace(IMPORT, f"import {module} as np\n").replace("from dpnp.", f"from {module}.")
    if module == "numpy":  # its default generator is not Philox
        text = text.replace("np.random.default_rng(seed)", "np.random.Generator(np.random.Philox(seed))")
    program = types.ModuleType(name, f"{name} with {module}")
    exec(compile(text, f"{name}.py", "exec"), vars(program))
    return program


def on_host(result) -> numpy.ndarray:
    return dpnp.asnumpy(result) if isinstance(result, dpnp.ndarray) else numpy.asarray(result)


def run(program: types.ModuleType, sizes: dict) -> tuple[dict[str, numpy.ndarray], float]:
    """Return the results as NumPy's arrays, and the seconds."""
    start = time.perf_counter()
    results = {name: on_host(each) for name, each in program.main(**sizes).items()}
    return results, time.perf_counter() - start


def compare(program: types.ModuleType, ours: dict[str, numpy.ndarray], theirs: dict[str, numpy.ndarray]) -> None:
    """Raise Different unless the results agree.

    A program may have `TOLERANCE` (relative), `DIFFER` (the share of elements that may differ, by result) and `RANDOM`
    (absolute tolerances of estimates, by result).
    """
    tolerance = getattr(program, "TOLERANCE", 1e-9)
    random, differ = getattr(program, "RANDOM", {}), getattr(program, "DIFFER", {})
    if ours.keys() != theirs.keys():
        raise Different(f"{program.__name__}: results {sorted(ours)} and {sorted(theirs)}")
    for name, expected in theirs.items():
        got = ours[name]
        if got.shape != expected.shape or got.dtype != expected.dtype:
            raise Different(f"{name}: {got.dtype}{got.shape}, NumPy {expected.dtype}{expected.shape}")
        if name in random:
            close = numpy.abs(got - expected) <= random[name]
        else:
            size = float(numpy.max(numpy.abs(expected), initial=0))
            close = numpy.isclose(got, expected, rtol=tolerance, atol=tolerance * size, equal_nan=True)
        if numpy.mean(~close) > differ.get(name, 0):
            worst = numpy.unravel_index(numpy.argmin(close), close.shape)
            raise Different(
                f"{name}: {numpy.sum(~close)} of {close.size} differ: {got[worst]}, NumPy {expected[worst]}"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="WORD", help="programs whose names contain WORD")
    parser.add_argument("--small", action="store_true", help="the sizes of the tests")
    parser.add_argument("--repetitions", type=int, default=5, metavar="N")
    parser.add_argument("--markdown", type=pathlib.Path, metavar="FILE", help="write the table to FILE as well")
    options = parser.parse_args()
    lines = ["| program | NumPy, ms | dpnp, ms | ratio |", "| --- | ---: | ---: | ---: |"]
    print(*lines, sep="\n")
    ratios = []
    for name in (each for each in NAMES if options.only in each):
        programs = [load(name, "numpy"), load(name, "dpnp")]
        sizes = programs[0].SMALL if options.small else {}
        theirs, ours = (run(program, sizes)[0] for program in programs)
        compare(programs[0], ours, theirs)
        turns = [[run(program, sizes)[1] for program in programs] for _ in range(options.repetitions)]
        numpy_ms, dpnp_ms = (1000 * min(times) for times in zip(*turns))
        ratios.append(numpy_ms / dpnp_ms)
        lines.append(f"| {name} | {numpy_ms:.1f} | {dpnp_ms:.1f} | {ratios[-1]:.2f} |")
        print(lines[-1], flush=True)
    mean = math.exp(statistics.fmean(map(math.log, ratios)))
    lines.append(f"| geometric mean of {len(ratios)} | | | {mean:.2f} |")
    print(lines[-1])
    if options.markdown:
        options.markdown.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
