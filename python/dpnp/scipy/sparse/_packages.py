"""Submodules that are public attributes of dpnp.scipy.sparse, imported at their first use."""

import dpnp.scipy.sparse.linalg as linalg

__all__ = ["linalg"]
