"""Bindings of libdpep's arrays. Import them through dpctl.tensor and dpnp.

They are in the same library as `dpep._core`, and bound at the import of this module, because `import dpctl` must not
import NumPy.
"""

import sys

from dpep import _core

_core._bind_arrays(sys.modules[__name__])
