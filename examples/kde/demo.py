"""The demo: kernel density estimation in NumPy, in array code, and in a C++ SYCL extension that the demo builds.

The first density is that of real data, shown as a picture. The second has the size of the published benchmarks:
1,000,000 samples in 7 dimensions at 17 points, in both precisions. Every result is compared with NumPy's.

The real data are the monthly prices of the S&P 500 and NASDAQ indices from 1990 on, in the sample data that
matplotlib installs (`Stocks.csv`); the density is that of their monthly returns.
"""

from __future__ import annotations

import csv
import pathlib
import statistics
import sys
import time

import dpctl
import dpctl.memory
import dpctl.tensor as dpt
import numpy as np
from build_extension import build

HERE = pathlib.Path(__file__).resolve().parent
PICTURE = HERE / "density.png"


def returns() -> np.ndarray:
    """Monthly returns in percent, shape (months, 2): S&P 500, NASDAQ."""
    import matplotlib

    file = pathlib.Path(matplotlib.get_data_path()) / "sample_data" / "Stocks.csv"
    with file.open(newline="") as f:
        rows = csv.DictReader(line for line in f if not line.startswith("#"))
        prices = [(row["^GSPC"], row["^IXIC"]) for row in rows]
    prices = np.array([(float(a), float(b)) for a, b in prices if a and b])
    return 100 * (prices[1:] / prices[:-1] - 1)


def kde_numpy(samples: np.ndarray, points: np.ndarray, h: float) -> np.ndarray:
    """The estimate in plain NumPy; it needs memory for points x samples x dimensions numbers."""
    n, d = samples.shape
    dtype = samples.dtype.type
    distance = np.square(samples[None] - points[:, None]).sum(axis=-1)
    scale = (2 * np.pi * h * h) ** (-d / 2) / n
    return np.exp(dtype(-0.5 / h**2) * distance).sum(axis=1) * dtype(scale)


def kde_arrays(samples: dpt.usm_ndarray, points: dpt.usm_ndarray, h: float) -> dpt.usm_ndarray:
    """The same code on a device. It runs as one pass over memory: no intermediate array is stored."""
    distance = dpt.sum(dpt.square(samples[None] - points[:, None]), axis=-1)
    scale = (2 * np.pi * h * h) ** (-samples.shape[1] / 2)
    return dpt.mean(dpt.exp(-0.5 / h**2 * distance), axis=1) * scale


def usm(array: np.ndarray, queue: dpctl.SyclQueue) -> dpctl.memory.MemoryUSMDevice:
    """A copy of the array in device memory."""
    memory = dpctl.memory.MemoryUSMDevice(array.nbytes, queue=queue)
    memory.copy_from_host(np.ascontiguousarray(array).reshape(-1).view(np.uint8))
    return memory


class ArrayCode:
    """kde_arrays on data in device memory."""

    def __init__(self, samples: np.ndarray, points: np.ndarray, h: float, queue: dpctl.SyclQueue) -> None:
        self.arguments = dpt.asarray(samples, sycl_queue=queue), dpt.asarray(points, sycl_queue=queue), h
        self.density = None

    def run(self) -> None:
        self.density = kde_arrays(*self.arguments)
        self.density.sycl_queue.wait()

    def result(self) -> np.ndarray:
        return dpt.asnumpy(self.density)


class Estimator:
    """One kernel of the extension on data in device memory."""

    def __init__(
        self,
        samples: np.ndarray,
        points: np.ndarray,
        h: float,
        queue: dpctl.SyclQueue,
        method,
    ) -> None:
        import kde_sycl

        self.dtype, self.m = samples.dtype, len(points)
        self.function = getattr(kde_sycl, f"estimate_{samples.dtype}")
        self.density = dpctl.memory.MemoryUSMDevice(points.dtype.itemsize * len(points), queue=queue)
        self.arguments = (
            queue,
            usm(samples, queue),
            usm(points, queue),
            self.density,
            samples.shape[1],
            h,
            method,
        )

    def run(self) -> None:
        self.function(*self.arguments)

    def result(self) -> np.ndarray:
        return np.frombuffer(self.density.copy_to_host(), dtype=self.dtype)


