"""Submodules that are public attributes of dpnp, imported at their first use."""

import dpnp.linalg as linalg
import dpnp.random as random

__all__ = ["linalg", "random"]
