"""Series of polynomials on devices, with the functions, classes and keywords of numpy.polynomial.

>>> import dpnp as np
>>> p = np.polynomial.Polynomial.fit(np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 5.0]), 2)
>>> p(np.array([3.0])).round(6)
array([10.])
"""

from dpep import _lazy

# Public names by the module that defines them.
_MODULES = {
    "dpnp.polynomial._classes": "Chebyshev Legendre Polynomial",
    ".": "chebyshev legendre polynomial",
}

# Names of numpy.polynomial that there are none of, by the reason, which is the message of the AttributeError.
_UNAVAILABLE = {
    "only powers, Chebyshev and Legendre polynomials are on devices; use NumPy on dpnp.asnumpy(x)": """
        Hermite HermiteE Laguerre hermite hermite_e laguerre
    """,
    "text is that of NumPy's classes; use numpy.polynomial.set_default_printstyle": "set_default_printstyle",
    "it belongs to NumPy's implementation": "polyutils",
}

__all__, __getattr__, __dir__ = _lazy.found_when_used(globals(), _MODULES, None, _UNAVAILABLE)
