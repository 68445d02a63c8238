"""About 200 array functions: dpctl.tensor and dpnp compared with NumPy, torch, numexpr and jax.jit in one run.

    python benchmarks/array_functions/run.py [--only WORD] [--repetitions N] [--elements N] [--markdown FILE]
                                             [--device cpu|cuda] [--rows functions|sizes]

Arrays have 10,000,000 elements, float64 unless a row's title says something else. The libraries run in turns; times are
medians in milliseconds, of complete results: pending arrays are computed and waited for. The last columns are the
ratio of ours to the fastest peer, and that peer. A run above 2 s is not repeated. Results are compared with NumPy's in
float64; one that is wrong is a fault, and its time is left out. Peers that are not installed are left out.

NumPy's Fourier transforms are SciPy's. jax.jit is jax without jit where the result's shape depends on values, and
where others store elements into an array, it returns a copy.

`--rows sizes` has other rows: about 95 of linear algebra, Fourier transforms and random numbers, by size, batch and
data type. Their titles say the sizes; random numbers are as many as `--elements`. Rows of few elements are measured as
many calls, and the time is that of one.

`--device cuda` runs ours on a GPU beside CuPy, torch and jax, on 100,000,000 elements; results are checked with
1,000,000. `--markdown docs/performance.md` writes the tables between the page's markers for the device.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import sys
import time

# These select older code of OpenBLAS, which is slower; NumPy reads them when it is imported.
for variable in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
    os.environ.pop(variable, None)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from element_rows import element_rows  # noqa: E402
from indexing_rows import indexing_rows  # noqa: E402
from libraries import Library, libraries  # noqa: E402
from linear_rows import fourier_rows, linear_rows  # noqa: E402
from measurement import Measurement  # noqa: E402
from reduction_rows import accumulation_rows, reduction_rows  # noqa: E402
from report import record  # noqa: E402
from rows import Data, Row  # noqa: E402
from shape_rows import shape_rows  # noqa: E402
from size_rows import SizeData, fourier_size_rows, linear_size_rows, random_size_rows  # noqa: E402
from sorting_rows import sorting_rows  # noqa: E402
from table import Table, write_between_markers  # noqa: E402


def all_rows(n: int) -> dict[str, list[Row]]:
    return {
        "element functions": element_rows(),
        "reductions": reduction_rows(),
        "accumulations": accumulation_rows(),
        "sorts, searches and sets": sorting_rows(n),
        "indexing": indexing_rows(),
        "joins, shapes and creation": shape_rows(n),
        "products and linear algebra": linear_rows(n),
        "Fourier transforms": fourier_rows(n),
    }


def size_rows(n: int) -> dict[str, list[Row]]:
    return {
        "linear algebra by size": linear_size_rows(),
        "Fourier transforms by size": fourier_size_rows(),
        "random numbers": random_size_rows(n),
    }


def processor() -> str:
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return "unknown processor"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="WORD", help="only rows whose title or section contains this")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--elements", type=int, help="default: 10,000,000, on a GPU 100,000,000")
    parser.add_argument("--markdown", type=pathlib.Path, metavar="FILE", help="page to write the tables to")
    parser.add_argument("--rows", choices=("functions", "sizes"), default="functions")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    options = parser.parse_args()
    if options.markdown and options.only:
        parser.error("--markdown writes whole tables and cannot be combined with --only")
    os.environ["ONEAPI_DEVICE_SELECTOR"] = f"*:{'cpu' if options.device == 'cpu' else 'gpu'}"

    n = options.elements or (10_000_000 if options.device == "cpu" else 100_000_000)
    threads = len(os.sched_getaffinity(0))
    found = libraries(options.device, threads)
    ours, *peers = found
    numpy = Library(threads)
    where = f"{processor()}, {threads} cores" if options.device == "cpu" else ours.device
    versions = ", ".join(f"{library.name} {library.version}" for library in peers)
    table = Table(
        [library.name for library in found],
        [f"{where}; {n:,} elements, {options.repetitions} repetitions, median milliseconds. Peers: {versions}."],
    )
    load = [os.getloadavg()[0]]
    print(f"{table.heading[0]}\nload average before: {load[0]:.1f}")

    by_size = options.rows == "sizes"
    make = SizeData if by_size else Data
    data = make(n)
    checked = data if options.device == "cpu" else make(min(n, 1_000_000))
    measurement = Measurement(found, numpy, data, checked, options.repetitions)
    sections = {
        section: chosen
        for section, rows in (size_rows(n) if by_size else all_rows(n)).items()
        if (chosen := [row for row in rows if options.only in row.title or options.only in section])
    }
    left = [row for rows in sections.values() for row in rows]
    begin = time.perf_counter()
    for section, rows in sections.items():
        table.begin(section)
        for row in rows:
            measured = measurement.row(row)
            for name, timing in measured.times.items():
                record(row.title, name, timing.median)
            table.add(measured)
            left.pop(0)
            measurement.keep({name for later in left for name in later.names})
    table.close()
    load.append(os.getloadavg()[0])
    print(f"{time.perf_counter() - begin:.0f} s, load average after: {load[1]:.1f}")
    if options.markdown:
        table.heading.append(f"The machine's load average was {load[0]:.1f} before and {load[1]:.1f} after the run.")
        marker = f"array_functions{' by size' * by_size}, {options.device}"
        write_between_markers(options.markdown, marker, table.markdown())
    return int(any(ours.name in row.faults for row in table.rows))


if __name__ == "__main__":
    sys.exit(main())
