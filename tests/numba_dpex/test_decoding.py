"""Kernels that decode streams: positions that rise by amounts known at run time only, and tables of small elements.

The results are compared with the same functions in CPython. Starts are given from the front, from the end, and such
that a position passes from the last element to the first one.
"""

from __future__ import annotations

import itertools

import dpctl.tensor as dpt
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex import kernel_api as kapi

COUNTS = [1, 3, 8, 15, 16, 17, 64, 77, 1003]  # of work-items
random = np.random.default_rng(5)


def prefix_codes(row, stream, starts, lengths, symbols, out):
    at = starts[row]
    for k in range(out.shape[1]):
        bits = (np.int32(stream[at >> 3]) << 8) | np.int32(stream[(at >> 3) + 1])
        code = (bits >> (8 - (at & 7))) & 255
        out[row, k] = symbols[code]
        at += lengths[code]


def bytes_with_marks(row, stream, starts, lengths, symbols, out):
    at = starts[row]
    for k in range(out.shape[1]):
        value, shift = 0, 0
        while stream[at] >= 128 and shift < 21:
            value |= (int(stream[at]) & 127) << shift
            shift += 7
            at += 1
        out[row, k] = (value | (int(stream[at]) << shift)) & 0xFFFF
        at += 1


def pairs(row, stream, starts, lengths, symbols, out):
    at, k = starts[row], 0
    while k < out.shape[1]:
        length = min(int(stream[at]) % 5 + 1, out.shape[1] - k)
        value = stream[at + 1]
        for j in range(length):
            out[row, k + j] = value
        at += 2
        k += length


def steps_of_both_signs(row, stream, starts, lengths, symbols, out):
    at = starts[row]
    for k in range(out.shape[1]):
        out[row, k] = stream[at]
        at += int(lengths[stream[at]]) - 4


def two_streams(row, stream, starts, lengths, symbols, out):
    first, second = starts[row], starts[0]
    for k in range(out.shape[1]):
        out[row, k] = stream[first] ^ symbols[stream[second]]
        first += lengths[stream[first]] & 3
        second += 1 if stream[first] & 1 else 2


DECODERS = [prefix_codes, bytes_with_marks, pairs, steps_of_both_signs, two_streams]


