"""`inspect.signature` of functions and classes that are written in C++."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from inspect import Parameter, Signature
from types import FunctionType

_OBJECT = "__object_"  # prefix of the name of a default value that is an object, with its index


class _Written:
    """A default value that is not a literal, with its source text as representation."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _value(node: ast.expr | None, objects: Sequence[object]) -> object:
    if node is None:
        return Parameter.empty
    if isinstance(node, ast.Name) and node.id.startswith(_OBJECT):
        return objects[int(node.id.removeprefix(_OBJECT))]
    try:
        return ast.literal_eval(node)
    except ValueError:
        return _Written(ast.unparse(node))


def _annotation(node: ast.expr | None) -> object:
    return Parameter.empty if node is None else ast.unparse(node)


def parse(text: str, objects: Sequence[object] = ()) -> Signature:
    r"""Return the signature of `def name(…) -> type`. Annotations are strings; a default of `\2` is objects[2]."""
    definition = ast.parse(re.sub(r"= \\(\d+)", rf"= {_OBJECT}\1", text) + ": ...").body[0]
    assert isinstance(definition, ast.FunctionDef)
    given = definition.args
    positional = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(positional) - len(given.defaults)) + given.defaults
    parameters = [
        Parameter(
            each.arg,
            Parameter.POSITIONAL_ONLY if number < len(given.posonlyargs) else Parameter.POSITIONAL_OR_KEYWORD,
            default=_value(default, objects),
            annotation=_annotation(each.annotation),
        )
        for number, (each, default) in enumerate(zip(positional, defaults, strict=True))
    ]
    if given.vararg:
        annotation = _annotation(given.vararg.annotation)
        parameters.append(Parameter(given.vararg.arg, Parameter.VAR_POSITIONAL, annotation=annotation))
    parameters += [
        Parameter(
            each.arg, Parameter.KEYWORD_ONLY, default=_value(default, objects), annotation=_annotation(each.annotation)
        )
        for each, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)
    ]
    if given.kwarg:
        annotation = _annotation(given.kwarg.annotation)
        parameters.append(Parameter(given.kwarg.arg, Parameter.VAR_KEYWORD, annotation=annotation))
    return Signature(parameters, return_annotation=_annotation(definition.returns))


def of_function(function) -> Signature:
    """Return the signature of a function; the first one of several overloads."""
    text, _, objects = function.__nb_signature__[0]
    return parse(text, objects or ())


def without_self(signature: Signature) -> Signature:
    """Return a signature without its first parameter."""
    return signature.replace(parameters=list(signature.parameters.values())[1:])


def of_method(method) -> Signature:
    """Return the signature of a bound method."""
    return without_self(of_function(method))


def of_class(kind) -> Signature | None:
    """Return the signature of a class' constructor; None for one in Python, which inspect finds itself."""
    if hasattr(kind.__init__, "__nb_signature__"):
        return without_self(of_function(kind.__init__)).replace(return_annotation=Signature.empty)
    return None if isinstance(kind.__init__, FunctionType) else Signature()
