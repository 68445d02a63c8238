"""Submodules that are public attributes of dpctl.tensor, imported at their first use."""

import dpctl.tensor.fft as fft
import dpctl.tensor.linalg as linalg

__all__ = ["fft", "linalg"]
