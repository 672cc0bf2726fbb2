"""Programs in TensorFlow's saved models: the StableHLO of their XlaCallModule operations.

jax2tf and TensorFlow's converters store a portable artifact in the attribute `module` of the operation. Saved
models are protocol buffers (tensorflow/core/protobuf/saved_model.proto), so this module needs no TensorFlow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hlokit.errors import Diagnostic, ParseError
from hlokit.programs.importers.protobuf import MalformedMessage, parts

FILE = "saved_model.pb"
_OPERATION = b"XlaCallModule"
# SavedModel.meta_graphs, MetaGraphDef.graph_def; GraphDef.node; GraphDef.library,
# FunctionDefLibrary.function; FunctionDef.signature, OpDef.name; FunctionDef.node_def.
_GRAPH, _NODES_OF_GRAPH, _FUNCTIONS = (2, 2), (1,), (2, 1)
_NAME_OF_FUNCTION, _NODES_OF_FUNCTION = (1, 1), (3,)
# GraphDef.library, FunctionDefLibrary.registered_gradients, RegisteredGradient.gradient_func.
_GRADIENTS = (2, 3, 1)
# NodeDef.name, .op, .attr; the entries of a map have key and value; AttrValue.s.
_NAME, _OP, _ATTRIBUTE = 1, 2, 5
_KEY, _VALUE, _STRING = 1, 2, 2
# NameAttrList.name in AttrValue.func, and in AttrValue.list, ListValue.func.
_CALLEES = ((_ATTRIBUTE, _VALUE, 10, 1), (_ATTRIBUTE, _VALUE, 1, 9, 1))


@dataclass(frozen=True, slots=True)
class CallModule:
    """An XlaCallModule operation: the name in the graph, and the called artifact."""

    name: str
    artifact: bytes


def is_saved_model(data: bytes) -> bool:
    """Whether `data` looks like a `saved_model.pb`: a schema version, then a graph."""
    return data[:1] == b"\x08" and data[2:3] == b"\x12" and (_OPERATION in data or b"tensorflow" in data)


def is_saved_model_folder(path: str) -> bool:
    """Whether the folder holds a saved model."""
    return (Path(path) / FILE).is_file()


def call_modules(data: bytes) -> list[CallModule]:
    """The XlaCallModule operations of a saved model, one for each distinct artifact.

    Without the operations of gradients, which jax2tf saves unless it has the option `with_gradient=False`.

    Raises:
      MalformedMessage: the data is not a saved model.
    """
    modules: dict[bytes, CallModule] = {}
    for graph in parts(memoryview(data), *_GRAPH):
        for node in _nodes(graph):
            if bytes(next(parts(node, _OP), b"")) == _OPERATION:
                artifact = _attribute(node, b"module")
                name = bytes(next(parts(node, _NAME), b"")).decode(errors="replace")
                modules.setdefault(artifact, CallModule(name, artifact))
    return list(modules.values())


def _nodes(graph: memoryview) -> Iterator[memoryview]:
    """The nodes of a graph and of its functions, without the functions that only gradients call."""
    functions = {
        bytes(next(parts(function, *_NAME_OF_FUNCTION), b"")): list(parts(function, *_NODES_OF_FUNCTION))
        for function in parts(graph, *_FUNCTIONS)
    }
    nodes = list(parts(graph, *_NODES_OF_GRAPH))
    of_gradients = _reachable({bytes(name) for name in parts(graph, *_GRADIENTS)}, functions)
    others = _reachable(_callees(nodes) | functions.keys() - of_gradients, functions)
    yield from nodes
    for name, of_function in functions.items():
        if name in others:
            yield from of_function


def _reachable(roots: set[bytes], functions: dict[bytes, list[memoryview]]) -> set[bytes]:
    """The functions among the roots, and those that they call."""
    reachable: set[bytes] = set()
    pending = list(roots)
    while pending:
        name = pending.pop()
        if name in functions and name not in reachable:
            reachable.add(name)
            pending += _callees(functions[name])
    return reachable


def _callees(nodes: list[memoryview]) -> set[bytes]:
    return {bytes(name) for node in nodes for path in _CALLEES for name in parts(node, *path)}


def _attribute(node: memoryview, name: bytes) -> bytes:
    for entry in parts(node, _ATTRIBUTE):
        if bytes(next(parts(entry, _KEY), b"")) == name:
            return bytes(next(parts(entry, _VALUE, _STRING), b""))
    return b""


def artifact(data: bytes, filename: str) -> bytes:
    """The portable artifact of the only program in a saved model.

    Raises:
      ParseError: the model is malformed, or has no program or several programs.
    """
    try:
        calls = call_modules(data)
    except MalformedMessage as error:
        raise _failure(f"malformed saved model: {error}", filename) from None
    if not calls:
        message = (
            "the saved model holds no XlaCallModule operation, only operations of TensorFlow: export it with "
            "jax2tf, or convert it with tf.function(jit_compile=True).experimental_get_compiler_ir"
        )
        raise _failure(message, filename)
    if len(calls) > 1:
        names = ", ".join(call.name for call in calls)
        raise _failure(
            f"the saved model holds {len(calls)} programs ({names}): "
            "hlokit.programs.importers.saved_model.call_modules gives their artifacts",
            filename,
        )
    return calls[0].artifact


def _failure(message: str, filename: str) -> ParseError:
    return ParseError((Diagnostic("error", message, filename),))
