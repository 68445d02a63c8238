"""Rows of reductions, over all axes and along each, and of accumulations."""

from __future__ import annotations

from collections.abc import Callable

from rows import Row

# name: the function of (module, array, axis), names of the arrays of one and two dimensions, of float32, and numexpr's
# name
REDUCTIONS: dict[str, tuple[Callable, str, str, str, str]] = {
    "sum": (lambda xp, x, axis: xp.sum(x, axis=axis), "a", "m", "a32", "sum"),
    "mean": (lambda xp, x, axis: xp.mean(x, axis=axis), "a", "m", "a32", ""),
    "std": (lambda xp, x, axis: xp.std(x, axis=axis), "a", "m", "a32", ""),
    "var": (lambda xp, x, axis: xp.var(x, axis=axis), "a", "m", "a32", ""),
    "prod": (lambda xp, x, axis: xp.prod(x, axis=axis), "near_one", "m1", "", "prod"),
    "max": (lambda xp, x, axis: xp.max(x, axis=axis), "x", "mx", "x32", "max"),
    "argmax": (lambda xp, x, axis: xp.argmax(x, axis=axis), "x", "mx", "x32", ""),
    "any": (lambda xp, x, axis: xp.any(x, axis=axis), "none", "none2", "", ""),
    "all": (lambda xp, x, axis: xp.all(x, axis=axis), "every", "every2", "", ""),
    "logsumexp": (lambda xp, x, axis: xp.logsumexp(x, axis=axis), "x", "mx", "x32", ""),
    "norm": (lambda xp, x, axis: xp.linalg.vector_norm(x, axis=axis), "x", "mx", "x32", ""),
}


def _reductions(name: str) -> list[Row]:
    reduce, flat, matrix, single, numexpr = REDUCTIONS[name]

    def row(title: str, operand: str, axis: int | None, tolerance: float = 0) -> Row:
        def code(xp, x):
            return reduce(xp, x, axis)

        arguments = operand if axis is None else f"{operand}, axis={axis}"
        expression = f"{numexpr}({arguments})" if numexpr else None
        return Row(title, operand, code, numexpr=expression, tolerance=tolerance)

    found = [
        row(f"{name}({flat})", flat, None, tolerance=1e-8 if name == "prod" else 0),
        row(f"{name}({matrix}, axis=0)", matrix, 0),
        row(f"{name}({matrix}, axis=1)", matrix, 1),
    ]
    if single:
        error = 1e-2 if name == "norm" else 0  # torch adds up many squares in float32
        found.append(row(f"{name}({single}), float32", single, None, error))
    return found


def reduction_rows() -> list[Row]:
    rows = [row for name in REDUCTIONS for row in _reductions(name)]
    rows += [
        Row("sum(m32, axis=0), float32", "m32", lambda xp, m32: xp.sum(m32, axis=0), numexpr="sum(m32, axis=0)"),
        Row("sum(m32, axis=1), float32", "m32", lambda xp, m32: xp.sum(m32, axis=1), numexpr="sum(m32, axis=1)"),
        Row("sum(cube, axis=1)", "cube", lambda xp, cube: xp.sum(cube, axis=1), numexpr="sum(cube, axis=1)"),
        Row("sum(cube, axis=(0, 2))", "cube", lambda xp, cube: xp.sum(cube, axis=(0, 2))),
        Row("sum(a[::2])", "a", lambda xp, a: xp.sum(a[::2])),
        Row("sum(i32), int32", "i32", lambda xp, i32: xp.sum(i32), numexpr="sum(i32)"),
        Row("sum(a * b)", "a b", lambda xp, a, b: xp.sum(a * b), numexpr="sum(a * b)"),
        Row("count_nonzero(half)", "half", lambda xp, half: xp.count_nonzero(half)),
        Row("min(i32), int32", "i32", lambda xp, i32: xp.min(i32)),
    ]
    return rows


def accumulation_rows() -> list[Row]:
    def accumulated(title: str, operand: str, function: str, axis: int | None = None, **keywords) -> Row:
        def code(xp, x):
            return getattr(xp, function)(x) if axis is None else getattr(xp, function)(x, axis=axis)

        return Row(title, operand, code, **keywords)

    cumsum, cumprod = "cumulative_sum", "cumulative_prod"
    return [
        accumulated("cumsum(x)", "x", cumsum),
        accumulated("cumsum(mx, axis=0)", "mx", cumsum, 0),
        accumulated("cumsum(mx, axis=1)", "mx", cumsum, 1),
        accumulated("cumsum(x32), float32", "x32", cumsum, tolerance=1e-3),
        accumulated("cumsum(i64), int64", "i64", cumsum),
        accumulated("cumprod(near_one)", "near_one", cumprod, tolerance=1e-8),
        accumulated("cumprod(m1, axis=1)", "m1", cumprod, 1),
        accumulated("cumulative logsumexp of x", "x", "cumulative_logsumexp"),
        Row("diff(x)", "x", lambda xp, x: xp.diff(x)),
    ]
