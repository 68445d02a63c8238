"""Conversions to numbers, and operators on dtypes without the operation, raise the types of NumPy's exceptions."""

from __future__ import annotations

import operator

import dpctl.tensor as dpt
import dpnp
import numpy as np
import pytest

CALLS = {
    "float": lambda xp: float(xp.ones(2)),
    "int": lambda xp: int(xp.ones(2)),
    "complex": lambda xp: complex(xp.ones(2)),
    "float of none": lambda xp: float(xp.ones(0)),
    "float of complex": lambda xp: float(xp.ones((), dtype="c16")),
    "index of several": lambda xp: operator.index(xp.arange(3)),
    "index of a float": lambda xp: operator.index(xp.ones(())),
    "index of a bool": lambda xp: operator.index(xp.ones((), dtype="?")),
    "bool": lambda xp: bool(xp.ones(2)),
    "bool of none": lambda xp: bool(xp.ones(0)),
    "item": lambda xp: xp.ones(2).item(),
    "round": lambda xp: round(xp.ones(2)),
    "list index": lambda xp: [1, 2][xp.ones(())],
    "range": lambda xp: range(xp.ones(())),
    "~": lambda xp: ~xp.ones(3),
    "&": lambda xp: xp.ones(3) & 1,
    "|": lambda xp: xp.ones(3) | xp.ones(3, dtype="i4"),
    "<<": lambda xp: xp.ones(3) << 1,
    "- of bools": lambda xp: -xp.ones(3, dtype="?"),
    "% of complex": lambda xp: xp.ones(3, dtype="c8") % 2,
    "// of complex": lambda xp: xp.ones(3, dtype="c8") // 2,
    "invert": lambda xp: xp.invert(xp.ones(3)),
    "bitwise_and": lambda xp: xp.bitwise_and(xp.ones(3), 1),
    "bitwise_count": lambda xp: xp.bitwise_count(xp.ones(3)),
    "fmod of complex": lambda xp: xp.fmod(xp.ones(3, dtype="c8"), 2),
    "gcd": lambda xp: xp.gcd(xp.ones(3), 2),
    "arctan2 of complex": lambda xp: xp.arctan2(xp.ones(3, dtype="c8"), 2),
    "floor of complex": lambda xp: xp.floor(xp.ones(3, dtype="c8")),
    "< of text": lambda xp: xp.ones(3) < "a",
    "+ of text": lambda xp: xp.ones(3) + "a",
    "+ of None": lambda xp: xp.ones(3) + None,
    "+= of floats": lambda xp: operator.iadd(xp.ones(3, dtype="i4"), 1.5),
    "+= of an array of floats": lambda xp: operator.iadd(xp.ones(3, dtype="i4"), xp.ones(3)),
    "&= of floats": lambda xp: operator.iand(xp.ones(3), 1),
    "shapes": lambda xp: xp.ones(3) + xp.ones(4),
    "shapes in place": lambda xp: operator.iadd(xp.ones(3), xp.ones((2, 3))),
}


def raised(call) -> type:
    with pytest.raises(Exception) as caught:
        call()
    return caught.type


@pytest.mark.parametrize("name", CALLS)
def test_types_are_numpys(name):
    with np.errstate(all="ignore"):
        expected = raised(lambda: CALLS[name](np))
    found = raised(lambda: CALLS[name](dpnp))
    shared = [t for t in (TypeError, ValueError, IndexError) if issubclass(expected, t)]
    assert shared, expected
    assert all(issubclass(found, t) for t in shared), (found, expected)


def test_those_of_dpctl_differ():
    with pytest.raises(ValueError, match="only arrays with one element"):
        float(dpt.ones(2))
    with pytest.raises(ValueError, match="bitwise_invert: input types"):
        ~dpt.ones(3)
    with pytest.raises(IndexError):
        operator.index(dpt.ones(()))
