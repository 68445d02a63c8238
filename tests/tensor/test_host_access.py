"""numpy.asarray of arrays: a refusal by default, a view where that is allowed and the host reads the memory."""

from __future__ import annotations

import os
import subprocess
import sys

import dpctl
import dpctl.tensor as dpt
import dpep
import dpnp
import numpy as np
import pytest

KINDS = ["shared", "host"] + ["device"] * dpctl.SyclQueue().sycl_device.is_cpu


@pytest.mark.parametrize("module", [dpt, dpnp], ids=["dpctl.tensor", "dpnp"])
def test_conversion_is_refused_by_default(module) -> None:
    with pytest.raises(TypeError, match="use asnumpy"):
        np.asarray(module.ones(3))
    with pytest.raises(ValueError, match="host_access must be 'explicit' or 'implicit', got 'yes'"):
        dpep.options(host_access="yes")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("module", [dpt, dpnp], ids=["dpctl.tensor", "dpnp"])
@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i4", "u8", "f2", "f4", "f8", "c8", "c16"])
def test_the_view_is_of_the_same_memory(module, kind, dtype) -> None:
    a = np.arange(24).reshape(4, 6).astype(dtype)
    x = module.asarray(a, usm_type=kind)
    with dpep.options(host_access="implicit"):
        for ours, theirs in [(x, a), (x[::-1, 1::2], a[::-1, 1::2]), (x[1], a[1]), (x[2, 3], a[2, 3]), (x[:0], a[:0])]:
            view = np.asarray(ours)
            assert view.dtype == a.dtype and np.array_equal(view, theirs)
        whole = np.asarray(x)
        whole[0, 0] = 1
        assert x[0, 0] == 1
        x[1, 1] = 0
        x.sycl_queue.wait()
        assert whole[1, 1] == 0
    with pytest.raises(TypeError):
        np.asarray(x)


def test_the_view_keeps_the_memory_alive() -> None:
    with dpep.options(host_access="implicit"):
        view = np.asarray(dpt.arange(100_000, usm_type="shared") + 1)
    others = [dpt.zeros(100_000, dtype=view.dtype, usm_type="shared") for _ in range(20)]
    assert np.array_equal(view, np.arange(1, 100_001)) and len(others) == 20


def test_pending_and_read_only_arrays_and_other_dtypes() -> None:
    x = dpt.sqrt(dpt.arange(20_000, dtype="f4", usm_type="shared"))
    with dpep.options(host_access="implicit"):
        assert np.allclose(np.asarray(x), np.sqrt(np.arange(20_000, dtype="f4")))
        assert np.asarray(x, dtype="f8").dtype == np.float64
        assert np.array(x, copy=True).base is None
        if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
            with pytest.raises(ValueError, match="copy=False forbids"):
                np.asarray(x, dtype="f8", copy=False)
        x.flags.writable = False
        assert not np.asarray(x).flags.writeable


def test_the_variable_sets_it_from_the_start() -> None:
    program = "import dpctl.tensor as dpt, numpy as np; print(np.asarray(dpt.ones(2, usm_type='shared')).sum())"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"DPEP_HOST_ACCESS": "implicit"},
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == "2.0", done.stderr
