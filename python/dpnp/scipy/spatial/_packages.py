"""Submodules that are public attributes of dpnp.scipy.spatial, imported at their first use."""

import dpnp.scipy.spatial.distance as distance

__all__ = ["distance"]
