"""Einstein's summation convention: einsum, as pairwise products of matrices and products of elements."""

from __future__ import annotations

import functools
import itertools
import math
import operator
import string
from collections.abc import Sequence

import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array.dpnp import as_dpnp, check_arrays, check_operands, placed_like, placement_of, store_result

from dpnp._diagonals import diagonal_view

__all__ = ["einsum", "einsum_path"]

# A label of an axis is a letter, or a negative int for an axis of an ellipsis, counted from the last one.
_Label = str | int
_ELLIPSIS = "..."


def _terms_of(text: str) -> list[str]:
    """The labels and ellipses of a list of subscripts."""
    terms, at = [], 0
    while at < len(text):
        if text[at] in string.ascii_letters:
            terms.append(text[at])
            at += 1
        elif text.startswith(_ELLIPSIS, at):
            terms.append(_ELLIPSIS)
            at += 3
        elif text[at] == " ":
            at += 1
        else:
            raise ValueError(f"einsum: expected letters, commas, '->' and '...' in subscripts, got {text!r}")
    if terms.count(_ELLIPSIS) > 1:
        raise ValueError(f"einsum: expected at most one ellipsis in subscripts, got {text!r}")
    return terms


def _terms_of_list(numbers: Sequence[object]) -> list[str]:
    """The same of a list of ints, which are 0 for A up to 51 for z, and Ellipsis."""
    terms = []
    for number in numbers:
        if number is Ellipsis:
            terms.append(_ELLIPSIS)
            continue
        at = operator.index(number)
        if not 0 <= at < 52:
            raise ValueError(f"einsum: subscripts must be from 0 to 51, got {at}")
        terms.append((string.ascii_uppercase + string.ascii_lowercase)[at])
    return terms


@functools.lru_cache(maxsize=256)
def _terms_of_subscripts(text: str) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...] | None]:
    """The terms of the operands and, if given, of the result. Programs repeat few subscripts."""
    inputs, arrow, output = text.partition("->")
    return tuple(tuple(_terms_of(part)) for part in inputs.split(",")), tuple(_terms_of(output)) if arrow else None


