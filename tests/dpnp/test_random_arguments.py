"""dpnp.random: names, shapes, dtypes, placement and refused arguments."""

from __future__ import annotations

import inspect

import dpctl
import dpnp
import numpy as np
import pytest

PLACED = {"device": None, "usm_type": "device", "sycl_queue": None}
LEGACY_WITHOUT = {"test", "bit_generator", "mtrand"}


def public(thing: object) -> set[str]:
    return {name for name in dir(thing) if not name.startswith("_")}


def test_the_names_are_numpys():
    assert public(np.random) - LEGACY_WITHOUT <= public(dpnp.random)
    assert public(np.random.Generator) <= public(dpnp.random.Generator)
    assert public(np.random.RandomState) - LEGACY_WITHOUT <= public(dpnp.random.RandomState)
    assert public(np.random.Philox) - {"capsule", "cffi", "ctypes", "lock"} <= public(dpnp.random.Philox)
    assert set(dpnp.random.__all__) <= public(dpnp.random)


@pytest.mark.parametrize("kind", ["Generator", "RandomState"])
def test_arguments_have_numpys_names(kind):
    for name in public(getattr(np.random, kind)) - LEGACY_WITHOUT - {"poisson_lam_max", "spawn", "bit_generator"}:
        theirs = getattr(np.random, kind).__dict__[name].__doc__.strip().split("\n\n")[0]
        words = theirs[theirs.index("(") + 1 : theirs.rindex(")")].replace("\n", " ").split(",")
        wanted = [word.split("=")[0].strip(" *") for word in words if word.strip(" *")]
        mine = list(inspect.signature(getattr(getattr(dpnp.random, kind), name)).parameters)
        if name in ("rand", "randn"):
            continue
        assert (
            mine[1 : 1 + len(wanted)] == [w for w in wanted if w != "method" or name != "multivariate_normal"]
            or [m for m in mine if m in wanted] == wanted
        ), (name, mine, wanted)


DISTRIBUTIONS = {
    "beta": (2, 3), "binomial": (10, 0.5), "chisquare": (2,), "exponential": (2,), "f": (2, 3), "gamma": (2, 3),
    "geometric": (0.5,), "gumbel": (1, 2), "hypergeometric": (10, 20, 5), "laplace": (1, 2), "logistic": (1, 2),
    "lognormal": (1, 2), "logseries": (0.5,), "negative_binomial": (3, 0.5), "noncentral_chisquare": (2, 1),
    "noncentral_f": (2, 3, 1), "normal": (1, 2), "pareto": (2,), "poisson": (3,), "power": (2,), "rayleigh": (2,),
    "standard_cauchy": (), "standard_exponential": (), "standard_gamma": (2,), "standard_normal": (),
    "standard_t": (3,),
    "triangular": (0, 1, 2), "uniform": (0, 1), "vonmises": (0, 1), "wald": (1, 2), "weibull": (2,), "zipf": (2,),
    "random": (),
}  # fmt: skip


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_shapes_and_placement(name):
    arguments = DISTRIBUTIONS[name]
    queue = dpctl.SyclQueue()
    for owner in (dpnp.random, dpnp.random.RandomState(1), dpnp.random.default_rng(1)):
        function = getattr(owner, name)
        for size, shape in ((None, ()), ((), ()), (3, (3,)), ((2, 0), (2, 0)), ([2, 3], (2, 3)), (np.int32(4), (4,))):
            x = function(*arguments, size=size)
            assert isinstance(x, dpnp.ndarray) and x.shape == shape
        x = function(*arguments, size=(2, 3), usm_type="shared", sycl_queue=queue)
        assert x.sycl_queue == queue and x.usm_type == "shared"
        with pytest.raises(TypeError, match="size must be an int"):
            function(*arguments, size="x")
        with pytest.raises(ValueError, match="must not be negative"):
            function(*arguments, size=(2, -1))
        if not arguments:
            continue
        y = function(*[dpnp.asarray([x], sycl_queue=queue) for x in arguments])
        assert y.sycl_queue == queue and y.shape == (1,)
        with pytest.raises(ValueError, match="is not compatible with broadcast dimensions"):
            function(*[[x] * 3 for x in arguments], size=2)
        with pytest.raises(TypeError, match="must be a number or an array"):
            function(*[None for x in arguments], size=2)
        with pytest.raises(TypeError, match="must be a"):
            function(*["a" for x in arguments], size=2)
    for owner in (dpnp.random.RandomState(1, sycl_queue=queue), dpnp.random.default_rng(1, sycl_queue=queue)):
        assert getattr(owner, name)(*arguments, size=2).sycl_queue == queue


