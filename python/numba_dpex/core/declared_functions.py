"""Functions of C++ and other languages that kernels call, defined by LLVM bitcode."""

from __future__ import annotations

import functools
import os
import pathlib
import re
import subprocess
import tempfile
from typing import NoReturn

import dpep
from dpep import _kernel

from numba_dpex.core import types
from numba_dpex.core.types.base import HostArrayType, Signature, Type, is_signature, type_name

_SOURCES = (".c", ".cc", ".cpp", ".cxx", ".C")
# As C++ kernels are compiled: optimised, but loops are not vectorised, since the JIT vectorises across work-items.
_FLAGS = ["-fno-sycl", "-c", "-emit-llvm", "-O2", "-fPIC", "-fno-exceptions", "-fno-rtti", "-fno-math-errno",
          "-fno-trapping-math", "-ffp-contract=on", "-fno-vectorize", "-fno-slp-vectorize",
          "-fno-asynchronous-unwind-tables", "-D__SYCL_DEVICE_ONLY__=1"]  # fmt: skip


class DeclaredFunction(_kernel.External):
    """A function of another language that kernels and device functions can call."""

    def __init__(self, name: str, signature: Signature, library: bytes) -> None:
        super().__init__(name, _name(signature.return_type), [_name(each) for each in signature.args], library)
        self.name = self.__name__ = name
        self.signature = signature

    def __repr__(self) -> str:
        return f"<declared device function {self.name}: {self.signature}>"

    def __call__(self, *arguments) -> NoReturn:
        raise TypeError(f"{self.name} is compiled for kernels; call it in a kernel or a device function")


def declare_device(name: str, signature, link=None, *, source: str | None = None) -> DeclaredFunction:
    """Declare a function of another language for kernels to call.

    Args:
        name: its symbol name, which is the function's name if it is `extern "C"`.
        signature: a string such as `"float32(float32, int64)"`, or a type called with types, `float32(float32, int64)`.
            `float32*`, or an array type, is the address of an array's first element; kernels pass contiguous arrays.
            The result may be `void`.
        link: the path of LLVM bitcode (`.bc`) or textual IR (`.ll`) that defines it; or of C or C++ source, which is
            compiled immediately.
        source: C++ source as a string, instead of `link`. Compiling needs clang++ 22, which `dpcxx` finds.

    Returns:
        An object that kernels can call. The function is linked into each kernel that calls it, and is optimised and
        vectorised with the kernel.

    Raises:
        OSError: the file cannot be read.
        ValueError: the bitcode is damaged, is for another machine or does not define the function, or the source does
            not compile.
        TypingError: the function is defined with other types.
        RuntimeError: source is given, and there is no compiler.

    Bitcode comes from `dpcxx -fsycl-device-only -c`, from `clang++-22 -c -emit-llvm`, or from any other compiler of
    LLVM's version 22 or before for x86-64 Linux; GPUs take the same.

    >>> import dpnp
    >>> import numba_dpex as ndx
    >>> square = ndx.declare_device(
    ...     "square",
    ...     "float64(float64)",
    ...     source='''extern "C" double square(double x) { return x * x; }''',
    ... )
    >>> @ndx.kernel
    ... def squares(item, x):
    ...     i = item.get_id(0)
    ...     x[i] = square(x[i])
    >>> x = dpnp.arange(4.0)
    >>> ndx.call_kernel(squares, ndx.Range(4), x)
    >>> x
    array([0., 1., 4., 9.])
    """
    if (link is None) == (source is None):
        raise TypeError("declare_device: give link, a path, or source, a string of C++")
    if source is not None:
        library = _compile(source, "c++")
    else:
        path = pathlib.Path(os.fspath(link))
        library = path.read_bytes()
        if path.suffix in _SOURCES:
            library = _compile(library.decode(), "c" if path.suffix == ".c" else "c++", str(path.parent))
    return DeclaredFunction(name, _signature(signature), library)


def _signature(given) -> Signature:
    if isinstance(given, str):
        found = re.fullmatch(r"\s*(\w+)\s*\((.*)\)\s*", given, re.DOTALL)
        if not found:
            raise ValueError(f"declare_device: a signature is like float32(float32, int64), not {given!r}")
        listed = [each.strip() for each in found[2].split(",")] if found[2].strip() else []
        return Signature(_type(found[1]), tuple(map(_type, listed)))
    if not is_signature(given) or isinstance(given, tuple):
        raise TypeError(f"declare_device: a signature must be a string or type(types), not {given!r}")
    return Signature(given.return_type, tuple(given.args))


def _type(text: str) -> Type:
    pointer = re.fullmatch(r"CPointer\((\w+)\)|(\w+)\s*\*", text)
    name = (pointer[1] or pointer[2]) if pointer else text
    found = getattr(types, "boolean" if name == "bool" else name, None)
    if not isinstance(found, Type):
        raise ValueError(f"declare_device: {text!r} is not a type; write int32, float64, float32* and the like")
    return types.usm_ndarray(1, "C", found) if pointer else found


def _name(of) -> str:
    name = "none" if str(of) == "none" else type_name(of)
    if not name or isinstance(of, HostArrayType):
        raise TypeError(
            f"declare_device: kernels cannot exchange values of type {of!r} with other languages; use real numbers "
            "and addresses"
        )
    return name


@functools.lru_cache(maxsize=64)
def _compile(source: str, language: str, include: str | None = None) -> bytes:
    compiler = pathlib.Path(dpep.__file__).parent / "bin" / "dpcxx"
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "library.bc"
        command = [str(compiler), *_FLAGS, "-x", language, "-", "-o", str(output)]
        if include:
            command[1:1] = ["-I", include]
        try:
            run = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
        except OSError as error:
            raise RuntimeError(f"declare_device: compiling source needs dpcxx, which cannot be run: {error}") from error
        if run.returncode == 0:
            return output.read_bytes()
    if "error:" not in run.stderr or "dpcxx: error:" in run.stderr:
        raise RuntimeError(
            f"declare_device: source cannot be compiled on this machine; link bitcode instead.\n{run.stderr}"
        )
    raise ValueError(f"declare_device: the source does not compile:\n{run.stderr}")
