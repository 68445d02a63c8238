"""Kernels that are compiled while a Python program runs: from OpenCL C, and from a module in SPIR-V.

    python examples/programs/two_languages.py [MODULE]

MODULE is a file in SPIR-V with the kernel of SOURCE. Without one, clang 22 makes it.
"""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import sys

import dpctl
import dpctl.program
import dpctl.tensor as dpt

SOURCE = """
/* Each work-group sorts its numbers by odd-even transposition in local memory. */
kernel void sort_groups(global float *x, local float *t) {
  const int l = get_local_id(0), n = get_local_size(0);
  t[l] = x[get_global_id(0)];
  for (int round = 0; round < n; ++round) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % 2 == round % 2 && l + 1 < n && t[l] > t[l + 1]) {
      const float larger = t[l];
      t[l] = t[l + 1];
      t[l + 1] = larger;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = t[l];
}
"""


def spirv_module() -> bytes:
    """Return the module that the command line names, or one that clang makes of SOURCE."""
    if len(sys.argv) > 1:
        return pathlib.Path(sys.argv[1]).read_bytes()
    clang = shutil.which("clang-22") or shutil.which("clang")
    if clang is None:
        sys.exit("two_languages: clang 22 makes the module in SPIR-V; install it, or name a module")
    command = [clang, "-x", "cl", "--target=spirv64", "-O1", "-w", "-c", "-", "-o", "-"]
    return subprocess.run(command, input=SOURCE.encode(), check=True, capture_output=True).stdout


def sorted_groups(program: dpctl.program.SyclProgram, x: dpt.usm_ndarray, size: int) -> dpt.usm_ndarray:
    """Return the array, sorted in groups of `size` elements."""
    result = dpt.copy(x)
    memory = dpctl.LocalAccessor("f4", (size,))
    x.sycl_queue.submit(program.get_sycl_kernel("sort_groups"), [result, memory], [x.size], [size])
    return result


def main() -> None:
    queue = dpctl.SyclQueue()
    x = dpt.asarray([3, 1, 2, 0, 9, 7, 8, 6], dtype="f4", sycl_queue=queue)
    for language, program in {
        "OpenCL C": dpctl.program.create_program_from_source(queue, SOURCE),
        "SPIR-V": dpctl.program.create_program_from_spirv(queue, spirv_module()),
    }.items():
        print(f"{language:8}", sorted_groups(program, x, 4))


if __name__ == "__main__":
    main()
