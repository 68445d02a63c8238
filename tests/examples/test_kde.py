"""The KDE example: its extension builds with dpcxx, agrees with a plain double loop, and refuses bad input."""

import pathlib
import sys

import dpctl
import numpy as np
import pytest

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "kde"


@pytest.fixture(scope="module")
def kde(tmp_path_factory):
    sys.path.insert(0, str(EXAMPLE))
    from build_extension import build

    sys.path.insert(0, str(build(tmp_path_factory.mktemp("kde"))))
    sys.modules.pop("demo", None)  # other examples have programs of that name
    import demo
    import kde_sycl

    return demo, kde_sycl


def reference(samples: np.ndarray, points: np.ndarray, h: float) -> np.ndarray:
    d = samples.shape[1]
    scale = (2 * np.pi * h * h) ** (-d / 2) / len(samples)
    return np.array(
        [scale * np.exp(-0.5 / h**2 * ((samples.astype("f8") - p) ** 2).sum(axis=1)).sum() for p in points.astype("f8")]
    )


@pytest.mark.parametrize("method", ["ATOMICS", "GROUP_REDUCTION"])
@pytest.mark.parametrize("dtype, tolerance", [("f4", 2e-5), ("f8", 1e-12)])
@pytest.mark.parametrize("n, d, m", [(1, 1, 1), (511, 2, 3), (512, 7, 17), (5000, 8, 4)])
def test_agrees_with_numpy(kde, n, d, m, dtype, tolerance, method):
    demo, module = kde
    random = np.random.default_rng(n + d)
    samples, points = random.random((n, d)).astype(dtype), random.random((m, d)).astype(dtype)
    estimator = demo.Estimator(samples, points, 0.3, dpctl.SyclQueue(), getattr(module.Method, method))
    for _ in range(2):  # the function itself sets the density to zero
        estimator.run()
    np.testing.assert_allclose(estimator.result(), reference(samples, points, 0.3), rtol=tolerance)


def test_real_data_are_monthly_returns(kde):
    demo, _ = kde
    data = demo.returns()
    assert data.shape[0] > 200 and data.shape[1] == 2
    assert np.all(np.abs(data) < 50) and np.corrcoef(data.T)[0, 1] > 0.5


@pytest.mark.parametrize(
    "change, message",
    [
        ({"dimensions": 9}, "9 dimensions"),
        ({"dimensions": 0}, "must be positive"),
        ({"bandwidth": -1.0}, "must be positive"),
        ({"dimensions": 3}, "whole rows of 24 bytes"),
    ],
)
def test_refuses_bad_arguments(kde, change, message):
    demo, module = kde
    samples = np.zeros((10, 2))
    estimator = demo.Estimator(samples, samples[:5], 0.3, dpctl.SyclQueue(), module.Method.ATOMICS)
    names = ["queue", "samples", "points", "density", "dimensions", "bandwidth", "method"]
    arguments = dict(zip(names, estimator.arguments)) | change
    with pytest.raises(ValueError, match=message):
        estimator.function(**arguments)
