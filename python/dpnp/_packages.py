"""Submodules that are public attributes of dpnp, imported at their first use."""

import dpnp.random as random

__all__ = ["random"]
