"""Modules with the names of the Array API that the rows use, where a library spells them in another way."""

from __future__ import annotations

import importlib
from types import ModuleType, SimpleNamespace
from typing import ClassVar

import numpy as np


class Dialect:
    """A module, whose names may be replaced by methods of derived classes."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def __getattr__(self, name: str):
        found = getattr(self._module, name)
        self.__dict__[name] = found
        return found


class Parts(Dialect):
    """A submodule with other functions in place of some."""

    def __init__(self, module: ModuleType, **replaced) -> None:
        super().__init__(module)
        self.__dict__.update(replaced)


class NumPy(Dialect):
    """NumPy, with SciPy's Fourier transforms, which use several threads, if SciPy is installed."""

    def __init__(self, threads: int) -> None:
        super().__init__(np)
        try:
            scipy_fft = importlib.import_module("scipy.fft")
        except ImportError:
            return

        def threaded(function):
            return lambda x, **keywords: function(x, workers=threads, **keywords)

        names = ("fft", "ifft", "rfft", "irfft", "fftn", "rfftn")
        self.fft = SimpleNamespace(**{name: threaded(getattr(scipy_fft, name)) for name in names})

    def logsumexp(self, x, axis=None):
        largest = np.max(x, axis=axis, keepdims=True)
        return np.log(np.sum(np.exp(x - largest), axis=axis)) + np.squeeze(largest, axis=axis)

    def cumulative_logsumexp(self, x):
        return np.logaddexp.accumulate(x)


class Torch(Dialect):
    def __init__(self, torch: ModuleType) -> None:
        super().__init__(torch)
        self.linalg = Parts(torch.linalg, outer=torch.outer)

    def std(self, x, axis=None):
        return self._module.std(x, dim=axis, correction=0)

    def var(self, x, axis=None):
        return self._module.var(x, dim=axis, correction=0)

    def prod(self, x, axis=None):
        return self._module.prod(x) if axis is None else self._module.prod(x, axis)

    def max(self, x, axis=None):
        return self._module.max(x) if axis is None else self._module.amax(x, axis)

    def logsumexp(self, x, axis=None):
        return self._module.logsumexp(x, tuple(range(x.ndim)) if axis is None else axis)

    def cumulative_sum(self, x, axis=0):
        return self._module.cumsum(x, axis)

    def cumulative_prod(self, x, axis=0):
        return self._module.cumprod(x, axis)

    def cumulative_logsumexp(self, x):
        return self._module.logcumsumexp(x, 0)

    def astype(self, x, dtype):
        return x.to(dtype)

    def copy(self, x):
        return x.clone(memory_format=self._module.contiguous_format)

    def permute_dims(self, x, axes):
        return x.permute(axes)

    def flip(self, x, axis=0):
        return self._module.flip(x, (axis,))

    def roll(self, x, shift, axis=0):
        return self._module.roll(x, shift, axis)

    def repeat(self, x, times, axis=None):
        return self._module.repeat_interleave(x, times, dim=axis)

    def pad(self, x, widths):
        return self._module.nn.functional.pad(x, widths)

    def sort(self, x, axis=-1):
        return self._module.sort(x, dim=axis).values

    def unique_values(self, x):
        return self._module.unique(x)

    def unique_inverse(self, x):
        return self._module.unique(x, return_inverse=True)

    def unique_counts(self, x):
        return self._module.unique(x, return_counts=True)

    def take(self, x, i, axis=None):
        return self._module.take(x, i) if axis is None else self._module.index_select(x, axis, i)

    def take_along_axis(self, x, i, axis):
        return self._module.gather(x, axis, i)

    def nonzero(self, x):
        return self._module.nonzero(x, as_tuple=True)

    def vecdot(self, x, y):
        return self._module.dot(x, y) if x.ndim == 1 else self._module.linalg.vecdot(x, y)

    def tensordot(self, x, y, axes):
        return self._module.tensordot(x, y, dims=axes)

    def linspace(self, start, stop, n, dtype):
        return self._module.linspace(start, stop, n, dtype=dtype)


class Jax(Dialect):
    def __init__(self, jax: ModuleType) -> None:
        super().__init__(jax.numpy)
        self.lax = jax.lax
        self.logsumexp = jax.nn.logsumexp

    def cumulative_logsumexp(self, x):
        return self.lax.cumlogsumexp(x)


class CuPy(Dialect):
    """CuPy, whose releases have different parts of the Array API's names."""

    OLDER: ClassVar = {
        "concat": "concatenate",
        "cumulative_prod": "cumprod",
        "cumulative_sum": "cumsum",
        "permute_dims": "transpose",
        "unique_values": "unique",
        "atan": "arctan",
        "atan2": "arctan2",
    }

    def __init__(self, cupy: ModuleType) -> None:
        super().__init__(cupy)
        self.linalg = Parts(
            cupy.linalg,
            outer=cupy.outer,
            svdvals=lambda x: cupy.linalg.svd(x, compute_uv=False),
            vector_norm=lambda x, axis=None: cupy.linalg.norm(x.ravel() if axis is None else x, axis=axis),
        )
        self.logsumexp = getattr(importlib.import_module("cupyx.scipy.special"), "logsumexp", None)

    def __getattr__(self, name: str):
        return super().__getattr__(name if hasattr(self._module, name) else self.OLDER.get(name, name))

    def astype(self, x, dtype):
        return x.astype(dtype)

    def copy(self, x):
        return x.copy()  # C order

    def unique_inverse(self, x):
        return self._module.unique(x, return_inverse=True)

    def unique_counts(self, x):
        return self._module.unique(x, return_counts=True)

    def vecdot(self, x, y):
        return self._module.dot(x, y) if x.ndim == 1 else self._module.einsum("ij,ij->i", x, y)
