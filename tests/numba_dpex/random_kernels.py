"""Random kernels in the language of numba_dpex: source text, with the types that NumPy gives every value.

A kernel declares some variables, each with a dtype that it keeps, and changes them in statements of all kinds. The
type of each expression is computed with `numpy.result_type`, so that there is a conversion exactly where CPython with
NumPy's scalars needs one to keep a variable's dtype. Undefined behaviour is never reached: shifts are less than
the width, floats that become integers are bounded, and loops end.
"""

from __future__ import annotations

import random

import numpy as np

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]
DTYPES = INTEGERS + FLOATS + ["bool"]
# In NumPy the first one returns integers unchanged.
FUNCTIONS = ["floor", "sqrt", "sin", "exp", "atan", "tanh", "fabs", "cos"]


class RandomKernel:
    """One kernel: `text` defines the device function `helper_<n>` and the kernel function `kernel_<n>`.

    It takes an item, one input and one output array for each of `dtypes`.
    """

    def __init__(self, number: int, seed: int) -> None:
        self.random = random.Random(seed)
        self.number = number
        kinds = DTYPES + COMPLEX if self.random.random() < 0.2 else DTYPES
        self.dtypes = [self.random.choice(kinds) for _ in range(self.random.randint(2, 5))]
        self.types = {f"v{i}": np.dtype(name) for i, name in enumerate(self.dtypes)}
        self.lines: list[str] = []
        self.loops = 0
        self._helper()
        self._kernel()
        self.text = "\n".join(self.lines) + "\n"

    def _kernel(self) -> None:
        inputs = [f"in{i}" for i in range(len(self.dtypes))]
        outputs = [f"out{i}" for i in range(len(self.dtypes))]
        self._line(0, f"def kernel_{self.number}(item, {', '.join(inputs + outputs)}):")
        self._line(1, "i = item.get_id(0)")
        for k in range(len(self.dtypes)):
            self._line(1, f"v{k} = in{k}[i]")
        for _ in range(self.random.randint(3, 8)):
            self._statement(1, 0)
        for k in range(len(self.dtypes)):
            self._line(1, f"out{k}[i] = v{k}")
        self.lines += ["", ""]

    def _helper(self) -> None:
        """A device function of two integers with early returns."""
        a, b, c = (self.random.randint(1, 9) for _ in range(3))
        self._line(0, "@device_func")
        self._line(0, f"def helper_{self.number}(x, y={b}):")
        self._line(1, f"if x > {a}:")
        self._line(2, f"return x - {c}")
        self._line(1, f"return (x ^ y) + {a} if x % 2 == 0 else x")
        self.lines += ["", ""]

    def _line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def _statement(self, depth: int, nesting: int) -> None:
        choices = [self._assign] * 6 + [self._augment] * 3
        if nesting < 2:
            choices += [self._if] * 3 + [self._for, self._while, self._call]
        self.random.choice(choices)(depth, nesting)

    def _block(self, depth: int, nesting: int) -> None:
        for _ in range(self.random.randint(1, 3)):
            self._statement(depth, nesting + 1)

    def _assign(self, depth: int, nesting: int) -> None:
        name = self.random.choice(list(self.types))
        self._line(depth, f"{name} = {self._of_type(self.types[name], 3)}")

    def _augment(self, depth: int, nesting: int) -> None:
        name = self.random.choice(list(self.types))
        operators = {"b": "&|^", "f": "+-*", "c": "+-"}.get(self.types[name].kind, "+-*&|^")
        value = self._of_type(self.types[name], 2)
        self._line(depth, f"{name} {self.random.choice(operators)}= {value}")

    def _if(self, depth: int, nesting: int) -> None:
        self._line(depth, f"if {self._condition(2)}:")
        self._block(depth + 1, nesting)
        if self.random.random() < 0.3:
            self._line(depth, f"elif {self._condition(1)}:")
            self._block(depth + 1, nesting)
        if self.random.random() < 0.5:
            self._line(depth, "else:")
            self._block(depth + 1, nesting)

    def _for(self, depth: int, nesting: int) -> None:
        self.loops += 1
        counter = f"k{self.loops}"
        start, step = self.random.randint(-3, 3), self.random.choice([1, 1, 2, -1, -3])
        stop = start + step * self.random.randint(0, 4)
        self._line(depth, f"for {counter} in range({start}, {stop}, {step}):")
        self._leave(depth + 1, f"{counter} == {self.random.randint(-3, 6)}")
        self._block(depth + 1, nesting)
        self._else(depth, nesting)

    def _while(self, depth: int, nesting: int) -> None:
        self.loops += 1
        counter = f"k{self.loops}"
        self._line(depth, f"{counter} = {self.random.randint(0, 3)}")
        self._line(depth, f"while {counter} < {self.random.randint(0, 5)}:")
        self._line(depth + 1, f"{counter} += 1")
        self._leave(depth + 1, self._condition(1))
        self._block(depth + 1, nesting)
        self._else(depth, nesting)

    def _leave(self, depth: int, condition: str) -> None:
        if self.random.random() < 0.6:
            self._line(depth, f"if {condition}:")
            self._line(depth + 1, self.random.choice(["break", "continue"]))

    def _else(self, depth: int, nesting: int) -> None:
        if self.random.random() < 0.3:
            self._line(depth, "else:")
            self._block(depth + 1, nesting)

    def _call(self, depth: int, nesting: int) -> None:
        names = [name for name, dtype in self.types.items() if dtype.kind in "iu"]
        if not names:
            return self._assign(depth, nesting)
        name = self.random.choice(names)
        second = self.random.choice(["", f", {self.random.randint(0, 99)}", f", y={self.random.randint(0, 99)}"])
        self._line(depth, f"{name} = helper_{self.number}({name}{second})")
        return None

    def _of_type(self, dtype: np.dtype, depth: int) -> str:
        """An expression of exactly this dtype: with a conversion if it comes out as another."""
        text, found = self._expression(depth)
        if found == dtype:
            return text
        if found.kind == "c" and dtype.kind != "c":
            text, found = f"({text}).real", np.dtype("f4" if found.itemsize == 8 else "f8")
        if found.kind == "f" and dtype.kind in "iu":
            low = -100 if dtype.kind == "i" else 0
            # The offset keeps exact results, such as 35 / 3 * 6, off the integers, where one ulp decides.
            text = f"(({text}) + 0.3183 if {low - 0.3183} < ({text}) < 100.3183 else 7.0)"
        if dtype.kind == "b":
            return f"({text}) > 0.3183" if found.kind == "f" else f"({text}) != 0"
        return f"np.{dtype.name}({text})"

    def _expression(self, depth: int) -> tuple[str, np.dtype]:
        if depth == 0 or self.random.random() < 0.15:
            name = self.random.choice(list(self.types))
            return name, self.types[name]
        choices = [self._binary] * 6 + [self._unary, self._conditional, self._function, self._least]
        return self.random.choice(choices)(depth - 1)

    def _binary(self, depth: int) -> tuple[str, np.dtype]:
        left, a = self._expression(depth)
        if self.random.random() < 0.4 and a.kind != "b":
            value = self._literal(a)
            right, b = str(value), value
        else:
            right, b = self._expression(depth)
        kinds = a.kind + (b.kind if isinstance(b, np.dtype) else a.kind)
        if kinds == "bb":
            return f"({left} {self.random.choice('&|^')} {right})", np.dtype("?")
        result = np.result_type(a, b)
        if result.kind in "iu" and self.random.random() < 0.4:
            operator = self.random.choice(["//", "%", "&", "|", "^", "<<", ">>"])
            if operator in ("<<", ">>"):
                if a.kind == "b":
                    return f"({left} | {right})", result
                width = min(a.itemsize, result.itemsize) * 8
                return f"({left} {operator} {self.random.randrange(width)})", a
            return f"({left} {operator} {right})", result
        if result.kind in "iu" and self.random.random() < 0.15:
            return f"({left} / {right})", np.dtype("f8")
        if result.kind == "f" and self.random.random() < 0.2:
            return f"({left} / {self.random.choice([0.5, 2.0, 4.0, -8.0])})", self._with_float(a)
        return f"({left} {self.random.choice('+-*')} {right})", result

    def _with_float(self, dtype: np.dtype) -> np.dtype:
        return np.dtype("f8") if dtype.kind in "biu" else dtype

    def _literal(self, dtype: np.dtype):
        if dtype.kind in "iu":
            return self.random.randint(0, 20)
        return self.random.choice([self.random.randint(0, 9), self.random.randint(1, 40) / 8])

    def _unary(self, depth: int) -> tuple[str, np.dtype]:
        text, dtype = self._expression(depth)
        if dtype.kind == "b":
            return f"(not {text})", dtype
        operators = {"i": ["-", "~", "+", "abs"], "u": ["-", "~", "+", "abs"], "f": ["-", "+", "abs"], "c": ["-"]}
        operator = self.random.choice(operators[dtype.kind])
        return f"{operator}({text})", dtype

    def _conditional(self, depth: int) -> tuple[str, np.dtype]:
        name = self.random.choice(list(self.types))
        other = self._of_type(self.types[name], depth)
        return f"({name} if {self._condition(1)} else {other})", self.types[name]

    def _least(self, depth: int) -> tuple[str, np.dtype]:
        name = self.random.choice(list(self.types))
        dtype = self.types[name]
        if dtype.kind in "cb":
            return name, dtype
        return f"{self.random.choice(['min', 'max'])}({name}, {self._of_type(dtype, depth)})", dtype

    def _function(self, depth: int) -> tuple[str, np.dtype]:
        text, dtype = self._expression(depth)
        if dtype.kind not in "iuf" or dtype.itemsize < 4:
            return text, dtype
        bounded = f"min(max({text}, {dtype.name}_low), {dtype.name}_high)"
        result = np.dtype("f4") if dtype == np.dtype("f4") else np.dtype("f8")
        function = self.random.choice(FUNCTIONS if dtype.kind == "f" else FUNCTIONS[1:])
        # The factor keeps exact function values, such as exp(0), off the integers, where one ulp decides.
        factor = "" if function in ("floor", "fabs") else " * 0.90625"
        return f"(np.{function.replace('atan', 'arctan')}({bounded}){factor})", result

    def _condition(self, depth: int) -> str:
        """Comparisons of integers and bools only: rounding must not decide which way a kernel goes."""
        choices = []
        for name, dtype in self.types.items():
            if dtype.kind == "b":
                choices += [name, f"not {name}"]
            elif dtype.kind in "iu":
                low, high = sorted((self.random.randint(0, 50), self.random.randint(0, 50)))
                comparison = self.random.choice(["<", "<=", ">", ">=", "==", "!="])
                choices += [f"{name} {comparison} {low}", f"{low} <= {name} < {high}", f"{name} % 3 == {low % 3}"]
                others = [other for other, its in self.types.items() if its.kind in "iu" and other != name]
                choices += [f"{name} {comparison} {other}" for other in others]
        choices.append(f"i {self.random.choice(['<', '>', '=='])} {self.random.randint(0, 8)}")
        first = self.random.choice(choices)
        if depth and self.random.random() < 0.4:
            return f"({first}) {self.random.choice(['and', 'or'])} ({self._condition(depth - 1)})"
        return first


