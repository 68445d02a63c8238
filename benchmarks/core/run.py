"""Launch and compilation of kernels from C++: ns of a prepared launch, ms of a first one, cold and from the disk cache.

python benchmarks/core/run.py
"""

from __future__ import annotations

import importlib.util
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from report import run_program  # noqa: E402


def main() -> int:
    compiler = shutil.which("clang++-22") or shutil.which("clang++")
    package = importlib.util.find_spec("dpep")
    if compiler is None or package is None or package.origin is None:
        print("core: needs clang++ and an importable dpep; run `make setup` and `make`", file=sys.stderr)
        return 2
    prefix = pathlib.Path(package.origin).parent
    lib = prefix / "lib"
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/launch_bench"
        options = ["-std=c++20", "-O2", f"-I{prefix / 'include'}", "-o", program]
        linking = [f"-L{lib}", "-ldpep", f"-Wl,-rpath,{lib}"]
        subprocess.run([compiler, *options, str(HERE / "launch_bench.cpp"), *linking], check=True)
        return run_program(program)


if __name__ == "__main__":
    sys.exit(main())