def test_arrays_on_different_queues_are_refused():
    a, b = (dpnp.asarray([1.0], sycl_queue=dpctl.SyclQueue()) for _ in range(2))
    with pytest.raises(dpctl.utils.ExecutionPlacementError):
        dpnp.random.normal(a, b)


def test_types_and_shapes():
    rng = dpnp.random.default_rng(1)
    assert dpnp.random.randint(3, size=100, dtype="i4").dtype == np.int32
    assert set(dpnp.asnumpy(dpnp.random.randint(3, size=100)).tolist()) == {0, 1, 2}
    assert dpnp.random.rand(2, 3).shape == (2, 3) and dpnp.random.randn(0).shape == (0,)
    assert rng.random(3, dtype="f4").dtype == rng.standard_normal(3, dtype="f4").dtype == np.float32
    assert rng.standard_gamma(2, 3, dtype="f4").dtype == rng.standard_exponential(3, "f4").dtype == np.float32
    assert rng.permutation(5).dtype == rng.choice(5, 3).dtype == np.int64
    assert dpnp.random.RandomState(1).tomaxint(3).dtype == np.int64
    assert dpnp.random.default_rng(rng) is rng


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda r: dpnp.random.seed(-1), ValueError, "non-negative"),
        (lambda r: dpnp.random.seed("x"), TypeError, "SeedSequence"),
        (
            lambda r: dpnp.random.RandomState(1).set_state(("MT19937", [0] * 624, 1, 0, 0.0)),
            TypeError,
            "must be a dict",
        ),
        (lambda r: dpnp.random.Philox(1, key=2), ValueError, "cannot be both used"),
        (lambda r: dpnp.random.Philox(key=2**128), ValueError, "key must be from 0 to"),
        (lambda r: dpnp.random.Philox(key=[1, 2, 3]), ValueError, "key must have 2 integers"),
        (lambda r: dpnp.random.Philox(key=1).spawn(2), TypeError, "made with a key"),
        (lambda r: dpnp.random.PCG64(1), NotImplementedError, "use dpnp.random.Philox"),
        (lambda r: dpnp.random.MT19937(), NotImplementedError, "use dpnp.random.Philox"),
        (lambda r: dpnp.random.Generator(np.random.PCG64(1)), NotImplementedError, "Philox only, got PCG64"),
        (lambda r: dpnp.random.Generator(3), TypeError, "expected a bit generator, got int"),
        (lambda r: r.normal(0, -1, 3), ValueError, "scale < 0"),
        (lambda r: r.normal(0, dpnp.asarray([1.0, -1])), ValueError, "scale < 0"),
        (lambda r: r.uniform("a", 1, 3), TypeError, "low must be a number"),
        (lambda r: r.uniform(0, np.inf), OverflowError, "exceeds valid bounds"),
        (lambda r: r.uniform(2, 1), ValueError, "high - low < 0"),
        (lambda r: r.normal(None, 1, 3), TypeError, "loc must be a number or an array of numbers, got NoneType"),
        (lambda r: r.normal(dpnp.asarray([1j]), 1), TypeError, "loc must be an array of real numbers"),
        (lambda r: r.exponential(-1), ValueError, "scale < 0"),
        (lambda r: r.gamma(-1), ValueError, "shape < 0"),
        (lambda r: r.beta(0, 1), ValueError, "a <= 0"),
        (lambda r: r.chisquare(0), ValueError, "df <= 0"),
        (lambda r: r.f(1, 0), ValueError, "dfden <= 0"),
        (lambda r: r.standard_t([1, 0]), ValueError, "df <= 0"),
        (lambda r: r.pareto(0), ValueError, "a <= 0"),
        (lambda r: r.power(-1), ValueError, "a <= 0"),
        (lambda r: r.weibull(-1), ValueError, "a < 0"),
        (lambda r: r.vonmises(0, -1), ValueError, "kappa < 0"),
        (lambda r: r.wald(0, 1), ValueError, "mean <= 0"),
        (lambda r: r.triangular(2, 1, 3), ValueError, "left > mode"),
        (lambda r: r.triangular(0, 4, 3), ValueError, "mode > right"),
        (lambda r: r.triangular(1, 1, 1), ValueError, "left == right"),
        (lambda r: r.poisson(-1), ValueError, "lam < 0 or lam contains NaNs"),
        (lambda r: r.poisson(np.nan), ValueError, "lam < 0 or lam contains NaNs"),
        (lambda r: r.poisson(1e19), ValueError, "lam value too large"),
        (lambda r: r.binomial(-1, 0.5), ValueError, "n < 0"),
        (lambda r: r.binomial(3, 1.5), ValueError, "p < 0, p > 1 or p is NaN"),
        (lambda r: r.binomial(3.5, 0.5), TypeError, "n must be an integer"),
        (lambda r: r.binomial(dpnp.asarray([3.5]), 0.5), TypeError, "n must be an array of integers"),
        (lambda r: r.geometric(0), ValueError, "p <= 0, p > 1 or p contains NaNs"),
        (lambda r: r.negative_binomial(0, 0.5), ValueError, "n <= 0"),
        (lambda r: r.negative_binomial(1e18, 1e-3), ValueError, "n too large or p too small"),
        (lambda r: r.hypergeometric(1, 2, 4), ValueError, "ngood \\+ nbad < nsample"),
        (lambda r: r.hypergeometric(-1, 2, 1), ValueError, "ngood < 0"),
        (lambda r: r.hypergeometric(10**9, 2, 1), ValueError, "must be less than 1000000000"),
        (lambda r: r.logseries(1), ValueError, "p < 0, p >= 1 or p contains NaNs"),
        (lambda r: r.zipf(1), ValueError, "a <= 1 or a contains NaNs"),
        (lambda r: r.dirichlet([1, -1]), ValueError, "alpha < 0"),
        (lambda r: r.dirichlet(3), ValueError, "alpha must have one axis"),
        (lambda r: r.multinomial(3, [0.6, 0.6, 0]), ValueError, "sum\\(pvals"),
        (lambda r: r.multinomial(3, [-0.1, 1.1]), ValueError, "pvals < 0"),
        (lambda r: r.multinomial(3, []), ValueError, "at least one element"),
        (lambda r: r.multinomial(-3, [0.5, 0.5]), ValueError, "n < 0"),
        (lambda r: r.multivariate_hypergeometric([1, 2], 4), ValueError, "nsample > sum\\(colors\\)"),
        (lambda r: r.multivariate_hypergeometric([1, -2], 1), ValueError, "nonnegative integers"),
        (lambda r: r.multivariate_hypergeometric([1, 2], 1, method="x"), ValueError, "'count' or 'marginals'"),
        (lambda r: r.multivariate_hypergeometric([1, 2], 1.5), ValueError, "nsample must be an integer"),
        (lambda r: r.multivariate_normal([0], [[1, 0], [0, 1]]), ValueError, "same length"),
        (lambda r: r.multivariate_normal([[0]], [[1]]), ValueError, "mean must be 1 dimensional"),
        (lambda r: r.multivariate_normal([0], [1]), ValueError, "cov must be 2 dimensional"),
        (lambda r: r.multivariate_normal([0], [[1]], method="x"), ValueError, "method must be"),
        (lambda r: r.multivariate_normal([0], [[1]], check_valid="x"), ValueError, "check_valid must equal"),
        (lambda r: r.random(3, dtype="i4"), TypeError, "Unsupported dtype"),
        (lambda r: r.random(3, out=dpnp.empty(4)), ValueError, "size must match out.shape"),
        (lambda r: r.random(out=dpnp.empty(4), dtype="f4"), TypeError, "wrong type. Expected float32, got float64"),
        (lambda r: r.random(out=np.empty(4)), TypeError, "ndarray"),
        (lambda r: r.standard_exponential(3, method="x"), ValueError, "method must be 'zig' or 'inv'"),
        (lambda r: r.integers(3, 3), ValueError, "low >= high"),
        (lambda r: r.integers(4, 3, endpoint=True), ValueError, "low > high"),
        (lambda r: r.integers(dpnp.asarray([3, 5]), 4), ValueError, "low >= high"),
        (lambda r: r.integers(-1, 3, dtype="u1"), ValueError, "low is out of bounds for uint8"),
        (lambda r: r.integers(3, 300, dtype="u1"), ValueError, "high is out of bounds for uint8"),
        (lambda r: r.integers(2**70, 2**70 + 5), ValueError, "high is out of bounds for int64"),
        (lambda r: r.integers(3, dtype="f4"), TypeError, "Unsupported dtype"),
        (lambda r: r.integers("2"), TypeError, "must be an int"),
        (lambda r: dpnp.random.randint(3, 3), ValueError, "low >= high"),
        (lambda r: r.bytes(-1), ValueError, "must not be negative"),
        (lambda r: r.choice(0, 3), ValueError, "a must be a positive integer"),
        (lambda r: r.choice([], 3), ValueError, "a cannot be empty"),
        (lambda r: r.choice(3, 4, replace=False), ValueError, "larger sample than population"),
        (lambda r: r.choice(3, 2, p=[0.5, 0.5]), ValueError, "a and p must have same size"),
        (lambda r: r.choice(2, 2, p=[[0.5, 0.5]]), ValueError, "p must be 1-dimensional"),
        (lambda r: r.choice(2, 2, p=[0.5, 0.6]), ValueError, "do not sum to 1"),
        (lambda r: r.choice(2, 2, p=[1.5, -0.5]), ValueError, "are not non-negative"),
        (lambda r: r.choice(2, 2, p=[np.nan, 1]), ValueError, "contain NaN"),
        (lambda r: r.choice(2, 2, False, p=[0, 1]), ValueError, "Fewer non-zero entries"),
        (lambda r: r.shuffle([1, 2]), TypeError, "shuffle"),
        (lambda r: r.permutation(dpnp.asarray(1.5)), IndexError, "at least 1-dimensional"),
        (lambda r: r.permuted(dpnp.ones(3), out=dpnp.ones(4)), ValueError, "same shape"),
    ],
)
def test_wrong_arguments_are_refused(call, error, words):
    with pytest.raises(error, match=words):
        call(dpnp.random.default_rng(1))


