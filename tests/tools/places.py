"""The location of the dpep under test."""

from __future__ import annotations

import importlib.util
import os
import pathlib


def prefix() -> pathlib.Path:
    """The folder of the dpep under test: DPEP_PREFIX, or else the imported package (build tree or installed wheel)."""
    if chosen := os.environ.get("DPEP_PREFIX"):
        return pathlib.Path(chosen)
    return pathlib.Path(importlib.util.find_spec("dpep").submodule_search_locations[0])
