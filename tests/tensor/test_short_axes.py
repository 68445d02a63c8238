"""Reductions over a few elements, used again by broadcasting, compared with NumPy.

Arrays of 300 points are computed by block kernels; of 60,000, on several threads, and by compiled loops from the third
call on.
"""

import dpctl.tensor as dpt
import numpy as np
import pytest

POINTS = (300, 60_000)
# of centres and components: odd sizes, powers of two, long ones
SHAPES = ((3, 2), (7, 5), (8, 4), (16, 3), (20, 2), (2, 64), (64, 2), (5, 1))
DTYPES = ("float32", "float64", "int32", "int64")


def numbers(random, shape, dtype):
    """Numbers of which many are equal, so that positions of extremes are those of the first."""
    return random.integers(-4, 5, shape).astype(dtype)


def results_of(program, *inputs):
    """NumPy's results, and ours of three calls."""
    arrays = [dpt.asarray(x) for x in inputs]
    wanted = program(np, *inputs)
    for _ in range(3):
        yield wanted, [dpt.asnumpy(x) for x in program(dpt, *arrays)]


def check(program, *inputs, tolerance=0.0):
    for wanted, ours in results_of(program, *inputs):
        for k, (x, y) in enumerate(zip(wanted, ours, strict=True)):
            assert x.shape == y.shape
            if tolerance:
                np.testing.assert_allclose(y, x, rtol=tolerance, atol=tolerance * np.max(np.abs(x)), err_msg=str(k))
            else:
                np.testing.assert_array_equal(y, x, err_msg=str(k))


def nearest(xp, x, centres):
    """The nearest centre of each point, the distance to it, and the number of centres as near."""
    difference = x[:, None, :] - centres[None, :, :]
    d2 = xp.sum(difference * difference, axis=2)
    first = xp.argmin(d2, axis=1)
    least = xp.min(d2, axis=1, keepdims=True)
    return first, least, xp.sum(xp.astype(d2 == least, xp.int64), axis=1), xp.argmax(d2, axis=1)


def nearest_of_columns(xp, x, centres):
    """The same of components along the first axis."""
    difference = x[:, None, :] - centres[:, :, None]
    d2 = xp.sum(difference**2, axis=0)
    return xp.argmin(d2, axis=0), xp.max(d2, axis=0)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("points", POINTS)
def test_nearest_centres(points, shape, dtype):
    random = np.random.default_rng(1)
    centres, components = shape
    check(nearest, numbers(random, (points, components), dtype), numbers(random, (centres, components), dtype))
    check(
        nearest_of_columns, numbers(random, (components, points), dtype), numbers(random, (components, centres), dtype)
    )


@pytest.mark.parametrize("dtype", ("float32", "float64"))
@pytest.mark.parametrize("points", POINTS)
def test_nans_and_infinities(points, dtype):
    random = np.random.default_rng(2)
    x = random.choice(np.array([0.5, -0.0, 0.0, np.nan, np.inf, -np.inf, 2.0], dtype), (7, points))

    def extremes(xp, x):
        y = x + x
        largest = xp.max(y, axis=0)
        return xp.argmin(y, axis=0), xp.argmax(y, axis=0), largest, xp.min(y, axis=0), y == largest

    with np.errstate(all="ignore"):
        check(extremes, x)
        check(lambda xp, x: extremes(xp, xp.permute_dims(x, (1, 0)).T), x)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("rows", (2, 3, 16, 20, 64))
@pytest.mark.parametrize("points", POINTS)
def test_several_reductions_of_a_value(points, rows, dtype):
    random = np.random.default_rng(3)

    def reductions(xp, x, y):
        d = x - y
        total = xp.sum(d, axis=0, dtype=d.dtype)
        positive = xp.sum(xp.astype(d > 0, xp.int32), axis=0, dtype=xp.int32)
        product = xp.prod(xp.where(d > 1, -2 * xp.ones_like(d), xp.ones_like(d)), axis=0, dtype=d.dtype)
        shifted = d * 2 - total[None]
        return (
            total, positive, product, xp.any(d == 2, axis=0), xp.all(d > -3, axis=0), shifted, xp.max(shifted, axis=0),
        )  # fmt: skip

    check(reductions, numbers(random, (rows, points), dtype), numbers(random, (rows, 1), dtype))
    check(
        lambda xp, x, y: reductions(xp, x.T, y.T), numbers(random, (points, rows), dtype),
        numbers(random, (1, rows), dtype),
    )  # fmt: skip


@pytest.mark.parametrize("dtype", ("float32", "float64"))
@pytest.mark.parametrize("shape", ((8, 4), (3, 7), (20, 2), (1, 20)))
@pytest.mark.parametrize("points", POINTS)
def test_sums_of_products_along_the_points(points, shape, dtype):
    random = np.random.default_rng(4)
    groups, components = shape
    x = random.standard_normal((points, components)).astype(dtype)
    which = random.integers(0, groups, points)

    def sums(xp, x, which):
        member = xp.astype(which[:, None] == xp.arange(groups)[None, :], x.dtype)
        return xp.sum(member, axis=0), xp.sum(member[:, :, None] * x[:, None, :], axis=0), xp.max(x * x, axis=0)

    check(sums, x, which, tolerance=1e-4 if dtype == "float32" else 1e-10)
    check(lambda xp, x, w: sums(xp, x[::-1], w), x, which, tolerance=1e-4 if dtype == "float32" else 1e-10)


@pytest.mark.parametrize("bodies", (40, 403))
def test_forces_between_bodies(bodies):
    random = np.random.default_rng(5)

    def forces(xp, p):
        d = p[:, None, :] - p[:, :, None]
        r2 = xp.sum(d * d, axis=0) + 0.01
        inverse = r2**-1.5
        return xp.sum(d * inverse[None], axis=2), xp.sum(d * inverse[None], axis=1), xp.max(inverse, axis=0)

    check(forces, random.random((3, bodies)), tolerance=1e-11)


@pytest.mark.parametrize("exponent", (0.5, -0.5, 1.5, -1.5))
@pytest.mark.parametrize("dtype", ("float32", "float64"))
def test_half_powers_of_special_numbers(dtype, exponent):
    x = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, -1.0, 4.0, 1e-30], dtype)
    with np.errstate(all="ignore"):
        wanted = np.power(x, np.full_like(x, exponent))  # of one number, NumPy takes the square root
        for count in (1, 20_000):
            ours = dpt.asarray(np.tile(x, count))
            for _ in range(3):
                got = dpt.asnumpy((ours * 1) ** exponent)
                np.testing.assert_allclose(got, np.tile(wanted, count), rtol=1e-6 if dtype == "float32" else 1e-14)