def milliseconds(run, repetitions: int) -> list[float]:
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        run()
        times.append(1e3 * (time.perf_counter() - start))
    return times


def difference(result: np.ndarray, reference: np.ndarray) -> float:
    """The largest difference, relative to the largest value."""
    return float(np.max(np.abs(result - reference)) / np.max(np.abs(reference)))


def compare(title: str, samples, points, h: float, queue, tolerance: float, repetitions: int) -> np.ndarray:
    """Run NumPy and the kernels, print a table and return the density. Exits with an error if the results differ."""
    import kde_sycl

    print(f"\n{title}\n  {'':28}{'first ms':>10}{'median ms':>11}{'spread ms':>22}{'speed-up':>10}{'difference':>13}")
    reference = kde_numpy(samples, points, h)
    base = statistics.median(numpy_times := milliseconds(lambda: kde_numpy(samples, points, h), 3))
    spread = f"{min(numpy_times):.2f} to {max(numpy_times):.2f}"
    print(f"  {'NumPy':28}{'':>10}{base:>11.2f}{spread:>22}{'1.0':>10}{'':>13}")
    for name, estimator in [
        ("dpctl.tensor, plain code", ArrayCode(samples, points, h, queue)),
        ("SYCL, atomics", Estimator(samples, points, h, queue, kde_sycl.Method.ATOMICS)),
        ("SYCL, group reduction", Estimator(samples, points, h, queue, kde_sycl.Method.GROUP_REDUCTION)),
    ]:
        (first,) = milliseconds(estimator.run, 1)
        times = milliseconds(estimator.run, repetitions)
        median = statistics.median(times)
        error = difference(estimator.result(), reference)
        spread = f"{min(times):.2f} to {max(times):.2f}"
        print(
            f"  {name:28}{first:>10.2f}{median:>11.2f}{spread:>22}{base / median:>10.1f}{error:>13.1e}",
            flush=True,
        )
        if not error < tolerance:
            raise SystemExit(f"{title}, {name}: differs from NumPy by {error:.1e}, more than {tolerance:.0e}")
    return reference


def picture(data: np.ndarray, grid: tuple[np.ndarray, np.ndarray], density: np.ndarray) -> None:
    """Write the density of the real data to density.png."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6.4, 5.6), layout="constrained")
    contours = axes.contourf(*grid, density, levels=20, cmap="viridis")
    axes.plot(*data.T, ".", color="white", markersize=2, alpha=0.6)
    figure.colorbar(contours, label="density")
    axes.set(
        title=f"Monthly returns, {len(data)} months from 1990",
        xlabel="S&P 500 (%)",
        ylabel="NASDAQ (%)",
    )
    axes.set(xlim=(grid[0].min(), grid[0].max()), ylim=(grid[1].min(), grid[1].max()))
    figure.savefig(PICTURE, dpi=120)


def main() -> None:
    print("Devices:")
    dpctl.lsplatform(verbosity=1)
    sys.path.insert(0, str(build(HERE / "build")))
    queue = dpctl.SyclQueue()
    print(f"\nRunning on {queue.sycl_device.name}")

    data = returns()
    ticks = np.linspace(-20, 20, 201)
    x, y = np.meshgrid(ticks, ticks)
    points = np.column_stack([x.ravel(), y.ravel()])
    density = compare(
        f"Real data: {len(data)} monthly returns of two stock indices, density at {len(points)} points, float64",
        data, points, 1.0, queue, 1e-12, 5,
    )  # fmt: skip
    picture(data, (x, y), density.reshape(x.shape))
    print(f"  picture: examples/kde/{PICTURE.name}")

    random = np.random.default_rng(0)
    samples, points = random.random((1_000_000, 7)), random.random((17, 7))
    for dtype, tolerance in [(np.float32, 1e-3), (np.float64, 1e-12)]:
        compare(
            f"Headline: 1,000,000 samples, 7 dimensions, 17 points, h = 0.05, {np.dtype(dtype)}",
            samples.astype(dtype), points.astype(dtype), 0.05, queue, tolerance, 15,
        )  # fmt: skip


if __name__ == "__main__":
    main()
