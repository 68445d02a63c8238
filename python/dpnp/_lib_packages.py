"""Small submodules that are public attributes of dpnp, imported at the first use of one of them."""

import dpnp.config as config
import dpnp.exceptions as exceptions
import dpnp.lib as lib
import dpnp.lib.scimath as emath

__all__ = ["config", "emath", "exceptions", "lib"]
