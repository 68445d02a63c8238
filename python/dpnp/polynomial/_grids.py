"""Values of polynomials in two and three variables, and of products of the polynomials of a basis."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dpep._array import dpnp_ndarray

import dpnp
from dpnp._support import named
from dpnp.polynomial._bases import Basis
from dpnp.polynomial._series import placed

__all__ = ["grid_functions_of"]

_EXAMPLE = """
    Examples
    --------
    >>> import dpnp as np
    >>> from dpnp.polynomial import {module}
    >>> x = np.array([0.0, 1.0])
    >>> {module}.{prefix}{call}
    {result}
    """

_VALUES = """Return the values of a polynomial in {count} variables at points.

    Parameters
    ----------
    {names} : ndarray or number
        The coordinates of the points, of the same shape.
    c : ndarray or array_like
        The coefficients: of the first axis for the first variable, and so on. Further axes are of several polynomials.

    Raises
    ------
    ValueError
        For coordinates of different shapes.
"""

_GRID = """Return the values of a polynomial in {count} variables at all combinations of coordinates.

    Parameters
    ----------
    {names} : ndarray or number
        The coordinates.
    c : ndarray or array_like
        The coefficients: of the first axis for the first variable, and so on. Further axes are of several polynomials.
"""

_VANDER = """Return the values of products of the polynomials of the basis in {count} variables, in a last axis.

    Parameters
    ----------
    {names} : ndarray or number
        The coordinates of the points.
    deg : sequence of ints
        The highest degrees in the variables. The products of the last variable's polynomials are beside each other.

    Raises
    ------
    ValueError
        When there is not one degree for each variable.
"""


def _same_shapes(name: str, points: Sequence[object]) -> list[dpnp_ndarray]:
    made = placed(name, *points)
    if len({x.shape for x in made}) > 1:
        raise ValueError(f"{name}: coordinates must have the same shape, got {[x.shape for x in made]}")
    return made


def _products(name: str, vander: Callable, points: Sequence[object], degrees: Sequence[int]) -> dpnp_ndarray:
    if len(degrees) != len(points):
        raise ValueError(f"{name}: expected {len(points)} degrees, got {len(degrees)}")
    made = None
    for x, degree in zip(_same_shapes(name, points), degrees, strict=True):
        columns = vander(x, degree)
        if made is None:
            made = columns
        else:
            made = made[..., :, None] * columns[..., None, :]
            made = dpnp.reshape(made, (*made.shape[:-2], -1))
    return made


def grid_functions_of(basis: Basis, functions: dict[str, Callable]) -> dict[str, Callable]:
    """The functions of several variables, by their names without the prefix."""
    val, vander, prefix = functions["val"], functions["vander"], basis.prefix

    def values(name: str, points: Sequence[object], c: object) -> dpnp_ndarray:
        for k, x in enumerate(_same_shapes(name, points)):
            c = val(x, c, k == 0)
        return c

    def val2d(x: object, y: object, c: object) -> dpnp_ndarray:
        return values(f"{prefix}val2d", (x, y), c)

    def val3d(x: object, y: object, z: object, c: object) -> dpnp_ndarray:
        return values(f"{prefix}val3d", (x, y, z), c)

    def grid2d(x: object, y: object, c: object) -> dpnp_ndarray:
        return val(y, val(x, c))

    def grid3d(x: object, y: object, z: object, c: object) -> dpnp_ndarray:
        return val(z, val(y, val(x, c)))

    def vander2d(x: object, y: object, deg: Sequence[int]) -> dpnp_ndarray:
        return _products(f"{prefix}vander2d", vander, (x, y), deg)

    def vander3d(x: object, y: object, z: object, deg: Sequence[int]) -> dpnp_ndarray:
        return _products(f"{prefix}vander3d", vander, (x, y, z), deg)

    texts = {
        "val2d": (val2d, _VALUES, "val2d(x, x, [[1, 2], [3, 4]])", "array([ 1., 10.])"),
        "val3d": (val3d, _VALUES, "val3d(x, x, x, [[[1, 2]]])", "array([1., 3.])"),
        "grid2d": (grid2d, _GRID, "grid2d(x, x, [[1, 2], [3, 4]])", "array([[ 1.,  3.],\n           [ 4., 10.]])"),
        "grid3d": (grid3d, _GRID, "grid3d(x, 0.0, 0.0, [[[1]], [[2]]])", "array([1., 3.])"),
        "vander2d": (vander2d, _VANDER, "vander2d(x, x, [1, 0])", "array([[1., 0.],\n           [1., 1.]])"),
        "vander3d": (vander3d, _VANDER, "vander3d(x, x, x, [0, 0, 1])", "array([[1., 0.],\n           [1., 1.]])"),
    }
    made = {}
    for name, (function, text, call, result) in texts.items():
        variables = {"count": "two", "names": "x, y"} if "2" in name else {"count": "three", "names": "x, y, z"}
        example = _EXAMPLE.format(module=basis.module, prefix=prefix, call=call, result=result)
        made[name] = named(function, prefix + name, text.format(**variables) + example)
    return made
