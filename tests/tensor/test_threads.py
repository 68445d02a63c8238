"""Concurrent use of arrays by several threads."""

from concurrent.futures import ThreadPoolExecutor

import dpctl.tensor as dpt
import numpy as np
import pytest

THREADS, ROUNDS = 8, 100


def in_threads(work):
    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(work, range(THREADS)))


@pytest.mark.parametrize("size", [10, 100_000])
def test_shared_operands(size):
    a = np.arange(size, dtype="f8")
    x = dpt.asarray(a)

    def work(k):
        ours = [dpt.asnumpy((x * k + i)[::3] - x[::3]) for i in range(ROUNDS)]
        return all(np.array_equal(y, (a * k + i)[::3] - a[::3]) for i, y in enumerate(ours))

    assert all(in_threads(work))


@pytest.mark.parametrize("size", [10, 100_000])
def test_writes_to_parts_of_one_array(size):
    x = dpt.zeros((THREADS, size))

    def work(k):
        for i in range(ROUNDS):
            x[k] += k
            x[k, i % size] = float(x[k, i % size]) - k

    in_threads(work)
    expected = np.repeat(np.arange(THREADS) * float(ROUNDS), size).reshape(THREADS, size)
    for i in range(ROUNDS):
        expected[:, i % size] -= np.arange(THREADS)
    assert np.array_equal(dpt.asnumpy(x), expected)


def test_concurrent_creation_and_destruction():
    x = dpt.asarray(np.arange(100))

    def work(k):
        for _ in range(ROUNDS):
            part = x[k : k + 10]
            assert part.usm_data.nbytes == 800
            assert dpt.from_dlpack(part)._pointer == part._pointer
            assert str(part) == str(np.arange(k, k + 10))
            with pytest.raises(ValueError):
                part + x
        return True

    assert all(in_threads(work))