def test_refused_calls_take_no_numbers():
    rng = dpnp.random.default_rng(1)
    before = rng.bit_generator.state
    for call in (lambda: rng.normal(0, -1, 3), lambda: rng.integers(3, 3), lambda: rng.random((2, -1))):
        with pytest.raises(ValueError):
            call()
    assert str(rng.bit_generator.state) == str(before)


class TestDtypeOfRandomState:
    def test_numbers_are_those_of_float64(self):
        for name, dtypes in (("uniform", ["f4", "f8"]), ("normal", ["f4", "f8"])):
            expected = dpnp.asnumpy(getattr(dpnp.random.RandomState(5), name)(-3, 4, 1000))
            for dtype in dtypes:
                found = getattr(dpnp.random.RandomState(5), name)(-3, 4, 1000, dtype=dtype)
                assert found.dtype == dtype
                assert (dpnp.asnumpy(found) == expected.astype(dtype)).all()

    def test_integers_are_rounded_down(self):
        found = dpnp.asnumpy(dpnp.random.RandomState(5).uniform(-3, 4, 10_000, dtype=dpnp.int32))
        assert found.dtype == np.int32
        assert set(found.tolist()) == set(range(-3, 4))

    @pytest.mark.parametrize("name, dtype", [("uniform", "i8"), ("uniform", "c8"), ("normal", "i4"), ("normal", "f2")])
    def test_other_dtypes_are_refused(self, name, dtype):
        with pytest.raises(TypeError, match=f"{name}: dtype must be one of float32, float64"):
            getattr(dpnp.random.RandomState(5), name)(dtype=dtype)


