"""Launches with wrong arguments, queues and ranges, and decorators with wrong arguments."""

from __future__ import annotations

import dpctl
import dpctl.tensor as dpt
import numba_dpex as ndx
import numpy as np
from numba_dpex import kernel_api as kapi
from numba_dpex.core.exceptions import (
    ExecutionQueueInferenceError,
    IllegalRangeValueError,
    InvalidKernelLaunchArgsError,
    InvalidKernelSpecializationError,
    KernelHasReturnValueError,
    TypingError,
    UnknownGlobalRangeError,
    UnmatchedNumberOfRangeDimsError,
    UnsupportedGroupWorkItemSizeError,
    UnsupportedKernelArgumentError,
)
from wrong_programs import GROUPS, LINE, launch


@ndx.kernel
def some_kernel(item, a):
    a[item.get_id(0)] = 1


@ndx.device_func
def add_two(x, y):
    return x + y


# Launches.


def arrays(count: int = 1, queue: dpctl.SyclQueue | None = None) -> list[dpt.usm_ndarray]:
    return [dpt.zeros(4, dtype="f4", sycl_queue=queue) for _ in range(count)]


@launch(ExecutionQueueInferenceError, "queue")
def no_array():
    ndx.call_kernel(some_kernel, LINE, 3)


@ndx.kernel
def copy(item, a, b):
    b[item.get_id(0)] = a[item.get_id(0)]


@launch(ExecutionQueueInferenceError, "queue")
def two_queues():
    ndx.call_kernel(copy, LINE, *arrays(1, dpctl.SyclQueue()), *arrays(1, dpctl.SyclQueue()))


@launch((UnsupportedKernelArgumentError, ExecutionQueueInferenceError), "")
def numpy_array():
    ndx.call_kernel(copy, LINE, np.zeros(4), np.zeros(4))


@launch(UnsupportedKernelArgumentError, "str")
def string_argument():
    ndx.call_kernel(copy, LINE, *arrays(), "x")


@launch(UnsupportedKernelArgumentError, "list")
def list_argument():
    ndx.call_kernel(copy, LINE, *arrays(), [1, 2])


@launch(UnsupportedKernelArgumentError, "object")
def object_argument():
    ndx.call_kernel(copy, LINE, *arrays(), object())


@launch(TypingError, "")
def none_argument():
    ndx.call_kernel(copy, LINE, *arrays(), None)


@launch(TypeError, "argument")
def too_many_arguments():
    ndx.call_kernel(copy, LINE, *arrays(5))


@launch(TypeError, "argument")
def too_few_arguments():
    ndx.call_kernel(copy, LINE)


@launch(TypeError, "")
def function_that_is_no_kernel():
    ndx.call_kernel(lambda item, a: None, LINE, *arrays())


@launch(TypeError, "")
def device_function_is_launched():
    ndx.call_kernel(add_two, LINE, *arrays(2))


@launch((TypeError, dpctl.SyclKernelInvalidRangeError), "Range")
def index_space_that_is_a_number():
    ndx.call_kernel(copy, 4, *arrays(2))


@ndx.kernel
def with_tile(item, a, tile):
    tile[item.get_local_id(0)] = 1
    kapi.group_barrier(item.get_group())
    a[item.get_global_id(0)] = tile[0]


@launch(TypeError, "")
def local_accessor_without_groups():
    ndx.call_kernel(with_tile, LINE, *arrays(), kapi.LocalAccessor(4, "f4"))


@launch((MemoryError, RuntimeError, ValueError), "local")
def too_much_local_memory():
    ndx.call_kernel(with_tile, GROUPS, *arrays(), kapi.LocalAccessor(1 << 32, "f8"))


@launch((dpctl.SyclKernelInvalidRangeError, RuntimeError, ValueError), "")
def too_large_a_group():
    size = (1 << 22,)
    ndx.call_kernel(with_tile, ndx.NdRange(size, size), *arrays(), kapi.LocalAccessor(4, "f4"))


@launch(TypeError, "event")
def dependency_that_is_no_event():
    ndx.call_kernel_async(copy, LINE, (3,), *arrays(2))


@launch(UnknownGlobalRangeError, "without a range")
def kernel_called_without_a_range():
    some_kernel(*arrays())


@launch(InvalidKernelLaunchArgsError, "ranges")
def three_ranges():
    some_kernel[1, 2, 3](*arrays())


@launch(IllegalRangeValueError, "range")
def range_that_is_a_string():
    some_kernel["4"](*arrays())


@launch(ExecutionQueueInferenceError, "no argument")
def older_style_with_numpy_alone():
    some_kernel[4](np.zeros(4))


@launch(UnmatchedNumberOfRangeDimsError, "dimensions")
def ranges_of_different_dimensions():
    ndx.NdRange((4, 4), (2,))


@launch(TypeError, "NdRange: global_size must have one to three extents, got 4")
def ranges_of_four_dimensions():
    ndx.NdRange((1, 1, 1, 1), (1, 1, 1, 1))


@launch(TypeError, "NdRange: local_size must have one to three extents, got 0")
def ranges_without_dimensions():
    ndx.NdRange((1,), ())


@launch(UnsupportedGroupWorkItemSizeError, "multiple")
def groups_that_do_not_divide():
    ndx.NdRange((4,), (3,))


@launch(TypeError, "dim1")
def range_of_a_float():
    ndx.Range(3, 2.5)


# Decorators.


ARRAY = ndx.usm_ndarray(1, "C", ndx.float32)


@launch(ValueError, "function")
def kernel_of_a_number():
    ndx.kernel(3)


@launch(ValueError, "signature of one argument")
def signature_that_is_a_type():
    ndx.kernel(ARRAY)


@launch(NotImplementedError, "string")
def signature_that_is_a_string():
    ndx.kernel("void(float32)")


@launch(TypeError, "rubbish")
def unknown_option():
    ndx.kernel(rubbish=True)


@launch(InvalidKernelSpecializationError, "arguments 1")
def signature_with_a_numpy_array():
    ndx.kernel((ndx.types.ItemType(1), ndx.float32[::1]))(some_kernel.py_func)


@launch(KernelHasReturnValueError, "returns")
def signature_that_returns():
    ndx.kernel(ndx.float32(ndx.types.ItemType(1), ARRAY))(some_kernel.py_func)


@launch(TypingError, "")
def types_that_no_signature_has():
    only_integers = ndx.kernel((ndx.types.ItemType(1), ndx.usm_ndarray(1, "C", ndx.int64)))(some_kernel.py_func)
    ndx.call_kernel(only_integers, LINE, *arrays())


@launch(NotImplementedError, "looplift")
def option_of_numbas_compiler():
    ndx.dpjit(looplift=True)


@launch(TypeError, "expected a function or signatures, got int")
def dpjit_of_a_list():
    ndx.dpjit([1])


def plus_one(a):
    return a + 1


@launch(TypingError, "cannot be cast")
def element_function_of_other_types():
    ndx.vectorize(["int32(int32)"])(plus_one)(dpt.ones(3))


@launch(TypeError, "operand 1 must be an array or a number, got list")
def element_function_of_a_list():
    ndx.vectorize(plus_one)([1, 2])


@launch(TypeError, "takes 1 operands, got 2")
def element_function_of_too_many():
    ndx.vectorize(plus_one)(dpt.ones(3), 2)


def difference(a, b):
    return a - b


@launch(ValueError, "broadcast")
def element_function_of_shapes_that_differ():
    ndx.vectorize(difference)(dpt.ones(3), dpt.ones(4))
