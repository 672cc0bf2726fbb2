"""`inline`: replaces calls by the bodies of the called functions.

The bindings have MLIR's pass, but lack the interface of `func.call` that the pass requires, so MLIR's pass
inlines nothing. hlokit's pass inlines the calls first; MLIR's pass then does its remaining work: it
canonicalizes functions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set

from hlokit.errors import PassError
from hlokit.mlir.provider.bindings import ir, passmanager
from hlokit.mlir.queries.module import attributes_of, is_private, operations_within, walk
from hlokit.passes.framework.registry import Option, Options, Pass

_OPTIONS = (
    Option("default-pipeline", "passes that run on functions afterwards", "canonicalize"),
    Option("op-pipelines", "passes that run on other callable operations"),
    Option("max-iterations", "the largest number of times that they run", "4"),
    Option(
        "inlining-threshold",
        "has no effect: every call that can be inlined is inlined",
        "4294967295",
    ),
)
_NO_INLINE = "no_inline"
_SYMBOL = re.compile(r'@(?:"([^"]*)"|([\w$.-]+))')


# The limit of operations after inlining: a constant, plus a number for each original operation. (Functions
# that call others twice double the number with every level.)
MOST_OPERATIONS = 1 << 17
_GROWTH = 16


def _run(module: ir.Operation, options: Options) -> None:
    functions = {
        view.attributes["sym_name"].value: view.operation
        for view in module.regions[0].blocks[0].operations
        if view.operation.name == "func.func"
    }
    order = _callees_first({name: _callees(function, functions) for name, function in functions.items()})
    references = _references(module)
    kept = {name for name in order if references[name] != 1 or not is_private(functions[name])}
    _require_small(order, functions, kept)
    inlined: set[str] = set()
    for name, callees in order.items():
        for call in list(_calls(functions[name])):
            callee = call.attributes["callee"].value
            if callee not in callees or not _can_inline(call, functions[callee]):
                continue
            is_last = callee not in kept
            _inline(call, functions[callee], is_last=is_last)
            if is_last:
                functions.pop(callee).erase()
                inlined.discard(callee)
            else:
                inlined.add(callee)
    _remove_unused(module, functions, inlined)
    option_texts = " ".join(f"{name}={value}" for name, value in options.values.items() if value)
    passmanager.PassManager.parse(f"builtin.module(inline{{{option_texts}}})").run(module)


def _callees(function: ir.Operation, functions: Mapping[str, ir.Operation]) -> list[str]:
    """The functions that a function calls, once for each call."""
    names = [call.attributes["callee"].value for call in _calls(function)]
    return [name for name in names if name in functions]


def _callees_first(calls: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """The functions, each after its callees; for each function, the calls to earlier functions.

    All other calls are recursive, directly or indirectly, and stay calls.
    """
    order: dict[str, list[str]] = {}
    begun: set[str] = set()
    for root in calls:
        path = [] if root in begun else [(root, iter(calls[root]))]
        begun.add(root)
        while path:
            name, callees = path[-1]
            inner = next((callee for callee in callees if callee not in begun), None)
            if inner is None:
                path.pop()
                order[name] = [callee for callee in calls[name] if callee in order]
            else:
                begun.add(inner)
                path.append((inner, iter(calls[inner])))
    return order


def _require_small(
    order: Mapping[str, Sequence[str]], functions: Mapping[str, ir.Operation], kept: Set[str]
) -> None:
    """Return if the module does not grow too much. `kept` are functions that stay in addition to their
    copies.

    Raises:
      PassError: inlining would give more operations than the limit.
    """
    own = {name: _size(functions[name]) for name in order}
    limit = MOST_OPERATIONS + _GROWTH * sum(own.values())
    sizes: dict[str, int] = {}
    together = 0
    for name, callees in order.items():
        sizes[name] = own[name] + sum(sizes[callee] for callee in callees)
        together += sizes[name] * (name in kept)
        if max(sizes[name], together) > limit:
            raise PassError(f"inline: the program would have more than {limit} operations, at @{name}")


def _size(function: ir.Operation) -> int:
    return len(operations_within(function))


def _references(module: ir.Operation) -> Counter[str]:
    """The number of times that attributes of operations name each symbol."""
    references: Counter[str] = Counter()

    def visit(operation: ir.Operation) -> None:
        # Constants are large and contain no symbol references.
        if operation.name.endswith(".constant"):
            return
        for attribute in attributes_of(operation).values():
            references.update(quoted or plain for quoted, plain in _SYMBOL.findall(str(attribute)))

    walk(module, visit)
    return references


def _calls(function: ir.Operation) -> Iterator[ir.Operation]:
    calls: list[ir.Operation] = []

    def visit(operation: ir.Operation) -> None:
        if operation.name == "func.call":
            calls.append(operation)

    walk(function, visit)
    yield from calls


def _can_inline(call: ir.Operation, callee: ir.Operation) -> bool:
    if _NO_INLINE in call.attributes or _NO_INLINE in callee.attributes:
        return False
    blocks = list(callee.regions[0].blocks)
    if len(blocks) != 1:
        return False
    # The dialect allows different but compatible types.
    types = [argument.type for argument in blocks[0].arguments]
    results = [operand.type for operand in blocks[0].operations[-1].operation.operands]
    return types == [operand.type for operand in call.operands] and results == [
        result.type for result in call.results
    ]


def _inline(call: ir.Operation, callee: ir.Operation, *, is_last: bool) -> None:
    """Put a copy of the body before the call, and replace the results of the call by the values that the body
    returns.

    Args:
      is_last: whether this is the last use of the body, which is then moved instead of copied.
    """
    copy = callee if is_last else callee.operation.clone(ir.InsertionPoint(callee))
    block = copy.regions[0].blocks[0]
    for argument, operand in zip(block.arguments, call.operands, strict=True):
        argument.replace_all_uses_with(operand)
    *body, end = (view.operation for view in block.operations)
    for operation in body:
        operation.move_before(call)
    for result, value in zip(call.results, end.operands, strict=True):
        result.replace_all_uses_with(value)
    call.erase()
    if not is_last:
        copy.erase()


def _remove_unused(module: ir.Operation, functions: dict[str, ir.Operation], names: set[str]) -> None:
    """Erase private functions whose calls have all been inlined."""
    private = {name for name in names if name in functions and is_private(functions[name])}
    while private:
        references = _references(module)
        unused = {name for name in private if not references[name]}
        if not unused:
            return
        for name in unused:
            functions[name].erase()
        private -= unused


PASS = Pass("inline", "inline calls of functions", _run, options=_OPTIONS)
