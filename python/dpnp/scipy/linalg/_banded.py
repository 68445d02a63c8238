"""Systems of linear equations with band matrices, by cyclic reduction with orthogonal transformations.

Rows are divided into blocks of as many rows as there are diagonals beside the main one, so that each block has elements
in two blocks of unknowns. Each step eliminates every second block of unknowns by a QR factorisation of the two blocks
of rows that contain it, all of them together. S. Wright, Stable parallel algorithms for two-point boundary value
problems (1992).
"""

from __future__ import annotations

import math
import operator

import numpy
from dpctl import tensor as dpt
from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array import linalg as engine

import dpnp
from dpnp._support import common_kind
from dpnp.scipy.linalg._arguments import finite_array

__all__ = ["solve_banded"]

# The largest number of unknowns that are solved for by one dense LU factorisation.
_DENSE = 96
# The largest number of rows of a block of which the steps of a QR factorisation are array operations.
_NARROW = 6


def _place(x: dpnp_ndarray) -> dict[str, object]:
    return {"usm_type": x.usm_type, "sycl_queue": x.sycl_queue}


def _row_blocks(ab: dpnp_ndarray, lower: int, upper: int) -> dpnp_ndarray:
    """The elements of blocks of rows, each in two blocks of columns. Rows beyond the matrix are those of a unit matrix.

    The first block of columns starts `lower` columns before the matrix. The axes are rows, columns and blocks.
    """
    n, width = ab.shape[1], lower + upper
    count = math.ceil(n / width)
    made = dpnp.zeros((width + 1, (count + 1) * width), dtype=ab.dtype, **_place(ab))
    made[:, lower : lower + n] = ab
    made[upper, lower + n :] = 1
    for i in range(1, lower + 1):  # these elements of `ab` are below the matrix
        made[upper + i, max(lower + n - i, 0) : lower + n] = 0
    blocks = dpnp.zeros((width, 2 * width, count), dtype=ab.dtype, **_place(ab))
    for p in range(width):
        for diagonal in range(width + 1):  # from the lowest one
            q = p + diagonal
            blocks[p, q] = made[width - diagonal, q : q + count * width : width][:count]
    return blocks


def _householder(stacked: dpnp_ndarray, width: int) -> None:
    """Make the first columns upper triangular, by reflections of all matrices together."""
    for j in range(width):
        part = stacked[j:, j:]
        first = part[0, 0]
        length = bound.sqrt(bound.sum(bound.square(bound.abs(part[:, 0])), axis=0))
        if first.dtype.kind == "c":
            sign = dpnp.where(first == 0, 1, first / bound.abs(first))
        else:
            sign = bound.copysign(dpnp.ones_like(first), first)
        v = dpnp.copy(part[:, 0])
        v[0] += sign * length
        square = length * (length + bound.abs(first))
        factor = 1 / dpnp.where(square == 0, 1, square)
        products = factor * bound.sum(bound.conj(v)[:, None] * part, axis=0)
        part -= v[:, None] * products


def _triangular(stacked: dpnp_ndarray, width: int) -> None:
    """Make the first columns upper triangular by orthogonal transformations of rows. The last axis is of matrices."""
    if width <= _NARROW:
        _householder(stacked, width)
        return
    whole = dpnp.moveaxis(stacked, -1, 0)
    q, _ = dpnp.linalg.qr(whole[..., :width], mode="complete")
    stacked[...] = dpnp.moveaxis(dpnp.matmul(dpnp.conj(dpt.matrix_transpose(q)), whole), 0, -1)


def _substituted(factor: dpnp_ndarray, right: dpnp_ndarray) -> dpnp_ndarray:
    """The solutions for upper triangular matrices. The last axis is of matrices."""
    width = factor.shape[0]
    if width > _NARROW:
        found = engine.solve(dpnp.moveaxis(factor, -1, 0), dpnp.moveaxis(right, -1, 0))
        return dpnp.moveaxis(found, 0, -1)
    made = dpnp.empty(right.shape, dtype=right.dtype, **_place(right))
    for j in reversed(range(width)):
        rest = right[j]
        for i in range(j + 1, width):
            rest = rest - factor[j, i] * made[i]
        made[j] = rest / factor[j, j]
    return made


def _reduced(
    blocks: dpnp_ndarray, right: dpnp_ndarray
) -> tuple[dpnp_ndarray, dpnp_ndarray, tuple[dpnp_ndarray, dpnp_ndarray]]:
    """Half as many blocks of rows, their right sides, and the equations of the unknowns that were eliminated."""
    width, _, count = blocks.shape
    pairs, columns = count // 2, right.shape[1]
    stacked = dpnp.zeros((2 * width, 3 * width + columns, pairs), dtype=blocks.dtype, **_place(blocks))
    first, second = (slice(i, 2 * pairs, 2) for i in (0, 1))
    # The columns of the unknowns that are eliminated, of those before and after them, and of the right side.
    stacked[:width, :width], stacked[width:, :width] = blocks[:, width:, first], blocks[:, :width, second]
    stacked[:width, width : 2 * width] = blocks[:, :width, first]
    stacked[width:, 2 * width : 3 * width] = blocks[:, width:, second]
    stacked[:width, 3 * width :], stacked[width:, 3 * width :] = right[..., first], right[..., second]
    _triangular(stacked, width)
    made, sides = stacked[width:, width : 3 * width], stacked[width:, 3 * width :]
    if count % 2:
        made = dpnp.concatenate((made, blocks[..., -1:]), axis=-1)
        sides = dpnp.concatenate((sides, right[..., -1:]), axis=-1)
    return made, sides, (stacked[:width, :width], stacked[:width, width:])


