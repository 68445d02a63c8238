"""The names of `dpctl.program`, under the module name that Cython modules and extensions of dpctl import."""

from dpctl.program import *  # noqa: F403  the names in its __all__
from dpctl.program import (
    __all__,  # noqa: F401
    __pyx_capi__,  # noqa: F401  Cython gets the functions of dpctl's .pxd files from here
)
