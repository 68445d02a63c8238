"""Which of NumPy's tests are about dpnp: the modules to run, and what a test may not use.

A rule has a reason and tells by the names, attributes and strings in a test's source that the test is about something
that arrays on devices do not have. `unsupported` tells it by a parameter, `refusal` by the error of a test that ran.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

import adapter
import numpy

# Modules about values of functions and arrays, by folder.
MODULES = {
    "_core": """
        array_coercion arrayprint dlpack einsum errstate function_base getlimits half indexerrors indexing
        item_selection mem_overlap multiarray nditer nep50_promotions numeric numerictypes protocols regression
        shape_base ufunc umath umath_complex
    """,
    "lib": """
        array_utils arraypad arraysetops function_base histograms index_tricks io loadtxt nanfunctions packbits
        polynomial regression shape_base stride_tricks twodim_base type_check ufunclike
    """,
    "linalg": "linalg regression",
    "fft": "helper pocketfft",
    "polynomial": "chebyshev legendre polynomial",
    "random": "generator_mt19937 random randomstate randomstate_regression regression smoke",
}


@dataclass(frozen=True)
class Rule:
    """Deselects tests in which a name or attribute is one of `names`, or a whole string matches `strings`."""

    reason: str
    names: str = ""
    strings: str = ""


RULES = [
    Rule("objects", "object object_ Decimal Fraction decimal fractions", r"O|object|[|=]O8?"),
    Rule(
        "text",
        "str_ bytes_ char strings chararray StringDType get_StringDType asbytes array2string_text defchararray",
        r"[<>=|]?[SUa]\d*|str|bytes",
    ),
    Rule(
        "dates",
        "datetime64 timedelta64 datetime timedelta isnat busday_count datetime_as_string datetime_data",
        r"[<>=]?[mM]8?(\[.*\])?|NaT",
    ),
    Rule(
        "records", "recarray record void rec recfunctions fromrecords names_ fields", r"[|]?V\d*|[a-z]\d?(,[a-z]\d?)+"
    ),
    Rule("long double", "longdouble clongdouble float128 complex256 float96 complex192", r"g|G"),
    Rule("memory maps", "memmap"),
    Rule("byte order", "newbyteorder byteswap isnative byteorder", r"[>][a-zA-Z]\d*|swap"),
    Rule(
        "addresses, buffers, reference counts and C",
        """getsizeof getrefcount HAS_REFCOUNT gc ctypes __array_interface__ __array_struct__ memoryview _rational_tests
        _multiarray_tests _umath_tests getbuffer weakref __array_function__ PyCapsule requires_memory
        requires_deep_recursion""",
    ),
    Rule(
        "subclasses",
        "__array_finalize__ __array_wrap__ __array_priority__ asmatrix matrix subok MaskedArray ma masked_array",
    ),
    Rule("pickles", "pickle"),
    Rule("signatures as text", "inspect getfullargspec"),
    Rule("loops of ufuncs", "resolve_dtypes _resolve_dtypes_and_context _get_strided_loop sig signature extobj"),
    Rule("processes", "subprocess threading run_threaded run_subprocess Process"),
    Rule("floating-point errors and warnings", "FloatingPointError seterr geterr seterrcall warns", r"raise"),
    Rule("formats of earlier versions, and formats by users", "legacy formatter override_repr"),
    Rule("writeable flags", "setflags writeable WRITEABLE"),
]

# Errors with which dpnp refuses, as documented, what arrays on devices do not have.
_REFUSALS = [
    (
        "dtypes",
        r"is not supported by arrays; supported are|arrays do not support (the data type|elements of format)",
    ),
    ("objects", r"cannot make an array of a |does not fit 64 bits"),
    ("names", r"module 'dpnp[\w.]*' has no attribute '\w+': "),
    (
        "addresses",
        r"memory of devices has no address|has no attribute '(__array_interface__|__array_struct__|ctypes|data)'",
    ),
    ("user functions", r"vectorize: |frompyfunc: "),
    ("floating-point warnings", r"DID NOT WARN"),
    ("overlap", r"cannot broadcast the source|only C and F orders"),
]


def _mentions(tree: ast.AST) -> tuple[set[str], set[str]]:
    names: set[str] = set()
    strings: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.Attribute):
            names.add(node.attr)
        elif isinstance(node, ast.keyword) and node.arg:
            names.add(node.arg)
        elif isinstance(node, ast.FunctionDef):
            names.update(a.arg for a in node.args.args)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            strings.add(node.value)
    return names, strings


def _has_fields(tree: ast.AST) -> bool:
    """Whether a list such as [("a", int)] occurs, as structured dtypes have."""
    return any(
        isinstance(node, ast.List)
        and node.elts
        and all(
            isinstance(x, ast.Tuple)
            and len(x.elts) in (2, 3)
            and isinstance(x.elts[0], ast.Constant)
            and isinstance(x.elts[0].value, str)
            for x in node.elts
        )
        for node in ast.walk(tree)
    )


def _derives_from_arrays(tree: ast.AST) -> bool:
    return any(
        isinstance(node, ast.ClassDef) and any(ast.unparse(base).endswith(("ndarray", "dtype")) for base in node.bases)
        for node in ast.walk(tree)
    )


# Names in tests of random numbers that compare them with those of one of NumPy's bit generators.
_OF_SEQUENCES = {"desired", "hexdigest", "md5", "sha256", "expected", "known"}


def why_not(tree: ast.AST, private: set[str], folder: str) -> str | None:
    """The reason why a test is not about dpnp, or None; `private` are its module's names of private modules."""
    names, strings = _mentions(tree)
    if folder == "random" and names & _OF_SEQUENCES:
        return "the numbers of NumPy's bit generators"
    for rule in RULES:
        if names & set(rule.names.split()) or (rule.strings and any(re.fullmatch(rule.strings, s) for s in strings)):
            return rule.reason
    if _has_fields(tree):
        return "records"
    if _derives_from_arrays(tree):
        return "subclasses"
    if names & private:
        return "private modules"
    return None


def unsupported(value: object) -> str | None:
    """The reason why a test with this parameter is not about dpnp, or None."""
    if isinstance(value, adapter.Missing):
        return "parameter that dpnp refuses"
    if isinstance(value, (list, tuple)):
        return next((reason for x in value if (reason := unsupported(x))), None)
    if isinstance(value, str) and not re.fullmatch(r"[<>=|]?[a-zA-Z?]\d*(\[\w+\])?|object|str", value):
        return None
    if isinstance(value, numpy.ndarray):
        value = value.dtype
    if value is None or not isinstance(value, (str, type, numpy.dtype)):
        return None
    try:
        dtype = numpy.dtype(value)
    except (TypeError, ValueError):
        return None
    if dtype.kind not in "?biufc" or dtype.char in "gG" or not dtype.isnative:
        return f"parameter of dtype {dtype.char}"
    return None


def refusal(message: str) -> str | None:
    """What dpnp refused with this message for a documented reason, or None."""
    return next((reason for reason, pattern in _REFUSALS if re.search(pattern, message)), None)
