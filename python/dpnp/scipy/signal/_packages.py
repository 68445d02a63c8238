"""Submodules that are public attributes of dpnp.scipy.signal, imported at their first use."""

import dpnp.scipy.signal.windows as windows

__all__ = ["windows"]
