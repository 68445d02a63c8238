"""Checks which files include which against the order of docs/design.md.

1. Layers: each folder of include/, src/ and tools/ names the layers and libraries that it may include. A folder that is
   not listed is an error, so that the dependencies of a new layer are stated first.
2. Cycles: units (a header with its source) that include each other, directly or through others. The groups that are
   left are counted; a change may remove groups, not add one or make the largest larger.
"""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

BACKEND = [
    "src/backend/abi.hpp",
    "src/backend/backend.hpp",
    "src/backend/native.hpp",
    "src/backend/virtual_memory.hpp",
    "src/backend/common/",
]
TRANSLATE = ["src/pykernel/compile.hpp", "src/pykernel/syntax/", "src/pykernel/types/", "src/pykernel/translate/"]
NODES = ["src/array/graph/node.hpp", "src/array/graph/storage.hpp", "src/array/graph/array_object.hpp"]

# For each layer, what its files may include besides the standard library and the layer itself. The layer of a file is
# the longest prefix of its path.
LAYERS = {
    "include/dpep/": [],
    "include/sycl/": ["include/dpep/"],
    "include/CL/": ["include/sycl/"],
    "include/oneapi/": ["include/sycl/", "include/dpep/"],
    "include/dpctl/": ["include/sycl/", "include/dpep/", "pybind11/", "nanobind/", "Python.h"],
    "src/backend/": ["include/dpep/", "src/backend/cpu/device.hpp", "src/backend/cuda/device.hpp"],
    "src/backend/common/": [
        "include/dpep/", "src/backend/abi.hpp", "src/backend/backend.hpp", "src/backend/native.hpp", "fmt/",
    ],
    "src/backend/cpu/": ["include/dpep/", *BACKEND, "oneapi/tbb", "tbb/", "fmt/"],
    "src/backend/cuda/": ["include/dpep/", *BACKEND, "fmt/"],
    "src/runtime/": ["include/dpep/", *BACKEND, "fmt/"],
    "src/fmt_library.cpp": ["fmt/"],
    "src/device/": ["include/dpep/", "include/sycl/", "src/backend/abi.hpp"],
    # Launches, and loads from the disk cache: nothing that starts LLVM.
    "src/jit/launch/": ["include/dpep/", "src/runtime/", *BACKEND, "fmt/", "xxhash.h"],
    "src/jit/compile/": [
        "include/dpep/", "src/runtime/", *BACKEND, "src/device/library.hpp", "src/jit/", "fmt/", "xxhash.h", "llvm/",
        "llvm-c/",
    ],
    "src/jit/spmd/": ["include/dpep/", "src/backend/backend.hpp", "src/jit/", "fmt/", "llvm/"],
    "src/jit/targets/": [
        "include/dpep/", "src/runtime/", *BACKEND, "src/device/library.hpp", "src/jit/", "fmt/", "llvm/", "llvm-c/",
    ],
    # Vendor libraries: tables of functions, filled at run time.
    "src/libs/": ["include/dpep/", "src/backend/common/fork_guard.hpp", "fmt/"],
    # dpctl's C interface as a library.
    "src/dpctl_interface/": ["include/dpep/", "include/dpctl/"],
    # The functions of include/oneapi.
    "src/mkl/": ["include/dpep/", "include/oneapi/", "src/libs/", "src/runtime/", *BACKEND, "fmt/"],
    # The array engine. Only cpu/ and gpu/ know how programs are computed; the rest sees executor.hpp.
    "src/array/base/": ["include/dpep/", "fmt/"],
    "src/array/operations/": ["include/dpep/", "src/array/base/", "fmt/"],
    "src/array/fusion/": ["include/dpep/", "src/array/base/", "src/array/operations/", *NODES, "fmt/"],
    "src/array/graph/": [
        "include/dpep/", "src/array/base/", "src/array/operations/", "src/array/fusion/", "src/array/executor.hpp",
        "src/runtime/", *BACKEND, "fmt/",
    ],
    "src/array/api/": [
        "include/dpep/", "src/array/base/", "src/array/operations/", "src/array/graph/", "src/array/executor.hpp",
        "src/array/matrix_work.hpp", "src/array/fourier_work.hpp", "src/array/sparse_work.hpp", "src/array/blocks/",
        "src/runtime/", "src/backend/backend.hpp", "fmt/",
    ],
    "src/array/blocks/": ["include/dpep/", "src/array/base/", "src/device/"],
    "src/array/": ["include/dpep/", "src/array/", "src/runtime/"],
    "src/array/cpu/": [
        "include/dpep/", "src/array/", "src/libs/", "src/runtime/", *BACKEND, "src/jit/launch/compiler.hpp", "fmt/",
    ],
    "src/array/gpu/": [
        "include/dpep/", "src/array/", "src/libs/", "src/runtime/", *BACKEND, "src/jit/launch/", "fmt/",
    ],
    # The compiler of Python kernels: only lower/ sees LLVM.
    "src/pykernel/": ["include/dpep/", "src/pykernel/", "src/jit/launch/", "src/jit/compile/", "fmt/"],
    "src/pykernel/syntax/": ["include/dpep/", "fmt/"],
    "src/pykernel/types/": ["include/dpep/", "src/pykernel/syntax/", "fmt/"],
    "src/pykernel/translate/": ["include/dpep/", *TRANSLATE, "src/pykernel/library/", "src/jit/launch/", "fmt/"],
    "src/pykernel/library/": [
        "include/dpep/", *TRANSLATE, "src/jit/compile/image_functions.hpp", "fmt/",
    ],
    "src/pykernel/lower/": [
        "include/dpep/", *TRANSLATE, "src/jit/compile/", "src/jit/targets/x86/", "fmt/", "llvm/",
    ],
    # Programs from source text: only lower/ sees LLVM. dpcxx shares clang/.
    "src/clang/": [],
    "src/program/": [
        "include/dpep/", "src/program/", "src/clang/", "src/jit/launch/", "src/jit/compile/byte_stream.hpp",
        "src/jit/compile/cache.hpp", "src/jit/compile/build_identity.hpp", "fmt/",
    ],
    "src/program/spirv/": ["include/dpep/", "src/program/lower/builtin_name.hpp", "fmt/", "llvm/"],
    "src/program/lower/": [
        "include/dpep/", "src/program/spirv/read_module.hpp", "src/device/library.hpp", "src/jit/compile/",
        "src/jit/targets/x86/", "fmt/", "llvm/",
    ],
    "src/python/": [
        "include/dpep/", "include/dpctl/", "src/python/program/programs.hpp", "nanobind/", "Python.h", "structmember.h",
        "fmt/",
    ],
    "src/python/program/": [
        "include/dpep/", "include/dpctl/dpctl_program_references.hpp", "src/python/", "nanobind/", "Python.h", "fmt/",
    ],
    "src/python/kernel/": ["include/dpep/", "src/python/", "src/pykernel/", "nanobind/", "Python.h", "fmt/"],
    "tools/dpcxx/": ["src/clang/"],
    "tools/sycl_ls/": ["include/dpep/"],
}  # fmt: skip
DIVIDED = ("src/backend/", "src/array/", "src/pykernel/")  # each folder below is a layer of its own
CHECKED = ("include/", "src/", "tools/")
MOST_CYCLES, LARGEST_CYCLE = 1, 5

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]', re.MULTILINE)
FOREIGN = ("oneapi/tbb", "tbb/", "fmt/", "xxhash.h", "llvm/", "llvm-c/", "pybind11/", "nanobind/", "Python.h",
           "structmember.h")  # fmt: skip


