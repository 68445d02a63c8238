"""`python -m dpep coverage`: which of NumPy's public names dpnp has, and of SciPy's where that is installed."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy


class Namespace(NamedTuple):
    """The names of NumPy or SciPy in a namespace: those dpnp has, those it refuses with a reason, and the others."""

    name: str
    present: list[str]
    refused: dict[str, str]
    missing: list[str]

    @property
    def total(self) -> int:
        """Number of all names."""
        return len(self.present) + len(self.refused) + len(self.missing)


def _attributes_of_arrays() -> list[str]:
    return [name for name in dir(numpy.ndarray) if not name.startswith("_")]


def _polynomials() -> list[str]:
    return [name for name in numpy.__all__ if (name.startswith("poly") and name != "polynomial") or name == "roots"]


def _public(module: str, package: str = "numpy") -> Callable[[], list[str]]:
    def names() -> list[str]:
        found = importlib.import_module(f"{package}{module}")
        return list(getattr(found, "__all__", [])) or [name for name in dir(found) if not name.startswith("_")]

    return names


# Each namespace: its title, its object in dpnp, and NumPy's names.
_NAMESPACES: list[tuple[str, str, Callable[[], list[str]]]] = [
    ("numpy", "", _public("")),
    ("numpy.ndarray", "ndarray", _attributes_of_arrays),
    ("numpy.linalg", "linalg", _public(".linalg")),
    ("numpy.fft", "fft", _public(".fft")),
    ("numpy.random", "random", _public(".random")),
    ("numpy.poly…", "", _polynomials),
    ("numpy.polynomial", "polynomial", _public(".polynomial")),
    ("numpy.polynomial.polynomial", "polynomial.polynomial", _public(".polynomial.polynomial")),
    ("numpy.polynomial.chebyshev", "polynomial.chebyshev", _public(".polynomial.chebyshev")),
    ("numpy.polynomial.legendre", "polynomial.legendre", _public(".polynomial.legendre")),
    ("numpy.lib.stride_tricks", "lib.stride_tricks", _public(".lib.stride_tricks")),
    ("numpy.emath", "emath", _public(".lib.scimath")),
    ("numpy.testing", "testing", _public(".testing")),
    ("numpy.exceptions", "exceptions", _public(".exceptions")),
]

_SCIPY = [
    ("scipy.linalg", "scipy.linalg", _public(".linalg", "scipy")),
    ("scipy.ndimage", "scipy.ndimage", _public(".ndimage", "scipy")),
    ("scipy.signal", "scipy.signal", _public(".signal", "scipy")),
    ("scipy.signal.windows", "scipy.signal.windows", _public(".signal.windows", "scipy")),
    ("scipy.sparse", "scipy.sparse", _public(".sparse", "scipy")),
    ("scipy.sparse.linalg", "scipy.sparse.linalg", _public(".sparse.linalg", "scipy")),
    ("scipy.spatial.distance", "scipy.spatial.distance", _public(".spatial.distance", "scipy")),
    ("scipy.special", "scipy.special", _public(".special", "scipy")),
]


def _has_scipy() -> bool:
    return importlib.util.find_spec("scipy") is not None


def namespaces() -> list[Namespace]:
    """Return the coverage of each namespace."""
    import dpnp

    found = []
    for title, place, names in [*_NAMESPACES, *(_SCIPY if _has_scipy() else [])]:
        where: object = dpnp
        for part in filter(None, place.split(".")):
            where = getattr(where, part)
        owner = dpnp.ones((1, 1)) if where is dpnp.ndarray else where
        made = Namespace(title, [], {}, [])
        for name in sorted(set(names())):
            try:
                getattr(owner, name)
                made.present.append(name)
            except AttributeError as error:
                # The message has a reason where dpnp knows the name.
                _, told, reason = str(error).partition(": ")
                if told:
                    made.refused[name] = reason
                else:
                    made.missing.append(name)
        found.append(made)
    return found


def table(markdown: bool) -> str:
    """Return the table of namespaces, and the names that dpnp does not have."""
    found = namespaces()
    versions = f"NumPy {numpy.__version__}"
    if _has_scipy():
        versions += f", SciPy {importlib.import_module('scipy').__version__}"
    head = ("namespace", f"names in {versions}", "in dpnp", "refused with a reason", "missing")
    rows = [
        (n.name, str(n.total), str(len(n.present)), str(len(n.refused)), str(len(n.missing)) if n.missing else "0")
        for n in found
    ]
    lines = []
    if markdown:
        lines += ["# NumPy's names in dpnp", ""]
        lines += ["Written by `python -m dpep coverage --markdown FILE`.", ""]
        lines += ["| " + " | ".join(head) + " |", "| --- " * len(head) + "|"]
        lines += ["| " + " | ".join((f"`{row[0]}`", *row[1:])) + " |" for row in rows]
    else:
        widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
        lines += [
            "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in (head, *rows)
        ]
    quote = "`{}`".format if markdown else str
    for n in found:
        if n.missing:
            lines += ["", f"Missing in {n.name}: " + ", ".join(map(quote, n.missing)) + "."]
        reasons: dict[str, list[str]] = {}
        for name, reason in n.refused.items():
            reasons.setdefault(reason, []).append(name)
        if reasons:
            lines += ["", f"Refused in {n.name}:", ""]
            lines += [f"- {', '.join(map(quote, names))}: {reason}." for reason, names in reasons.items()]
    return "\n".join([*lines, ""])


def coverage(file: str | None) -> int:
    """Print the table, or write it to a file as Markdown. Return 0."""
    if file is None:
        print(table(markdown=False), end="")
    else:
        Path(file).write_text(table(markdown=True), encoding="utf-8")
    return 0