def _dense_solution(blocks: dpnp_ndarray, right: dpnp_ndarray, lower: int) -> dpnp_ndarray:
    """All blocks of unknowns. Those before and after the matrix are zeros."""
    width, _, count = blocks.shape
    n = (count + 1) * width
    dense = dpnp.zeros((n, n), dtype=blocks.dtype, **_place(blocks))
    number = dpnp.arange(count, **_place(blocks)) * width
    p, q = (dpnp.asarray(i, **_place(blocks))[..., None] for i in numpy.indices((width, 2 * width)))
    dense[number + p + lower, number + q] = blocks
    sides = dpnp.zeros((n, right.shape[1]), dtype=right.dtype, **_place(right))
    sides[lower : lower + count * width] = dpnp.reshape(dpnp.moveaxis(right, -1, 0), (count * width, -1))
    unit = [*range(lower), *range(lower + count * width, n)]
    dense[unit, unit] = 1
    return dpnp.moveaxis(dpnp.reshape(engine.solve(dense, sides), (count + 1, width, -1)), 0, -1)


def _solved(blocks: dpnp_ndarray, right: dpnp_ndarray, lower: int) -> dpnp_ndarray:
    """All blocks of unknowns, of which there is one more than blocks of rows."""
    steps, width = [], blocks.shape[0]
    while blocks.shape[-1] > 1 and (blocks.shape[-1] + 1) * width > _DENSE:
        count = blocks.shape[-1]
        blocks, right, eliminated = _reduced(blocks, right)
        steps.append((count, eliminated))
    x = _dense_solution(blocks, right, lower)
    for count, (factor, others) in reversed(steps):
        pairs = count // 2
        # Unknowns that were kept are every second block, and the last one.
        around = dpnp.concatenate((x[..., :pairs], x[..., 1 : pairs + 1]))
        known = bound.sum(others[:, : 2 * width, None] * around, axis=1)
        found = _substituted(factor, others[:, 2 * width :] - known)
        made = dpnp.empty((*x.shape[:-1], count + 1), dtype=x.dtype, **_place(x))
        made[..., : 2 * pairs : 2], made[..., 1 : 2 * pairs : 2] = x[..., :pairs], found
        made[..., 2 * pairs :] = x[..., pairs:]
        x = made
    return x


def solve_banded(
    l_and_u: tuple[int, int],
    ab: object,
    b: object,
    overwrite_ab: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> dpnp_ndarray:
    """Return the solutions of a system of linear equations with a band matrix.

    The work grows with the number of rows, and nearly all of it is done for many rows together.

    Parameters
    ----------
    l_and_u : tuple of two ints
        The numbers of diagonals below and above the main one that have elements.
    ab : ndarray
        The diagonals, one in each row, from the highest to the lowest, whose elements are at the indices of their
        columns.
    b : ndarray
        The right side, a vector, or a matrix whose columns are solved for.
    overwrite_ab, overwrite_b : bool, optional
        Have no effect.
    check_finite : bool, optional
        Whether infinities and NaN are an error.

    Returns
    -------
    ndarray
        The solution, of the shape of `b`.

    Raises
    ------
    LinAlgError
        When the matrix is singular.
    ValueError
        When shapes do not match, and for infinities and NaN.

    Examples
    --------
    >>> import dpnp as np
    >>> ab = np.array([[0.0, -1.0, -1.0], [2.0, 2.0, 2.0], [-1.0, -1.0, 0.0]])
    >>> np.scipy.linalg.solve_banded((1, 1), ab, np.array([1.0, 0.0, 1.0])).round(6)
    array([1., 1., 1.])
    """
    name = "solve_banded"
    lower, upper = map(operator.index, l_and_u)
    if lower < 0 or upper < 0:
        raise ValueError(f"{name}: the numbers of diagonals must not be negative, got {(lower, upper)}")
    ab, b = finite_array(name, ab, check_finite), finite_array(name, b, check_finite)
    ab, b = common_kind(name, ab, b), common_kind(name, b, ab)
    if ab.ndim != 2 or b.ndim not in (1, 2):
        raise ValueError(f"{name}: ab must have two axes and b one or two, got shapes {ab.shape} and {b.shape}")
    if lower + upper + 1 != ab.shape[0]:
        raise ValueError(f"{name}: invalid values for the number of lower and upper diagonals: "
                         f"l+u+1 ({lower + upper + 1}) does not equal ab.shape[0] ({ab.shape[0]})")  # fmt: skip
    if ab.shape[1] != b.shape[0]:
        raise ValueError(f"{name}: shapes of ab {ab.shape} and b {b.shape} are not compatible")
    dtype = dpnp.result_type(ab, b, "f4" if dpnp.result_type(ab, b) in ("f4", "c8", "f2") else "f8")
    if b.size == 0:
        return dpnp.empty(b.shape, dtype=dtype, **_place(b))
    ab, right = ab.astype(dtype), b.astype(dtype).reshape(b.shape[0], -1)
    if lower + upper == 0:
        if bool(bound.any(ab == 0)):
            raise dpnp.linalg.LinAlgError(f"{name}: singular matrix")
        return dpnp.reshape(right / ab[0][:, None], b.shape)
    n, width = right.shape[0], lower + upper
    blocks = _row_blocks(ab, lower, upper)
    count = blocks.shape[-1]
    padded = dpnp.zeros((count * width, right.shape[1]), dtype=dtype, **_place(b))
    padded[:n] = right
    x = _solved(blocks, dpnp.moveaxis(dpnp.reshape(padded, (count, width, -1)), 0, -1), lower)
    x = dpnp.reshape(dpnp.moveaxis(x, -1, 0), (-1, right.shape[1]))
    return dpnp.reshape(x[lower : lower + n], b.shape)