HEADER = """import numpy as np
from numba_dpex import device_func

float32_low, float32_high = np.float32(0), np.float32(30)
float64_low, float64_high = np.float64(0), np.float64(30)
"""


def module_text(kernels: list[RandomKernel]) -> str:
    """Return a module that defines all of them."""
    bounds = [f"{name}_low, {name}_high = np.{name}(0), np.{name}(30)" for name in INTEGERS]
    return "\n".join([HEADER + "\n".join(bounds), "", "", *(kernel.text for kernel in kernels)])


def inputs(dtypes: list[str], count: int, seed: int) -> list[np.ndarray]:
    """Return arguments of one kernel: small numbers, and extremes of integers."""
    generator = np.random.default_rng(seed)
    result = []
    for name in dtypes:
        dtype = np.dtype(name)
        if dtype.kind == "b":
            values = generator.integers(0, 2, count).astype(dtype)
        elif dtype.kind in "iu":
            limits = np.iinfo(dtype)
            values = generator.integers(0 if dtype.kind == "u" else -20, 50, count).astype(dtype)
            values[generator.integers(0, count)] = limits.max
            values[generator.integers(0, count)] = limits.min
        elif dtype.kind == "f":
            values = (generator.integers(-80, 80, count) / 8).astype(dtype)
        else:
            parts = generator.integers(-40, 40, (2, count)) / 8
            values = (parts[0] + 1j * parts[1]).astype(dtype)
        result.append(values)
    return result
