"""The check of layers finds includes against the order of docs/design.md, planted in a small tree."""

from __future__ import annotations

import importlib.util
import pathlib

import pytest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools/lint/layers.py"
HEADERS = [
    "include/dpep/queue.hpp",
    "include/sycl/sycl.hpp",
    "src/array/cpu/executor.hpp",
    "src/array/gpu/executor.hpp",
    "src/backend/backend.hpp",
    "src/backend/cpu/event.hpp",
    "src/backend/cuda/event.hpp",
    "src/jit/compile/llvm_session.hpp",
    "src/jit/launch/plan.hpp",
    "src/python/errors.hpp",
    "src/runtime/queue.hpp",
]


def load():
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("layers", SCRIPT)
    layers = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(layers)
    return layers


@pytest.fixture
def found(tmp_path, monkeypatch):
    """The messages of the check for a file with one line, in a tree with the HEADERS."""
    layers = load()
    monkeypatch.setattr(layers, "ROOT", tmp_path)

    def check(path: str, line: str) -> list[str]:
        for name in [*HEADERS, path]:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).touch()
        (tmp_path / path).write_text(line + "\n")
        return layers.check(tmp_path / path)

    return check


@pytest.mark.parametrize(
    ("path", "include"),
    [
        ("include/dpep/new.hpp", "<sycl/sycl.hpp>"),
        ("include/sycl/new.hpp", '"runtime/queue.hpp"'),
        ("include/sycl/new.hpp", "<pybind11/pybind11.h>"),
        ("src/backend/cpu/new.cpp", '"runtime/queue.hpp"'),
        ("src/runtime/new.cpp", '"backend/cpu/event.hpp"'),
        ("src/runtime/new.cpp", '"jit/launch/plan.hpp"'),
        ("src/runtime/new.cpp", "<llvm/IR/Module.h>"),
        ("src/runtime/new.cpp", "<Python.h>"),
        ("src/jit/compile/new.cpp", '"backend/cpu/event.hpp"'),
        ("src/jit/compile/new.cpp", '"runtime/../python/errors.hpp"'),
        ("src/jit/launch/images.cpp", "<llvm/IR/Module.h>"),
        ("src/array/api/new.cpp", '"array/cpu/executor.hpp"'),
        ("src/array/graph/new.cpp", '"array/gpu/executor.hpp"'),
        ("src/pykernel/translate/new.cpp", "<llvm/IR/Module.h>"),
        ("src/jit/launch/kernel.cpp", '"jit/compile/llvm_session.hpp"'),
        ("src/python/new.cpp", '"runtime/queue.hpp"'),
        ("tools/dpcxx/new.cpp", '"runtime/queue.hpp"'),
    ],
)
def test_include_against_the_order_is_found(found, path, include):
    (message,) = found(path, f"#include {include}")
    assert message.startswith(f"{path}:1: ")
    assert "may not include" in message


@pytest.mark.parametrize(
    ("path", "include"),
    [
        ("include/sycl/new.hpp", "<dpep/queue.hpp>"),
        ("src/backend/cpu/new.cpp", '"backend/backend.hpp"'),
        ("src/backend/cpu/new.cpp", '"event.hpp"'),
        ("src/runtime/new.cpp", "<vector>"),
        ("src/jit/compile/new.cpp", '"runtime/queue.hpp"'),
        ("src/jit/compile/new.cpp", "<llvm/IR/Module.h>"),
        ("src/python/new.cpp", "<dpep/queue.hpp>"),
    ],
)
def test_include_along_the_order_is_accepted(found, path, include):
    assert found(path, f"#include {include}") == []


def test_file_in_an_unlisted_folder_is_found(found):
    (message,) = found("src/backend/unknown/queue.cpp", "")
    assert message.startswith("src/backend/unknown/queue.cpp: in no layer")


def test_units_that_include_each_other_are_one_group(tmp_path, monkeypatch):
    layers = load()
    monkeypatch.setattr(layers, "ROOT", tmp_path)
    (tmp_path / "src/runtime").mkdir(parents=True)
    for name in "abcd":
        (tmp_path / f"src/runtime/{name}.hpp").touch()
    for name, included in {"a": "b", "b": "c", "c": "a", "d": "a"}.items():
        (tmp_path / f"src/runtime/{name}.hpp").write_text(f'#include "runtime/{included}.hpp"\n')
    groups = layers.cycles(sorted(tmp_path.glob("src/runtime/*.hpp")))
    assert groups == [["src/runtime/a", "src/runtime/b", "src/runtime/c"]]
