"""Arrays on devices, with NumPy's names, in the version of dpnp 0.18.

The same arrays as those of dpctl.tensor, under a type of their own, with NumPy's methods and keywords. Operations on
large arrays are deferred and run as one pass over memory when someone needs the values; errors in what they are given
are raised at the call. Arrays are computed where they are: all operands must be on one queue.

>>> import dpnp as np
>>> x = np.linspace(0, 1, 5)
>>> (x * x).sum()
array(1.875)
"""

from dpctl.tensor import DLDeviceType, __array_api_version__
from dpep._array.dpnp import (
    abs,
    acos,
    acosh,
    add,
    all,
    any,
    argmax,
    argmin,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    bitwise_and,
    bitwise_or,
    bitwise_xor,
    cbrt,
    ceil,
    conj,
    copysign,
    cos,
    cosh,
    cumprod,
    cumsum,
    divide,
    equal,
    erf,
    exp,
    exp2,
    expm1,
    fabs,
    floor,
    floor_divide,
    fmax,
    fmin,
    fmod,
    greater,
    greater_equal,
    hypot,
    invert,
    isfinite,
    isinf,
    isnan,
    left_shift,
    less,
    less_equal,
    log,
    log1p,
    log2,
    log10,
    logaddexp,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    max,
    maximum,
    mean,
    min,
    minimum,
    multiply,
    negative,
    nextafter,
    not_equal,
    positive,
    power,
    prod,
    proj,
    reciprocal,
    remainder,
    right_shift,
    rint,
    rsqrt,
    sign,
    signbit,
    sin,
    sinh,
    sqrt,
    square,
    subtract,
    sum,
    tan,
    tanh,
    trunc,
)

