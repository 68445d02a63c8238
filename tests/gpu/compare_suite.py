"""Runs a test suite on the CPU and on a GPU as the default device, and compares the outcomes of each test.

    python tests/gpu/compare_suite.py SUITE.PY dpctl|numba_dpex|dpnp [--reports FOLDER] [-- PYTEST ARGUMENTS]

SUITE.PY runs another project's published tests (`suite.py NAME -- PYTEST ARGUMENTS`); without a network, its cache
folder must exist. Prints the tests whose outcomes differ. The exit status is 0 if every test that passes on the CPU
also passes on the GPU, except those that are explained below.
"""

from __future__ import annotations

import argparse
import collections
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor

SELECTORS = {"CPU": "native_cpu:*", "GPU": "cuda:*;native_cpu:*"}

# Tests of dpctl's suite that are expected to fail or be skipped on an NVIDIA GPU: a part of the name, and the reason.
DLPACK = "memory of a CUDA device is exported as CUDA's, which CuPy and PyTorch accept; the test expects oneAPI's"
NO_SUB_DEVICES = "a GPU has no sub-devices"
MESSAGE = "skipped without a GPU; the type of the error is the expected one, but the message is dpep's"
EXPLAINED = {
    "test_usm_ndarray_dlpack.py::test_dlpack_device": DLPACK,
    "test_usm_ndarray_dlpack.py::test_sycl_device_to_dldevice": DLPACK,
    "test_usm_ndarray_dlpack.py::test_copy_via_host": DLPACK,
    "create_sub_devices": NO_SUB_DEVICES,
    "from_sub_device": NO_SUB_DEVICES,
    "from_subdevice": NO_SUB_DEVICES,
    "test_add.py::test_add_errors": MESSAGE,
    "test_tensor_clip.py::test_clip_errors": MESSAGE,
    "test_print.py::test_print": "skipped by the test on any GPU",
    "test_nextafter.py::test_nextafter_special_cases_zero[f2]": "skipped by the test on any GPU",
}


def outcomes(report: pathlib.Path) -> dict[str, str]:
    """Returns the outcome of each test by name, from a report in JUnit format."""
    found = {}
    for case in ElementTree.parse(report).iter("testcase"):
        kinds = {child.tag for child in case} & {"failure", "error", "skipped"}
        name = f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}"
        found[name] = kinds.pop() if kinds else "passed"
    return found


def run(suite: str, name: str, where: str, report: pathlib.Path, arguments: list[str]) -> dict[str, str]:
    environment = dict(os.environ, ONEAPI_DEVICE_SELECTOR=SELECTORS[where])
    command = [sys.executable, suite, name, "--", f"--junitxml={report}", "--tb=line",
               "--continue-on-collection-errors", *arguments]  # fmt: skip
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if not report.exists():
        sys.exit(f"{name} on the {where} wrote no report:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return outcomes(report)


def explanation(test: str) -> str | None:
    return next((why for part, why in EXPLAINED.items() if part in test), None)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", help="the path of suite.py")
    parser.add_argument("name", choices=["dpctl", "dpnp", "numba_dpex"])
    parser.add_argument("--reports", type=pathlib.Path, help="a folder that keeps both reports")
    given, arguments = parser.parse_known_args()
    arguments = [a for a in arguments if a != "--"]
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.reports or pathlib.Path(temporary)
        with ThreadPoolExecutor(len(SELECTORS)) as pool:
            reports = [folder / f"{given.name}-{where}.xml" for where in SELECTORS]
            ran = pool.map(
                lambda where, report: run(given.suite, given.name, where, report, arguments), SELECTORS, reports
            )
            results = dict(zip(SELECTORS, ran, strict=True))
    for where, result in results.items():
        counts = ", ".join(f"{n} {kind}" for kind, n in collections.Counter(result.values()).most_common())
        print(f"{given.name}, {where}: {counts}")
    on_cpu, on_gpu = results["CPU"], results["GPU"]
    worse = unexplained = 0
    for test in sorted(on_cpu.keys() | on_gpu.keys()):
        before, now = on_cpu.get(test, "missing"), on_gpu.get(test, "missing")
        if before == now or now == "passed":
            continue
        worse += 1
        why = explanation(test)
        unexplained += why is None
        print(f"  {test}: {before} on the CPU, {now} on the GPU{f' ({why})' if why else ''}")
    print(f"{worse} tests have a worse outcome on the GPU; {unexplained} of them without an explanation")
    return min(unexplained, 1)


if __name__ == "__main__":
    sys.exit(main())
