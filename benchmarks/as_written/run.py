"""Array programs as they are written, with named intermediates and loops: dpctl.tensor compared with NumPy.

    python benchmarks/as_written/run.py [--only WORD] [--elements N ...] [--repetitions N]

Each program runs at module level, where all names keep their arrays until the next run, and as a function. A table has
the medians of both and their ratios to NumPy's times, then the slowest programs. Results are compared with NumPy's in
float64. A run ends when all results are in memory, those that other results were computed from included.
"""

from __future__ import annotations

import argparse
import pathlib
import sys
from dataclasses import replace
from types import CodeType

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import simulation_programs  # noqa: E402, F401
import statistical_programs  # noqa: E402, F401
from programs import PROGRAMS, Program  # noqa: E402
from report import interleave, record  # noqa: E402


def function_of(p: Program, names: list[str]) -> CodeType:
    """The program as the body of a function `run(xp, inputs…)` that returns its results."""
    body = "\n".join("    " + line for line in p.code.split("\n"))
    text = f"def run(xp, {', '.join(names)}):\n{body}\n    return ({', '.join(p.results)},)\n"
    return compile(text, p.name, "exec")


def candidates(p: Program, xp, inputs: dict[str, object], complete) -> dict[str, object]:
    """Callables that run the program in one module, by style; each returns the results."""
    defined: dict[str, object] = {}
    exec(function_of(p, list(inputs)), defined)
    names, code = {"xp": xp}, compile(p.code, p.name, "exec")

    def module():
        names.update(inputs)
        exec(code, names)
        return complete([names[r] for r in p.results])

    return {"module": module, "function": lambda: complete(list(defined["run"](xp, **inputs)))}


def stored(results: list) -> list:
    """Wait until the results are in memory. A wait for the queue would leave those pending that others have used."""
    for x in results:
        _ = x.usm_data
    return results


def exact_results(p: Program, inputs: dict[str, np.ndarray]) -> list:
    """NumPy's results in float64: its float32 sums along leading axes err by more than ours."""
    wide = {name: x.astype(np.float64) if x.dtype == np.float32 else x for name, x in inputs.items()}
    with np.errstate(all="ignore"):
        return candidates(replace(p, code=p.code.replace("float32", "float64")), np, wide, list)["function"]()


def check(p: Program, style: str, ours: list, theirs: list) -> None:
    import dpctl.tensor as dpt

    for name, x, reference in zip(p.results, ours, theirs, strict=True):
        error = np.max(np.abs(dpt.asnumpy(x).astype(complex) - reference))
        scale = np.max(np.abs(reference))
        limit = 1e-4 if x.dtype == np.float32 else 1e-8
        if not error <= limit * max(scale, 1e-300):
            raise SystemExit(f"{p.name}, {style}: {name} differs from NumPy's by {error:.1e} of {scale:.1e}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="run only programs whose name contains this word")
    parser.add_argument("--elements", type=int, nargs="+", default=[1000, 100_000, 4_000_000])
    parser.add_argument("--repetitions", type=int, default=7)
    options = parser.parse_args()

    import dpctl.tensor as dpt

    ratios = []
    for elements in options.elements:
        print(f"\n{elements:,} elements{'':28}NumPy ms   module ms   function ms   ratios to NumPy")
        for p in PROGRAMS:
            if options.only not in p.name:
                continue
            inputs = p.inputs(np.random.default_rng(0), elements)
            ours = candidates(p, dpt, {k: dpt.asarray(v) for k, v in inputs.items()}, stored)
            theirs = candidates(p, np, inputs, list)
            with np.errstate(all="ignore"):
                reference = exact_results(p, inputs)
                for style, run in ours.items():
                    for _ in range(3):
                        check(p, style, run(), reference)
                times = interleave({"NumPy": theirs["function"], **ours}, options.repetitions)
            row = {style: timing.median for style, timing in times.items()}
            for style, time in row.items():
                record(f"{p.name}, {elements:,}, {style}", "NumPy" if style == "NumPy" else "dpctl.tensor", time)
            ratio = [row[style] / row["NumPy"] for style in ("module", "function")]
            ratios += [(x, f"{p.name}, {elements:,}, {s}") for x, s in zip(ratio, ("module", "function"), strict=True)]
            print(f"  {p.name:40}{row['NumPy']:10.3f}{row['module']:12.3f}{row['function']:14.3f}"
                  f"{ratio[0]:13.2f}{ratio[1]:7.2f}", flush=True)  # fmt: skip
    ratios.sort(reverse=True)
    print("\nslowest beside NumPy:")
    for ratio, name in ratios[:12]:
        print(f"  {ratio:5.2f}  {name}")
    print(f"median {np.median([r for r, _ in ratios]):.2f}, {sum(r > 1 for r, _ in ratios)} of {len(ratios)} above 1")


if __name__ == "__main__":
    main()
