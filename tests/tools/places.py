"""Where the dpep under test is."""

from __future__ import annotations

import importlib.util
import os
import pathlib


def prefix() -> pathlib.Path:
    """The folder of the dpep to test: of the build tree, of an installed wheel, or what DPEP_PREFIX names."""
    if chosen := os.environ.get("DPEP_PREFIX"):
        return pathlib.Path(chosen)
    return pathlib.Path(importlib.util.find_spec("dpep").submodule_search_locations[0])
