"""Modules of dpnp that are names of it, imported when they are first used."""

import dpnp.random as random

__all__ = ["random"]