from dpnp._array import (
    ndarray,
)
from dpnp._creation import (
    array,
    asanyarray,
    asarray,
    asarray_chkfinite,
    ascontiguousarray,
    asfarray,
    asfortranarray,
    astype,
    copy,
    empty,
    empty_like,
    from_dlpack,
    full,
    full_like,
    ones,
    ones_like,
    zeros,
    zeros_like,
)
from dpnp._diagonals import (
    diag,
    diagflat,
    diagonal,
    fill_diagonal,
    trace,
)
from dpnp._differences import (
    diff,
    ediff1d,
    gradient,
    trapezoid,
    unwrap,
)
from dpnp._elementwise import (
    angle,
    bitwise_count,
    deg2rad,
    degrees,
    divmod,
    fix,
    float_power,
    heaviside,
    imag,
    logaddexp2,
    modf,
    rad2deg,
    radians,
    real,
    sinc,
    spacing,
)
from dpnp._flat import (
    flatiter,
)
from dpnp._functional import (
    apply_along_axis,
    apply_over_axes,
    cross,
    kron,
    outer,
    select,
)
from dpnp._grids import (
    indices,
    meshgrid,
    mgrid,
    ogrid,
)
from dpnp._host_data import (
    frombuffer,
    fromfile,
    fromfunction,
    fromiter,
    fromstring,
    loadtxt,
)
from dpnp._joining import (
    append,
    array_split,
    column_stack,
    concat,
    concatenate,
    dsplit,
    dstack,
    hsplit,
    hstack,
    row_stack,
    split,
    stack,
    unstack,
    vsplit,
    vstack,
)
from dpnp._logic import (
    allclose,
    array_equal,
    array_equiv,
    isclose,
    iscomplex,
    iscomplexobj,
    isfortran,
    isneginf,
    isposinf,
    isreal,
    isrealobj,
    isscalar,
    iterable,
)
from dpnp._matrices import (
    eye,
    identity,
    tri,
    tril,
    triu,
    vander,
)
from dpnp._nan_functions import (
    nanargmax,
    nanargmin,
    nancumprod,
    nancumsum,
    nanmax,
    nanmean,
    nanmin,
    nanprod,
    nanstd,
    nansum,
    nanvar,
)
from dpnp._padding import (
    pad,
)
from dpnp._printing import (
    array_repr,
    array_str,
    binary_repr,
)
from dpnp._ranges import (
    arange,
    geomspace,
    linspace,
    logspace,
)
from dpnp._reductions import (
    average,
    count_nonzero,
    cumlogsumexp,
    cumulative_prod,
    cumulative_sum,
    logsumexp,
    ptp,
    reduce_hypot,
    std,
    var,
)
from dpnp._rounding import (
    around,
    clip,
    nan_to_num,
    real_if_close,
    round,
)
from dpnp._selection import (
    where,
)
from dpnp._shapes import (
    atleast_1d,
    atleast_2d,
    atleast_3d,
    broadcast_arrays,
    broadcast_shapes,
    broadcast_to,
    copyto,
    expand_dims,
    flip,
    fliplr,
    flipud,
    matrix_transpose,
    moveaxis,
    ndim,
    permute_dims,
    ravel,
    repeat,
    require,
    reshape,
    resize,
    roll,
    rollaxis,
    rot90,
    shape,
    size,
    squeeze,
    swapaxes,
    tile,
    transpose,
)
from dpnp._support import (
    are_same_logical_tensors,
    as_usm_ndarray,
    asnumpy,
    byte_bounds,
    check_limitations,
    check_supported_arrays_type,
    default_float_type,
    get_include,
    get_normalized_queue_device,
    get_result_array,
    get_usm_ndarray,
    get_usm_ndarray_or_scalar,
    is_cuda_backend,
    is_supported_array_or_scalar,
    is_supported_array_type,
    synchronize_array_data,
)
from dpnp._trimming import (
    delete,
    insert,
    trim_zeros,
)
from dpnp._types import (
    bool,
    bool_,
    byte,
    can_cast,
    cdouble,
    common_type,
    complex64,
    complex128,
    complexfloating,
    csingle,
    double,
    dtype,
    e,
    euler_gamma,
    finfo,
    float16,
    float32,
    float64,
    floating,
    iinfo,
    inexact,
    inf,
    int8,
    int16,
    int32,
    int64,
    int_,
    intc,
    integer,
    intp,
    is_type_supported,
    isdtype,
    issubdtype,
    longlong,
    nan,
    newaxis,
    number,
    pi,
    promote_types,
    result_type,
    short,
    signedinteger,
    single,
    ubyte,
    uint8,
    uint16,
    uint32,
    uint64,
    uintc,
    uintp,
    ulonglong,
    unsignedinteger,
    ushort,
)
from dpnp._window import (
    bartlett,
    blackman,
    hamming,
    hanning,
)

__version__ = "0.18.1"

# NumPy's other names for the same functions.
absolute = abs
amax = max
amin = min
arccos = acos
arccosh = acosh
arcsin = asin
arcsinh = asinh
arctan = atan
arctan2 = atan2
arctanh = atanh
bitwise_invert = invert
bitwise_left_shift = left_shift
bitwise_not = invert
bitwise_right_shift = right_shift
conjugate = conj
mod = remainder
pow = power
true_divide = divide

