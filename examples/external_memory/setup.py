"""Builds the extension: CC=dpcxx CXX=dpcxx python setup.py build_ext --inplace."""

import dpctl
import pybind11
from setuptools import Extension, setup

module = Extension(
    "external_memory",
    ["external_memory.cpp"],
    include_dirs=[pybind11.get_include(), dpctl.get_include()],
    extra_compile_args=["-O2", "-std=c++20"],
)
setup(name="external_memory", ext_modules=[module], py_modules=[])
