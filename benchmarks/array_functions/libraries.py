"""The libraries of the table: how arrays get in and out, how a row becomes a call, and how its result is completed."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable

import dialects
import numpy as np
from rows import Row

PACKAGES = {"cpu": ["torch", "numexpr", "jax"], "cuda": ["cupy", "torch", "jax"]}


def parts_of(result: object) -> list:
    return list(result) if isinstance(result, tuple | list) else [result]


class Library:
    """NumPy, and what the other libraries do in the same way."""

    name, version = "NumPy", np.__version__
    spelling = "numpy"  # key of Row.spelled

    def __init__(self, threads: int) -> None:
        self.functions = dialects.NumPy(threads)

    def put(self, array: np.ndarray, written: bool) -> object:
        """Return the library's array. One that is not written to may share memory."""
        return array.copy() if written else array

    def code(self, row: Row) -> Callable | None:
        """Return the row's computation as a function of the operands, or None if the library is left out."""
        found = row.spelled.get(self.spelling, row.code)
        return None if found is None else lambda *operands: found(self.functions, *operands)

    def complete(self, result: object) -> None:
        """Return when the result is in memory."""

    def host(self, part: object) -> np.ndarray:
        return np.asarray(part)


class Ours(Library):
    """dpctl.tensor, or dpnp for the rows that only it has. Results are pending until their memory is asked for."""

    name = "dpep"
    spelling = ""

    def __init__(self) -> None:
        self.dpctl = importlib.import_module("dpctl")
        self.modules = {name: importlib.import_module(name) for name in ("dpctl.tensor", "dpnp")}
        self.version = self.modules["dpctl.tensor"].__name__
        self.device = self.dpctl.SyclDevice().name

    def put(self, array: np.ndarray, written: bool) -> object:
        return self.modules["dpctl.tensor"].asarray(array)

    def code(self, row: Row) -> Callable:
        module = self.modules[row.ours]
        return lambda *operands: row.code(module, *operands)

    def complete(self, result: object) -> None:
        queue = None
        for part in parts_of(result):
            if hasattr(part, "sycl_queue"):
                part.usm_data  # noqa: B018 - computes a pending array
                queue = part.sycl_queue
        if queue is not None:
            queue.wait()

    def host(self, part: object) -> np.ndarray:
        return self.modules["dpnp"].asnumpy(part) if hasattr(part, "sycl_queue") else np.asarray(part)


class Torch(Library):
    name = spelling = "torch"

    def __init__(self, device: str, threads: int) -> None:
        self.torch = importlib.import_module("torch")
        self.version, self.device = self.torch.__version__, device
        self.torch.set_num_threads(threads)
        if device == "cuda":
            if not self.torch.cuda.is_available():
                raise ImportError("torch has no CUDA device")
            self.torch.set_default_device("cuda")
        self.functions = dialects.Torch(self.torch)

    def put(self, array: np.ndarray, written: bool) -> object:
        return self.torch.from_numpy(array.copy() if written else array).to(self.device)

    def complete(self, result: object) -> None:
        if self.device == "cuda":
            self.torch.cuda.synchronize()

    def host(self, part: object) -> np.ndarray:
        return part.cpu().numpy()


class Numexpr(Library):
    name = spelling = "numexpr"

    def __init__(self, threads: int) -> None:
        self.numexpr = importlib.import_module("numexpr")
        self.version = self.numexpr.__version__
        self.numexpr.set_num_threads(threads)

    def code(self, row: Row) -> Callable | None:
        if not row.numexpr:
            return None
        return lambda *operands: self.numexpr.evaluate(row.numexpr, dict(zip(row.names, operands)))


class Jax(Library):
    """jax, by `jax.jit` except for rows that it does not take. Arrays are 64 bits wide if the row's are."""

    name, spelling = "jax.jit", "jax"

    def __init__(self, device: str) -> None:
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # memory for the other libraries
        if device == "cpu":
            os.environ["JAX_PLATFORMS"] = "cpu"
        self.jax = importlib.import_module("jax")
        self.jax.config.update("jax_enable_x64", True)
        self.version = self.jax.__version__
        if device == "cuda" and self.jax.default_backend() != "gpu":
            raise ImportError("jax has no CUDA device")
        self.functions = dialects.Jax(self.jax)

    def put(self, array: np.ndarray, written: bool) -> object:
        return self.jax.block_until_ready(self.jax.numpy.array(array))

    def code(self, row: Row) -> Callable | None:
        code = super().code(row)
        return self.jax.jit(code) if code and row.jit else code

    def complete(self, result: object) -> None:
        self.jax.block_until_ready(result)


class CuPy(Library):
    name, spelling = "CuPy", "cupy"

    def __init__(self) -> None:
        self.cupy = importlib.import_module("cupy")
        self.version = self.cupy.__version__
        self.functions = dialects.CuPy(self.cupy)

    def put(self, array: np.ndarray, written: bool) -> object:
        return self.cupy.asarray(array)

    def complete(self, result: object) -> None:
        self.cupy.cuda.get_current_stream().synchronize()

    def host(self, part: object) -> np.ndarray:
        return self.cupy.asnumpy(part)


def libraries(device: str, threads: int) -> list[Library]:
    """Ours, and the peers that are installed; a line is printed for each that is not."""
    make: dict[str, Callable[[], Library]] = {
        "torch": lambda: Torch(device, threads),
        "numexpr": lambda: Numexpr(threads),
        "jax": lambda: Jax(device),
        "cupy": CuPy,
    }
    found: list[Library] = [Ours()]
    if device == "cpu":
        found.append(Library(threads))
    for package in PACKAGES[device]:
        try:
            found.append(make[package]())
        except ImportError as error:
            print(f"{package} is left out: {error}")
    return found
