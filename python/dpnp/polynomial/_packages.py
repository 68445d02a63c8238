"""Submodules that are public attributes of dpnp.polynomial, imported at their first use."""

import dpnp.polynomial.chebyshev as chebyshev
import dpnp.polynomial.legendre as legendre
import dpnp.polynomial.polynomial as polynomial

__all__ = ["chebyshev", "legendre", "polynomial"]
