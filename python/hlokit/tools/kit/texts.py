"""The programs of cases: an operation on the parameters of a function, in a place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hlokit.operations.lookup import traits_of
from hlokit.tools.kit.recipes import TYPES, Place, Subject, with_shape

# Constants with which loops begin.
_ZEROS = {"i1": "false", "complex": "(0.0, 0.0)", "f": "0.0", "bf16": "0.0"}
TURNS = 2


@dataclass(frozen=True, slots=True)
class Applied:
    """The text of an operation.

    Attributes:
      operands, results: types.
      negated: the operation, by name, that undoes itself on operand 0 and on results; "" if there is none.
      turned: positions of the results that it undoes.
    """

    name: str
    attributes: str
    operands: tuple[str, ...]
    results: tuple[str, ...]
    negated: str
    turned: tuple[int, ...]

    def on(self, values: Sequence[str], result: str) -> str:
        """The operation on values."""
        count = f":{len(self.results)}" if len(self.results) > 1 else ""
        types = f"({', '.join(self.operands)}) -> ({', '.join(self.results)})"
        return f'{result}{count} = "{self.name}"({", ".join(values)}) {self.attributes} : {types}'

    def results_of(self, name: str) -> list[str]:
        """The names of the results."""
        if len(self.results) == 1:
            return [name]
        return [f"{name}#{number}" for number in range(len(self.results))]


def applied(subject: Subject, length: int | None) -> Applied:
    """The text of a subject's operation.

    Args:
      length: the size of the vectors of an elementwise operation; None for the sizes that the variant says.
    """
    spelled = TYPES[subject.type_]
    types = subject.variant.types if length is None else with_shape(subject.variant.types, [length])
    sides = [[part.strip() for part in side.split(",") if part.strip()] for side in types.split("->")]
    operands, results = (tuple([f"tensor<{part.replace('$', spelled)}>" for part in side]) for side in sides)
    turned = tuple([number for number, part in enumerate(sides[1]) if part.endswith("$")])
    is_turned = bool(sides[0]) and sides[0][0].endswith("$") and 0 not in traits_of(subject.operation).sizes
    return Applied(
        subject.operation,
        subject.variant.attributes.replace("$", spelled),
        operands,
        results,
        _negation(spelled) if is_turned else "",
        turned,
    )


def _negation(type_: str) -> str:
    if type_ == "i1":
        return "stablehlo.not"
    return "" if type_ == "f8E8M0FNU" or "quant" in type_ else "stablehlo.negate"


def program(operation: Applied, place: Place, constants: Sequence[str] = ()) -> str | None:
    """The program of an operation in a place; None if it has no such place.

    In a fusion, operand 0 arrives negated and results leave negated; in a loop, operand 0 is negated in each
    of an even number of turns.

    Args:
      constants: the attributes of operands that the program has itself, behind barriers, as compilers fold
        what they know; operands are parameters without them.
    """
    names = [f"%{number}" for number in range(len(operation.operands))]
    match place:
        case "alone":
            lines, results = [operation.on(names, "%r")], operation.results_of("%r")
        case "barrier":
            lines, results = _barrier(operation, names)
        case "fused":
            if not operation.negated:
                return None
            lines, results = _fused(operation, names)
        case "loop":
            if not operation.negated or any("?" in type_ for type_ in operation.results):
                return None
            lines, results = _loop(operation, names)
    typed = list(zip(names, operation.operands, strict=True))
    parameters = "" if constants else ", ".join(f"{name}: {type_}" for name, type_ in typed)
    if constants:
        own = [f"%constant{place} = stablehlo.constant {value}" for place, value in enumerate(constants)]
        kept = [
            f"{name} = stablehlo.optimization_barrier %constant{number} : {type_}"
            for number, (name, type_) in enumerate(typed)
        ]
        lines = [*own, *kept, *lines]
    types = ", ".join(operation.results)
    body = "\n  ".join(lines)
    head = f"func.func @main({parameters}) -> ({types})"
    return f"{head} {{\n  {body}\n  return {', '.join(results)} : {types}\n}}\n"


def _barrier(operation: Applied, names: Sequence[str]) -> tuple[list[str], list[str]]:
    before, after = "%before", "%after"
    lines: list[str] = []
    values = list(names)
    if names:
        lines.append(_behind_barrier(names, operation.operands, before))
        values = [before] if len(names) == 1 else [f"{before}#{n}" for n in range(len(names))]
    lines.append(operation.on(values, "%r"))
    lines.append(_behind_barrier(operation.results_of("%r"), operation.results, after))
    return lines, operation.results_of(after)


def _behind_barrier(values: Sequence[str], types: Sequence[str], result: str) -> str:
    count = f":{len(values)}" if len(values) > 1 else ""
    spelled = ", ".join(types)
    barrier = f'"stablehlo.optimization_barrier"({", ".join(values)})'
    return f"{result}{count} = {barrier} : ({spelled}) -> ({spelled})"


def _fused(operation: Applied, names: Sequence[str]) -> tuple[list[str], list[str]]:
    lines = [_negated(operation, names[0], "%first", operation.operands[0])]
    lines.append(operation.on(["%first", *names[1:]], "%r"))
    results = operation.results_of("%r")
    for number in operation.turned:
        lines.append(_negated(operation, results[number], f"%last{number}", operation.results[number]))
        results[number] = f"%last{number}"
    return lines, results


def _negated(operation: Applied, value: str, result: str, type_: str) -> str:
    return f"{result} = {operation.negated} {value} : {type_}"


def _loop(operation: Applied, names: Sequence[str]) -> tuple[list[str], list[str]]:
    carried = ["tensor<i32>", operation.operands[0], *operation.results]
    starts = [f"%start{number}" for number in range(len(operation.results))]
    arguments = ["%turn", "%x", *[f"%old{number}" for number in range(len(operation.results))]]
    typed = ", ".join(f"{name}: {type_}" for name, type_ in zip(arguments, carried, strict=True))
    types = ", ".join(carried)
    lines = [
        "%zero = stablehlo.constant dense<0> : tensor<i32>",
        "%one = stablehlo.constant dense<1> : tensor<i32>",
        f"%turns = stablehlo.constant dense<{TURNS}> : tensor<i32>",
        *[
            f"{start} = stablehlo.constant dense<{_zero(type_)}> : {type_}"
            for start, type_ in zip(starts, operation.results, strict=True)
        ],
        f'%loop:{len(carried)} = "stablehlo.while"(%zero, {names[0]}, {", ".join(starts)}) ({{',
        f"^bb0({typed}):",
        "%more = stablehlo.compare LT, %turn, %turns : (tensor<i32>, tensor<i32>) -> tensor<i1>",
        "stablehlo.return %more : tensor<i1>}, {",
        f"^bb0({typed}):",
        "%next = stablehlo.add %turn, %one : tensor<i32>",
        _negated(operation, "%x", "%y", operation.operands[0]),
        operation.on(["%y", *names[1:]], "%r"),
        f"stablehlo.return %next, %y, {', '.join(operation.results_of('%r'))} : {types}",
        f"}}) : ({types}) -> ({types})",
    ]
    return lines, [f"%loop#{number + 2}" for number in range(len(operation.results))]


def _zero(type_: str) -> str:
    element = type_.removeprefix("tensor<").removesuffix(">").rpartition("x")[2]
    if "complex" in type_:
        return _ZEROS["complex"]
    return _ZEROS.get(element, _ZEROS["f"] if element.startswith("f") else "0")
