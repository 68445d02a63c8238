"""The submodule testing, a public attribute of dpnp. It is imported at its first use, since numpy.testing is large."""

import dpnp.testing as testing

__all__ = ["testing"]
