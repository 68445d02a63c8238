"""The array engine without Python: block kernels at each instruction set, and programs compared with memory bandwidth.

    python benchmarks/array/run.py [blocks|engine [WORD…]]

The words select rows: `blocks add less cast reduce scan copy where` shows only these.
"""

from __future__ import annotations

import importlib.util
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from report import run_program

BENCHMARKS = ("blocks", "engine")


def build_folder() -> pathlib.Path | None:
    """The build folder of the dpep that Python imports; None if it was not built from source."""
    package = importlib.util.find_spec("dpep")
    if package is None or package.origin is None:
        return None
    folder = pathlib.Path(package.origin).parents[2]
    return folder if (folder / "CMakeCache.txt").is_file() else None


def main() -> int:
    folder, cmake = build_folder(), shutil.which("cmake")
    if folder is None or cmake is None:
        print("array: needs cmake and a dpep that is imported from its build folder; run `make`", file=sys.stderr)
        return 2
    wanted = sys.argv[1:2] or list(BENCHMARKS)
    if not set(wanted) <= set(BENCHMARKS):
        print(f"array: unknown benchmark {wanted[0]}; the benchmarks are: {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    programs = [f"{name}_bench" for name in wanted]
    subprocess.run([cmake, "--build", folder, "--target", *programs], check=True, stdout=subprocess.DEVNULL)
    return max(run_program(folder / "tests" / name, *sys.argv[2:]) for name in programs)


if __name__ == "__main__":
    sys.exit(main())
