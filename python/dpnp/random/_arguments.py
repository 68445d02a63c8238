"""Arguments of random functions: parameters, their limits, shapes and placement."""

from __future__ import annotations

import math
import numbers

import numpy
from dpctl.tensor._numpy_helper import integers_of
from dpep._array import array_base
from dpep._array.dpnp import as_dpnp, placement_of

import dpnp

__all__ = ["Limits", "Numbers", "shape_of"]


class Limits:
    """The checks of parameters, with NumPy's messages."""

    # The condition that is refused, of numbers and arrays, and the message after the parameter's name.
    NONE = None
    NON_NEGATIVE = (lambda x: x < 0, "{} < 0")
    POSITIVE = (lambda x: x <= 0, "{} <= 0")
    PROBABILITY = (lambda x: (x < 0) | (x > 1) | (x != x), "{0} < 0, {0} > 1 or {0} is NaN")
    POSITIVE_PROBABILITY = (lambda x: (x <= 0) | (x > 1) | (x != x), "{0} <= 0, {0} > 1 or {0} contains NaNs")
    BELOW_1 = (lambda x: (x < 0) | (x >= 1) | (x != x), "{0} < 0, {0} >= 1 or {0} contains NaNs")
    ABOVE_1 = (lambda x: (x <= 1) | (x != x), "{0} <= 1 or {0} contains NaNs")
    POISSON = (lambda x: (x < 0) | (x != x), "{0} < 0 or {0} contains NaNs")


def any_true(condition: object) -> bool:
    """Return whether a condition holds, of an array for any element, which waits for it."""
    return bool(condition.any()) if isinstance(condition, array_base) else bool(condition)


def shape_of(function: str, size: object) -> tuple[int, ...]:
    """Return the shape that a size describes; () for None."""
    if size is None:
        return ()
    if type(size) is int and size >= 0:
        return (size,)
    try:
        shape = integers_of(size)
    except TypeError:
        raise TypeError(f"{function}: size must be an int or a tuple of ints, got {size!r}") from None
    if any(length < 0 for length in shape):
        raise ValueError(f"{function}: size must not be negative, got {size}")
    return shape