def layer_of(path: str) -> str | None:
    """The layer of a file; None for files outside all layers, and in unlisted folders beside listed ones."""
    layer = max((layer for layer in LAYERS if path.startswith(layer)), key=len, default=None)
    return None if layer in DIVIDED and "/" in path[len(layer) :] else layer


def target_of(file: pathlib.Path, quote: str, name: str) -> str | None:
    """The included file: a path of ours, a foreign library's header, or None for the standard library's."""
    folders = [ROOT / "include", ROOT / "src"]
    if quote == '"':
        folders.insert(0, file.parent)
    for folder in folders:
        if (folder / name).is_file():
            return (folder / name).resolve().relative_to(ROOT).as_posix()
    return name if name.startswith(FOREIGN) else None


def includes(file: pathlib.Path) -> list[tuple[int, str]]:
    """Line and target of each include of ours or of a foreign library."""
    text = file.read_text()
    found = []
    for match in INCLUDE.finditer(text):
        if target := target_of(file, *match.groups()):
            found.append((text.count("\n", 0, match.start()) + 1, target))
    return found


def check(file: pathlib.Path) -> list[str]:
    """Messages about one file's includes."""
    path = file.relative_to(ROOT).as_posix()
    layer = layer_of(path)
    if layer is None:
        return [f"{path}: in no layer; list its folder in tools/lint/layers.py"] if path.startswith(CHECKED) else []
    return [
        f"{path}:{line}: {layer} may not include {target}"
        for line, target in includes(file)
        if layer_of(target) != layer and not target.startswith(tuple(LAYERS[layer]))
    ]


def cycles(files: list[pathlib.Path]) -> list[list[str]]:
    """Groups of units that include each other: strongly connected components (Tarjan's algorithm)."""
    edges: dict[str, set[str]] = {}
    for file in files:
        unit = file.relative_to(ROOT).with_suffix("").as_posix()
        targets = {pathlib.PurePosixPath(target).with_suffix("").as_posix() for _, target in includes(file)}
        edges.setdefault(unit, set()).update(targets - {unit})
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    groups = []

    def visit(unit: str) -> None:
        index[unit] = low[unit] = len(index)
        stack.append(unit)
        for other in sorted(edges.get(unit, ())):
            if other not in index:
                visit(other)
                low[unit] = min(low[unit], low[other])
            elif other in stack:
                low[unit] = min(low[unit], index[other])
        if low[unit] == index[unit]:
            group = stack[stack.index(unit) :]
            del stack[-len(group) :]
            if len(group) > 1:
                groups.append(sorted(group))

    sys.setrecursionlimit(10_000)
    for unit in sorted(edges):
        if unit not in index:
            visit(unit)
    return sorted(groups, key=len)


def main() -> int:
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.hpp", "*.h", "*.cpp"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.splitlines()  # fmt: skip
    files = [ROOT / name for name in names if (ROOT / name).is_file()]
    found = [line for file in files for line in check(file)]
    groups = cycles([file for file in files if file.is_relative_to(ROOT / "src")])
    if len(groups) > MOST_CYCLES or max(map(len, groups), default=0) > LARGEST_CYCLE:
        found += [f"include cycle of {len(group)} units: {', '.join(group)}" for group in groups]
        found.append(f"at most {MOST_CYCLES} include cycles of at most {LARGEST_CYCLE} units may remain")
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
