"""Dask workers on devices of this machine, one for each: `LocalDeviceCluster` and `python -m dpep.distributed`.

Needs the packages `dask` and `distributed`. Each worker is a process whose environment shows one device, so that it is
the default device of all packages there. Arrays go from worker to worker by pickling: their bytes are copied to the
host once and sent without further copies.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
from collections.abc import Iterable, Sequence

import dpctl

try:
    from distributed import Nanny, Scheduler, SpecCluster
    from distributed.system import MEMORY_LIMIT
except ImportError as e:
    raise ImportError("dpep.distributed: Dask's scheduler is missing; pip install dask distributed") from e

__all__ = ["LocalDeviceCluster", "device_selectors", "main", "worker_options"]


def device_selectors(devices: Iterable[str | dpctl.SyclDevice] | None = None) -> list[str]:
    """Return terms of `ONEAPI_DEVICE_SELECTOR`, one for each device.

    Parameters
    ----------
    devices : iterable of str or SyclDevice, optional
        Devices or their filter strings, such as "cuda:gpu:0"; by default all GPUs, or else the CPU.

    Raises
    ------
    ValueError
        When there is no device.
    SyclDeviceCreationError
        For filter strings of no device.

    Examples
    --------
    >>> from dpep.distributed import device_selectors
    >>> device_selectors(["native_cpu:cpu:0"])
    ['native_cpu:0']
    """
    if devices is None:
        devices = dpctl.get_devices(device_type="gpu") or dpctl.get_devices(device_type="cpu")[:1]
    found = [d if isinstance(d, dpctl.SyclDevice) else dpctl.SyclDevice(d) for d in devices]
    if not found:
        raise ValueError("device_selectors: there is no device for a worker")
    parts = [d.filter_string.split(":") for d in found]
    return [f"{backend}:{number}" for backend, _, number in parts]


def worker_options(
    devices: Iterable[str | dpctl.SyclDevice] | None = None,
    workers_per_device: int = 1,
    threads_per_worker: int = 1,
    memory_limit: object = None,
) -> list[dict[str, object]]:
    """Return the options of `distributed.Nanny` for each worker.

    The parameters are those of `LocalDeviceCluster`.
    """
    if workers_per_device < 1:
        raise ValueError(f"worker_options: there must be a worker on each device, got {workers_per_device}")
    selectors = [s for s in device_selectors(devices) for _ in range(workers_per_device)]
    if memory_limit is None:
        memory_limit = int(0.9 * MEMORY_LIMIT / len(selectors))
    processors = max(1, len(os.sched_getaffinity(0)) // len(selectors))
    environment = {"DPEP_NUM_THREADS": os.environ.get("DPEP_NUM_THREADS", str(processors))}
    return [
        {
            "nthreads": threads_per_worker,
            "memory_limit": memory_limit,
            "env": {**environment, "ONEAPI_DEVICE_SELECTOR": selector},
            "preload": ["dpep._dask"],
            "silence_logs": logging.WARNING,
        }
        for selector in selectors
    ]


class LocalDeviceCluster(SpecCluster):
    """A scheduler and workers on this machine, one for each device.

    Parameters
    ----------
    devices : iterable of str or SyclDevice, optional
        The devices; by default all GPUs, or else the CPU.
    workers_per_device : int, optional
        Workers for each device. They share the processors' threads.
    threads_per_worker : int, optional
        Tasks that a worker runs at the same time. One keeps a device busy, since the array operations of a task use all
        of it.
    memory_limit : int, str or 0, optional
        Bytes on the host for each worker, of which it spills chunks to disk beyond 60 %; by default an equal part of
        0.9 of the machine's memory.
    dashboard_address : str, optional
        Where the dashboard listens; there is none by default.
    scheduler_port : int, optional
        The scheduler's port; any by default.
    **options
        Those of `distributed.SpecCluster`.

    Examples
    --------
    >>> from dask.distributed import Client  # doctest: +SKIP
    >>> with LocalDeviceCluster() as cluster, Client(cluster):  # doctest: +SKIP
    ...     x = da.random.Generator(dpnp.random.Philox(1)).standard_normal((10**6, 100), chunks=(10**5, 100))
    ...     (x.T @ x).compute()
    """

    def __init__(
        self,
        devices: Iterable[str | dpctl.SyclDevice] | None = None,
        workers_per_device: int = 1,
        threads_per_worker: int = 1,
        memory_limit: object = None,
        dashboard_address: str | None = None,
        scheduler_port: int = 0,
        **options: object,
    ):
        workers = worker_options(devices, workers_per_device, threads_per_worker, memory_limit)
        scheduler = {
            "host": "127.0.0.1",
            "port": scheduler_port,
            "dashboard": dashboard_address is not None,
            "dashboard_address": dashboard_address,
        }
        super().__init__(
            workers={i: {"cls": Nanny, "options": {"host": "127.0.0.1", **w}} for i, w in enumerate(workers)},
            scheduler={"cls": Scheduler, "options": scheduler},
            **{"name": "LocalDeviceCluster", "silence_logs": logging.WARNING, **options},
        )


async def _work(scheduler: str, workers: list[dict[str, object]]) -> None:
    """Run workers for a scheduler until it closes them."""
    nannies = [Nanny(scheduler, **options) for options in workers]
    await asyncio.gather(*nannies)
    print(f"{len(nannies)} workers for {scheduler}", flush=True)
    await asyncio.gather(*(nanny.finished() for nanny in nannies))


async def _serve(cluster_options: dict[str, object]) -> None:
    async with LocalDeviceCluster(asynchronous=True, **cluster_options) as cluster:
        print(f"{len(cluster.workers)} workers; the scheduler is {cluster.scheduler_address}", flush=True)
        await asyncio.Event().wait()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command `python -m dpep.distributed`."""
    parser = argparse.ArgumentParser(prog="python -m dpep.distributed", description=__doc__.splitlines()[0])
    parser.add_argument("--devices", nargs="+", metavar="FILTER", help="filter strings; default: all GPUs, or the CPU")
    parser.add_argument("--workers-per-device", type=int, default=1, metavar="N")
    parser.add_argument("--threads-per-worker", type=int, default=1, metavar="N")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="start workers for this scheduler; default: a new one")
    parser.add_argument("--port", type=int, default=8786, help="the port of the new scheduler")
    given = parser.parse_args(arguments)
    workers = {
        "devices": given.devices,
        "workers_per_device": given.workers_per_device,
        "threads_per_worker": given.threads_per_worker,
    }
    try:
        if given.scheduler:
            asyncio.run(_work(given.scheduler, worker_options(**workers)))
        else:
            asyncio.run(_serve({**workers, "scheduler_port": given.port}))
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
