"""Checks who includes whom against the order of docs/design.md: an include against it is a defect.

python -> jit -> runtime -> backend.hpp <- backend/*;  SYCL headers -> include/dpep only. Every file below include/,
src/ and tools/ is in a room, so that a new folder has to say what it may know before it can be built upon.
"""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# room: the rooms and foreign libraries that its files may include from, besides the standard library and itself.
# The longest prefix of a file's path decides which room it is in.
ROOMS = {
    "include/dpep/": [],
    "include/sycl/": ["include/dpep/"],
    "include/CL/": ["include/sycl/"],
    "include/dpctl/": ["include/sycl/", "include/dpep/", "pybind11/", "Python.h"],
    "src/backend/backend.hpp": ["include/dpep/"],
    "src/backend/kernel_description.": ["include/dpep/", "src/backend/backend.hpp", "fmt/"],
    "src/backend/native.hpp": ["include/dpep/", "src/backend/backend.hpp"],
    "src/backend/crash.hpp": [],
    "src/backend/fork_guard.": [],
    "src/backend/queue_progress.hpp": [],
    "src/backend/interrupts.hpp": [],
    "src/backend/host_memory.hpp": [],
    "src/backend/host_threads.hpp": [],
    "src/backend/recycler.hpp": ["src/backend/fork_guard.hpp"],
    "src/backend/drivers.cpp": ["include/dpep/", "src/backend/"],
    "src/backend/cpu/": [
        "include/dpep/", "src/backend/backend.hpp", "src/backend/queue_progress.hpp", "src/backend/crash.hpp",
        "src/backend/fork_guard.hpp", "src/backend/host_memory.hpp", "src/backend/host_threads.hpp",
        "src/backend/interrupts.hpp", "src/backend/kernel_description.hpp", "src/backend/recycler.hpp",
        "oneapi/tbb", "tbb/", "fmt/",
    ],
    "src/backend/cuda/": [
        "include/dpep/", "src/backend/backend.hpp", "src/backend/native.hpp", "src/backend/fork_guard.hpp",
        "src/backend/host_memory.hpp", "src/backend/host_threads.hpp", "src/backend/kernel_description.hpp",
        "src/backend/recycler.hpp", "fmt/",
    ],
    "src/runtime/": [
        "include/dpep/", "src/backend/backend.hpp", "src/backend/queue_progress.hpp", "src/backend/interrupts.hpp",
        "src/backend/native.hpp", "fmt/",
    ],
    "src/device/": ["include/dpep/"],
    "src/jit/": [
        "include/dpep/", "src/runtime/", "src/backend/backend.hpp", "src/backend/crash.hpp",
        "src/backend/fork_guard.hpp", "src/backend/interrupts.hpp", "src/device/library.hpp", "src/jit/", "fmt/",
        "xxhash.h", "llvm/", "llvm-c/",
    ],
    # What launching again, or loading from the disk cache, goes through: none of it starts LLVM.
    "src/jit/compiler.hpp": ["include/dpep/", "src/backend/backend.hpp", "src/jit/hash.hpp"],
    "src/jit/plan.": [
        "include/dpep/", "src/jit/compiler.hpp", "src/jit/shared_work.hpp", "src/jit/images.hpp",
        "src/jit/image_kernels.hpp", "src/jit/names.hpp", "src/jit/checks.hpp", "src/jit/assembly.hpp", "fmt/",
    ],
    "src/jit/kernel.cpp": [
        "include/dpep/", "src/runtime/", "src/jit/images.hpp", "src/jit/image_kernels.hpp", "src/jit/names.hpp",
        "src/jit/plan.hpp", "fmt/",
    ],
    "src/jit/image_kernels.hpp": [],
    "src/jit/load_elf.": ["src/backend/backend.hpp", "src/backend/interrupts.hpp", "src/jit/show_code.hpp", "fmt/"],
    # The engine; only fused_run.* reaches for the JIT.
    "src/array/": [
        "include/dpep/", "src/runtime/", "src/backend/backend.hpp", "src/backend/fork_guard.hpp",
        "src/array/blocks/block.hpp", "src/array/fused_run.hpp", "src/array/gpu/", "fmt/",
    ],
    "src/array/blocks/": ["include/dpep/dtype.hpp", "include/dpep/array_op", "src/device/"],
    "src/array/blocks/numbers.hpp": ["include/dpep/", "src/array/blocks/"],
    "src/array/blocks/table.": ["include/dpep/", "src/array/blocks.hpp", "src/array/blocks/"],
    "src/array/fused_run.": [
        "include/dpep/", "src/array/", "src/backend/backend.hpp", "src/runtime/", "src/jit/compiler.hpp", "fmt/",
    ],
    # Generated kernels: text, which only prepare.cpp hands to the JIT.
    "src/array/gpu/": [
        "include/dpep/", "src/array/", "src/array/blocks/numbers.hpp", "src/runtime/", "src/backend/backend.hpp",
        "fmt/",
    ],
    "src/array/gpu/prepare.cpp": [
        "include/dpep/", "src/array/", "src/backend/backend.hpp", "src/jit/compiler.hpp", "src/jit/shared_work.hpp",
    ],
    "src/array/gpu/device/": ["include/dpep/array_op", "src/device/"],
    # The compiler of Python kernels: only lowering sees LLVM.
    "src/pykernel/": ["include/dpep/", "fmt/"],
    "src/pykernel/device/": ["include/sycl/", "include/dpep/"],
    "src/pykernel/lower.cpp": [
        "include/dpep/", "src/pykernel/", "src/jit/llvm_session.hpp", "src/jit/memory_scopes.hpp", "llvm/",
    ],
    "src/pykernel/link_externals.": [
        "include/dpep/", "src/pykernel/", "src/jit/modules.hpp", "src/jit/targets/x86.hpp", "llvm/",
    ],
    "src/pykernel/external_functions.cpp": ["include/dpep/", "src/pykernel/", "src/jit/image_functions.hpp", "fmt/"],
    "src/pykernel/functions_apart.cpp": ["include/dpep/", "src/pykernel/", "src/jit/hash.hpp"],
    "src/pykernel/tidy.cpp": ["src/pykernel/", "src/jit/analyses.hpp", "llvm/"],
    "src/pykernel/wrapped_indices.": ["src/pykernel/", "llvm/"],
    "src/pykernel/debug_information.": ["include/dpep/", "src/pykernel/", "llvm/"],
    "src/pykernel/make_kernel.cpp": [
        "include/dpep/", "src/pykernel/", "src/jit/plan.hpp", "src/jit/checks.hpp",
        "src/jit/show_code.hpp",
    ],
    "src/python/kernel/": ["include/dpep/", "src/python/", "src/pykernel/", "nanobind/", "Python.h", "fmt/"],
    "src/python/": ["include/dpep/", "include/dpctl/", "nanobind/", "Python.h", "structmember.h", "fmt/"],
    "tools/dpcxx/": [],
}  # fmt: skip
HOUSE = ("include/", "src/", "tools/")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
FOREIGN = ("oneapi/tbb", "tbb/", "fmt/", "xxhash.h", "llvm/", "llvm-c/", "pybind11/", "nanobind/", "Python.h",
           "structmember.h")  # fmt: skip


