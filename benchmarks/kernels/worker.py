"""One implementation in a process of its own: reads requests from standard input, writes answers to standard output.

    {"open": LIBRARY}                                -> {"device": NAME}
    {"problem": NAME, "small": true|false}           -> {}         generates the data, always the same
    {"run": COUNT}                                   -> {"times": [milliseconds, …]}
    {"save": FOLDER}                                 -> {}         results as FOLDER/0.npy, …

An answer with "error" holds a message; further requests are possible.
"""

from __future__ import annotations

import ctypes
import json
import os
import pathlib
import sys

import numpy as np
from problems import COMPILE_ONLY, HERE, PROBLEMS


class Library:
    """A library of kernels, called through its C functions (exports.cpp)."""

    def __init__(self, path: str) -> None:
        self.functions = ctypes.CDLL(path)
        self.functions.bench_start.restype = ctypes.c_char_p
        self.functions.bench_allocate.restype = ctypes.c_void_p
        self.functions.bench_run.restype = ctypes.c_double
        self.functions.bench_error.restype = ctypes.c_char_p
        name = self.functions.bench_start(str(HERE).encode())
        if name is None:
            raise self.error()
        self.device = name.decode()

    def error(self) -> RuntimeError:
        return RuntimeError(self.functions.bench_error().decode())

    def array_like(self, array: np.ndarray) -> np.ndarray:
        """An array of the same shape and type in memory that the device can access."""
        address = self.functions.bench_allocate(ctypes.c_size_t(array.nbytes))
        if address is None:
            raise self.error()
        return np.frombuffer((ctypes.c_char * array.nbytes).from_address(address), array.dtype).reshape(array.shape)

    def run(self, kernel: str, arrays: list[np.ndarray], sizes, launch) -> float:
        pointers = (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays))
        numbers = [(ctypes.c_int64 * len(values))(*values) for values in (sizes, launch.items, launch.local)]
        time = self.functions.bench_run(
            kernel.encode(), pointers, len(arrays), numbers[0], len(sizes), numbers[1], numbers[2]
        )
        if time < 0:
            raise self.error()
        return time


class Worker:
    def __init__(self) -> None:
        self.library: Library | None = None

    def open(self, path: str) -> dict:
        self.library = Library(path)
        return {"device": self.library.device}

    def problem(self, name: str, small: bool) -> dict:
        self.chosen = next(problem for problem in (*PROBLEMS, *COMPILE_ONLY) if problem.name == name)
        self.sizes = self.chosen.small if small else self.chosen.sizes
        self.arrays = []
        for array in self.chosen.inputs(np.random.default_rng(0), *self.sizes):
            self.arrays.append(self.library.array_like(array))
            self.arrays[-1][...] = array
        self.results = [self.library.array_like(array) for array in self.chosen.outputs(*self.sizes)]
        for result in self.results:
            result.view(np.uint8)[...] = 0xFF  # so that results of an earlier run are not taken for this one's
        return {}

    def run(self, count: int) -> dict:
        launch = self.chosen.launch(*self.sizes)
        arrays = self.arrays + self.results
        return {"times": [self.library.run(self.chosen.name, arrays, self.sizes, launch) for _ in range(count)]}

    def save(self, folder: str) -> dict:
        for number, result in enumerate(self.results):
            np.save(pathlib.Path(folder) / f"{number}.npy", result)
        return {}

    def answer(self, request: dict) -> dict:
        match request:
            case {"open": path}:
                return self.open(path)
            case {"problem": name, "small": small}:
                return self.problem(name, small)
            case {"run": count}:
                return self.run(count)
            case {"save": folder}:
                return self.save(folder)
        raise ValueError(f"unknown request {request}")


def main() -> None:
    worker = Worker()
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # drivers may print to standard output, which is reserved for answers
    for line in sys.stdin:
        try:
            answer = worker.answer(json.loads(line))
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
