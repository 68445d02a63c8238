"""Rows of element functions: contiguous, strided and broadcast operands, and several data types."""

from __future__ import annotations

from rows import Row


def _function(name: str, operands: str = "a", numexpr: str = "", **keywords) -> Row:
    """A function of that name in all libraries, unless `keywords` say something else."""
    title = f"{name}({operands.replace(' ', ', ')})"

    def code(xp, *arrays):
        return getattr(xp, name)(*arrays)

    return Row(title, operands, code, numexpr=numexpr, **keywords)


def element_rows() -> list[Row]:
    return [
        Row("a + b", "a b", lambda xp, a, b: a + b, numexpr="a + b"),
        Row("a / b", "a b", lambda xp, a, b: a / b, numexpr="a / b"),
        Row("a * b + c", "a b c", lambda xp, a, b, c: a * b + c, numexpr="a * b + c"),
        Row("a ** 2", "a", lambda xp, a: a**2, numexpr="a ** 2"),
        Row("a ** b", "a b", lambda xp, a, b: a**b, numexpr="a ** b"),
        _function("sqrt", numexpr="sqrt(a)"),
        _function("abs", "x", numexpr="abs(x)"),
        _function("floor", "x", numexpr="floor(x)"),
        _function("round", "x", numexpr="round(x)"),
        _function("sign", "x", numexpr="sign(x)"),
        _function("exp", "x", numexpr="exp(x)"),
        _function("expm1", "x", numexpr="expm1(x)"),
        _function("log", numexpr="log(a)"),
        _function("log1p", numexpr="log1p(a)"),
        _function("sin", "x", numexpr="sin(x)"),
        _function("cos", "x", numexpr="cos(x)"),
        _function("tan", "x", numexpr="tan(x)"),
        _function("atan", "x", numexpr="arctan(x)"),
        _function("tanh", "x", numexpr="tanh(x)"),
        _function("cbrt", spelled={"torch": None}),
        _function("atan2", "x a", numexpr="arctan2(x, a)"),
        _function("hypot", "a b"),
        _function("logaddexp", "a b"),
        _function("maximum", "a b", numexpr="maximum(a, b)"),
        Row("remainder(x, a)", "x a", lambda xp, x, a: xp.remainder(x, a)),
        Row("floor_divide(x, a)", "x a", lambda xp, x, a: x // a),
        Row("clip(x, -1, 1)", "x", lambda xp, x: xp.clip(x, -1.0, 1.0)),
        Row("a > b", "a b", lambda xp, a, b: a > b, numexpr="a > b"),
        Row("(a > 0.7) & (b < 1.2)", "a b", lambda xp, a, b: (a > 0.7) & (b < 1.2), numexpr="(a > 0.7) & (b < 1.2)"),
        _function("isnan"),
        Row("a[::2] + b[::2]", "a b", lambda xp, a, b: a[::2] + b[::2]),
        Row("sqrt(a[::2])", "a", lambda xp, a: xp.sqrt(a[::2])),
        Row("flip(a) + b", "a b", lambda xp, a, b: xp.flip(a) + b),
        Row("m[:, ::2] * 2", "m", lambda xp, m: m[:, ::2] * 2),
        Row("s + s.T", "s", lambda xp, s: s + s.T),
        Row("m + row", "m row", lambda xp, m, row: m + row, numexpr="m + row"),
        Row("m + column", "m column", lambda xp, m, column: m + column, numexpr="m + column"),
        Row("column * row", "column row", lambda xp, column, row: column * row, numexpr="column * row"),
        Row("a32 + b32, float32", "a32 b32", lambda xp, a32, b32: a32 + b32, numexpr="a32 + b32"),
        Row("exp(x32), float32", "x32", lambda xp, x32: xp.exp(x32), numexpr="exp(x32)"),
        Row("sin(x32), float32", "x32", lambda xp, x32: xp.sin(x32), numexpr="sin(x32)"),
        Row("a32 + b, float32 and float64", "a32 b", lambda xp, a32, b: a32 + b, numexpr="a32 + b"),
        Row("i32 * a, int32 and float64", "i32 a", lambda xp, i32, a: i32 * a, numexpr="i32 * a"),
        Row("i32 + i64, int32 and int64", "i32 i64", lambda xp, i32, i64: i32 + i64, numexpr="i32 + i64"),
        Row("i32 + j32, int32", "i32 j32", lambda xp, i32, j32: i32 + j32, numexpr="i32 + j32"),
        Row("i32 // j32, int32", "i32 j32", lambda xp, i32, j32: i32 // j32),
        Row("i32 & j32, int32", "i32 j32", lambda xp, i32, j32: i32 & j32, numexpr="i32 & j32"),
        Row("a to float32", "a", lambda xp, a: xp.astype(a, xp.float32)),
        Row("x to int32", "x", lambda xp, x: xp.astype(x, xp.int32)),
        Row("i32 to float64", "i32", lambda xp, i32: xp.astype(i32, xp.float64)),
        Row("z * w, complex128", "z w", lambda xp, z, w: z * w, numexpr="z * w"),
        Row("abs(z), complex128", "z", lambda xp, z: xp.abs(z)),
        Row("exp(z), complex128", "z", lambda xp, z: xp.exp(z), numexpr="exp(z)"),
    ]
