"""`dpnp.emath`, NumPy's name for dpnp.lib.scimath."""

import dpnp.lib.scimath as emath

__all__ = ["emath"]