def starts_of(which: str, count: int, length: int, scale: int) -> np.ndarray:
    front = random.integers(length // 8, length // 3, count)
    if which == "front":
        return front * scale
    if which == "end":
        return (front - length) * scale
    if which == "mixed":
        return np.where(random.random(count) < 0.3, front - length, front) * scale
    return random.integers(-9, 0, count) * scale  # around the last element


@pytest.mark.parametrize("which", ["front", "end", "mixed", "around"])
@pytest.mark.parametrize("decode", DECODERS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", ["i4", "i8"])
def test_streams(decode, which, dtype):
    kernel = ndx.kernel(row_of(decode))
    for count in COUNTS:
        stream = random.integers(0, 256, 997).astype("u1")
        lengths, symbols = random.integers(1, 9, 256).astype("u1"), random.integers(0, 256, 256).astype("u1")
        starts = starts_of(which, count, stream.size, 8 if decode is prefix_codes else 1).astype(dtype)
        wanted = np.zeros((count, 21), "u2")
        with np.errstate(all="ignore"):
            for row in range(count):
                decode(row, stream, starts, lengths, symbols, wanted)
        out = dpt.zeros((count, 21), dtype="u2")
        inputs = [dpt.asarray(each) for each in (stream, starts, lengths, symbols)]
        ndx.call_kernel(kernel, ndx.Range(count), *inputs, out)
        np.testing.assert_array_equal(dpt.asnumpy(out), wanted, err_msg=f"{count} work-items")


def row_of(decode):
    decode = ndx.device_func(decode)

    def row(item: kapi.Item, stream, starts, lengths, symbols, out):
        decode(item.get_id(0), stream, starts, lengths, symbols, out)

    return row


@ndx.kernel
def looked_up(item: kapi.Item, table, index, out):
    i = item.get_id(0)
    out[i] = table[index[i]] * 3 + out[i]


@ndx.kernel
def looked_up_twice(item: kapi.Item, table, index, out):
    i = item.get_id(0)
    if index[i] % 3 != 0:
        out[i] = table[table[index[i]] % table.size] + table[index[i]] * 5


@pytest.mark.parametrize("element", ["u1", "i1", "u2", "i2"])
@pytest.mark.parametrize("index", ["u1", "u2", "i4", "i8", "u4"])
def test_tables_of_small_elements(element, index):
    """The tables begin and end at all positions in a word of 32 bits."""
    everything = random.integers(-(2**15), 2**15, 300).astype(element)
    memory = dpt.asarray(everything)
    for first in range(5):
        for size in (1, 2, 3, 250):
            table, own = everything[first : first + size], memory[first : first + size]
            for count in COUNTS:
                low = -size if index[0] == "i" else 0
                at = random.integers(low, min(size, 256 if index == "u1" else size), count).astype(index)
                out = dpt.zeros(count, dtype="i8")
                ndx.call_kernel(looked_up, ndx.Range(count), own, dpt.asarray(at), out)
                wanted = (table[at] * table.dtype.type(3)).astype("i8")
                np.testing.assert_array_equal(dpt.asnumpy(out), wanted)


@pytest.mark.parametrize("element", ["u1", "u2"])
def test_tables_under_a_condition(element):
    everything = random.integers(0, 2**16, 300).astype(element)
    memory = dpt.asarray(everything)
    for first in range(4):
        table, own = everything[first : first + 251], memory[first : first + 251]
        for count in COUNTS:
            at = random.integers(-251, 251, count).astype("i4")
            out = dpt.zeros(count, dtype="i8")
            ndx.call_kernel(looked_up_twice, ndx.Range(count), own, dpt.asarray(at), out)
            chained = table[table[at] % table.dtype.type(251)] + table[at] * table.dtype.type(5)
            np.testing.assert_array_equal(dpt.asnumpy(out), np.where(at % 3 != 0, chained.astype("i8"), 0))


@ndx.kernel
def packed_numbers(item: kapi.Item, words, out, width):
    i = item.get_id(0)
    bit = i * width
    low = np.uint64(words[bit >> 5]) | (np.uint64(words[(bit >> 5) + 1]) << np.uint64(32))
    out[i] = (low >> np.uint64(bit & 31)) & ((np.uint64(1) << np.uint64(width)) - np.uint64(1))


@pytest.mark.parametrize("width", [1, 7, 11, 31, -5, -32])
def test_packed_numbers(width):
    """Negative widths count from the end."""
    words = random.integers(0, 2**32, 1001).astype("u4")
    for count in COUNTS:
        if count * abs(width) > 32 * 900:
            continue
        bits = np.arange(count) * width
        low = words[bits >> 5].astype("u8") | (words[(bits >> 5) + 1].astype("u8") << np.uint64(32))
        mask = np.uint64((1 << width) - 1) if width >= 0 else np.uint64(2**64 - 1)
        wanted = ((low >> (bits & 31).astype("u8")) & mask).astype("u4")
        out = dpt.zeros(count, dtype="u4")
        ndx.call_kernel(packed_numbers, ndx.Range(count), dpt.asarray(words), out, width)
        np.testing.assert_array_equal(dpt.asnumpy(out), wanted)


@ndx.kernel
def sparse_rows(item: kapi.Item, values, columns, starts, x, y):
    row = item.get_id(0)
    total = values.dtype.type(0)
    for k in range(starts[row], starts[row + 1]):
        total += values[k] * x[columns[k]]
    y[row] = total


@pytest.mark.parametrize("dtype", ["i4", "i8"])
def test_sparse_rows_with_columns_from_the_end(dtype):
    for count in COUNTS:
        starts = np.cumsum(np.r_[0, random.integers(0, 12, count)]).astype(dtype)
        values = random.integers(-9, 9, int(starts[-1])).astype("f8")
        columns = random.integers(-count, count, values.size).astype(dtype)
        x = random.integers(-9, 9, count).astype("f8")
        wanted = [np.dot(values[a:b], x[columns[a:b]]) for a, b in itertools.pairwise(starts)]
        for shift in (0, values.size):  # rows counted from the end of the arrays
            y = dpt.zeros(count, dtype="f8")
            inputs = [dpt.asarray(each) for each in (values, columns, starts - starts.dtype.type(shift), x)]
            ndx.call_kernel(sparse_rows, ndx.Range(count), *inputs, y)
            np.testing.assert_array_equal(dpt.asnumpy(y), wanted)
