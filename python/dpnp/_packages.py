"""Submodules that are public attributes of dpnp, imported at their first use."""

import dpnp.fft as fft
import dpnp.linalg as linalg
import dpnp.polynomial as polynomial
import dpnp.random as random
import dpnp.scipy as scipy

__all__ = ["fft", "linalg", "polynomial", "random", "scipy"]
