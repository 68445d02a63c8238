"""Generates the stub of dpep._core by nanobind's generator, with the attributes that the module defines itself.

    python bindings.py OPTIONS OF python -m nanobind.stubgen

Such an attribute is a descriptor of CPython's, which has no signature. The module keeps a function with the signature
in `_attribute_functions`, by the names of type and attribute.
"""

from __future__ import annotations

import sys
import types

from nanobind import stubgen


class Generator(stubgen.StubGen):
    """nanobind's generator, which writes these attributes as properties."""

    def put(self, value: object, name: str | None = None, parent: object | None = None) -> None:
        """Append an object to the stub."""
        if isinstance(value, types.GetSetDescriptorType):
            functions = sys.modules["dpep._core"]._attribute_functions
            if function := functions.get(f"{value.__objclass__.__name__}.{name}"):
                self.put_property(property(function), name)
                return
        if name != "_attribute_functions":
            super().put(value, name, parent)


stubgen.StubGen = Generator
stubgen.main()