def room_of(path: str) -> str | None:
    return max((room for room in ROOMS if path.startswith(room)), key=len, default=None)


def target_of(file: pathlib.Path, quote: str, name: str) -> str | None:
    """What an include names: a file of ours, a foreign library's header, or None for the standard library's."""
    places = [ROOT / "include", ROOT / "src"]
    if quote == '"':
        places.insert(0, file.parent)
    for place in places:
        if (place / name).is_file():
            return (place / name).resolve().relative_to(ROOT).as_posix()
    return name if name.startswith(FOREIGN) else None


def check(file: pathlib.Path) -> list[str]:
    path = file.relative_to(ROOT).as_posix()
    room = room_of(path)
    if room is None:
        return (
            [f"{path}: in no room; say in tools/lint/layers.py what it may include"] if path.startswith(HOUSE) else []
        )
    text = file.read_text()
    found = []
    for match in INCLUDE.finditer(text):
        target = target_of(file, *match.groups())
        if target is None or room_of(target) == room or target.startswith(tuple(ROOMS[room])):
            continue
        where = text.count("\n", 0, match.start()) + 1
        found.append(f"{path}:{where}: {room} may not include {target}")
    return found


def main() -> int:
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.hpp", "*.h", "*.cpp"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.splitlines()  # fmt: skip
    found = [line for name in names if (ROOT / name).is_file() for line in check(ROOT / name)]
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
