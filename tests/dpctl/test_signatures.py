"""inspect.signature works for all public functions and classes, in C++ or in Python, and help() shows the same."""

import importlib
import inspect
import pydoc

import dpctl
import dpctl.memory
import dpctl.tensor as dpt
import dpnp
import pytest

MODULES = [
    "dpctl",
    "dpctl.memory",
    "dpctl.tensor",
    "dpctl.utils",
    "dpep",
    "dpnp",
    "dpnp.random",
    "numba_dpex",
    "numba_dpex.kernel_api",
]


def public_callables(module):
    """The names and objects of functions, classes, and the methods that dpep's own classes define."""
    for name in dir(module):
        thing = getattr(module, name)
        if name.startswith("_") or not callable(thing):
            continue
        yield name, thing
        if not inspect.isclass(thing):
            continue
        for base in thing.__mro__:
            if base.__module__.partition(".")[0] not in ("dpctl", "dpnp", "dpep", "numba_dpex"):
                continue
            for method in vars(base):
                if not method.startswith("_") and callable(getattr(thing, method)):
                    yield f"{name}.{method}", getattr(thing, method)


@pytest.mark.parametrize("name", MODULES)
def test_every_public_function_and_class_has_a_signature(name):
    without = []
    for what, thing in public_callables(importlib.import_module(name)):
        try:
            inspect.signature(thing)
        except (TypeError, ValueError) as error:
            without.append(f"{what}: {error}")
    assert without == []


def test_parameters_kinds_and_defaults_are_those_of_the_call():
    linspace = inspect.signature(dpt.linspace)
    assert list(linspace.parameters)[:3] == ["start", "stop", "num"]
    assert linspace.parameters["start"].kind is inspect.Parameter.POSITIONAL_ONLY
    assert linspace.parameters["endpoint"].default is True
    assert linspace.parameters["usm_type"].kind is inspect.Parameter.KEYWORD_ONLY
    linspace.bind(0, 1, 5, endpoint=False)
    with pytest.raises(TypeError):
        linspace.bind(0, 1, 5, stride=3)


def test_only_unbound_methods_have_self():
    assert list(inspect.signature(dpctl.SyclQueue.memcpy).parameters) == ["self", "dest", "src", "count"]
    assert list(inspect.signature(dpctl.SyclQueue("cpu").memcpy).parameters) == ["dest", "src", "count"]


def test_classes_have_the_signature_of_their_constructor():
    assert list(inspect.signature(dpctl.SyclQueue.__new__).parameters) == ["cls", "args", "kwargs"]
    assert list(inspect.signature(dpctl.SyclQueue).parameters) == ["args", "property"]
    assert "alignment" in inspect.signature(dpctl.memory.MemoryUSMShared).parameters

    class Memory(dpctl.memory.MemoryUSMShared):
        def __init__(self, count):
            super().__init__(8 * count)

    assert list(inspect.signature(Memory).parameters) == ["count"]


@pytest.mark.parametrize("function", [dpt.reshape, dpnp.mean, dpctl.SyclQueue.memcpy], ids=lambda f: f.__name__)
def test_help_shows_the_parameters(function):
    text = pydoc.plain(pydoc.render_doc(function))
    for name in inspect.signature(function).parameters:
        assert name in text
