"""Rows of elements at masks and indices, which are read and stored."""

from __future__ import annotations

from collections.abc import Callable

from rows import Row


def _stored(title: str, operands: str, index: Callable, value: Callable | None = None, **keywords) -> Row:
    """`target[index] = value`; index and value are functions of the operands after the target.

    jax has no arrays that change: it returns a copy.
    """

    def code(xp, target, *others):
        target[index(*others)] = value(*others)
        return target

    def functional(xp, target, *others):
        return target.at[index(*others)].set(value(*others))

    return Row(title, operands, code, {"jax": functional}, **keywords)


def _cleared(title: str, operands: str) -> Row:
    """`target[mask] = 0.0`, for jax by where."""

    def code(xp, target, mask):
        target[mask] = 0.0
        return target

    return Row(title, operands, code, {"jax": lambda xp, target, mask: xp.where(mask, 0.0, target)})


def _torch_put(torch, target, i, v):
    target.put_(i, v)
    return target


def _put(xp, target, i, v):
    xp.put(target, i, v)
    return target


def indexing_rows() -> list[Row]:
    eager = {"jit": False}  # the shape of a result with a mask depends on the mask's values
    return [
        Row("a[mask], half", "a half", lambda xp, a, mask: a[mask], **eager),
        Row("a[mask], 1 %", "a rare", lambda xp, a, mask: a[mask], **eager),
        Row("a[a > 1]", "a", lambda xp, a: a[a > 1], **eager),
        _cleared("a[mask] = 0.0, half", "target half"),
        _cleared("a[mask] = 0.0, 1 %", "target rare"),
        _stored("a[mask] = values", "target half values", lambda mask, v: mask, lambda mask, v: v, **eager),
        Row("a[i], random", "a random_i", lambda xp, a, i: a[i]),
        Row("a[i], sorted", "a sorted_i", lambda xp, a, i: a[i]),
        Row("a[i], rows of 16", "rows16 row_i", lambda xp, a, i: a[i]),
        _stored("a[i] = b, random", "target permutation b", lambda i, v: i, lambda i, v: v),
        _stored("a[i] = b, sorted, tenth", "target tenth_i tenth_values", lambda i, v: i, lambda i, v: v),
        _stored("a[i] = b, rows of 16", "target16 row_i rows16", lambda i, v: i, lambda i, v: v),
        _stored("a[i] = 0.0, sorted, tenth", "target tenth_i", lambda i: i, lambda i: 0.0),
        _stored("a[::2] = 1.0", "target", lambda: slice(None, None, 2), lambda: 1.0),
        Row("take(a, i), random", "a random_i", lambda xp, a, i: xp.take(a, i)),
        Row("take(m, i, axis=1)", "m columns_i", lambda xp, m, i: xp.take(m, i, axis=1)),
        Row("take_along_axis(m, i, axis=1)", "m along_i", lambda xp, m, i: xp.take_along_axis(m, i, axis=1)),
        Row(
            "put(a, i, b), random",
            "target permutation b",
            _put,
            {"torch": _torch_put, "jax": lambda xp, target, i, v: xp.put(target, i, v, inplace=False)},
        ),
        Row("nonzero(mask), half", "half", lambda xp, mask: tuple(xp.nonzero(mask)), **eager),
        Row("nonzero(mask), 1 %", "rare", lambda xp, mask: tuple(xp.nonzero(mask)), **eager),
        Row("where(mask, a, b)", "half a b", lambda xp, mask, a, b: xp.where(mask, a, b), numexpr="where(half, a, b)"),
        Row("where(a > b, a, 0.0)", "a b", lambda xp, a, b: xp.where(a > b, a, 0.0), numexpr="where(a > b, a, 0.0)"),
    ]
