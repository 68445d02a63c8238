"""Packages whose public names are imported at their first use, from the modules given by a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module


def found_when_used(
    package: dict[str, object],
    modules: Mapping[str, str],
    aliases: Mapping[str, str] | None = None,
    unavailable: Mapping[str, str] | None = None,
) -> tuple[list[str], Callable[[str], object], Callable[[], list[str]]]:
    """Return `__all__`, `__getattr__` and `__dir__` of a package.

    Parameters
    ----------
    package : dict
        The package's globals, to which imported names are added.
    modules : mapping of str to str
        For each module, the names that the package gets from it, separated by spaces. The key "." lists submodules of
        the package itself. From a submodule of dpep._array, the package also gets all public element functions, which
        the table does not list. tools/stubs generates the package's stub, for static type checkers, from the same
        table.
    aliases : mapping of str to str, optional
        For each alias, the name in `modules` that it stands for.
    unavailable : mapping of str to str, optional
        For a reason, the names that the package does not have because of it. It is part of the error's message.
    """
    aliases = aliases or {}
    reasons = {name: f": {why}" for why, names in (unavailable or {}).items() for name in names.split()}
    places = {name: module for module, names in modules.items() for name in names.split()}
    for module in filter(lambda name: name.startswith("dpep._array."), modules):
        functions = import_module(module).element_functions
        places |= {name: module for name in functions if not name.startswith("_")}
    places |= {other: places[name] for other, name in aliases.items()}

    def find(name: str) -> object:
        if name not in places:
            raise AttributeError(f"module {package['__name__']!r} has no attribute {name!r}{reasons.get(name, '')}")
        if places[name] == ".":
            return import_module(f"{package['__name__']}.{aliases.get(name, name)}")  # which adds it to the package
        value = getattr(import_module(places[name]), aliases.get(name, name))
        package[name] = value
        return value

    return sorted(places), find, lambda: sorted({*package, *places})
