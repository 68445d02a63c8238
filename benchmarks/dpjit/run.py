"""dpjit beside Numba's njit(parallel=True, fastmath=True), jax.jit and NumPy: the same programs on the same data.

    python benchmarks/dpjit/run.py [parts of names] [--peers numba jax numpy] [--small] [--seconds S] [--json FILE]

Compares the results, and prints the median time of a call, that of the best peer divided by ours, and the first
call's. The packages run in turns in one process; those that are not installed are left out.
"""

from __future__ import annotations

import argparse
import json
import warnings
from pathlib import Path

import comparison
import peers
import programs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("only", nargs="*", help="parts of the programs' names")
    parser.add_argument("--peers", nargs="*", default=["numba", "jax", "numpy"], choices=list(peers.PEERS))
    parser.add_argument("--small", action="store_true", help="small arrays, where calls cost the most")
    parser.add_argument("--seconds", type=float, default=0.4, help="for each program and package")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()

    warnings.simplefilter("ignore")
    names = peers.installed(options.peers)
    makers = {"dpjit": peers.Dpjit} | {name: peers.PEERS[name] for name in names}
    print(comparison.header(list(makers)))
    rows = []
    for name, (_function, make, sizes) in programs.PROGRAMS.items():
        if options.only and not any(each in name for each in options.only):
            continue
        rows.append(comparison.measure(name, makers, make(sizes[0 if options.small else 1]), options.seconds))
        print(comparison.line(rows[-1], list(makers)), flush=True)
    print(comparison.summary(rows, names))
    if options.json:
        options.json.write_text(json.dumps([row.as_dict() for row in rows]))


if __name__ == "__main__":
    main()
