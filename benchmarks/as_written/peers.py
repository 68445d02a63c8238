"""jax.jit, torch.compile and CuPy as peers: their modules with the Array API's names, and how each runs a program.

Every peer runs the program as a function. jax.jit gets assignments to elements as `x = x.at[…].set(…)`, which is how
they are written there, and the `jax` text of a program where it cannot trace the other one.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
import re
import types
import warnings
from collections.abc import Callable

import numpy as np
from programs import Program, function_of


class Missing(Exception):
    """The peer is not available; the message gives the reason."""


def load(module: str):
    if importlib.util.find_spec(module) is None:
        raise Missing(f"{module} is not installed")
    return importlib.import_module(module)


def written_for_jax(code: str) -> str:
    """Assignments to elements become new arrays."""
    return re.sub(r"^( *)(\w+)\[(.+)\] = (.+)$", r"\1\2 = \2.at[\3].set(\4)", code, flags=re.MULTILINE)


def torch_as_array_api(torch) -> types.ModuleType:
    """torch's functions with the names and keywords of the Array API, in a module: Dynamo takes it as constant."""
    xp = types.ModuleType("torch_as_array_api")
    for name in dir(torch):
        if not name.startswith("_"):
            setattr(xp, name, getattr(torch, name))

    def reduction(function: Callable) -> Callable:
        def reduce(x, axis=None, keepdims=False):
            return function(x) if axis is None else function(x, dim=axis, keepdim=keepdims)

        return reduce

    names = {"sum": "sum", "mean": "mean", "max": "amax", "min": "amin", "argmin": "argmin", "argmax": "argmax"}
    for name, function in names.items():
        setattr(xp, name, reduction(getattr(torch, function)))
    xp.std = lambda x: torch.std(x, correction=0)
    xp.astype = lambda x, dtype: x.to(dtype)
    xp.asarray = lambda x, copy=None: x.clone() if copy else x
    xp.roll = lambda x, shift, axis: torch.roll(x, shift, axis)
    xp.concat = lambda arrays, axis=0: torch.cat(arrays, axis)
    xp.stack = lambda arrays, axis=0: torch.stack(arrays, axis)
    xp.cumulative_sum = lambda x: torch.cumsum(x, 0)
    return xp


def cupy_as_array_api(cupy) -> types.SimpleNamespace:
    names = {name: getattr(cupy, name) for name in dir(cupy) if not name.startswith("_")}
    for name, other in {"concat": "concatenate", "asin": "arcsin", "cumulative_sum": "cumsum"}.items():
        names.setdefault(name, getattr(cupy, other))
    names.setdefault("astype", lambda x, dtype: x.astype(dtype))
    names["asarray"] = lambda x, copy=None: cupy.array(x, copy=bool(copy))
    return types.SimpleNamespace(**names)


class Jax:
    name = "jax"

    def __init__(self, device: str) -> None:
        jax = load("jax")
        jax.config.update("jax_enable_x64", True)
        platform = {"cpu": "cpu", "cuda": "gpu"}[device]
        try:
            jax.config.update("jax_default_device", jax.devices(platform)[0])
        except RuntimeError as error:
            raise Missing(f"jax has no device of platform {platform}") from error
        self.jax, self.xp = jax, importlib.import_module("jax.numpy")
        jax.jit(lambda x: x + 1)(1.0).block_until_ready()  # first calls of programs do not start the compiler

    def prepare(self, p: Program, inputs: dict[str, np.ndarray]) -> Callable[[], list]:
        """A function that runs the program and returns its results when they are complete."""
        code = p.jax or written_for_jax(p.code)
        run = function_of(p, self.xp, list(inputs), code)
        jitted = run if p.shapes_depend_on_values else self.jax.jit(run)
        arrays = [self.xp.asarray(x) for x in inputs.values()]
        return lambda: self.jax.block_until_ready(list(jitted(*arrays)))


class Torch:
    name = "torch"

    def __init__(self, device: str) -> None:
        torch = load("torch")
        if device == "cuda" and not torch.cuda.is_available():
            raise Missing("torch has no CUDA device")
        logging.disable()  # else lines for what is not compiled, and all of the code when a compilation is stopped
        warnings.filterwarnings("ignore", module="torch")
        torch.set_default_dtype(torch.float64)
        if device == "cuda":
            torch.set_default_device(device)
        self.torch, self.device, self.xp = torch, device, torch_as_array_api(torch)
        torch.compile(lambda x: x + 1)(torch.zeros(10))  # as above

    def prepare(self, p: Program, inputs: dict[str, np.ndarray]) -> Callable[[], list]:
        self.torch._dynamo.reset()  # else programs share a limit of compilations
        compiled = self.torch.compile(function_of(p, self.xp, list(inputs)), dynamic=False)
        arrays = [self.torch.from_numpy(x.copy()).to(self.device) for x in inputs.values()]

        def run() -> list:
            results = list(compiled(*arrays))
            if self.device == "cuda":
                self.torch.cuda.synchronize()
            return results

        return run


class CuPy:
    name = "cupy"

    def __init__(self, device: str) -> None:
        if device != "cuda":
            raise Missing("CuPy computes on GPUs only")
        cupy = load("cupy")
        self.cupy, self.xp = cupy, cupy_as_array_api(cupy)

    def prepare(self, p: Program, inputs: dict[str, np.ndarray]) -> Callable[[], list]:
        function = function_of(p, self.xp, list(inputs))
        arrays = [self.cupy.asarray(x) for x in inputs.values()]

        def run() -> list:
            results = list(function(*arrays))
            self.cupy.cuda.get_current_stream().synchronize()
            return results

        return run


PEERS = {peer.name: peer for peer in (Jax, Torch, CuPy)}


def to_numpy(x) -> np.ndarray:
    """A result of any of the libraries as a NumPy array."""
    if hasattr(x, "usm_data"):
        import dpctl.tensor as dpt

        return dpt.asnumpy(x)
    if type(x).__module__.startswith("torch"):
        return x.cpu().numpy()
    if type(x).__module__.startswith("cupy"):
        return x.get()
    return np.asarray(x)
