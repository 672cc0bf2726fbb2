"""What is wrong with the arguments of a call that has failed: misspelt keywords, and values of another kind.

Arguments are compared with the annotations only after a failure, so that calls that are right cost nothing.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import os
from collections import abc
from collections.abc import Callable, Mapping, Sequence
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from hlokit.display.suggestions import did_you_mean

_CALLABLE: Any = abc.Callable
# Characters of a value in a message.
_SHOWN = 80
_WORDS = {"PathLike": "a path", "str": "a text", "int": "a number", "float": "a number", "bool": "a bool"}


def misuse(function: Callable[..., Any], arguments: Sequence[Any], keywords: Mapping[str, Any]) -> str:
    """What is wrong with the arguments of a call; "" if nothing can be told."""
    signature = inspect.signature(function)
    names: dict[str, Any] = getattr(inspect.unwrap(function), "__globals__", {})  # jitted functions have none
    *_, owner, name = f".{function.__qualname__}".split(".")
    name = owner if name.startswith("__") else name
    try:
        bound = signature.bind(*arguments, **keywords)
    except TypeError as error:
        hint = ""
        if "unexpected keyword argument" in str(error):
            unknown = str(error).rpartition(" ")[2].strip("'")
            hint = did_you_mean(unknown, signature.parameters, "{}=")
        return f"{name}: {error}{hint}"
    for parameter in signature.parameters.values():
        if parameter.name not in bound.arguments or parameter.kind in (
            inspect.Parameter.VAR_POSITIONAL,
            inspect.Parameter.VAR_KEYWORD,
        ):
            continue
        value = bound.arguments[parameter.name]
        annotation = parameter.annotation
        if not isinstance(annotation, str):
            continue
        node = ast.parse(annotation, mode="eval").body
        if not _fits(value, node, names):
            kinds = list(dict.fromkeys(_kinds(node, names)))
            wanted = " or ".join(kinds) if len(kinds) < 3 else f"{', '.join(kinds[:-1])} or {kinds[-1]}"
            return f"{name}: {parameter.name} must be {wanted}, got {shown(value)}"
    return ""


def shown(value: object) -> str:
    """A value in a message; of a class, also how to make an instance."""
    if isinstance(value, type):
        return f"the class {value.__name__}: write {value.__name__}(...)"
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _resolved(name: str, names: Mapping[str, Any]) -> Any:
    return names.get(name, getattr(builtins, name, None))


def _fits(value: object, node: ast.expr, names: Mapping[str, Any]) -> bool:
    """Whether a value may be of an annotation's kind; true where that cannot be told."""
    match node:
        case ast.BinOp(left, ast.BitOr(), right):
            return _fits(value, left, names) or _fits(value, right, names)
        case ast.Constant(None):
            return value is None
        case ast.Subscript(ast.Name("Literal"), words):
            return _is_one_of(value, _literals(words))
        case ast.Subscript(base, _):
            return _fits(value, base, names)
        case ast.Attribute(ast.Name("os"), "PathLike"):
            return isinstance(value, os.PathLike)
        case ast.Name(name):
            return _fits_kind(value, _resolved(name, names))
        case _:
            return True


def _fits_kind(value: object, kind: Any) -> bool:
    if kind is None or kind is Any:  # the name is not known here, or says nothing
        return True
    if get_origin(kind) is Literal:
        return _is_one_of(value, get_args(kind))
    if get_origin(kind) in (Union, UnionType):
        return any(_fits_kind(value, part) for part in get_args(kind))
    if kind is int or kind is float:  # NumPy's numbers, too
        return not getattr(value, "shape", ()) and hasattr(value, "__index__" if kind is int else "__float__")
    if kind is _CALLABLE or get_origin(kind) is _CALLABLE:
        return callable(value) and not isinstance(value, type)
    if kind in (abc.Sequence, abc.Iterable):
        return isinstance(value, kind) and not isinstance(value, str | bytes)
    if getattr(kind, "_is_protocol", False):
        methods: list[str] = [name for name in dir(kind) if not name.startswith("_")]
        return not isinstance(value, type) and all(hasattr(value, name) for name in methods)
    return not isinstance(kind, type) or isinstance(value, kind)


def _literals(words: ast.expr) -> Sequence[object]:
    """The values of `Literal[...]`."""
    return [ast.literal_eval(word) for word in (words.elts if isinstance(words, ast.Tuple) else [words])]


def _is_one_of(value: object, words: Sequence[object]) -> bool:
    return any(type(value) is type(word) and value == word for word in words)


def _kinds(node: ast.expr, names: Mapping[str, Any]) -> list[str]:
    """The kinds of an annotation, in words."""
    match node:
        case ast.BinOp(left, ast.BitOr(), right):
            return [*_kinds(left, names), *_kinds(right, names)]
        case ast.Subscript(ast.Name("Literal"), words):
            return [f"one of {', '.join(map(repr, _literals(words)))}"]
        case ast.Subscript(base, _):
            return _kinds(base, names)
        case ast.Attribute(_, name) | ast.Name(name):
            kind = _resolved(name, names)
            if get_origin(kind) is Literal:
                return [f"one of {', '.join(map(repr, get_args(kind)))}"]
            article = "an" if name[0] in "AEIOaeio" else "a"
            return [_WORDS.get(name, f"{article} {name}")]
        case _:
            return [ast.unparse(node)]
