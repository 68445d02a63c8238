"""OpenCL C's built-in functions, as scalars and as vectors of all sizes, compared with NumPy and the math module."""

from __future__ import annotations

import math

import dpctl
import dpctl.program
import dpctl.tensor as dpt
import numpy as np
import pytest

N = 240  # a multiple of all widths
WIDTHS = (1, 2, 3, 4, 8, 16)
C_NAMES = {
    "char": np.int8, "uchar": np.uint8, "short": np.int16, "ushort": np.uint16, "int": np.int32, "uint": np.uint32,
    "long": np.int64, "ulong": np.uint64, "half": np.float16, "float": np.float32, "double": np.float64,
}  # fmt: skip
HALVES = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"


def kernel(name: str, expressions: list[str], types: list[str], result: str, width: int) -> str:
    """A kernel that applies expressions of a, b, … to vectors of that width. Each has N results."""
    parameters = "".join(f"global const {t} *p{i}, " for i, t in enumerate(types))
    vector = "" if width == 1 else str(width)
    lines = ["size_t i = get_global_id(0);"]
    for i, t in enumerate(types):
        load = f"vload{width}(i, p{i})" if width > 1 else f"p{i}[i]"
        lines.append(f"const {t}{vector} {'abcd'[i]} = {load};")
    for k, e in enumerate(expressions):
        e = e.replace("{v}", vector)
        lines.append(f"vstore{width}({e}, i, r + {k * N});" if width > 1 else f"r[{k * N} + i] = {e};")
    return f"kernel void {name}({parameters}global {result} *r) {{ {' '.join(lines)} }}\n"


