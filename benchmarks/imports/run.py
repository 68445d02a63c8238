"""Import time: fresh interpreters that import each package, compared with none and with NumPy."""

from __future__ import annotations

import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from report import interleave, table


def start(code: str):
    return lambda: subprocess.run([sys.executable, "-c", code], check=True)


def main() -> None:
    runs = {name: start(f"import {name}") for name in ("sys", "numpy", "dpctl", "dpctl.memory", "dpctl.tensor", "dpnp")}
    timings = interleave(runs, repetitions=21)
    table("Fresh process, import", timings, "numpy")
    for name in ("dpctl", "numpy"):
        print(f"  {name} more than the interpreter: {timings[name].median - timings['sys'].median:.1f} ms")
    for name in ("dpctl.tensor", "dpnp"):  # these import NumPy
        print(f"  {name} more than numpy: {timings[name].median - timings['numpy'].median:.1f} ms")


if __name__ == "__main__":
    main()
