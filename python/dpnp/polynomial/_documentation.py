"""The documentation of the functions of a basis of polynomials."""

from __future__ import annotations

from dpnp.polynomial._bases import Basis

__all__ = ["documentation"]

# The derivatives of the coefficients 1, 2, 3 and the products of 1, 2 with 3, 4, for examples.
_DERIVED = {"poly": "[2., 6.]", "cheb": "[ 2., 12.]", "leg": "[2., 9.]"}
_PRODUCTS = {"poly": "[ 3., 10.,  8.]", "cheb": "[ 7., 10.,  4.]", "leg": "[ 5.66666667, 10.        ,  5.33333333]"}

# The beginning of the documentation of functions of coefficients, and what is an error besides their shapes.
_OF_COEFFICIENTS = {
    "add": ("Return the sum of two polynomials.", "c1, c2", ""),
    "sub": ("Return the difference of two polynomials.", "c1, c2", ""),
    "mul": ("Return the product of two polynomials.", "c1, c2", ""),
    "mulx": ("Return the product of a polynomial with x.", "c", ""),
    "div": ("Return the quotient and the remainder of two polynomials. The divisor 0 is a ZeroDivisionError.",
            "c1, c2", ""),
    "pow": ("Return a power of a polynomial, with an exponent of at most `maxpower`.", "c",
            ", and for an exponent that is negative, no integer or too large"),
    "trim": ("Return the coefficients without those at the end whose absolute value is at most `tol`.", "c",
             ", and for a negative `tol`"),
    "companion": ("Return a matrix whose eigenvalues are the roots.", "c", ", and for a constant"),
    "roots": ("Return the roots, the eigenvalues of a companion matrix, sorted.", "c", ""),
}  # fmt: skip

_EXAMPLES = {
    "add": ("add([1, 2, 3], [1, 2])", "array([2., 4., 3.])"),
    "sub": ("sub([1, 2, 3], [1, 2])", "array([0., 0., 3.])"),
    "mul": ("mul([1, 2], [3, 4])", "array({product})"),
    "mulx": ("mulx([2.0])", "array([0., 2.])"),
    "div": ("div([2, 4], [1, 2])", "(array([2.]), array([0.]))"),
    "pow": ("pow([2], 3)", "array([8.])"),
    "trim": ("trim([1, 2, 0])", "array([1., 2.])"),
    "companion": ("companion([-6.0, 2.0])", "array([[3.]])"),
    "roots": ("roots([-6.0, 2.0])", "array([3.])"),
    "der": ("der([1, 2, 3])", "array({derived})"),
    "int": ("int([2.0], k=[5])", "array([5., 2.])"),
    "val": ("val(np.array([0.0, 1.0]), [1.0, 2.0])", "array([1., 3.])"),
    "vander": ("vander(np.array([2.0, 3.0]), 1)", "array([[1., 2.],\n           [1., 3.]])"),
    "fromroots": ("fromroots([3.0])", "array([-3.,  1.])"),
    "line": ("line(1.0, 2.0)", "array([1., 2.])"),
    "fit": ("fit(np.array([0.0, 1.0, 2.0]), np.array([1.0, 3.0, 5.0]), 1).round(6)", "array([1., 2.])"),
}

_COEFFICIENTS = """
    Parameters
    ----------
    {} : ndarray or array_like
        The coefficients, in an array with one axis, the lowest degree first. Zeros at the end are ignored.

    Raises
    ------
    ValueError
        For an array with several axes or without elements{}.
"""

_OTHERS = {
    "der": """Return the coefficients of a derivative.

    Parameters
    ----------
    c : ndarray or array_like
        The coefficients, along an axis.
    m : int, optional
        The order of the derivative.
    scl : number, optional
        A factor of each derivative, for linear changes of the variable.
    axis : int, optional
        The axis of coefficients.

    Raises
    ------
    ValueError
        For a negative order.
""",
    "int": """Return the coefficients of an antiderivative.

    Parameters
    ----------
    c : ndarray or array_like
        The coefficients, along an axis.
    m : int, optional
        The number of integrations.
    k : number or sequence of numbers, optional
        The values of the integrals at `lbnd`, in the order of integrations; zeros by default.
    lbnd : number, optional
        The lower bound of the integrals.
    scl : number, optional
        A factor of the coefficients before each integration.
    axis : int, optional
        The axis of coefficients.

    Raises
    ------
    ValueError
        For a negative number of integrations, more constants than integrations, and a bound that is no number.
""",
    "val": """Return the values of polynomials.

    Parameters
    ----------
    x : ndarray or number
        The arguments.
    c : ndarray or array_like
        The coefficients, along the first axis; other axes are of several polynomials.
    tensor : bool, optional
        Whether each polynomial has values for all arguments, in axes that follow those of polynomials. Otherwise, the
        shapes of arguments and of polynomials are broadcast.

    Raises
    ------
    ValueError
        Without coefficients.
    TypeError
        When `x` is neither an array nor a number.
""",
    "vander": """Return the values of the polynomials of the basis, in a last axis.

    Parameters
    ----------
    x : ndarray or number
        The arguments.
    deg : int
        The highest degree.

    Raises
    ------
    ValueError
        For a negative degree.
    TypeError
        When `x` is neither an array nor a number.
""",
    "fromroots": """Return the coefficients of the polynomial with given roots.

    The highest power of x has the coefficient 1.

    Parameters
    ----------
    roots : ndarray or array_like
        The roots, in an array with one axis.

    Raises
    ------
    ValueError
        For an array with several axes.
""",
    "fit": """Return the coefficients of the polynomial that fits points best, in the sense of least squares.

    Parameters
    ----------
    x : ndarray
        The arguments, in an array with one axis.
    y : ndarray
        The values: for each argument one, or a row with the values of several functions.
    deg : int or sequence of ints
        The degree, or the degrees of the terms.
    rcond : float, optional
        Singular values below this part of the largest one are ignored; by default the number of points times the
        precision of `x`.
    full : bool, optional
        Whether to return also a list of the residuals, the rank, the singular values and `rcond`.
    w : ndarray, optional
        Weights, by which the residuals are multiplied before they are squared.

    Raises
    ------
    TypeError
        For other objects than arrays, arrays of other shapes, and degrees that are no ints.
    ValueError
        For a negative degree.

    Warns
    -----
    numpy.exceptions.RankWarning
        When the fit is poorly conditioned.
""",
    "line": """Return the coefficients of off + scl * x, two numbers.
""",
}


def documentation(function: str, basis: Basis) -> str:
    """The documentation of a function, with an example."""
    if function in _OF_COEFFICIENTS:
        text, names, errors = _OF_COEFFICIENTS[function]
        text = f"{text}\n{_COEFFICIENTS.format(names, errors)}"
    else:
        text = _OTHERS[function]
    call, result = _EXAMPLES[function]
    result = result.format(product=_PRODUCTS[basis.prefix], derived=_DERIVED[basis.prefix])
    lines = (
        "Examples",
        "--------",
        *([">>> import dpnp as np"] if "np." in call else []),
        f">>> from dpnp.polynomial import {basis.module}",
        f">>> {basis.module}.{basis.prefix}{call}",
        result,
    )
    return text + "".join(f"\n    {line}" for line in lines) + "\n    "
