"""dpep.distributed: workers of Dask on devices. Skipped where Dask's scheduler is not installed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys

import dpctl
import pytest

pytest.importorskip("distributed", reason="Dask's scheduler (distributed) is not installed")

CPU = dpctl.get_devices(device_type="cpu")[:1]

PROGRAM = """
import os, signal
import dask.array as da
import dpnp
from dask.distributed import Client
from dpep.distributed import LocalDeviceCluster


def about():
    from dask.sizeof import sizeof

    x = dpnp.zeros((1000, 10))
    return os.getpid(), os.environ["ONEAPI_DEVICE_SELECTOR"], x.sycl_device.filter_string, sizeof(x)


if __name__ == "__main__":
    with LocalDeviceCluster(DEVICES, workers_per_device=2) as cluster, Client(cluster) as client:
        client.wait_for_workers(2)
        workers = list(client.run(about).values())
        assert len({pid for pid, *_ in workers}) == 2
        for _, selector, device, size in workers:
            assert selector == "native_cpu:0" and device == "native_cpu:cpu:0", (selector, device)
            assert size == 80_000, size
        x = da.random.Generator(dpnp.random.Philox(1)).standard_normal((40_000, 50), chunks=(1000, 50))
        product = (x - x.mean(axis=0)).T @ x
        expected = product.compute(scheduler="threads")
        pending = client.compute(product)
        os.kill(workers[0][0], signal.SIGKILL)
        found = pending.result()
        assert type(found) is dpnp.ndarray
        assert float(dpnp.max(abs(found - expected))) < 1e-6
    print("complete")
"""


def test_a_killed_workers_chunks_are_computed_again(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM.replace("DEVICES", repr([CPU[0].filter_string])))
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=240, cwd=tmp_path)
    assert done.returncode == 0 and "complete" in done.stdout, done.stderr[-3000:]


def test_the_command_serves_until_it_is_interrupted():
    command = [sys.executable, "-m", "dpep.distributed", "--port", "0", "--devices", CPU[0].filter_string]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            line = process.stdout.readline()
            assert re.match(r"1 workers; the scheduler is tcp://127\.0\.0\.1:\d+", line), line
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=60)


def test_device_selectors():
    from dpep.distributed import device_selectors, worker_options

    assert device_selectors([CPU[0]]) == device_selectors([CPU[0].filter_string]) == ["native_cpu:0"]
    assert len(device_selectors()) >= 1
    options = worker_options([CPU[0]], workers_per_device=3)
    assert len(options) == 3
    threads = os.environ.get("DPEP_NUM_THREADS") or str(max(1, len(os.sched_getaffinity(0)) // 3))
    assert {o["env"]["DPEP_NUM_THREADS"] for o in options} == {threads}
    with pytest.raises(ValueError, match="there is no device for a worker"):
        device_selectors([])
    with pytest.raises(ValueError, match="there must be a worker on each device, got 0"):
        worker_options(workers_per_device=0)
    with pytest.raises(dpctl.SyclDeviceCreationError, match="nothing"):
        device_selectors(["nothing:7"])
