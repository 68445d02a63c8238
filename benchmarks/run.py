"""Runs the benchmarks named on the command line, or all. Each is benchmarks/<name>/run.py and can be run alone."""

from __future__ import annotations

import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def main() -> int:
    known = {file.parent.name: file for file in sorted(HERE.glob("*/run.py"))}
    names = sys.argv[1:] or list(known)
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"unknown benchmark: {', '.join(unknown)}; the benchmarks are: {', '.join(known)}", file=sys.stderr)
        return 2
    failed = []
    for name in names:
        print(f"\n=== {name}", flush=True)
        if subprocess.run([sys.executable, known[name]]).returncode:
            failed.append(name)
    if failed:
        print(f"\nfailed: {', '.join(failed)}", file=sys.stderr)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
