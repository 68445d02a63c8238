"""Generates the stub of dpep._core by nanobind's generator, with attributes and methods that the module defines itself.

    python bindings.py OPTIONS OF python -m nanobind.stubgen

They are descriptors of CPython's, which have no signature. The module keeps a function with the signature in
`_attribute_functions`, by the names of type and attribute.
"""

from __future__ import annotations

import sys
import types

from nanobind import stubgen


class Generator(stubgen.StubGen):
    """nanobind's generator, which writes these attributes as properties, and these methods as nanobind's."""

    def put(self, value: object, name: str | None = None, parent: object | None = None) -> None:
        """Append an object to the stub."""
        if isinstance(value, (types.GetSetDescriptorType, types.MethodDescriptorType)):
            functions = sys.modules["dpep._core"]._attribute_functions
            if function := functions.get(f"{value.__objclass__.__name__}.{name}"):
                if isinstance(value, types.GetSetDescriptorType):
                    function = property(function)
                super().put(function, name, parent)
                return
        if name != "_attribute_functions":
            super().put(value, name, parent)


stubgen.StubGen = Generator
stubgen.main()
