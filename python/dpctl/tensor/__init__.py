"""Arrays on devices, with the names of the Array API and of dpctl.tensor 0.20.

Operations on large arrays are deferred and run as one pass over memory when their values are needed; errors in
arguments are raised at the call. Operations run on the queue of their operands, which must all be on one queue.

>>> import dpctl.tensor as dpt
>>> x = dpt.linspace(0, 1, 5)
>>> dpt.sum(x * x)
usm_ndarray(1.875)
"""

from dpep import _array, _lazy  # noqa: F401  _array imports NumPy here instead of in the first call

# Public names by the module that defines them.
_MODULES = {
    "dpep._array": "asarray asnumpy astype copy Device from_numpy to_numpy",
    "dpep._array.tensor": """
        all any arange argmax argmin argsort broadcast_arrays broadcast_to can_cast clip concat count_nonzero
        cumulative_logsumexp cumulative_prod cumulative_sum empty empty_like expand_dims extract eye flip full
        full_like isin linspace logsumexp matmul matrix_transpose max mean min moveaxis nonzero ones ones_like
        permute_dims place prod put put_along_axis reduce_hypot repeat reshape result_type roll searchsorted
        sort squeeze stack std sum swapaxes take take_along_axis tensordot tile top_k tril triu unique_all
        unique_counts unique_inverse unique_values unstack var vecdot where zeros zeros_like
    """,
    "dpctl.tensor._constants": "__array_api_version__ e inf nan newaxis pi",
    "dpctl.tensor._data_types": """
        bool complex128 complex64 dtype finfo float16 float32 float64 iinfo int16 int32 int64 int8 isdtype
        uint16 uint32 uint64 uint8
    """,
    "dpctl.tensor._usmarray": "usm_ndarray",
    "dpctl.tensor._elementwise_common": "BinaryElementwiseFunc UnaryElementwiseFunc",
    "dpctl.tensor._dlpack": "dldevice_to_sycl_device DLDeviceType from_dlpack sycl_device_to_dldevice",
    "dpctl.tensor._array_api": "__array_namespace_info__",
    "dpctl.tensor._testing": "allclose",
    "dpctl.tensor._differences": "diff meshgrid",
    ".": "fft linalg",
    "dpctl.tensor._print": "get_print_options print_options set_print_options usm_ndarray_repr usm_ndarray_str",
}

__all__, __getattr__, __dir__ = _lazy.found_when_used(globals(), _MODULES)
