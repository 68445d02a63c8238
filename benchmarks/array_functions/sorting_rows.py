"""Rows of sorts, searches and sets."""

from __future__ import annotations

import numpy as np
from rows import Row, ordered


def _size(n: int) -> str:
    return f"{n:.0e}".replace("e+0", "e")


def _sorts(function: str, operand: str, title: str) -> Row:
    def code(xp, x):
        return getattr(xp, function)(x)

    return Row(title, operand, code, **({"comparable": ordered} if function == "argsort" else {}))


def sorting_rows(n: int) -> list[Row]:
    full, tenth = _size(n), _size(n // 10)
    keys = {"float64": "f64", "float32": "f32", "int32": "k32", "int64": "k64"}
    rows = []
    for function in ("sort", "argsort"):
        rows += [_sorts(function, key, f"{function} of {full} {dtype}") for dtype, key in keys.items()]
        rows += [_sorts(function, f"tenth_{key}", f"{function} of {tenth} {dtype}") for dtype, key in keys.items()]
    return [
        *rows,
        Row("sort of sorted float64", "sorted_f64", lambda xp, x: xp.sort(x)),
        Row("sort of rows of 1000", "mx", lambda xp, mx: xp.sort(mx, axis=1)),
        Row("sort of columns", "mx", lambda xp, mx: xp.sort(mx, axis=0)),
        Row(
            "partition at the middle",
            "f64",
            lambda xp, x: xp.partition(x, x.shape[0] // 2),
            {"torch": None},
            ours="dpnp",
            comparable=_partitioned,
        ),
        Row(
            "argpartition at 1000",
            "f64",
            lambda xp, x: xp.argpartition(x, 1000),
            {"torch": None},
            ours="dpnp",
            comparable=lambda results, operands: [np.sort(operands[0][results[0][:1000]])],
        ),
        Row(
            "1000 largest elements",
            "f64",
            lambda xp, x: xp.top_k(x, 1000)[0],
            {
                "numpy": lambda xp, x: xp.sort(xp.partition(x, x.shape[0] - 1000)[-1000:])[::-1],
                "torch": lambda xp, x: xp.topk(x, 1000).values,
                "jax": lambda xp, x: xp.lax.top_k(x, 1000)[0],
                "cupy": lambda xp, x: xp.sort(xp.partition(x, x.shape[0] - 1000)[-1000:])[::-1],
            },
            comparable=lambda results, operands: [np.sort(results[0])],
        ),
        Row("unique, all different", "f64", lambda xp, x: xp.unique_values(x), jit=False, comparable=_sorted),
        Row("unique, 1000 values, int32", "few", lambda xp, x: xp.unique_values(x), jit=False, comparable=_sorted),
        Row(
            "unique with inverse, int32",
            "few",
            lambda xp, x: tuple(xp.unique_inverse(x)),
            jit=False,
            comparable=lambda results, operands: [results[0][results[1]]],
        ),
        Row(
            "unique with counts, int32",
            "few",
            lambda xp, x: tuple(xp.unique_counts(x)),
            jit=False,
            comparable=lambda results, operands: [part[np.argsort(results[0])] for part in results],
        ),
        Row("searchsorted, random", "sorted_tenth f64", lambda xp, x, v: xp.searchsorted(x, v)),
        Row("searchsorted, sorted", "sorted_tenth sorted_f64", lambda xp, x, v: xp.searchsorted(x, v)),
        Row("isin, 100 tests, int32", "few tests", lambda xp, x, v: xp.isin(x, v)),
        Row(
            f"isin, {tenth} tests, int32",
            "k32 many_tests",
            lambda xp, x, v: xp.isin(x, v),
            {"jax": lambda xp, x, v: xp.isin(x, v, method="sort")},  # its default compares all pairs
        ),
    ]


def _partitioned(results: list[np.ndarray], operands: list[np.ndarray]) -> list[np.ndarray]:
    """The elements at and around the middle by which a partition is right."""
    x, middle = results[0], operands[0].size // 2
    return [np.array([x[:middle].max(), x[middle], x[middle:].min()])]


def _sorted(results: list[np.ndarray], operands: list[np.ndarray]) -> list[np.ndarray]:
    return [np.sort(results[0])]
