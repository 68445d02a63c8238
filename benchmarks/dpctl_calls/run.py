"""Each call of dpctl's device, queue, event, memory and program classes beside the published dpctl.

    python benchmarks/dpctl_calls/run.py PYTHON [--rounds N] [--only WORD]

PYTHON is the interpreter of an environment with the published dpctl (`pip install dpctl`; the loader must find its
libraries, by LD_LIBRARY_PATH if need be, which that process gets from PEER_LIBRARY_PATH). Both run the rows in turns.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys

TURNS = 4  # of a row in a round
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from report import RatioTable, Timing  # noqa: E402


def environment(peer: bool) -> dict[str, str]:
    """Return the environment of a process: the peer's does not find our packages."""
    variables = dict(os.environ)
    if peer:
        variables.pop("PYTHONPATH", None)
        variables["LD_LIBRARY_PATH"] = os.environ.get("PEER_LIBRARY_PATH", "")
    return variables


class Worker:
    """A process that times rows."""

    def __init__(self, python: str, peer: bool) -> None:
        command, self.environment = [python, str(HERE / "calls.py")], environment(peer)
        listed = subprocess.run([*command, "names"], env=self.environment, check=True, capture_output=True, text=True)
        self.names = listed.stdout.splitlines()
        self.process = subprocess.Popen(
            command, env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, row: str) -> float:
        """Return the nanoseconds of a call."""
        print(row, file=self.process.stdin, flush=True)
        return float(self.process.stdout.readline())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peer", help="the interpreter that has the published dpctl")
    parser.add_argument("--rounds", type=int, default=10, help="how often all rows are measured")
    parser.add_argument("--only", default="", help="rows whose names contain this")
    options = parser.parse_args()
    workers = {"dpep": Worker(sys.executable, False), "dpctl": Worker(options.peer, True)}
    names = [n for n in workers["dpep"].names if options.only in n and n in workers["dpctl"].names]
    times = {name: {worker: [] for worker in workers} for name in names}
    # The machine is slower for seconds at times: rows are measured in rounds, and the fastest turn counts.
    for _ in range(options.rounds):
        for name in names:
            for _ in range(TURNS):
                for title, worker in workers.items():
                    times[name][title].append(worker.run(name))
    table = RatioTable(f"{'nanoseconds':42}", {name: [name] for name in workers}, {"ratio": ("dpep", "dpctl")})
    slower = []
    for name in names:
        timings = {title: Timing([min(t)]) for title, t in times[name].items()}
        table.row(f"{name:42}", timings)
        if timings["dpep"].median > timings["dpctl"].median:
            slower.append(name)
    table.close()
    print(f"slower than dpctl: {', '.join(slower) or 'none'}")
    for worker in workers.values():
        worker.process.stdin.close()
        worker.process.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
