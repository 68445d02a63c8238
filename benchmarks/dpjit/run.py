"""dpjit beside Numba's njit(parallel=True, fastmath=True): the same functions, on two cores.

    python benchmarks/dpjit/run.py [part of a name] [--small] [--json FILE]

Prints the median time of a call, the first call's, and the ratio of both packages. Numba must be installed.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import time
import types
import warnings
from pathlib import Path

import numpy as np
import programs

sys.path.insert(0, str(Path(__file__).parent.parent))


def with_globals(function: types.FunctionType, **changed) -> types.FunctionType:
    """The function with other globals."""
    made = types.FunctionType(function.__code__, {**function.__globals__, **changed}, function.__name__)
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def seconds_of(call, prepare, least_seconds: float = 0.4) -> tuple[float, float]:
    """The first call's time, and the median of the others."""
    times = []
    start = time.perf_counter()
    while len(times) < 4 or time.perf_counter() - start < least_seconds:
        given = prepare()
        begin = time.perf_counter()
        call(*given)
        times.append(time.perf_counter() - begin)
    return times[0], statistics.median(times[1:])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("only", nargs="?", default="")
    parser.add_argument("--small", action="store_true", help="small arrays, where calls cost the most")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    import dpnp
    import numba
    import numba_dpex

    warnings.simplefilter("ignore")
    rows = []
    print(f"{'':28}{'Numba':>10}{'dpjit':>10}{'ratio':>8}   first: {'Numba':>8}{'dpjit':>8}   (ms)")
    for name, (function, make, sizes) in programs.PROGRAMS.items():
        if options.only not in name:
            continue
        given = make(sizes[0 if options.small else 1])
        peer = numba.njit(parallel=True, fastmath=True)(with_globals(function, prange=numba.prange))
        ours = numba_dpex.dpjit(fastmath=True)(with_globals(function, np=dpnp, prange=numba_dpex.prange))

        def copies(given=given):
            return [each.copy() if isinstance(each, np.ndarray) else each for each in given]

        def on_device(given=given):
            return [dpnp.asarray(each) if isinstance(each, np.ndarray) else each for each in given]

        def run_ours(*arguments, call=ours):
            call(*arguments)
            dpnp.synchronize_array_data(next(each for each in arguments if isinstance(each, dpnp.ndarray)))

        peer_first, peer_time = seconds_of(peer, copies)
        first, mine = seconds_of(run_ours, on_device)
        rows.append({"name": name, "numba": peer_time, "dpjit": mine, "numba first": peer_first, "first": first})
        print(
            f"{name:28}{1e3 * peer_time:10.3f}{1e3 * mine:10.3f}{peer_time / mine:8.2f}          "
            f"{1e3 * peer_first:8.0f}{1e3 * first:8.0f}",
            flush=True,
        )
    if rows:
        mean = math.exp(statistics.fmean(math.log(each["numba"] / each["dpjit"]) for each in rows))
        print(f"geometric mean of the ratios: {mean:.2f}; slower: {sum(r['numba'] < r['dpjit'] for r in rows)}")
    if options.json:
        options.json.write_text(json.dumps(rows))


if __name__ == "__main__":
    main()
