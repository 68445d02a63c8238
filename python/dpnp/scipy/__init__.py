"""The functions of SciPy that arrays on devices have: linalg, ndimage, signal, sparse, spatial and special.

>>> import dpnp as np
>>> from dpnp import scipy
>>> scipy.special.expit(np.array([0.0]))
array([0.5])
"""

from dpep import _lazy

# Public names by the module that defines them.
_MODULES = {".": "linalg ndimage signal sparse spatial special"}

# Submodules of SciPy that there are none of, by the reason, which is the message of the AttributeError.
_UNAVAILABLE = {
    "Fourier transforms are in dpnp.fft": "fft fftpack",
    "use SciPy on dpnp.asnumpy(x)": """
        cluster constants datasets differentiate integrate interpolate io odr optimize stats
    """,
}

__all__, __getattr__, __dir__ = _lazy.found_when_used(globals(), _MODULES, None, _UNAVAILABLE)
