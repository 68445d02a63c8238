"""Rows of products, linear algebra and Fourier transforms."""

from __future__ import annotations

from rows import Row

PAUSE = 0.15  # the threads of OpenBLAS wait busily for about 120 ms after a product


def _product(title: str, operands: str, code, **keywords) -> Row:
    return Row(title, operands, code, pause=PAUSE, **({"tolerance": 1e-9} | keywords))


def linear_rows(n: int) -> list[Row]:
    order = 1000 if n >= 1_000_000 else 100
    square, long = f"{order} x {order}", max(n // 1000, 10)
    single = {"tolerance": 1e-3}
    return [
        _product(f"matmul {square}", "p q", lambda xp, p, q: p @ q),
        _product(f"matmul {square}, float32", "p32 q32", lambda xp, p, q: p @ q, **single),
        _product(f"matmul {square}, transposed", "p q", lambda xp, p, q: p.T @ q),
        _product(f"matmul 1000 x {long} and {long} x 1000", "m", lambda xp, m: m.T @ m),
        _product(f"matmul of {n // 10_000} of 50 x 50", "b50 d50", lambda xp, b, d: b @ d),
        _product(f"matmul of {n // 100} of 4 x 4", "b4 d4", lambda xp, b, d: b @ d),
        _product(f"{long} x 1000 and vector", "m row", lambda xp, m, row: m @ row),
        _product(f"vector and {long} x 1000", "column_vector m", lambda xp, v, m: v @ m),
        _product("vecdot(a, b)", "a b", lambda xp, a, b: xp.vecdot(a, b)),
        _product("vecdot(m, mx), rows", "m mx", lambda xp, m, mx: xp.vecdot(m, mx)),
        _product("tensordot over 2 axes", "cube1 cube2", lambda xp, a, b: xp.tensordot(a, b, axes=2)),
        _product("tensordot over 1 axis", "cube1 cube2", lambda xp, a, b: xp.tensordot(a, b[0], axes=1)),
        _product("outer of vectors of 3000", "long_vector", lambda xp, v: xp.linalg.outer(v, v)),
        _product(
            "einsum ij,kj->ik", "p q", lambda xp, p, q: xp.einsum("ij,kj->ik", p, q), ours="dpnp",
            spelled={"numpy": lambda xp, p, q: xp.einsum("ij,kj->ik", p, q, optimize=True)},
        ),
        _product(f"solve {square} and vector", "regular vector", lambda xp, a, b: xp.linalg.solve(a, b)),
        _product(f"solve {square} and {order // 10}", "regular right", lambda xp, a, b: xp.linalg.solve(a, b)),
        _product(f"inv {square}", "regular", lambda xp, a: xp.linalg.inv(a)),
        _product(f"det {square}", "definite", lambda xp, a: xp.linalg.det(a)),
        _product(f"cholesky {square}", "definite", lambda xp, a: xp.linalg.cholesky(a)),
        _product(
            f"qr {square}", "p", lambda xp, a: tuple(xp.linalg.qr(a)),
            comparable=lambda results, operands: [results[0] @ results[1]],
        ),
        _product(
            f"eigh {square}", "definite", lambda xp, a: tuple(xp.linalg.eigh(a)),
            comparable=lambda results, operands: [results[0], (results[1] * results[0]) @ results[1].T],
        ),
        _product(f"eigvalsh {square}", "definite", lambda xp, a: xp.linalg.eigvalsh(a)),
        _product(
            f"svd {order // 2} x {order // 2}", "half_order",
            lambda xp, a: tuple(xp.linalg.svd(a, full_matrices=False)),
            comparable=lambda results, operands: [results[1], (results[0] * results[1]) @ results[2]],
        ),
        _product(f"svdvals {square}", "p", lambda xp, a: xp.linalg.svdvals(a)),
        _product(f"solve {long} of 16 x 16", "regular16 right16", lambda xp, a, b: xp.linalg.solve(a, b)),
        _product(f"inv {long} of 16 x 16", "regular16", lambda xp, a: xp.linalg.inv(a)),
        _product(f"cholesky {long} of 16 x 16", "definite16", lambda xp, a: xp.linalg.cholesky(a)),
    ]  # fmt: skip


def fourier_rows(n: int) -> list[Row]:
    power, plane = 1 << (n // 10).bit_length(), 1 << (int(n**0.5) // 2).bit_length()
    order, edge, long = 1000 if n >= 1_000_000 else 100, round(n ** (1 / 3)) // 2, max(n // 1000, 10)
    single = {"tolerance": 1e-3}

    def row(title: str, operand: str, function: str, **keywords) -> Row:
        tolerance = keywords.pop("tolerance", 1e-9)
        return Row(title, operand, lambda xp, x: getattr(xp.fft, function)(x, **keywords), tolerance=tolerance)

    return [
        row(f"fft {power}", "power", "fft"),
        row(f"fft {n // 10}", "decimal", "fft"),
        row(f"fft {n}", "whole", "fft"),
        row(f"fft {power}, complex64", "power64", "fft", **single),
        row(f"rfft {power}", "real_power", "rfft"),
        row(f"rfft {n}", "a", "rfft"),
        row(f"irfft {power}", "half_power", "irfft"),
        row(f"fft {long} of 1024", "lines", "fft"),
        row(f"rfft {long} of 1024", "real_lines", "rfft"),
        row(f"fft {n // 100} of 16", "short_lines", "fft"),
        row(f"fft 1024 of {long}, axis 0", "lines", "fft", axis=0),
        row(f"fft2 {order} x {order}", "plane", "fftn"),
        row(f"fft2 {plane} x {plane}", "square_plane", "fftn"),
        row(f"rfft2 {plane} x {plane}", "real_plane", "rfftn"),
        row(f"fftn {edge} x {edge} x {edge}", "box", "fftn"),
    ]
