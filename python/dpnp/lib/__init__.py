"""The subpackages of NumPy's `lib`: stride_tricks, array_utils, scimath and mixins, and NumpyVersion.

>>> import dpnp as np
>>> np.lib.stride_tricks.sliding_window_view(np.arange(4), 3)
array([[0, 1, 2],
       [1, 2, 3]])
"""

from numpy.lib import NumpyVersion, mixins

from dpnp.lib import array_utils, scimath, stride_tricks

__all__ = ["NumpyVersion", "array_utils", "mixins", "scimath", "stride_tricks"]
