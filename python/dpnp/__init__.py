"""Arrays on devices, with the functions of NumPy and the names of dpnp 0.18.

Arrays are those of dpctl.tensor, with a type of their own that has NumPy's methods and keywords. Operations on large
arrays are deferred and run as one pass over memory when their values are needed; errors in arguments are raised at the
call. Operations run on the queue of their operands, which must all be on one queue.

>>> import dpnp as np
>>> x = np.linspace(0, 1, 5)
>>> (x * x).sum()
array(1.875)
"""

from dpep import _lazy

from dpnp import _array  # noqa: F401  adds methods to the array type

__version__ = "0.18.1"

# Public names by the module that defines them.
_MODULES = {
    ".": "config exceptions fft lib linalg polynomial random scipy",
    "numpy": "dtypes errstate geterr geterrcall index_exp info little_endian mintypecode ndindex s_ seterr seterrcall",
    "dpctl.tensor": "DLDeviceType __array_api_version__ __array_namespace_info__",
    "dpep._array.dpnp": """
        all any argmax argmin bincount cumprod cumsum digitize max mean min nancumprod nancumsum nanprod nansum prod sum
        unique unique_all unique_counts unique_inverse unique_values
    """,
    "dpnp._array": "ndarray",
    "dpnp._bits": "packbits unpackbits",
    "dpnp._blocks": "block c_ r_",
    "dpnp._covariance": "corrcoef cov",
    "dpnp._creation": """
        array asanyarray asarray asarray_chkfinite ascontiguousarray asfarray asfortranarray astype copy empty
        empty_like from_dlpack full full_like ones ones_like zeros zeros_like
    """,
    "dpnp._diagonals": "diag diagflat diagonal fill_diagonal trace",
    "dpnp._differences": "diff ediff1d gradient trapezoid unwrap",
    "dpnp._einsum": "einsum einsum_path",
    "dpnp._elementwise": "angle imag real",
    "dpnp._emath": "emath",
    "dpnp._files": "genfromtxt load save savetxt savez savez_compressed",
    "dpnp._flat": "flatiter",
    "dpnp._element_functions": "frompyfunc vectorize",
    "dpnp._functional": "apply_along_axis apply_over_axes cross kron outer piecewise select",
    "dpnp._grids": "indices meshgrid mgrid ogrid",
    "dpnp._histograms": "histogram histogram2d histogram_bin_edges histogramdd",
    "dpnp._host_data": "frombuffer fromfile fromfunction fromiter fromstring loadtxt",
    "dpnp._index_arrays": """
        diag_indices diag_indices_from ix_ mask_indices ndenumerate ravel_multi_index tril_indices tril_indices_from
        triu_indices triu_indices_from unravel_index
    """,
    "dpnp._iterators": "broadcast nditer",
    "dpnp._joining": """
        append array_split column_stack concat concatenate dsplit dstack hsplit hstack row_stack split stack
        unstack vsplit vstack
    """,
    "dpnp._logic": """
        allclose array_equal array_equiv isclose iscomplex iscomplexobj isfortran isneginf isposinf isreal
        isrealobj isscalar iterable
    """,
    "dpnp._masks": """
        argwhere choose compress extract flatnonzero nonzero place put put_along_axis putmask
    """,
    "dpnp._matrices": "eye identity tri tril triu vander",
    "dpnp._memory_sharing": "may_share_memory shares_memory",
    "dpnp._nan_functions": """
        nanargmax nanargmin nanmax nanmean nanmin nanstd nanvar
    """,
    "dpnp._padding": "pad",
    "dpnp._poly1d": "poly1d",
    "dpnp._polynomials": "poly polyadd polyder polydiv polyfit polyint polymul polysub polyval roots",
    "dpnp._printing": """
        array2string array_repr array_str base_repr binary_repr format_float_positional format_float_scientific
        get_printoptions printoptions set_printoptions
    """,
    "dpnp._products": "dot inner matmul matvec tensordot vdot vecdot vecmat",
    "dpnp._quantiles": "median nanmedian nanpercentile nanquantile percentile quantile",
    "dpnp._ranges": "arange geomspace linspace logspace",
    "dpnp._reductions": """
        average count_nonzero cumlogsumexp cumulative_prod cumulative_sum logsumexp ptp reduce_hypot std var
    """,
    "dpnp._rounding": "around clip nan_to_num real_if_close round",
    "dpnp._searching": "isin searchsorted",
    "dpnp._selection": "take take_along_axis where",
    "dpnp._sorting": "argpartition argsort lexsort partition sort sort_complex",
    "dpnp._shapes": """
        atleast_1d atleast_2d atleast_3d broadcast_arrays broadcast_shapes broadcast_to copyto expand_dims flip
        fliplr flipud matrix_transpose moveaxis ndim permute_dims ravel repeat require reshape resize roll
        rollaxis rot90 shape size squeeze swapaxes tile transpose
    """,
    "dpnp._sets": "intersect1d setdiff1d setxor1d union1d",
    "dpnp._signals": "convolve correlate interp",
    "dpnp._support": """
        are_same_logical_tensors as_usm_ndarray asnumpy byte_bounds check_limitations
        check_supported_arrays_type default_float_type get_include get_normalized_queue_device get_result_array
        get_usm_ndarray get_usm_ndarray_or_scalar is_cuda_backend is_supported_array_or_scalar
        is_supported_array_type synchronize_array_data
    """,
    "dpnp._testing_package": "testing",
    "dpnp._trimming": "delete insert trim_zeros",
    "dpnp._types": """
        False_ ScalarType True_ bool bool_ byte can_cast cdouble common_type complex128 complex64
        complexfloating csingle double dtype e euler_gamma finfo float16 float32 float64 floating generic half
        iinfo inexact inf int16 int32 int64 int8 int_ intc integer intp is_type_supported isdtype issubdtype
        long longlong min_scalar_type nan newaxis number pi promote_types result_type sctypeDict short signedinteger
        single typecodes ubyte uint uint16 uint32 uint64 uint8 uintc uintp ulong ulonglong unsignedinteger ushort
    """,
    "dpnp._ufuncs": "ufunc",
    "dpnp._versions": "show_config show_runtime",
    "dpnp._window": "bartlett blackman hamming hanning kaiser",
}

