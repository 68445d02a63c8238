"""Random sequences of views, assignments and in-place operations agree with NumPy."""

import dpctl.tensor as dpt
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

SHAPES = hnp.array_shapes(min_dims=0, max_dims=5, min_side=0, max_side=4)
DTYPES = st.sampled_from(["?", "i1", "u2", "i4", "u8", "f4", "f8", "c8"])


def filled(shape, dtype):
    return (np.arange(np.prod(shape, dtype=int)) % 7).astype(dtype).reshape(shape)


@given(st.data(), SHAPES, DTYPES, st.sampled_from("CF"), st.sampled_from(["device", "shared", "host"]))
@settings(max_examples=150, deadline=None)
def test_views_and_writes(data, shape, dtype, order, usm_type):
    a = np.array(filled(shape, dtype), order=order)
    x = dpt.asarray(a, usm_type=usm_type)
    assert x.strides == tuple(s // a.itemsize for s in a.strides) or a.size <= 1 or 1 in shape
    views = [(a, x)]
    for _ in range(data.draw(st.integers(1, 6))):
        source, mine = data.draw(st.sampled_from(views))
        key = data.draw(hnp.basic_indices(source.shape, allow_newaxis=True, max_dims=6))
        part, mine = source[key], mine[key]
        assert mine.shape == np.shape(part)
        assert np.array_equal(dpt.asnumpy(mine), part)
        if not isinstance(part, np.ndarray):
            continue
        if data.draw(st.booleans()) and part.ndim > 1:
            part, mine = part.swapaxes(-1, -2), mine.mT
        views.append((part, mine))
        value = data.draw(st.sampled_from([0, 1, 3]))
        match data.draw(st.sampled_from(["number", "array", "host", "reversed", "in place", "nothing"])):
            case "number":
                part[...] = value
                mine[...] = value
            case "array":
                part[...] = filled(part.shape[-1:], "i4")
                mine[...] = dpt.asarray(filled(part.shape[-1:], "i4"))
            case "host":
                part[...] = filled(part.shape, "i2")
                mine[...] = filled(part.shape, "i2")
            case "reversed":
                backwards = (slice(None, None, -1),) * part.ndim
                part[...] = part[backwards].copy()
                mine[...] = mine[backwards]
            case "in place" if dtype != "?":
                part *= value
                mine *= value
        for theirs, ours in views:
            assert np.array_equal(dpt.asnumpy(ours), theirs)


@given(st.data(), SHAPES, DTYPES)
@settings(max_examples=100, deadline=None)
def test_conversions_keep_layouts(data, shape, dtype):
    a = filled(shape, dtype)
    axes = data.draw(st.permutations(range(a.ndim)))
    a = a.transpose(axes)[data.draw(hnp.basic_indices(a.transpose(axes).shape))]
    if not isinstance(a, np.ndarray):
        return
    order = data.draw(st.sampled_from("KCFA"))
    x = dpt.asarray(a, order=order)
    expected = np.array(a, order=order)
    assert np.array_equal(dpt.asnumpy(x), expected)
    assert x.flags.c_contiguous == expected.flags.c_contiguous
    assert x.flags.f_contiguous == expected.flags.f_contiguous
    for theirs, ours in ((np.array(expected, order=o), dpt.copy(x, order=o)) for o in "KCFA"):
        assert np.array_equal(dpt.asnumpy(ours), theirs)
        if theirs.size > 1:
            long = [i for i, n in enumerate(theirs.shape) if n > 1]
            assert [ours.strides[i] for i in long] == [theirs.strides[i] // theirs.itemsize for i in long]
    assert np.array_equal(np.from_dlpack(x, device="cpu"), expected)
