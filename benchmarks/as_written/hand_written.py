"""The hand-written C++ loops of native/: how they are compiled, and how each is called for its program.

They are compiled by g++, whose OpenMP they use. With -ffast-math it calls libmvec's exp, log, sin, cos, tanh and asin
for vectors; -mprefer-vector-width=512 takes the processor's widest. The variable CXX names another compiler; clang
needs its own OpenMP library, and gets -fveclib=libmvec.
"""

from __future__ import annotations

import ctypes
import os
import pathlib
import shutil
import subprocess
from collections.abc import Callable

import numpy as np
from peers import Missing
from programs import Program

HERE = pathlib.Path(__file__).resolve().parent
FLAGS = [
    "-std=c++20",
    "-O3",
    "-march=native",
    "-mprefer-vector-width=512",
    "-ffast-math",
    "-fopenmp",
    "-shared",
    "-fPIC",
]

Inputs = dict[str, np.ndarray]


def floats(*shapes: tuple[int, ...]) -> list[np.ndarray]:
    return [np.empty(shape) for shape in shapes]


def integers(*shapes: tuple[int, ...]) -> list[np.ndarray]:
    return [np.empty(shape, np.int64) for shape in shapes]


def like(*names: str) -> Callable[[Inputs], list[np.ndarray]]:
    return lambda i: [np.empty_like(i[name]) for name in names]


def length(name: str) -> Callable[[Inputs], tuple[int, ...]]:
    return lambda i: (len(i[name]),)


def shape(name: str) -> Callable[[Inputs], tuple[int, ...]]:
    return lambda i: i[name].shape


def inner(x: np.ndarray) -> tuple[int, ...]:
    """The shape without a border of one element."""
    return tuple(n - 2 for n in x.shape)