__all__ = [
    "DLDeviceType", "__array_api_version__", "__array_namespace_info__", "__version__", "abs", "absolute", "acos",
    "acosh", "add", "all", "allclose", "amax", "amin", "angle", "any", "append", "apply_along_axis",
    "apply_over_axes", "arange", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh",
    "are_same_logical_tensors", "argmax", "argmin", "around", "array", "array_equal", "array_equiv", "array_repr",
    "array_split", "array_str", "as_usm_ndarray", "asanyarray", "asarray", "asarray_chkfinite", "ascontiguousarray",
    "asfarray", "asfortranarray", "asin", "asinh", "asnumpy", "astype", "atan", "atan2", "atanh", "atleast_1d",
    "atleast_2d", "atleast_3d", "average", "bartlett", "binary_repr", "bitwise_and", "bitwise_count",
    "bitwise_invert", "bitwise_left_shift", "bitwise_not", "bitwise_or", "bitwise_right_shift", "bitwise_xor",
    "blackman", "bool", "bool_", "broadcast_arrays", "broadcast_shapes", "broadcast_to", "byte", "byte_bounds",
    "can_cast", "cbrt", "cdouble", "ceil", "check_limitations", "check_supported_arrays_type", "clip", "column_stack",
    "common_type", "complex64", "complex128", "complexfloating", "concat", "concatenate", "conj", "conjugate", "copy",
    "copysign", "copyto", "cos", "cosh", "count_nonzero", "cross", "csingle", "cumlogsumexp", "cumprod", "cumsum",
    "cumulative_prod", "cumulative_sum", "default_float_type", "deg2rad", "degrees", "delete", "diag", "diagflat",
    "diagonal", "diff", "divide", "divmod", "double", "dsplit", "dstack", "dtype", "e", "ediff1d", "empty",
    "empty_like", "equal", "erf", "euler_gamma", "exp", "exp2", "expand_dims", "expm1", "eye", "fabs",
    "fill_diagonal", "finfo", "fix", "flatiter", "flip", "fliplr", "flipud", "float16", "float32", "float64",
    "float_power", "floating", "floor", "floor_divide", "fmax", "fmin", "fmod", "from_dlpack", "frombuffer",
    "fromfile", "fromfunction", "fromiter", "fromstring", "full", "full_like", "geomspace", "get_include",
    "get_normalized_queue_device", "get_result_array", "get_usm_ndarray", "get_usm_ndarray_or_scalar", "gradient",
    "greater", "greater_equal", "hamming", "hanning", "heaviside", "hsplit", "hstack", "hypot", "identity", "iinfo",
    "imag", "indices", "inexact", "inf", "insert", "int8", "int16", "int32", "int64", "int_", "intc", "integer",
    "intp", "invert", "is_cuda_backend", "is_supported_array_or_scalar", "is_supported_array_type",
    "is_type_supported", "isclose", "iscomplex", "iscomplexobj", "isdtype", "isfinite", "isfortran", "isinf", "isnan",
    "isneginf", "isposinf", "isreal", "isrealobj", "isscalar", "issubdtype", "iterable", "kron", "left_shift", "less",
    "less_equal", "linspace", "loadtxt", "log", "log1p", "log2", "log10", "logaddexp", "logaddexp2", "logical_and",
    "logical_not", "logical_or", "logical_xor", "logspace", "logsumexp", "longlong", "matrix_transpose", "max",
    "maximum", "mean", "meshgrid", "mgrid", "min", "minimum", "mod", "modf", "moveaxis", "multiply", "nan",
    "nan_to_num", "nanargmax", "nanargmin", "nancumprod", "nancumsum", "nanmax", "nanmean", "nanmin", "nanprod",
    "nanstd", "nansum", "nanvar", "ndarray", "ndim", "negative", "newaxis", "nextafter", "not_equal", "number",
    "ogrid", "ones", "ones_like", "outer", "pad", "permute_dims", "pi", "positive", "pow", "power", "prod", "proj",
    "promote_types", "ptp", "rad2deg", "radians", "ravel", "real", "real_if_close", "reciprocal", "reduce_hypot",
    "remainder", "repeat", "require", "reshape", "resize", "result_type", "right_shift", "rint", "roll", "rollaxis",
    "rot90", "round", "row_stack", "rsqrt", "select", "shape", "short", "sign", "signbit", "signedinteger", "sin",
    "sinc", "single", "sinh", "size", "spacing", "split", "sqrt", "square", "squeeze", "stack", "std", "subtract",
    "sum", "swapaxes", "synchronize_array_data", "tan", "tanh", "tile", "trace", "transpose", "trapezoid", "tri",
    "tril", "trim_zeros", "triu", "true_divide", "trunc", "ubyte", "uint8", "uint16", "uint32", "uint64", "uintc",
    "uintp", "ulonglong", "unsignedinteger", "unstack", "unwrap", "ushort", "vander", "var", "vsplit", "vstack",
    "where", "zeros", "zeros_like",
]  # fmt: skip


def __getattr__(name: str) -> object:
    # Found when first used.
    if name == "__array_namespace_info__":
        from dpctl.tensor import __array_namespace_info__

        return __array_namespace_info__
    raise AttributeError(f"module 'dpnp' has no attribute {name!r}")
