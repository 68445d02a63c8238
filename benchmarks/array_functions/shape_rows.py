"""Rows of joins, changes of shape that move elements, and creation."""

from __future__ import annotations

from rows import Row


def shape_rows(n: int) -> list[Row]:
    constant = {"torch": lambda xp, x: xp.pad(x, (1000, 1000)), "jax": lambda xp, x: xp.pad(x, 1000)}
    plane = {"torch": lambda xp, x: xp.pad(x, (1, 1, 1, 1)), "jax": lambda xp, x: xp.pad(x, 1)}
    return [
        Row("concat((a, b))", "a b", lambda xp, a, b: xp.concat((a, b))),
        Row("concat((m, mx), axis=1)", "m mx", lambda xp, m, mx: xp.concat((m, mx), axis=1)),
        Row("stack((a, b))", "a b", lambda xp, a, b: xp.stack((a, b))),
        Row("stack((a, b), axis=1)", "a b", lambda xp, a, b: xp.stack((a, b), axis=1)),
        Row("roll(a, 1000)", "a", lambda xp, a: xp.roll(a, 1000)),
        Row("roll(m, 10, axis=1)", "m", lambda xp, m: xp.roll(m, 10, axis=1)),
        Row("flip(a), copied", "a", lambda xp, a: xp.copy(xp.flip(a))),
        Row("flip(m, axis=1), copied", "m", lambda xp, m: xp.copy(xp.flip(m, axis=1))),
        Row("copy(a)", "a", lambda xp, a: xp.copy(a)),
        Row("s.T, copied", "s", lambda xp, s: xp.copy(s.T)),
        Row("m.T, copied", "m", lambda xp, m: xp.copy(m.T)),
        Row("axes 2, 0, 1 of cube, copied", "cube", lambda xp, cube: xp.copy(xp.permute_dims(cube, (2, 0, 1)))),
        Row("tile(a, 2)", "a", lambda xp, a: xp.tile(a, (2,))),
        Row("tile(row, (n / 1000, 1))", "row", lambda xp, row: xp.tile(row, (max(n // 1000, 10), 1))),
        Row("repeat(a, 2)", "a", lambda xp, a: xp.repeat(a, 2)),
        Row("repeat(m, 2, axis=0)", "m", lambda xp, m: xp.repeat(m, 2, axis=0)),
        Row("pad(a, 1000)", "a", lambda xp, x: xp.pad(x, 1000), constant, ours="dpnp"),
        Row("pad(s, 1)", "s", lambda xp, x: xp.pad(x, 1), plane, ours="dpnp"),
        Row("tril(s)", "s", lambda xp, s: xp.tril(s)),
        Row("reshape of s.T", "s", lambda xp, s: xp.reshape(s.T, (-1,))),
        Row("zeros", "", lambda xp: xp.zeros(n, dtype=xp.float64)),
        Row("full", "", lambda xp: xp.full((n,), 1.5, dtype=xp.float64)),
        Row("arange", "", lambda xp: xp.arange(n, dtype=xp.float64)),
        Row("linspace", "", lambda xp: xp.linspace(0.0, 1.0, n, dtype=xp.float64)),
    ]
