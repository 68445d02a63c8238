"""Filters, spectra and distances of dpnp.scipy compared with SciPy.

    python benchmarks/scipy_signals/run.py [--repetitions N] [--sizes N ...] [--only WORD]

float32 and float64. Images of 64 x 64 and 1,000 x 1,000 elements, signals of as many, and 2,000 and 1,000 points of 8
components. Results are compared with SciPy's.
"""

from __future__ import annotations

import argparse
import pathlib
import sys
import warnings

import dpnp
import numpy as np
import scipy.ndimage
import scipy.signal
import scipy.spatial.distance

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from report import RatioTable, interleave

CROSS = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]])
TURN = np.array([[1.0, 0.1], [0.2, 0.9]])
# Functions of the module dpnp.scipy or scipy, and an image.
IMAGES = {
    "gaussian_filter sigma 2": lambda m, x: m.ndimage.gaussian_filter(x, 2.0),
    "gaussian_filter sigma 8": lambda m, x: m.ndimage.gaussian_filter(x, 8.0),
    "uniform_filter 5": lambda m, x: m.ndimage.uniform_filter(x, 5),
    "uniform_filter 101": lambda m, x: m.ndimage.uniform_filter(x, 101),
    "correlate1d 9, axis 0": lambda m, x: m.ndimage.correlate1d(x, np.arange(9.0), axis=0),
    "convolve 5 x 5": lambda m, x: m.ndimage.convolve(x, np.arange(25.0).reshape(5, 5)),
    "sobel": lambda m, x: m.ndimage.sobel(x),
    "laplace": lambda m, x: m.ndimage.laplace(x),
    "gaussian_laplace": lambda m, x: m.ndimage.gaussian_laplace(x, 2.0),
    "minimum_filter 3": lambda m, x: m.ndimage.minimum_filter(x, 3),
    "minimum_filter cross": lambda m, x: m.ndimage.minimum_filter(x, footprint=CROSS),
    "maximum_filter 51": lambda m, x: m.ndimage.maximum_filter(x, 51),
    "median_filter 3": lambda m, x: m.ndimage.median_filter(x, 3),
    "median_filter 5": lambda m, x: m.ndimage.median_filter(x, 5),
    "binary_erosion": lambda m, x: m.ndimage.binary_erosion(x > 20),
    "grey_closing 5": lambda m, x: m.ndimage.grey_closing(x, 5),
    "shift, order 1": lambda m, x: m.ndimage.shift(x, 1.3, order=1),
    "shift, order 3": lambda m, x: m.ndimage.shift(x, 1.3),
    "zoom, order 3": lambda m, x: m.ndimage.zoom(x, 1.3),
    "rotate, order 1": lambda m, x: m.ndimage.rotate(x, 30.0, order=1),
    "rotate, order 3": lambda m, x: m.ndimage.rotate(x, 30.0),
    "affine_transform, order 1": lambda m, x: m.ndimage.affine_transform(x, TURN, order=1),
    "sum_labels": lambda m, x: m.ndimage.sum_labels(x, (x * 10).astype("i8"), range(50)),
    "convolve2d 3 x 3": lambda m, x: m.signal.convolve2d(x, x[:3, :3], "same"),
    "fftconvolve 30 x 30": lambda m, x: m.signal.fftconvolve(x, x[:30, :30], "same"),
    "medfilt2d": lambda m, x: m.signal.medfilt2d(x),
    "wiener": lambda m, x: m.signal.wiener(x, 3),
    "detrend rows": lambda m, x: m.signal.detrend(x),
    "hilbert rows": lambda m, x: m.signal.hilbert(x),
    "savgol_filter 11": lambda m, x: m.signal.savgol_filter(x, 11, 3),
    "welch": lambda m, x: m.signal.welch(x.reshape(-1), nperseg=256)[1],
    "spectrogram": lambda m, x: m.signal.spectrogram(x.reshape(-1), nperseg=256)[2],
    "stft": lambda m, x: m.signal.stft(x.reshape(-1), nperseg=256)[2],
}
METRICS = ["euclidean", "sqeuclidean", "cityblock", "chebyshev", "cosine", "correlation", "canberra", "braycurtis",
           "hamming", "seuclidean", "mahalanobis", "minkowski", "jensenshannon"]  # fmt: skip


def compare(name: str, repetitions: int, ours: object, theirs: object, rows: RatioTable, tolerance: float) -> None:
    def run() -> object:
        made = ours()
        made.sycl_queue.wait()
        return made

    found, expected = dpnp.asnumpy(run()), np.asarray(theirs())
    scale = max(1.0, float(np.abs(expected).max()))
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance * scale, err_msg=name)
    rows.row(f"{name:44}", interleave({"dpnp": run, "SciPy": theirs}, repetitions))


def images(options: argparse.Namespace, n: int, code: str, rows: RatioTable) -> None:
    x = (np.random.default_rng(1).random((n, n)) * 100).astype(code)
    y = dpnp.array(x)
    for name, function in IMAGES.items():
        if options.only in name:
            compare(
                f"{name}, {n} x {n}, {x.dtype}",
                options.repetitions,
                lambda f=function: f(dpnp.scipy, y),
                lambda f=function: f(scipy, x),
                rows,
                1e-4 if code == "f" else 1e-8,
            )


def distances(options: argparse.Namespace, n: int, code: str, rows: RatioTable) -> None:
    m = 2 * n if n >= 1000 else n
    random = np.random.default_rng(2)
    a, b = (random.random((k, 8)).astype(code) for k in (m, n))
    x, y = dpnp.array(a), dpnp.array(b)
    module, reference = dpnp.scipy.spatial.distance, scipy.spatial.distance
    for metric in METRICS:
        keywords = {"p": 3} if metric == "minkowski" else {}
        for name, ours, theirs in (
            (f"cdist {metric}, {m} x {n} x 8", (x, y), (a, b)),
            (f"pdist {metric}, {m} x 8", (x,), (a,)),
        ):
            if options.only in name:
                ours_of, theirs_of = (getattr(m, name.split()[0]) for m in (module, reference))
                compare(
                    f"{name}, {a.dtype}",
                    options.repetitions,
                    lambda f=ours_of, p=ours, s=metric, k=keywords: f(*p, s, **k),
                    lambda f=theirs_of, p=theirs, s=metric, k=keywords: f(*p, s, **k),
                    rows,
                    1e-6,
                )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--sizes", type=int, nargs="+", default=[64, 1000])
    parser.add_argument("--only", default="", help="run the rows whose names contain this word")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    rows = RatioTable(f"{'ms':44}", {"dpnp": ["dpnp"], "SciPy": ["SciPy"]}, {"dpnp / SciPy": ("dpnp", "SciPy")})
    for n in options.sizes:
        for code in "fd":
            images(options, n, code, rows)
            distances(options, n, code, rows)
    rows.close()


if __name__ == "__main__":
    main()