def apply(queue, expressions, types, result, inputs, widths=WIDTHS, options=""):
    """The results of expressions, a row each, for each width."""
    text = HALVES + "".join(kernel(f"k{w}", expressions, types, result, w) for w in widths)
    program = dpctl.program.create_program_from_source(queue, text, options)
    device = [dpt.asarray(x, sycl_queue=queue) for x in inputs]
    for w in widths:
        out = dpt.zeros((len(expressions), N), dtype=C_NAMES[result], sycl_queue=queue)
        queue.submit(program.get_sycl_kernel(f"k{w}"), [*device, out], [N // w])
        yield w, dpt.asnumpy(out)


def numbers(rng, name, low, high):
    if name in ("half", "float", "double"):
        return rng.uniform(low, high, N).astype(C_NAMES[name])
    return rng.integers(low, high, N, dtype=C_NAMES[name], endpoint=True)


def each(f):
    return np.vectorize(f, otypes=[np.float64])


MATH = {  # expression: (reference in float64, ranges of the arguments)
    "acos(a)": (np.arccos, (-1, 1)),
    "acosh(a)": (np.arccosh, (1, 50)),
    "acospi(a)": (lambda a: np.arccos(a) / np.pi, (-1, 1)),
    "asin(a)": (np.arcsin, (-1, 1)),
    "asinh(a)": (np.arcsinh, (-20, 20)),
    "asinpi(a)": (lambda a: np.arcsin(a) / np.pi, (-1, 1)),
    "atan(a)": (np.arctan, (-20, 20)),
    "atan2(a, b)": (np.arctan2, (-5, 5), (-5, 5)),
    "atanh(a)": (np.arctanh, (-0.9, 0.9)),
    "atanpi(a)": (lambda a: np.arctan(a) / np.pi, (-20, 20)),
    "atan2pi(a, b)": (lambda a, b: np.arctan2(a, b) / np.pi, (-5, 5), (-5, 5)),
    "cbrt(a)": (np.cbrt, (-50, 50)),
    "ceil(a)": (np.ceil, (-50, 50)),
    "copysign(a, b)": (np.copysign, (-5, 5), (-5, 5)),
    "cos(a)": (np.cos, (-20, 20)),
    "cosh(a)": (np.cosh, (-5, 5)),
    "cospi(a)": (lambda a: np.cos(np.pi * a), (-2, 2)),
    "erf(a)": (each(math.erf), (-3, 3)),
    "erfc(a)": (each(math.erfc), (-3, 3)),
    "exp(a)": (np.exp, (-8, 8)),
    "exp2(a)": (np.exp2, (-8, 8)),
    "exp10(a)": (lambda a: 10.0**a, (-4, 4)),
    "expm1(a)": (np.expm1, (-2, 2)),
    "fabs(a)": (np.abs, (-5, 5)),
    "fdim(a, b)": (lambda a, b: np.maximum(a - b, 0), (-5, 5), (-5, 5)),
    "floor(a)": (np.floor, (-50, 50)),
    "fma(a, b, c)": (lambda a, b, c: a * b + c, (1, 5), (1, 5), (1, 5)),
    "fmax(a, b)": (np.fmax, (-5, 5), (-5, 5)),
    "fmin(a, b)": (np.fmin, (-5, 5), (-5, 5)),
    "fmod(a, b)": (np.fmod, (-50, 50), (1, 5)),
    "hypot(a, b)": (np.hypot, (-5, 5), (-5, 5)),
    "lgamma(a)": (each(math.lgamma), (3, 20)),
    "log(a)": (np.log, (2, 50)),
    "log2(a)": (np.log2, (2, 50)),
    "log10(a)": (np.log10, (2, 50)),
    "log1p(a)": (np.log1p, (1, 5)),
    "logb(a)": (lambda a: np.floor(np.log2(np.abs(a))), (1.1, 50)),
    "mad(a, b, c)": (lambda a, b, c: a * b + c, (1, 5), (1, 5), (1, 5)),
    "maxmag(a, b)": (lambda a, b: np.where(abs(a) > abs(b), a, b), (-5, 5), (-5, 5)),
    "minmag(a, b)": (lambda a, b: np.where(abs(a) < abs(b), a, b), (-5, 5), (-5, 5)),
    "pow(a, b)": (np.power, (0.5, 4), (-2, 2)),
    "powr(a, b)": (np.power, (0.5, 4), (-2, 2)),
    "remainder(a, b)": (each(math.remainder), (-50, 50), (1, 5)),
    "rint(a)": (np.rint, (-50, 50)),
    "round(a)": (lambda a: np.copysign(np.floor(abs(a) + 0.5), a), (-50, 50)),
    "rsqrt(a)": (lambda a: 1 / np.sqrt(a), (0.5, 50)),
    "sin(a)": (np.sin, (-20, 20)),
    "sinh(a)": (np.sinh, (-5, 5)),
    "sinpi(a)": (lambda a: np.sin(np.pi * a), (-2, 2)),
    "sqrt(a)": (np.sqrt, (0, 50)),
    "tan(a)": (np.tan, (-1, 1)),
    "tanh(a)": (np.tanh, (-5, 5)),
    "tanpi(a)": (lambda a: np.tan(np.pi * a), (-0.4, 0.4)),
    "tgamma(a)": (each(math.gamma), (1, 6)),
    "trunc(a)": (np.trunc, (-50, 50)),
    "degrees(a)": (np.degrees, (-3, 3)),
    "radians(a)": (np.radians, (-180, 180)),
    "sign(a)": (np.sign, (-5, 5)),
    "clamp(a, b, c)": (lambda a, b, c: np.minimum(np.maximum(a, b), c), (-5, 5), (-2, -1), (1, 2)),
    "mix(a, b, c)": (lambda a, b, c: a + (b - a) * c, (1, 5), (1, 5), (0, 1)),
    "max(a, b)": (np.maximum, (-5, 5), (-5, 5)),
    "min(a, b)": (np.minimum, (-5, 5), (-5, 5)),
    "step(a, b)": (lambda a, b: (b >= a) * 1.0, (-5, 5), (-5, 5)),
    "smoothstep(a, b, c)": (
        lambda a, b, c: (t := np.clip((c - a) / (b - a), 0, 1)) * t * (3 - 2 * t), (0, 1), (2, 3), (0, 3)),
}  # fmt: skip


@pytest.mark.parametrize("expression", MATH)
def test_mathematical_functions(expression, queue):
    reference, *ranges = MATH[expression]
    rng = np.random.default_rng(3)
    position = list(MATH).index(expression)
    for k, (t, tolerance) in enumerate((("float", 4e-6), ("double", 1e-13), ("half", 4e-3))):
        inputs = [numbers(rng, t, *r) for r in ranges]
        expected = reference(*(x.astype(np.float64) for x in inputs))
        widths = WIDTHS if expression == "exp(a)" else (1, WIDTHS[1 + (position + k) % 5])
        for width, (result,) in apply(queue, [expression], [t] * len(ranges), t, inputs, widths):
            np.testing.assert_allclose(
                result.astype(np.float64), expected, rtol=tolerance, atol=tolerance, err_msg=f"{t}{width}"
            )


WITH_RESULTS = {  # statements that compute x and y of the type {t}, or integers {n}: references
    "{t}{v} y; x = fract(a, &y)": (lambda a: a - np.floor(a), np.floor),
    "{t}{v} y; x = modf(a, &y)": (lambda a: a - np.trunc(a), np.trunc),
    "{t}{v} y; x = sincos(a, &y)": (np.sin, np.cos),
    "int{v} y; x = frexp(a, &y)": (lambda a: np.frexp(a)[0], lambda a: np.frexp(a)[1]),
    "int{v} y; x = lgamma_r(fabs(a) + 3, &y)": (lambda a: each(math.lgamma)(abs(a) + 3), lambda a: np.ones_like(a)),
    "int{v} y = ilogb(a); x = ldexp(a, y)": (
        lambda a: a * 2.0 ** np.floor(np.log2(abs(a))), lambda a: np.floor(np.log2(abs(a)))),
    "int{v} y = 3; x = pown(a, y)": (lambda a: a**3, lambda a: 3 + 0 * a),
    "int{v} y; x = remquo(a, ({t}{v})(3), &y)": (
        lambda a: each(math.remainder)(a, 3.0), lambda a: None),
}  # fmt: skip


@pytest.mark.parametrize("statements", WITH_RESULTS)
@pytest.mark.parametrize("options", ["", "-cl-std=CL3.0"])
def test_functions_with_results_in_memory(statements, options, queue):
    first, second = WITH_RESULTS[statements]
    a = np.random.default_rng(4).uniform(-9, 9, N)
    for t in ("float", "double"):
        text = ""
        widths = (1, 3, 16) if t == "float" else (2, 4)
        for w in widths:
            v = "" if w == 1 else str(w)
            load = f"vload{w}(i, p)" if w > 1 else "p[i]"
            store = "vstore{0}(x, i, r); vstore{0}(convert_{1}{0}(y), i, s);" if w > 1 else "r[i] = x; s[i] = y;"
            body = statements.replace("{t}", t).replace("{v}", v)
            text += f"""kernel void k{w}(global const {t} *p, global {t} *r, global {t} *s) {{
              size_t i = get_global_id(0); {t}{v} a = {load}, x; {body}; {store.format(v, t)} }}\n"""
        program = dpctl.program.create_program_from_source(queue, text, options)
        x = dpt.asarray(a.astype(C_NAMES[t]), sycl_queue=queue)
        values = dpt.asnumpy(x).astype(np.float64)
        for w in widths:
            r, s = dpt.zeros_like(x), dpt.zeros_like(x)
            queue.submit(program.get_sycl_kernel(f"k{w}"), [x, r, s], [N // w])
            np.testing.assert_allclose(dpt.asnumpy(r), first(values), rtol=4e-5, atol=4e-5)
            if second(values) is not None:
                np.testing.assert_allclose(dpt.asnumpy(s), second(values), rtol=4e-6, atol=4e-6)


INTEGERS = {  # expression: reference in Python's integers, with the type's bits and bounds
    "add_sat(a, b)": lambda t, a, b: clip(t, a + b),
    "sub_sat(a, b)": lambda t, a, b: clip(t, a - b),
    "hadd(a, b)": lambda t, a, b: (a + b) >> 1,
    "rhadd(a, b)": lambda t, a, b: (a + b + 1) >> 1,
    "mul_hi(a, b)": lambda t, a, b: (a * b) >> bits(t),
    "mad_hi(a, b, c)": lambda t, a, b, c: ((a * b) >> bits(t)) + c,
    "mad_sat(a, b, c)": lambda t, a, b, c: clip(t, a * b + c),
    "rotate(a, b)": lambda t, a, b: rotated(t, a, b),
    "clz(a)": lambda t, a: bits(t) - (a & mask(t)).bit_length(),
    "popcount(a)": lambda t, a: (a & mask(t)).bit_count(),
    "max(a, b)": lambda t, a, b: max(a, b),
    "min(a, b)": lambda t, a, b: min(a, b),
    "clamp(a, min(b, c), max(b, c))": lambda t, a, b, c: min(max(a, min(b, c)), max(b, c)),
    "convert_{t}{v}(abs(a))": lambda t, a: abs(a),
    "convert_{t}{v}(abs_diff(a, b))": lambda t, a, b: abs(a - b),
    "bitselect(a, b, c)": lambda t, a, b, c: (a & ~c) | (b & c),
}


def bits(t):
    return np.iinfo(C_NAMES[t]).bits


def mask(t):
    return (1 << bits(t)) - 1


def clip(t, x):
    return min(max(x, int(np.iinfo(C_NAMES[t]).min)), int(np.iinfo(C_NAMES[t]).max))


def rotated(t, a, b):
    by, a = b % bits(t), a & mask(t)
    return a << by | a >> (bits(t) - by)


def wrapped(t, values):
    """Python's integers as the type, modulo its size."""
    return np.array([v & mask(t) for v in values], np.uint64).astype(C_NAMES[t])


@pytest.mark.parametrize("t", ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"])
def test_functions_of_integers(t, queue):
    rng = np.random.default_rng(5)
    info = np.iinfo(C_NAMES[t])
    inputs = [numbers(rng, t, info.min, info.max) for _ in range(3)]
    inputs[0][:3] = [info.min, info.max, 0]
    expressions = [e.replace("{t}", t) for e in INTEGERS]
    widths = (3, 8, 16) if t == "int" else (1, 2) if "long" in t else (1, 4)
    for width, results in apply(queue, expressions, [t] * 3, t, inputs, widths):
        for (expression, reference), result in zip(INTEGERS.items(), results):
            arguments = inputs[: reference.__code__.co_argcount - 1]
            expected = wrapped(t, [reference(t, *map(int, row)) for row in zip(*arguments)])
            np.testing.assert_array_equal(result, expected, err_msg=f"{expression} of {t}{width}")


def test_functions_of_24_bits_and_twice_the_bits(queue):
    rng = np.random.default_rng(6)
    a, b = (rng.integers(-(2**23), 2**23, N, dtype=np.int32) for _ in range(2))
    for _, (result,) in apply(queue, ["mad24(a, b, a) + mul24(a, b)"], ["int"] * 2, "int", [a, b]):
        with np.errstate(over="ignore"):
            np.testing.assert_array_equal(result, 2 * (a * b) + a)
    high, low = rng.integers(-128, 128, N, dtype=np.int8), rng.integers(0, 256, N, dtype=np.uint8)
    for _, (result,) in apply(queue, ["upsample(a, b)"], ["char", "uchar"], "short", [high, low]):
        np.testing.assert_array_equal(result, high.astype(np.int16) * 256 + low)


RELATIONS = {
    "isequal(a, b)": np.equal,
    "isnotequal(a, b)": np.not_equal,
    "isgreater(a, b)": np.greater,
    "isgreaterequal(a, b)": np.greater_equal,
    "isless(a, b)": np.less,
    "islessequal(a, b)": np.less_equal,
    "islessgreater(a, b)": lambda a, b: (a < b) | (a > b),
    "isordered(a, b)": lambda a, b: ~(np.isnan(a) | np.isnan(b)),
    "isunordered(a, b)": lambda a, b: np.isnan(a) | np.isnan(b),
    "isfinite(a)": np.isfinite,
    "isinf(a)": np.isinf,
    "isnan(a)": np.isnan,
    "isnormal(a)": lambda a: np.isfinite(a) & (abs(a) > 1e-30),
    "signbit(a)": np.signbit,
}


@pytest.mark.parametrize(("t", "r"), [("float", "int"), ("double", "long")])
def test_relations_are_one_for_scalars_and_minus_one_for_vectors(t, r, queue):
    special = np.array([np.nan, np.inf, -np.inf, 0, -0.0, 1, 2, -3])
    rng = np.random.default_rng(7)
    inputs = [rng.choice(special, N).astype(C_NAMES[t]) for _ in range(2)]
    for width, results in apply(queue, list(RELATIONS), [t] * 2, r, inputs):
        for (expression, reference), result in zip(RELATIONS.items(), results):
            expected = reference(*inputs[: expression.count(",") + 1])
            np.testing.assert_array_equal(result, expected * (1 if width == 1 else -1), err_msg=f"{expression} {width}")


def test_selections(queue):
    rng = np.random.default_rng(8)
    for t, c in (("float", "int"), ("double", "ulong"), ("uchar", "char"), ("short", "short"), ("half", "ushort")):
        a, b = numbers(rng, t, 1, 100), numbers(rng, t, 1, 100)
        info = np.iinfo(C_NAMES[c])
        condition = rng.choice(np.array([0, 1, info.min, info.max], C_NAMES[c]), N)
        highest = condition.view(f"i{info.bits // 8}") < 0
        for width, (result,) in apply(queue, ["select(a, b, c)"], [t, t, c], t, [a, b, condition]):
            chosen = condition != 0 if width == 1 else highest
            np.testing.assert_array_equal(result, np.where(chosen, b, a), err_msg=f"{t}{width}")


def test_any_and_all(queue):
    x = np.random.default_rng(9).choice(np.array([-1, 0, 5], np.int32), N)
    for w in (2, 3, 4, 8, 16):
        text = f"""kernel void k(global const int *p, global int *r, global int *s) {{ size_t i = get_global_id(0);
                   r[i] = any(vload{w}(i, p)) != 0; s[i] = all(vload{w}(i, p)) != 0; }}"""
        program = dpctl.program.create_program_from_source(queue, text)
        r, s = (dpt.zeros(N // w, dtype="i4", sycl_queue=queue) for _ in range(2))
        queue.submit(program.get_sycl_kernel("k"), [dpt.asarray(x, sycl_queue=queue), r, s], [N // w])
        rows = x.reshape(-1, w) < 0
        np.testing.assert_array_equal(dpt.asnumpy(r), rows.any(axis=1))
        np.testing.assert_array_equal(dpt.asnumpy(s), rows.all(axis=1))


GEOMETRIC = {  # expression of vectors a and b: reference on rows
    "dot(a, b)": lambda a, b: (a * b).sum(1),
    "length(a)": lambda a, b: np.linalg.norm(a, axis=1),
    "distance(a, b)": lambda a, b: np.linalg.norm(a - b, axis=1),
    "fast_length(a)": lambda a, b: np.linalg.norm(a, axis=1),
    "fast_distance(a, b)": lambda a, b: np.linalg.norm(a - b, axis=1),
    "normalize(a).x": lambda a, b: a[:, 0] / np.linalg.norm(a, axis=1),
    "fast_normalize(b).y": lambda a, b: b[:, 1] / np.linalg.norm(b, axis=1),
    "cross(a, b).y": lambda a, b: a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2],
}


@pytest.mark.parametrize("expression", GEOMETRIC)
def test_geometric_functions(expression, queue):
    rng = np.random.default_rng(10)
    for t in ("float", "double"):
        a, b = numbers(rng, t, -3, 3), numbers(rng, t, -3, 3)
        for w in (3, 4) if "cross" in expression else (2, 3, 4):
            text = f"""kernel void k(global const {t} *p, global const {t} *q, global {t} *r) {{
              size_t i = get_global_id(0); {t}{w} a = vload{w}(i, p), b = vload{w}(i, q); r[i] = {expression}; }}"""
            text = text.replace("fast_", "fast_" if t == "float" else "")
            program = dpctl.program.create_program_from_source(queue, text)
            r = dpt.zeros(N // w, dtype=C_NAMES[t], sycl_queue=queue)
            inputs = [dpt.asarray(x, sycl_queue=queue) for x in (a, b)]
            queue.submit(program.get_sycl_kernel("k"), [*inputs, r], [N // w])
            expected = GEOMETRIC[expression](*(x.astype(np.float64).reshape(-1, w) for x in (a, b)))
            np.testing.assert_allclose(dpt.asnumpy(r), expected, rtol=1e-5, atol=1e-5)


ROUNDED = {"": np.trunc, "_rtz": np.trunc, "_rte": np.rint, "_rtp": np.ceil, "_rtn": np.floor}


@pytest.mark.parametrize("source", ["half", "float", "double"])
def test_conversions_of_floats_to_integers(source, queue):
    rng = np.random.default_rng(11)
    for target in ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"):
        info = np.iinfo(C_NAMES[target])
        high = min(float(info.max), 60_000.0)
        x = numbers(rng, source, max(float(info.min), -high), high * 0.99)
        expressions = [f"convert_{target}{{v}}{mode}(a)" for mode in ROUNDED]
        for _, results in apply(queue, expressions, [source], target, [x], widths=(1, 4)):
            for rounded, result in zip(ROUNDED.values(), results):
                tame = np.clip(rounded(x.astype(np.float64)), info.min, high)
                np.testing.assert_array_equal(result, tame.astype(C_NAMES[target]))
        wild = np.concatenate([x[:-8], [np.nan, np.inf, -np.inf, -1e4, 1e4, 0.5, -0.5, 2.5]]).astype(x.dtype)
        expressions = [f"convert_{target}{{v}}_sat{mode}(a)" for mode in ROUNDED]
        for _, results in apply(queue, expressions, [source], target, [wild], widths=(1, 3)):
            for name, rounded, result in zip(expressions, ROUNDED.values(), results):
                whole = rounded(np.nan_to_num(wild.astype(np.float64), nan=0.0, posinf=1e300, neginf=-1e300))
                expected = [clip(target, int(v)) for v in whole]
                np.testing.assert_array_equal(result, np.array(expected, C_NAMES[target]), err_msg=name)


def test_conversions_between_integers(queue):
    rng = np.random.default_rng(12)
    names = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")
    for source in names:
        info = np.iinfo(C_NAMES[source])
        x = numbers(rng, source, info.min, info.max)
        for target in names:
            both = [f"convert_{target}{{v}}(a)", f"convert_{target}{{v}}_sat(a)"]
            expected = np.array([clip(target, int(v)) for v in x], C_NAMES[target])
            for _, (plain, saturated) in apply(queue, both, [source], target, [x], widths=(1, 4)):
                np.testing.assert_array_equal(plain, x.astype(C_NAMES[target]))
                np.testing.assert_array_equal(saturated, expected, err_msg=f"{source} to {target}")


@pytest.mark.parametrize(("source", "target"), [
    ("double", "float"), ("int", "float"), ("uint", "float"), ("long", "float"), ("ulong", "float"), ("long", "double"),
    ("ulong", "double"), ("float", "half"), ("int", "half"), ("double", "half"),
])  # fmt: skip
def test_conversions_to_floats_round_in_all_directions(source, target, queue):
    rng = np.random.default_rng(13)
    if source in ("float", "double"):
        x = numbers(rng, source, -1_000, 1_000)
    elif target == "half":
        x = numbers(rng, source, -65_000, 65_000)
    else:
        info = np.iinfo(C_NAMES[source])
        x = numbers(rng, source, info.min, info.max)
        x[:4] = [info.max, info.min, info.max - 1, info.min + 1]
    nearest = x.astype(C_NAMES[target])
    exact = [float(v) if source in ("float", "double") else int(v) for v in x]

    def directed(up):
        result = nearest.copy()
        for i, v in enumerate(exact):
            r = nearest[i]
            back = float(r) if isinstance(v, float) else int(r)
            if (back < v) if up else (back > v):
                result[i] = np.nextafter(r, C_NAMES[target](np.inf if up else -np.inf))
        return result

    up, down = directed(True), directed(False)
    zero = np.where(x.astype(np.float64) < 0, up, down)
    modes = {"": nearest, "_rte": nearest, "_rtp": up, "_rtn": down, "_rtz": zero}
    expressions = [f"convert_{target}{{v}}{mode}(a)" for mode in modes]
    for _, results in apply(queue, expressions, [source], target, [x], widths=(1, 2)):
        for (mode, expected), result in zip(modes.items(), results):
            np.testing.assert_array_equal(result, expected, err_msg=mode)


def test_shuffles(queue):
    x = np.arange(64, dtype=np.float32)
    mask = np.random.default_rng(14).integers(0, 1000, 64, dtype=np.uint32)
    text = """
    kernel void k(global const float *p, global const uint *m, global float *r, global float *s) {
      size_t i = get_global_id(0);
      const float4 a = vload4(i, p), b = vload4(i, p) + 100;
      vstore8(shuffle(a, vload8(i, m)), i, r);
      vstore8(shuffle2(a, b, vload8(i, m)), i, s);
    }"""
    program = dpctl.program.create_program_from_source(queue, text)
    r, s = (dpt.zeros(64, dtype="f4", sycl_queue=queue) for _ in range(2))
    inputs = [dpt.asarray(v, sycl_queue=queue) for v in (x, mask)]
    queue.submit(program.get_sycl_kernel("k"), [*inputs, r, s], [8])
    a = x[:32].reshape(8, 4)
    rows, m = np.arange(8)[:, None], mask.reshape(8, 8)
    np.testing.assert_array_equal(dpt.asnumpy(r).reshape(8, 8), a[rows, m % 4])
    both = np.concatenate([a, a + 100], axis=1)
    np.testing.assert_array_equal(dpt.asnumpy(s).reshape(8, 8), both[rows, m % 8])


def test_halves_in_memory(queue):
    x = np.random.default_rng(15).uniform(-5, 5, 48).astype(np.float32)
    text = """
    kernel void k(global const float *p, global half *h, global half *aligned, global float *back) {
      size_t i = get_global_id(0);
      vstore_half3_rtp(vload3(i, p), i, h);
      vstorea_half3(vload3(i, p), i, aligned);
      vstore3(vloada_half3(i, aligned) - vload_half3(i, h), i, back);
    }"""
    program = dpctl.program.create_program_from_source(queue, text)
    p = dpt.asarray(x, sycl_queue=queue)
    h, aligned, back = (dpt.zeros(n, dtype=t, sycl_queue=queue) for n, t in ((48, "f2"), (64, "f2"), (48, "f4")))
    queue.submit(program.get_sycl_kernel("k"), [p, h, aligned, back], [16])
    nearest = x.astype(np.float16)
    up = np.where(nearest.astype(np.float32) < x, np.nextafter(nearest, np.float16(np.inf)), nearest)
    np.testing.assert_array_equal(dpt.asnumpy(h), up)
    np.testing.assert_array_equal(dpt.asnumpy(aligned).reshape(16, 4)[:, :3].ravel(), nearest)
    np.testing.assert_array_equal(dpt.asnumpy(back), nearest.astype(np.float32) - up.astype(np.float32))


@pytest.mark.parametrize("t", ["int", "uint", "long", "ulong"])
def test_atomic_updates_of_version_1(t, queue):
    prefix = "atomic_" if "int" in t else "atom_"
    names = ("add", "sub", "and", "or", "xor", "min", "max")
    calls = " ".join(f"{prefix}{name}(r + {i}, x[i]);" for i, name in enumerate(names))
    text = f"""
    #pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
    #pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
    kernel void k(global const {t} *x, global {t} *r) {{
      size_t i = get_global_id(0);
      {calls}
      {prefix}inc(r + 7);
      {prefix}dec(r + 8);
      {prefix}cmpxchg(r + 9, ({t})5, ({t})6);
      {prefix}xchg(r + 10, ({t})77);
    }}"""
    program = dpctl.program.create_program_from_source(queue, text)
    x = np.random.default_rng(16).integers(0, 1 << 20, 3_000, dtype=C_NAMES[t])
    start = np.array([1, 2, 2**20 - 1, 4, 5, 6, 7, 8, 9_000, 5, 10], C_NAMES[t])
    r = dpt.asarray(start, sycl_queue=queue)
    queue.submit(program.get_sycl_kernel("k"), [dpt.asarray(x, sycl_queue=queue), r], [x.size])
    total = sum(map(int, x))
    expected = [
        1 + total, 2 - total, int(start[2] & np.bitwise_and.reduce(x)), int(start[3] | np.bitwise_or.reduce(x)),
        int(start[4] ^ np.bitwise_xor.reduce(x)), min(6, int(x.min())), max(7, int(x.max())), 3_008, 6_000, 6, 77,
    ]  # fmt: skip
    np.testing.assert_array_equal(dpt.asnumpy(r), wrapped(t, expected))
