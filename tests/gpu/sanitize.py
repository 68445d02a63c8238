"""Runs GoogleTest programs under NVIDIA's compute-sanitizer, in concurrent shards, on a machine with a GPU.

    python tests/gpu/sanitize.py [--shards 8] [--filter FILTER] [--tool TOOL] [--limit SECONDS] PROGRAM...

TOOL is memcheck, racecheck, initcheck or synccheck; the default is memcheck and racecheck. Each tool must first find an
error that is planted in the first program (tests/sycl/gpu_test.cpp), because a tool that does not work also reports no
errors. The exit status is 0 if the planted errors are found, and no others.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

# A tool's options, the test with its planted error, and the message. By default racecheck reports hazards when the
# context is destroyed; a process may exit before that, so it must report all of them immediately.
TOOLS = {
    "memcheck": ((), "*DISABLED_planted_write_beyond_the_end", r"Invalid __global__ write"),
    "racecheck": (("--racecheck-report", "all"), "*DISABLED_planted_race", r"(hazard detected|Race reported)"),
    "initcheck": ((), "*DISABLED_planted_read_of_uninitialised_memory", r"Uninitialized __global__ memory read"),
    "synccheck": ((), "*DISABLED_planted_barriers_of_half_a_warp", r"Barrier error"),
}
BY_DEFAULT = ("memcheck", "racecheck")
# excludes tests that destroy their context or exhaust memory, which do not work under the tools
LEFT_OUT = "-*AFault*:*LimitsAreErrors*:*Cost*:*ProfilingGives*"
NO_TESTS = "[==========] 0 tests from"


def run(tool: str, program: str, test_filter: str, limit: int, shard: int = 0, shards: int = 1):
    """Return the number of errors that the tool reports (None without a report), and the whole output."""
    environment = dict(os.environ, GTEST_TOTAL_SHARDS=str(shards), GTEST_SHARD_INDEX=str(shard), GTEST_BRIEF="1")
    command = ["compute-sanitizer", "--tool", tool, *TOOLS[tool][0], "--print-limit", "20", program,
               f"--gtest_filter={test_filter}", "--gtest_also_run_disabled_tests"]  # fmt: skip
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired as late:
        return None, f"{late}\n{(late.stdout or b'').decode(errors='replace')}"
    output = done.stdout + done.stderr
    errors = re.search(r"(?:ERROR|RACECHECK) SUMMARY: (\d+)", output)
    if errors is None and NO_TESTS in output:  # more shards than tests
        return 0, output
    return int(errors.group(1)) if errors else None, output


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument("--filter", default="*")
    parser.add_argument("--tool", choices=list(TOOLS), action="append")
    parser.add_argument("--limit", type=int, default=500, help="seconds for a shard")
    parser.add_argument("programs", nargs="+")
    given = parser.parse_args()
    bad = 0
    for tool in given.tool or BY_DEFAULT:
        _, planted, message = TOOLS[tool]
        errors, output = run(tool, given.programs[0], planted, given.limit)
        found = bool(errors) and re.search(message, output) is not None
        print(f"{tool}: the planted error was {'found' if found else 'NOT found: ' + output[-2000:]}")
        bad += not found
        for program in given.programs:
            names = f"{given.filter}{LEFT_OUT}:*DISABLED_*"
            with ThreadPoolExecutor(given.shards) as pool:
                results = list(
                    pool.map(
                        lambda i, p=program, t=tool, n=names: run(t, p, n, given.limit, i, given.shards),
                        range(given.shards),
                    )
                )
            tests = sum(
                int(n) for _, output in results for n in re.findall(r"\[==========\] (\d+) tests? from .* ran", output)
            )
            errors = [e for e, _ in results]
            passed = sum(int(n) for _, output in results for n in re.findall(r"\[  PASSED  \] (\d+) test", output))
            print(f"{tool}: {os.path.basename(program)}: {tests} tests, {passed} passed, errors by shard: {errors}")
            for count, output in results:
                if count != 0:
                    bad += 1
                    print(output[:3000], "…", output[-1000:], sep="\n")
    return min(bad, 1)


if __name__ == "__main__":
    sys.exit(main())
