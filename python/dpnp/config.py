"""Options of dpnp, read from the environment as dpnp 0.18 does.

Functions of dpep never call NumPy instead of computing on the device, so there is no fallback to allow or to refuse:
`__DPNP_RAISE_EXCEPION_ON_NUMPY_FALLBACK__` exists for programs that set it, and neither value changes anything.

>>> from dpnp import config
>>> config.__DPNP_RAISE_EXCEPION_ON_NUMPY_FALLBACK__ in (0, 1)
True
"""

import os

__all__ = ["__DPNP_RAISE_EXCEPION_ON_NUMPY_FALLBACK__"]

__DPNP_RAISE_EXCEPION_ON_NUMPY_FALLBACK__ = int(os.environ.get("DPNP_RAISE_EXCEPION_ON_NUMPY_FALLBACK", "1"))
