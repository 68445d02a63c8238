"""Random calls of all public functions, with arguments that are wrong in type, count or value.

    python tests/fuzz/calls.py SEED COUNT LOG

Each call must return, or raise an exception. The program writes each call to LOG before it is made, so that whoever
started the program knows what crashed it. It prints calls that raised SystemError, and its exit status is then
1. The same seed makes the same calls.
"""

from __future__ import annotations

import importlib
import inspect
import itertools
import os
import pathlib
import random
import signal
import sys
import tempfile
import threading
import warnings

MODULES = [
    "dpctl", "dpctl.memory", "dpctl.program", "dpctl.tensor", "dpctl.tensor.fft", "dpctl.tensor.linalg", "dpctl.utils",
    "dpep", "dpnp", "dpnp.fft", "dpnp.linalg", "dpnp.random", "dpnp.scipy.linalg", "dpnp.scipy.ndimage",
    "dpnp.scipy.signal", "dpnp.scipy.sparse", "dpnp.scipy.spatial.distance", "dpnp.scipy.special", "numba_dpex",
    "numba_dpex.kernel_api",
]  # fmt: skip
# Functions that change the process for all that follow, or that wait for input or another process.
LEFT_OUT = {
    "dpep.set_memory_limit", "dpep.doctor", "dpep.main", "dpnp.test", "dpctl.set_global_queue", "dpep.set_interrupts",
}  # fmt: skip
SECONDS = 5  # then the call is interrupted: sizes of a billion are allowed to take long


class Foreign:
    """An object that nothing expects."""


class Liar:
    """An object whose protocols return nonsense, or raise."""

    def __init__(self, interface: object) -> None:
        self.interface = interface

    @property
    def __sycl_usm_array_interface__(self) -> object:
        if isinstance(self.interface, Exception):
            raise self.interface
        return self.interface

    def __dlpack__(self, *args: object, **kwargs: object) -> object:
        return self.__sycl_usm_array_interface__

    def __dlpack_device__(self) -> object:
        return self.__sycl_usm_array_interface__

    def __index__(self) -> int:
        raise RuntimeError("no index")

    def __len__(self) -> int:
        return -1


def good_arguments() -> list[object]:
    """Small arrays, queues and other objects that functions are made for."""
    import dpctl
    import dpctl.memory
    import dpctl.tensor as dpt
    import dpnp

    queue = dpctl.SyclQueue()
    other_queue = dpctl.SyclQueue(queue.sycl_device, property="in_order")
    arrays = [
        dpt.reshape(dpt.arange(6, dtype=dtype, sycl_queue=queue), shape)
        for dtype, shape in itertools.product(["i4", "f4", "f8", "c16", "u1"], [(6,), (2, 3), (1, 2, 3)])
    ]
    arrays += [
        dpt.ones((), dtype="f8"), dpt.empty((0, 3)), dpt.ones((3, 3), dtype="f4")[::-1, ::2], dpt.ones(4, dtype="?"),
        dpt.ones((2, 2), sycl_queue=other_queue), dpnp.ones((3, 3)), dpnp.arange(5)[::-1], dpnp.array([1j, 2]),
        dpnp.ones((2, 3), dtype="f4"), dpt.full((2, 2), float("nan")),
    ]  # fmt: skip
    memory = dpctl.memory.MemoryUSMShared(64, queue=queue)
    return [
        *arrays, queue, other_queue, queue.sycl_device, queue.sycl_context, queue.sycl_device.sycl_platform,
        dpctl.SyclEvent(), memory, dpctl.memory.MemoryUSMDevice(16), dpctl.memory.MemoryUSMHost(8),
        memoryview(bytes(16)), dpctl.LocalAccessor("f4", (4,)),
        dpnp.random.RandomState(1), dpctl.SyclTimer(),
    ]  # fmt: skip


def bad_arguments() -> list[object]:
    """What no function is made for."""
    import numpy as np

    with open(os.devnull) as closed:
        pass
    recursive: list[object] = []
    recursive.append(recursive)
    lies = [
        None, {}, 3, {"data": (0, False), "shape": (3,), "typestr": "<f8", "version": 1, "syclobj": None},
        {"data": (16, False), "shape": (3,), "typestr": "<f8", "version": 1, "syclobj": "gpu"},
        {"data": "x", "shape": (-1,), "typestr": "|O", "version": 7}, RuntimeError("no protocol"),
    ]  # fmt: skip
    return [
        None, True, 0, 1, -1, 2, 7, 2**40, 2**63 - 1, -(2**63), 2**64, 10**40, 0.0, -0.5, float("nan"), float("inf"),
        1j, "", "gpu", "cpu", "f4", "float99", "C", "\ud800", "i" * 300, b"", b"\0\xff", (), [], {}, set(), (1, 2),
        [3, "x"], (-1,), (2**63 - 1, 2**63 - 1), ((1, 2), (3,)), [[1, 2], [3]], slice(None), slice(None, None, 0),
        Ellipsis, object, int, Foreign, Foreign(), lambda: 0, iter([1]), range(3), closed, recursive,
        np.float64(2), np.ones(3), np.array(["x"]), np.array([None]), np.ones((2, 2))[::-1], np.dtype("f4"),
        np.datetime64("2020-01-01"), np.array(5, dtype="O"), threading.Lock(), sys, *map(Liar, lies),
    ]  # fmt: skip


