# ruff: noqa: B007
"""Wrong dpjit functions: indices, slices and assignments to them."""

from __future__ import annotations

from numba_dpex import prange
from numba_dpex.core.exceptions import TypingError
from wrong_functions import MATRIX, VECTOR, wrong


@wrong(TypingError, "an index must be an integer, got str", VECTOR, has_line=True)
def index_is_text(a):
    for i in prange(2):
        a["x"] = 1


@wrong(ValueError, "assign: shape (1, 5) cannot be broadcast to ()", VECTOR)
def index_is_none_value(a):
    for i in prange(2):
        a[i] = a[i] + a[None]


@wrong(TypingError, "an index must be an integer, got complex: convert it with in", VECTOR, has_line=True)
def index_is_complex(a):
    for i in prange(2):
        a[1j] = 1


@wrong(IndexError, "index: arrays used as indices must be of integers or bools, ", VECTOR)
def index_is_an_array(a):
    for i in prange(2):
        a[i] = a[a]


@wrong(ValueError, "a slice's step must not be zero", VECTOR, has_line=True)
def slice_step_zero(a):
    for i in prange(2):
        a[::0] = 1


@wrong(TypingError, "a slice's bound must be an integer, got float: convert it wi", VECTOR, has_line=True)
def slice_bound_is_a_float(a):
    for i in prange(2):
        a[:2.5] = 1


@wrong(IndexError, "an index can contain only one ellipsis (...)", MATRIX, has_line=True)
def two_ellipses(a):
    for i in prange(2):
        a[..., ...] = 1


@wrong(ValueError, "assign: shape (3,) cannot be broadcast to (2,)", VECTOR)
def slices_of_two_lengths(a):
    for i in prange(2):
        a[:2] = a[:3] * 2


@wrong(ValueError, "shapes do not match: a tuple of 3 numbers is assigned to a length of 2", VECTOR)
def tuple_into_a_slice(a):
    for i in prange(2):
        a[:2] = (1, 2, 3)


@wrong(ValueError, "operands of lengths 3 and 2 cannot be broadcast together", MATRIX, VECTOR)
def row_and_vector_of_two_lengths(a, b):
    for i in prange(2):
        a[i] = a[i] + b[: i + 2] * 2


@wrong(ValueError, "axis 0 of length 2 is assigned to a length of 3", MATRIX)
def longer_row(a):
    for i in prange(2):
        for n in range(1, 4):
            a[i, :3] = a[i, : n + 1]


@wrong(ValueError, "operands of lengths 2 and 3 cannot be broadcast together", MATRIX, has_line=True)
def rows_of_two_lengths(a):
    for i in prange(2):
        a[i] = a[i, :2] + a[i, :3]


@wrong(ValueError, "a 2-dimensional array of float64 cannot be assigned to a 1-d", MATRIX, has_line=True)
def matrix_into_a_row(a):
    for i in prange(2):
        a[i] = a * 2
