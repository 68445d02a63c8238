"""The example of a Cython extension: a kernel on USM memory."""

import os
import pathlib

import dpctl
import dpctl.memory
import numpy as np
import pytest
from building import build_by_setuptools

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "cython_extension"


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    pytest.importorskip("Cython")
    return build_by_setuptools(EXAMPLE, os.fspath(tmp_path_factory.mktemp("cython")), "smoothing")[0]


@pytest.mark.parametrize("kind", ["Device", "Shared", "Host"])
def test_means_of_neighbours(module, kind):
    queue = dpctl.SyclQueue()
    x = np.random.default_rng(1).random(10_007)
    source, target = (getattr(dpctl.memory, f"MemoryUSM{kind}")(x.nbytes, queue=queue) for _ in range(2))
    source.copy_from_host(x)
    module.smooth(queue, source, target)
    padded = np.pad(x, 1, mode="edge")
    expected = (padded[:-2] + padded[1:-1] + padded[2:]) / 3
    np.testing.assert_allclose(np.frombuffer(target.copy_to_host(), "f8"), expected, rtol=1e-15)


def test_memories_of_other_sizes_are_errors(module):
    queue = dpctl.SyclQueue()
    memories = [dpctl.memory.MemoryUSMDevice(n, queue=queue) for n in (80, 160)]
    with pytest.raises(ValueError, match="got 80 and 160 bytes"):
        module.smooth(queue, *memories)