class Numbers:
    """The numbers of one call: its parameters, which are numbers and arrays, shape and placement, and the generator."""

    __slots__ = ("_streams", "function", "generator", "parameters", "place", "shape")

    def __init__(self, function: str, generator, size, parameters: dict, place: tuple, default: tuple, integers=()):
        self.function, self.generator = function, generator
        self._streams = None
        if not integers and all(type(value) in (float, int) for value, _ in parameters.values()):
            # The same as below, for the most common arguments.
            for name, (value, limit) in parameters.items():
                if limit is not None and limit[0](value):
                    raise ValueError(f"{function}: " + limit[1].format(name))
            self.parameters = [float(value) for value, _ in parameters.values()]
            self.place = (default[0], place[1], default[1]) if place[0] is place[2] is None else place
            self.shape = shape_of(function, size)
            return
        arrays = [value for value, _ in parameters.values() if isinstance(value, array_base)]
        device, usm_type, queue = place
        if device is queue is None:
            device, queue = (None, placement_of(function, *arrays)["sycl_queue"]) if arrays else default
        self.place = device, usm_type, queue
        self.parameters = [
            self._converted(name, value, limit, name in integers) for name, (value, limit) in parameters.items()
        ]
        shapes = [x.shape for x in self.parameters if isinstance(x, array_base)]
        if size is None:
            self.shape = dpnp.broadcast_shapes(*shapes) if shapes else ()
            return
        self.shape = shape_of(function, size)
        if shapes:
            self._check_shapes(shapes)

    def _check_shapes(self, shapes: list) -> None:
        common = dpnp.broadcast_shapes(*shapes)
        try:
            fits = dpnp.broadcast_shapes(common, self.shape) == self.shape
        except ValueError:
            fits = False
        if not fits:
            raise ValueError(
                f"{self.function}: Output size {self.shape} is not compatible with broadcast dimensions of inputs "
                f"{common}"
            )

    def _converted(self, name: str, value: object, limit, is_integer: bool) -> object:
        if isinstance(value, array_base):
            x = as_dpnp(value)
        elif isinstance(value, numbers.Real) or (isinstance(value, numpy.generic | numpy.ndarray) and not value.ndim):
            x = self._number(name, value, is_integer)
        elif isinstance(value, list | tuple | numpy.ndarray):
            device, usm_type, queue = self.place
            x = dpnp.asarray(numpy.asarray(value), device=device, usm_type=usm_type, sycl_queue=queue)
        else:
            raise TypeError(
                f"{self.function}: {name} must be a number or an array of numbers, got {type(value).__name__}"
            )
        if isinstance(x, array_base):
            if x.dtype.kind not in ("biu" if is_integer else "biuf"):
                wanted = "integers" if is_integer else "real numbers"
                raise TypeError(f"{self.function}: {name} must be an array of {wanted}, got {x.dtype}")
            x = x.astype(numpy.int64 if is_integer else numpy.float64, copy=False)
        if limit is not None and any_true(limit[0](x)):
            raise ValueError(f"{self.function}: " + limit[1].format(name))
        return x

    def _number(self, name: str, value: object, is_integer: bool) -> float | int:
        if is_integer and math.isfinite(value) and int(value) == value:
            return int(value)
        if is_integer:
            raise TypeError(f"{self.function}: {name} must be an integer, got {value}")
        try:
            return float(value)
        except (TypeError, ValueError):
            raise TypeError(
                f"{self.function}: {name} must be a number or an array of numbers, got {type(value).__name__}"
            ) from None

    def with_shape(self, shape: tuple[int, ...]) -> Numbers:
        """Change the shape of the numbers, and return self."""
        self.shape = shape
        return self

    def random(self, dtype: object = numpy.float64) -> object:
        """Return the next numbers in [0, 1) of NumPy's sequence."""
        return self.generator.random(self.function, self.shape, dtype, *self.place)

    def random_above_0(self) -> object:
        """Return the same, with 2**-54 instead of 0, whose logarithm is finite."""
        return dpnp.maximum(self.random(), 2.0**-54)

    def exponential(self) -> object:
        """Return numbers of the standard exponential distribution, of one random number each."""
        return -dpnp.log1p(-self.random())

    def draw(self, name: str, *parameters: object, tag: int = 0, shape: tuple[int, ...] | None = None) -> object:
        """Return numbers of streams. All draws of a call are of the same elements, and have different names or tags."""
        if self._streams is None:
            self._streams = self.generator.streams(math.prod(self.shape))
        return self._streams.draw(name, tag, self.shape if shape is None else shape, parameters, *self.place)

    def gamma(self, shape: object, tag: int = 0) -> object:
        """Return numbers of the standard gamma distribution."""
        if not isinstance(shape, array_base):
            if shape >= 1:
                return self.draw("gamma", shape, tag=tag)
            if shape == 0:
                return self.draw("uniform", tag=tag) * 0
            return self.draw("gamma", shape + 1, tag=tag) * self.draw("uniform", tag=tag) ** (1 / shape)
        is_small = shape < 1
        power = dpnp.where(is_small, 1 / shape, 0.0)
        return self.draw("gamma", shape + is_small, tag=tag) * self.draw("uniform", tag=tag) ** power

    def log_gamma(self, shape: object, tag: int = 0) -> object:
        """Return logarithms of numbers of the standard gamma distribution, which may be too small for numbers."""
        if not isinstance(shape, array_base):
            made = dpnp.log(self.draw("gamma", shape + (shape < 1), tag=tag))
            if shape >= 1:
                return made
            return made + (dpnp.log1p(-self.draw("uniform", tag=tag)) / shape if shape > 0 else -math.inf)
        is_small = shape < 1
        power = dpnp.where(is_small, 1 / shape, 0.0)
        logarithm = dpnp.where(is_small, dpnp.log1p(-self.draw("uniform", tag=tag)) * power, 0.0)
        return dpnp.log(self.draw("gamma", shape + is_small, tag=tag)) + logarithm
