"""Compiled functions are pickled by their names and copied as they are, as Python's functions."""

import copy
import pickle

import numba_dpex as ndx
import pytest
from numba_dpex import kernel_api as kapi


@ndx.dpjit
def host_function(x):
    return x + 1


@ndx.kernel
def kernel(item: kapi.Item, a):
    a[item.get_id(0)] = 1


@ndx.device_func
def device_function(x):
    return x + 1


@ndx.vectorize
def element_function(x):
    return x * 2


@pytest.mark.parametrize("function", [host_function, kernel, device_function, element_function])
def test_copies_are_the_same_object(function):
    assert pickle.loads(pickle.dumps(function)) is function
    assert copy.copy(function) is function
    assert copy.deepcopy({"f": [function]})["f"][0] is function


def test_a_local_function_cannot_be_pickled():
    @ndx.dpjit
    def local(x):
        return x

    assert copy.deepcopy(local) is local
    with pytest.raises((pickle.PicklingError, AttributeError), match="local"):
        pickle.dumps(local)