def public_callables() -> dict[str, object]:
    """Functions, classes and methods by name, without those of other packages."""
    found: dict[str, object] = {}
    for module_name in MODULES:
        module = importlib.import_module(module_name)
        for name in dir(module):
            thing = getattr(module, name, None)
            if name.startswith("_") or not callable(thing) or f"{module_name}.{name}" in LEFT_OUT:
                continue
            if inspect.isclass(thing) and issubclass(thing, BaseException):
                continue
            found[f"{module_name}.{name}"] = thing
    return found


def methods_of(things: list[object]) -> dict[str, object]:
    """Bound methods, special ones included, of objects of ours."""
    found = {}
    for number, thing in enumerate(things):
        if type(thing).__module__.partition(".")[0] not in ("dpctl", "dpnp", "dpep", "numba_dpex"):
            continue
        for name in dir(type(thing)):
            if name in (
                "__class__",
                "__init_subclass__",
                "__subclasshook__",
                "__getstate__",
                "__reduce_ex__",
                "__del__",
            ):
                continue
            if callable(getattr(type(thing), name, None)):
                found[f"<{type(thing).__name__} {number}>.{name}"] = getattr(thing, name, None)
    return {name: f for name, f in found.items() if f is not None}


def random_arguments(thing: object, choice: random.Random, good: list[object], bad: list[object]):
    """Arguments by the signature: mostly good objects, mostly as many as it has."""
    try:
        parameters = list(inspect.signature(thing).parameters.values())
    except (TypeError, ValueError):
        parameters = []

    def some() -> object:
        return choice.choice(good if choice.random() < 0.6 else bad)

    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    required = sum(p.default is p.empty for p in positional)
    count = choice.choice([required] * 4 + [len(positional), choice.randint(0, len(positional) + 2)])
    arguments = [some() for _ in range(count)]
    keywords = {}
    for p in parameters:
        if (p.kind is p.KEYWORD_ONLY and choice.random() < 0.3) or (
            p in positional[count:] and p.kind is not p.POSITIONAL_ONLY and choice.random() < 0.2
        ):
            keywords[p.name] = some()
    if choice.random() < 0.03:
        keywords["no_such_parameter"] = some()
    return arguments, keywords


def described(thing: object) -> str:
    try:
        text = (
            f"{type(thing).__name__} {thing!r:.80}"
            if not hasattr(thing, "shape")
            else (f"{type(thing).__module__}.{type(thing).__name__} {thing.dtype} {thing.shape}")
        )
    except BaseException as error:  # repr of objects that lie
        text = f"{type(thing).__name__} ({type(error).__name__})"
    return text.replace("\n", " ")


def use(result: object) -> None:
    """Compute the result of deferred operations, if it is small."""
    import dpctl.tensor as dpt
    import dpnp

    for x in result if isinstance(result, (tuple, list)) else [result]:
        if isinstance(x, (dpt.usm_ndarray, dpnp.ndarray)) and x.size < 100_000:
            (dpnp if isinstance(x, dpnp.ndarray) else dpt).asnumpy(x)


def limit_memory() -> None:
    """Let large allocations fail instead of filling the machine's memory."""
    import dpctl
    import dpep

    for device in dpctl.get_devices():
        dpep.set_memory_limit(dpctl.SyclQueue(device).sycl_context, 2 << 30)


def main(seed: int, count: int, log_path: str) -> int:
    warnings.simplefilter("ignore")
    choice = random.Random(seed)
    good, bad = good_arguments(), bad_arguments()
    limit_memory()
    functions = public_callables()
    methods = methods_of(good)
    names, method_names = sorted(functions), sorted(methods)
    failures = 0

    def interrupt(*_: object) -> None:
        raise TimeoutError(f"took longer than {SECONDS} s")

    signal.signal(signal.SIGALRM, interrupt)
    os.chdir(tempfile.mkdtemp(prefix="calls"))
    with open(log_path, "w", errors="backslashreplace") as log, open(os.devnull, "w") as nowhere:
        printed, sys.stdout = sys.stdout, nowhere
        for number in range(count):
            if choice.random() < 0.7:
                name = choice.choice(names)
                thing = functions[name]
            else:
                name = choice.choice(method_names)
                thing = methods[name]
            arguments, keywords = random_arguments(thing, choice, good, bad)
            text = [described(a) for a in arguments] + [f"{k}={described(v)}" for k, v in keywords.items()]
            log.seek(0)
            log.truncate()
            log.write(f"seed {seed}, call {number}: {name}({', '.join(text)})")
            log.flush()
            signal.setitimer(signal.ITIMER_REAL, SECONDS)
            try:
                use(thing(*arguments, **keywords))
            except SystemError as error:
                failures += 1
                print(f"{type(error).__name__}: {error}\n  {pathlib.Path(log_path).read_text()}", file=printed)
            except BaseException:
                pass
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        sys.stdout = printed
    return 1 if failures else 0


if __name__ == "__main__":
    status = main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
    sys.stdout.flush()
    sys.exit(status)
