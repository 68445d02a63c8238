"""Submodules that are public attributes of dpnp.scipy, imported at their first use."""

import dpnp.scipy.linalg as linalg
import dpnp.scipy.ndimage as ndimage
import dpnp.scipy.signal as signal
import dpnp.scipy.sparse as sparse
import dpnp.scipy.spatial as spatial
import dpnp.scipy.special as special

__all__ = ["linalg", "ndimage", "signal", "sparse", "spatial", "special"]
