"""Builds the extension: CC=dpcxx CXX=dpcxx python setup.py build_ext --inplace."""

import dpctl
import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup

module = Extension(
    "smoothing",
    ["smoothing.pyx"],
    include_dirs=[dpctl.get_include(), numpy.get_include()],
    extra_compile_args=["-O2", "-std=c++20"],
    language="c++",
)
setup(name="smoothing", ext_modules=cythonize([module]), py_modules=[])