# By program: the function, its results, and its sizes. A function takes the inputs, the results and the sizes.
LOOPS: dict[str, tuple[str, Callable[[Inputs], list[np.ndarray]], Callable[[Inputs], tuple[int, ...]]]] = {
    "density estimate": ("density", like("points"), lambda i: (len(i["points"]), len(i["data"]))),
    "softmax of rows": ("softmax", like("x"), shape("x")),
    "softmax of long rows": ("softmax", like("x"), shape("x")),
    "layer norm": ("layer_norm", like("x"), shape("x")),
    "standardise columns": ("standardise", like("x"), length("x")),
    "z-scores of a vector": ("z_scores", lambda i: [*like("x")(i), *integers(())], length("x")),
    "pairwise distances": (
        "pairwise",
        lambda i: floats((len(i["x"]), len(i["y"]))),
        lambda i: (len(i["x"]), len(i["y"])),
    ),
    "Gram matrix of Gaussians": ("gram", lambda i: floats((len(i["x"]),) * 2, (len(i["x"]),)), length("x")),
    "Black-Scholes": ("black_scholes", like("price", "price"), length("price")),
    "k-means step": ("kmeans", lambda i: [*like("centres")(i), *integers((len(i["x"]),))], length("x")),
    "logistic regression, gradient": ("logistic", like("w"), length("x")),
    "sums of transposed products": ("transposed_products", like("A", "w"), length("A")),
    "symmetric part and its norm": ("symmetric_part", lambda i: floats((), (), i["A"].shape), length("A")),
    "sums over axes, used again": ("sums_over_axes", like("J"), lambda i: i["J"].shape[1:]),
    "N-body step": ("nbody", like("p"), lambda i: i["p"].shape[1:]),
    "heat equation by slices": ("heat", like("u"), shape("u")),
    "wave equation by slices": ("wave", like("u"), shape("u")),
    "game of life by roll": ("life", like("alive"), shape("alive")),
    "Ising energy by roll": ("ising", lambda i: floats(i["spins"].shape, ()), shape("spins")),
    "Newton's iteration until converged": ("newton", like("a"), length("a")),
    "Lorenz system, Runge-Kutta": ("lorenz", like("x", "y", "z"), length("x")),
    "normalised cross products by stack": ("cross_products", like("a"), lambda i: i["a"].shape[1:]),
    "Mandelbrot set by where": ("mandelbrot", lambda i: integers(i["cr"].shape), lambda i: (i["cr"].size,)),
    "great-circle distances": ("great_circle", lambda i: floats(i["lat1"].shape, ()), length("lat1")),
    "blur by nine slices": ("blur", lambda i: floats(inner(i["image"])), shape("image")),
    "edges of an image": (
        "edges",
        lambda i: [np.empty(inner(i["image"]), bool), *floats(inner(i["image"]))],
        shape("image"),
    ),
    "Verlet steps of pendulums": ("verlet", like("angle", "angle"), length("angle")),
    "epidemic model": ("epidemic", lambda i: floats(*[i["s"].shape] * 3, ()), length("s")),
    "relaxation of every second point": ("relaxation", like("u"), length("u")),
    "linear fit": ("linear_fit", lambda i: floats((), (), ()), length("x")),
    "polynomial in a loop": ("polynomial", like("x"), length("x")),
    "in-place updates": ("in_place", like("x"), length("x")),
    "Adam step": ("adam", like("w"), length("w")),
    "clip and rescale": ("clip", like("x"), length("x")),
    "masked mean": ("masked_mean", lambda i: floats((), ()), length("x")),
    "look-up by indices": ("look_up", lambda i: floats(i["index"].shape, ()), length("index")),
    "moving average by cumulative sum": ("moving_average", lambda i: floats((len(i["x"]) - 32,)), length("x")),
    "differences and trapezoids": ("differences", lambda i: floats((len(i["y"]) - 1,), ()), length("y")),
    "complex rotation": ("rotation", lambda i: [*like("z")(i), *floats(())], length("z")),
    "signal with a window": ("windowed", lambda i: floats(i["x"].shape, ()), length("x")),
    "cross entropy": ("cross_entropy", lambda i: floats((), i["x"].shape), length("x")),
    "cosine similarities": ("cosines", lambda i: [*floats((len(i["x"]),)), *integers(())], length("x")),
    "covariance of columns": ("correlation", lambda i: floats((i["x"].shape[1],) * 2), length("x")),
    "concatenated features": ("features", lambda i: floats((len(i["x"]), 8)), length("x")),
    "attention weights": ("attention", lambda i: floats((len(i["q"]),) * 2, (len(i["q"]),)), length("q")),
    "grey values of pixels": (
        "grey",
        lambda i: [np.empty(i["rgb"].shape[:2], np.float32)],
        lambda i: (i["rgb"].size // 3,),
    ),
    "normalise pixels of channels": (
        "normalise_pixels",
        lambda i: [np.empty(i["rgb"].shape, np.float32)],
        lambda i: (i["rgb"].size // 3,),
    ),
    "batch norm of images": ("batch_norm", like("x"), lambda i: (*i["x"].shape[:2], 28 * 28)),
}


def compile_loops(folder: str) -> ctypes.CDLL:
    """The library of all loops."""
    compiler = os.environ.get("CXX", "g++")
    if shutil.which(compiler) is None:
        raise Missing(f"{compiler} is not installed")
    library = pathlib.Path(folder) / "native.so"
    veclib = ["-fveclib=libmvec"] if "clang" in compiler else []
    sources = sorted((HERE / "native").glob("*.cpp"))
    subprocess.run([compiler, *FLAGS, *veclib, *sources, "-lmvec", "-lm", "-o", library], check=True)
    return ctypes.CDLL(str(library))


def hand_written(p: Program, inputs: Inputs, library: ctypes.CDLL) -> Callable[[], list[np.ndarray]] | None:
    """A function that runs the loops of a program and returns its results; None for a program without."""
    if p.name not in LOOPS:
        return None
    name, results_of, sizes_of = LOOPS[p.name]
    results = results_of(inputs)
    arrays = [np.ascontiguousarray(x) for x in inputs.values()] + results
    arguments = [ctypes.c_void_p(x.ctypes.data) for x in arrays] + [ctypes.c_int64(n) for n in sizes_of(inputs)]
    function = getattr(library, name)
    function.restype = None

    def run() -> list[np.ndarray]:
        function(*arguments)
        return arrays[-len(results) :]

    return run
