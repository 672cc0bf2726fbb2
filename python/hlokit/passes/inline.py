"""`inline`: calls become the bodies of the functions that they call.

The bindings have MLIR's pass, but not the interface of `func.call` that it requires, so it inlines nothing.
This pass inlines the calls first; MLIR's pass then does the rest of its work, which is to canonicalize
functions.
"""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportAttributeAccessIssue=false
# (the bindings are partly untyped, and attributes come as the base class)

from __future__ import annotations

import re
from collections.abc import Iterator

from hlokit.mlir.bindings import ir, passmanager
from hlokit.mlir.module import attributes_of, walk
from hlokit.passes.registry import Option, Options, Pass

_OPTIONS = (
    Option("default-pipeline", "passes that run on functions afterwards", "canonicalize"),
    Option("op-pipelines", "passes that run on other callable operations"),
    Option("max-iterations", "the largest number of times that they run", "4"),
    Option("inlining-threshold", "accepted: every call that can be inlined is", "4294967295"),
)
_NO_INLINE = "no_inline"
_SYMBOL = re.compile(r'@(?:"([^"]*)"|([\w$.-]+))')


def _run(module: ir.Operation, options: Options) -> None:
    functions = {
        view.attributes["sym_name"].value: view.operation
        for view in module.regions[0].blocks[0].operations
        if view.operation.name == "func.func"
    }
    done: set[str] = set()
    inlined: set[str] = set()
    for name in functions:
        _inline_into(name, functions, done, (), inlined)
    _remove_unused(module, functions, inlined)
    given = " ".join(f"{name}={value}" for name, value in options.values.items() if value)
    passmanager.PassManager.parse(f"builtin.module(inline{{{given}}})").run(module)


def _inline_into(
    name: str,
    functions: dict[str, ir.Operation],
    done: set[str],
    callers: tuple[str, ...],
    inlined: set[str],
) -> None:
    """Inline the calls in a function, after the calls in its callees."""
    if name in done:
        return
    done.add(name)
    for call in list(_calls(functions[name])):
        callee = call.attributes["callee"].value
        # Recursive functions, direct or indirect, are not inlined.
        if callee not in functions or callee == name or callee in callers:
            continue
        _inline_into(callee, functions, done, (*callers, name), inlined)
        if _can_inline(call, functions[callee]):
            _inline(call, functions[callee])
            inlined.add(callee)


def _calls(function: ir.Operation) -> Iterator[ir.Operation]:
    found: list[ir.Operation] = []

    def visit(operation: ir.Operation) -> None:
        if operation.name == "func.call":
            found.append(operation)

    walk(function, visit)
    yield from found


def _can_inline(call: ir.Operation, callee: ir.Operation) -> bool:
    if _NO_INLINE in call.attributes or _NO_INLINE in callee.attributes:
        return False
    blocks = list(callee.regions[0].blocks)
    if len(blocks) != 1:
        return False
    # The dialect allows compatible types that differ.
    types = [argument.type for argument in blocks[0].arguments]
    results = [operand.type for operand in blocks[0].operations[-1].operation.operands]
    return types == [operand.type for operand in call.operands] and results == [
        result.type for result in call.results
    ]


def _inline(call: ir.Operation, callee: ir.Operation) -> None:
    """Put a copy of the body before the call, and its results in place of the call's."""
    copy = callee.operation.clone(ir.InsertionPoint(callee))
    block = copy.regions[0].blocks[0]
    for argument, operand in zip(block.arguments, call.operands, strict=True):
        argument.replace_all_uses_with(operand)
    *body, end = (view.operation for view in block.operations)
    for operation in body:
        operation.move_before(call)
    for result, value in zip(call.results, end.operands, strict=True):
        result.replace_all_uses_with(value)
    call.erase()
    copy.erase()


def _remove_unused(module: ir.Operation, functions: dict[str, ir.Operation], names: set[str]) -> None:
    """Erase private functions that have been inlined wherever they were called."""
    private = {
        name
        for name in names
        if "sym_visibility" in functions[name].attributes
        and functions[name].attributes["sym_visibility"].value == "private"
    }
    while private:
        used: set[str] = set()

        def visit(operation: ir.Operation, used: set[str] = used) -> None:
            # Constants are large and contain no symbol references.
            if operation.name.endswith(".constant"):
                return
            for attribute in attributes_of(operation).values():
                used.update(quoted or plain for quoted, plain in _SYMBOL.findall(str(attribute)))

        walk(module, visit)
        unused = private - used
        if not unused:
            return
        for name in unused:
            functions[name].erase()
        private -= unused


PASS = Pass("inline", "inline calls of functions", _run, options=_OPTIONS)