# Aliases that NumPy also has.
_ALIASES = {
    "absolute": "abs", "amax": "max", "amin": "min", "arccos": "acos", "arccosh": "acosh", "arcsin": "asin",
    "arcsinh": "asinh", "arctan": "atan", "arctan2": "atan2", "arctanh": "atanh", "bitwise_invert": "invert",
    "bitwise_left_shift": "left_shift", "bitwise_not": "invert", "bitwise_right_shift": "right_shift",
    "conjugate": "conj", "deg2rad": "radians", "fix": "trunc", "mod": "remainder", "pow": "power", "rad2deg": "degrees",
    "true_divide": "divide",
}  # fmt: skip

# Names of NumPy that dpnp does not have, by the reason, which is the message of the AttributeError.
_UNAVAILABLE = {
    "arrays on devices have no dates and times; keep them in NumPy, or their numbers as x.view('i8')": """
        busday_count busday_offset busdaycalendar datetime64 datetime_as_string datetime_data is_busday isnat
        timedelta64
    """,
    "arrays on devices have no text; use NumPy's arrays": "bytes_ char character str_ strings",
    "arrays on devices have no records, objects or bytes of other types; use an array for each field": """
        flexible fromregex object_ rec recarray record void
    """,
    "the widest numbers of arrays on devices are float64 and complex128": """
        clongdouble complex256 float128 longdouble
    """,
    "matrices are arrays with two axes; use dpnp.array and the operator @, and dpnp.block for blocks": """
        asmatrix bmat matrix
    """,
    "arrays on devices cannot map files; use dpnp.asarray(numpy.memmap(...)), which copies": "memmap",
    "there are no masked arrays; use dpnp.where and the functions that ignore NaN, such as dpnp.nanmean": "ma",
    "operations have no buffer of which the size could be set": "getbufsize setbufsize",
    "an iterator over each element copies each; use functions of whole arrays, or dpnp.nditer": "nested_iters",
    "type names are those of NumPy's dtypes, x.dtype.name": "typename",
    "static types are in the stubs of dpnp: dpnp.ndarray for arrays, numpy.typing for dtypes": "typing",
    "it belongs to NumPy's implementation": "core ctypeslib f2py test",
}

__all__, __getattr__, __dir__ = _lazy.found_when_used(globals(), _MODULES, _ALIASES, _UNAVAILABLE)