def _parse(operands: tuple[object, ...]) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...] | None, list[object]]:
    """The terms of the operands and, if given, of the result; and the operands."""
    if not operands:
        raise ValueError("einsum: expected subscripts and operands, got no arguments")
    if len(operands) == 1 and not isinstance(operands[0], str):
        raise ValueError(f"einsum: expected subscripts and operands, got only one {type(operands[0]).__name__}")
    if isinstance(operands[0], str):
        given, result = _terms_of_subscripts(operands[0])
        arrays = list(operands[1:])
    else:
        arrays = list(operands[: len(operands) // 2 * 2 : 2])
        lists = operands[1::2]
        if not all(isinstance(x, (list, tuple, numpy.ndarray, array_base)) for x in lists):
            raise TypeError("einsum: expected lists of ints after each operand, or a str of subscripts")
        given = tuple(tuple(_terms_of_list(x)) for x in lists)
        result = tuple(_terms_of_list(operands[-1])) if len(operands) % 2 else None
    if len(given) != len(arrays):
        raise ValueError(f"einsum: expected an operand for each list of subscripts, got {len(arrays)} and {len(given)}")
    return given, result, arrays


def _labels_of(terms: tuple[str, ...], ndim: int) -> list[_Label]:
    """The labels of an operand's axes."""
    letters = [t for t in terms if t != _ELLIPSIS]
    hidden = ndim - len(letters)
    if hidden < 0 or (hidden > 0 and len(letters) == len(terms)):
        raise ValueError(f"einsum: expected subscripts for {ndim} axes, got {''.join(terms)!r}")
    if len(letters) == len(terms):
        return list(letters)
    at = terms.index(_ELLIPSIS)
    return [*letters[:at], *range(-hidden, 0), *letters[at:]]


def _result_labels(terms: tuple[str, ...] | None, inputs: list[list[_Label]]) -> list[_Label]:
    every = [label for labels in inputs for label in labels]
    hidden = sorted({label for label in every if isinstance(label, int)})
    if terms is None:
        letters = [label for label in every if isinstance(label, str)]
        return [*hidden, *sorted(label for label in set(letters) if letters.count(label) == 1)]
    if len(set(terms)) != len(terms):
        raise ValueError(f"einsum: subscripts of the result must differ, got {''.join(terms)!r}")
    labels: list[_Label] = []
    for term in terms:
        if term != _ELLIPSIS and term not in every:
            raise ValueError(f"einsum: the result's subscript {term!r} is not one of an operand")
        labels += hidden if term == _ELLIPSIS else [term]
    if hidden and _ELLIPSIS not in terms:
        raise ValueError("einsum: the result needs an ellipsis, because operands have axes without subscripts")
    return labels


@functools.lru_cache(maxsize=256)
def _labels(
    given: tuple[tuple[str, ...], ...], result: tuple[str, ...] | None, ndims: tuple[int, ...]
) -> tuple[list[list[_Label]], list[_Label]]:
    """The labels of the axes of operands and of the result, which callers do not change."""
    inputs = [_labels_of(terms, ndim) for terms, ndim in zip(given, ndims, strict=True)]
    return inputs, _result_labels(result, inputs)


@functools.lru_cache(maxsize=256)
def _direct(
    given: tuple[tuple[str, ...], ...], result: tuple[str, ...] | None
) -> tuple[int, ...] | tuple[bool, bool, bool] | None:
    """How one function computes letters that differ within each operand; None: several functions are needed.

    The new order of axes if there is one operand. For the product of two vectors or matrices with one common letter:
    whether the operands are exchanged, and whether the first and the second one are transposed then.
    """
    if result is None or any(len(set(terms)) < len(terms) or _ELLIPSIS in terms for terms in (*given, result)):
        return None
    if len(given) == 1:
        return tuple(map(given[0].index, result)) if sorted(given[0]) == sorted(result) else None
    if len(given) != 2 or not all(1 <= len(terms) <= 2 for terms in given):
        return None
    common = [x for x in given[0] if x in given[1]]
    others = [x for terms in given for x in terms if x not in common]
    if len(common) != 1 or sorted(others) != sorted(result):
        return None
    exchanged = bool(result) and result[0] in given[1]
    first, second = given[::-1] if exchanged else given
    return exchanged, first[-1] != common[0], second[0] != common[0]


def _direct_result(how: tuple[int, ...], arrays: list[object]) -> dpnp_ndarray | None:
    """The result of what `_direct` has found. None for operands that need conversions or that broadcast."""
    if len(arrays) == 1:
        return as_dpnp(dpt.permute_dims(arrays[0], how))
    a, b = arrays
    if a.dtype != b.dtype or (a.dtype.kind not in "fc" and a.dtype != "i8") or a.dtype == "f2":
        return None
    exchanged, transposes_first, transposes_second = how
    if exchanged:
        a, b = b, a
    a, b = a.T if transposes_first else a, b.T if transposes_second else b
    return as_dpnp(dpt.matmul(a, b, order="C")) if a.shape[-1] == b.shape[0] else None


class _Operand:
    """An array and the labels of its axes, which differ."""

    def __init__(self, array: dpnp_ndarray, labels: list[_Label]) -> None:
        for label in dict.fromkeys(labels) if len(set(labels)) < len(labels) else ():
            while labels.count(label) > 1:
                first = labels.index(label)
                second = labels.index(label, first + 1)
                if array.shape[first] != array.shape[second]:
                    raise ValueError(
                        f"einsum: axes with the subscript {str(label)!r} have lengths {array.shape[first]} and "
                        f"{array.shape[second]}"
                    )
                array = diagonal_view(array, 0, first, second)
                labels = [x for i, x in enumerate(labels) if i not in (first, second)] + [label]
        self.array, self.labels = array, labels

    @property
    def size(self) -> int:
        return self.array.size

    def ordered(self, labels: Sequence[_Label]) -> dpnp_ndarray:
        """The array with axes in this order, of length 1 for labels that it lacks."""
        if self.labels == labels:
            return self.array
        own = [label for label in labels if label in self.labels]
        moved = dpt.permute_dims(self.array, tuple(self.labels.index(label) for label in own))
        missing = tuple(i for i, label in enumerate(labels) if label not in self.labels)
        return dpt.expand_dims(moved, axis=missing) if missing else moved

    def without_broadcast_axes(self, lengths: dict[_Label, int]) -> _Operand:
        """Without axes of length 1 that broadcast."""
        stretched = tuple(i for i, x in enumerate(self.labels) if self.array.shape[i] == 1 and lengths[x] != 1)
        if not stretched:
            return self
        kept = [x for i, x in enumerate(self.labels) if i not in stretched]
        return _Operand(dpt.squeeze(self.array, axis=stretched), kept)

    def summed(self, kept: set[_Label]) -> _Operand:
        """Summed over the axes of other labels."""
        axes = tuple(i for i, label in enumerate(self.labels) if label not in kept)
        if not axes:
            return self
        array = dpt.sum(self.array, axis=axes, dtype=self.array.dtype)
        return _Operand(array, [label for label in self.labels if label in kept])


def _lengths_of(inputs: list[list[_Label]], arrays: list[dpnp_ndarray]) -> dict[_Label, int]:
    lengths: dict[_Label, int] = {}
    for labels, array in zip(inputs, arrays, strict=True):
        for label, length in zip(labels, array.shape, strict=True):
            known = lengths.setdefault(label, length)
            if known == 1:
                lengths[label] = length
            elif length not in (1, known):
                name = repr(label) if isinstance(label, str) else "'...'"
                raise ValueError(f"einsum: axes with the subscript {name} have lengths {known} and {length}")
    return lengths


def _contract(a: _Operand, b: _Operand, kept: set[_Label]) -> _Operand:
    """The product of two operands, summed over their common labels that are not kept."""
    a, b = a.summed(kept | set(b.labels)), b.summed(kept | set(a.labels))
    common = [label for label in a.labels if label in b.labels]
    batch, summed = [x for x in common if x in kept], [x for x in common if x not in kept]
    rows, columns = [x for x in a.labels if x not in common], [x for x in b.labels if x not in common]
    labels = [*batch, *rows, *columns]
    if not summed:
        return _Operand(a.ordered(labels) * b.ordered(labels), labels)

    def lengths(x: _Operand, of: list[_Label]) -> tuple[int, ...]:
        return tuple(x.array.shape[x.labels.index(label)] for label in of)

    outer, depth = lengths(a, batch), math.prod(lengths(a, summed))
    first = dpt.reshape(a.ordered([*batch, *rows, *summed]), (*outer, math.prod(lengths(a, rows)), depth))
    second = dpt.reshape(b.ordered([*batch, *summed, *columns]), (*outer, depth, math.prod(lengths(b, columns))))
    made = dpt.matmul(first, second, order="C")
    return _Operand(dpt.reshape(made, (*outer, *lengths(a, rows), *lengths(b, columns))), labels)


def _next_pair(operands: list[_Operand], result: list[_Label], lengths: dict[_Label, int]) -> tuple[int, int]:
    """The pair whose product adds the fewest elements."""
    if len(operands) == 2:
        return 0, 1

    def growth(pair: tuple[int, int]) -> int:
        a, b = (operands[i] for i in pair)
        others = {x for i, o in enumerate(operands) if i not in pair for x in o.labels} | set(result)
        return math.prod(lengths[x] for x in {*a.labels, *b.labels} & others) - a.size - b.size

    return min(itertools.combinations(range(len(operands)), 2), key=growth)


def _check_optimize(optimize: object) -> None:
    known = isinstance(optimize, (bool, list, tuple)) or optimize in ("greedy", "optimal")
    if not known:
        raise TypeError(f"einsum: optimize must be a bool, 'greedy', 'optimal' or a path, got {optimize!r}")


def einsum(
    *operands: object,
    out: object = None,
    dtype: object = None,
    order: str = "K",
    casting: str = "same_kind",
    optimize: object = False,
) -> dpnp_ndarray:
    """Return sums of products of elements in Einstein's summation convention.

    Parameters
    ----------
    *operands : str and arrays, or arrays and lists of int
        Subscripts such as "ij,jk->ik", with a letter for each axis, and the operands. Axes of the same letter are
        multiplied element by element; letters that the result lacks are summed over. Without "->", the result has the
        letters that appear once, in alphabetic order. "..." stands for further axes, which broadcast.
    out : ndarray or usm_ndarray, optional
        Output array with the result's shape.
    dtype : dtype, optional
        Data type to compute in. Default: that to which the operands' are promoted.
    order : {'K', 'C', 'F', 'A'}, optional
        Memory order of the result.
    casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}, optional
        The rule for casts to `dtype` and to `out`.
    optimize : bool, str or list, optional
        Accepted for NumPy's programs. Operands are multiplied in pairs, first those whose product is smallest.

    Raises
    ------
    ValueError
        For malformed subscripts, and for lengths that do not match.
    TypeError
        When an operand is not an array, and for casts that the rule does not allow.

    Examples
    --------
    >>> import dpnp as np
    >>> x = np.arange(4).reshape(2, 2)
    >>> np.einsum("ij,kj->ik", x, x)
    array([[ 1,  3],
           [ 3, 13]])
    """
    _check_optimize(optimize)
    order = "K" if order is None else order
    if not isinstance(order, str) or order.upper() not in tuple("KCFA"):
        raise ValueError(f"einsum: order must be 'K', 'C', 'F' or 'A', got {order!r}")
    order = order.upper()
    given, result_terms, objects = _parse(operands)
    check_operands("einsum", *objects)
    placement_of("einsum", *objects)
    if out is None and dtype is None and order == "K":
        how = _direct(given, result_terms)
        if how is not None and all(isinstance(a, array_base) and a.ndim == len(t) for a, t in zip(objects, given)):
            made = _direct_result(how, objects)
            if made is not None:
                return made
    if out is not None:
        check_arrays("einsum", out)
    like = next(x for x in objects if isinstance(x, array_base))
    arrays = [as_dpnp(placed_like(x, like)) for x in objects]
    inputs, result = _labels(given, result_terms, tuple(a.ndim for a in arrays))
    common = dpt.result_type(*arrays)  # as in NumPy, numbers have their default data types
    type_of_sums = common if dtype is None else numpy.dtype(dtype)
    if not numpy.can_cast(common, type_of_sums, casting):
        raise TypeError(f"einsum: {common} cannot be cast to the dtype {type_of_sums} (casting '{casting}')")
    lengths = _lengths_of(inputs, arrays)
    if len(arrays) == 1 and out is None and set(inputs[0]) == set(result):  # as in NumPy, a view keeps its dtype
        type_of_sums = arrays[0].dtype
    left = [
        _Operand(dpt.astype(a, type_of_sums, copy=False), labels).without_broadcast_axes(lengths)
        for a, labels in zip(arrays, inputs, strict=True)
    ]
    while len(left) > 1:
        i, j = _next_pair(left, result, lengths)
        second, first = left.pop(j), left.pop(i)
        left.append(_contract(first, second, {x for o in left for x in o.labels} | set(result)))
    made = left[0].summed(set(result)).ordered(result)
    if made is objects[0]:
        made = made[...]  # a view, as in NumPy
    if out is not None:
        return store_result("einsum", made, out, casting)
    is_column_major = order == "F" or (order == "A" and all(a.flags.fnc for a in arrays))
    if is_column_major or (order == "C" and not made.flags.c_contiguous):
        return as_dpnp(dpt.copy(made, order="F" if is_column_major else "C"))
    return as_dpnp(made)


def einsum_path(*operands: object, optimize: object = "greedy", einsum_call: bool = False) -> tuple[list, str]:
    """Return an order of contraction for `einsum` and a table that describes it, as NumPy finds them.

    Only the operands' shapes are used.

    >>> import dpnp as np
    >>> x = np.ones((2, 2))
    >>> np.einsum_path("ij,jk,kl", x, x, x)[0]
    ['einsum_path', (0, 1), (0, 1)]
    """
    if einsum_call:
        raise NotImplementedError("einsum_path: einsum_call=True is not supported")
    shapes = [
        numpy.broadcast_to(numpy.zeros((), x.dtype), x.shape) if isinstance(x, array_base) else x for x in operands
    ]
    return numpy.einsum_path(*shapes, optimize=optimize)