HALF = 2**63


@pytest.mark.parametrize("endpoint", [False, True])
@pytest.mark.parametrize("low, high", [(0, 2**64 - 1), (HALF, HALF + 1), (2**64 - 2, 2**64 - 1), (0, 1), (5, HALF)])
def test_bounds_of_unsigned_integers(low, high, endpoint):
    rng = dpnp.random.default_rng(3)
    unsigned = [np.array([x], dtype="u8") for x in (low, high)]
    for bounds in ((low, high), ([low], [high]), unsigned, [dpnp.asarray(x) for x in unsigned]):
        made = dpnp.asnumpy(rng.integers(*bounds, size=1000, dtype="u8", endpoint=endpoint))
        assert made.dtype == np.uint64
        assert int(made.min()) >= low
        assert int(made.max()) <= high - (not endpoint)
        if high - low > 1000:  # both halves of the interval have numbers
            assert int(made.min()) < low + (high - low) // 4 and int(made.max()) > high - (high - low) // 4


def test_refused_bounds_of_unsigned_integers():
    rng = dpnp.random.default_rng(3)
    for low, high in (([-1], [5]), ([0], [0]), ([7], [5])):
        with pytest.raises(ValueError, match="integers: "):
            rng.integers(low, high, dtype="u8")


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_probabilities_may_have_rounding_errors(dtype):
    p = np.array([0.1, 0.2, 0.7], dtype=dtype)
    rng = dpnp.random.default_rng(3)
    assert rng.choice(3, 10, p=p).shape == (10,)
    assert rng.choice(3, 10, p=dpnp.asarray(p)).shape == (10,)
    with pytest.raises(ValueError, match="do not sum to 1"):
        rng.choice(3, 10, p=p * np.asarray(0.9, dtype=dtype))


def test_a_choice_of_a_number_in_an_array():
    made = [dpnp.random.default_rng(3).choice(n, 20) for n in (5, dpnp.asarray(5))]
    assert np.array_equal(*map(dpnp.asnumpy, made))
    with pytest.raises(ValueError, match="array without axes"):
        dpnp.random.default_rng(3).choice(dpnp.asarray(5.0), 20)


@pytest.mark.parametrize(
    "name, parameters",
    [
        ("negative_binomial", (np.nan, 0.5)),
        ("noncentral_chisquare", (0.5, np.nan)),
        ("noncentral_chisquare", (0.5, np.inf)),
        ("noncentral_f", (0.5, 0.5, np.nan)),
    ],
)
def test_rejection_ends_for_parameters_without_acceptable_numbers(name, parameters):
    made = getattr(dpnp.random.default_rng(1), name)(*(dpnp.array([x, x]) for x in parameters))
    values = dpnp.asnumpy(made)
    assert values.shape == (2,) and (name == "negative_binomial" or np.isnan(values).all())
