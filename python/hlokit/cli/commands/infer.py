"""`hlokit infer`: the result types of one operation."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from hlokit import files
from hlokit.cli.frame.flags import CommandLine
from hlokit.errors import ArgumentError, HlokitError
from hlokit.mlir.sandbox import sandboxed_parse
from hlokit.operations.lookup import operations


def infer_types(inputs: Sequence[str], line: CommandLine) -> int:
    """Run the command; its exit status."""
    if "json" in line.switches:
        answer = (
            _answer(_request(inputs, line)) if _names_operation(inputs, line) else _answer_request(inputs)
        )
        sys.stdout.write(json.dumps(answer.get("result", {"error": answer.get("error")})) + "\n")
        return 0 if "result" in answer else 1
    answer = _answer(_request(inputs, line))
    if "error" in answer:
        raise HlokitError(answer["error"]["message"])
    sys.stdout.write("".join(f"{type_}\n" for type_ in answer["result"]["types"]))
    return 0


def _names_operation(inputs: Sequence[str], line: CommandLine) -> bool:
    """Whether the command line has an operation and its types instead of a request."""
    if not inputs or inputs[0].lstrip().startswith("{"):
        return False
    names = (inputs[0], *(f"{dialect}.{inputs[0]}" for dialect in ("stablehlo", "chlo")))
    return len(inputs) > 1 or bool(line.values) or any(name in operations() for name in names)


def _request(inputs: Sequence[str], line: CommandLine) -> dict[str, Any]:
    return {"method": "infer", "params": _params(inputs, line)}


def _answer_request(inputs: Sequence[str]) -> dict[str, Any]:
    """The answer to a request of `hlokit serve`, or to its `params` alone.

    The request is an argument, in a file, or on the standard input.
    """
    if len(inputs) > 1:
        raise ArgumentError(f"infer: one request must be given, got {len(inputs)}")
    given = inputs[0] if inputs else "-"
    text: str | bytes = given
    if not given.lstrip().startswith("{"):
        text = files.read(given)[1]
    try:
        request: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        return {"error": {"message": f"the request must be JSON: {error}", "diagnostics": []}}
    is_whole = isinstance(request, dict) and "method" in request
    return _answer(request if is_whole else {"method": "infer", "params": request})


def _params(inputs: Sequence[str], line: CommandLine) -> dict[str, Any]:
    if not inputs:
        raise ArgumentError("infer: an operation must be given, and the types of its operands")
    attributes: dict[str, str] = {}
    for item in line.values.get("attribute", []):
        name, equals, value = item.partition("=")
        if not equals:
            raise ArgumentError(f"--attribute must be NAME=VALUE, got '{item}'")
        attributes[name.strip()] = _value(value)
    return {
        "op": inputs[0],
        "operands": list(inputs[1:]),
        "attributes": attributes,
        "regions": line.values.get("region", []),
        "results": line.values.get("result"),
    }


def _value(text: str) -> Any:
    """The value of an attribute: JSON if the text is JSON, else MLIR text or a name."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _answer(request: Any) -> dict[str, Any]:
    """The answer to a request, from a child process, because a request may crash the bindings."""
    from hlokit.service.protocol import answer_to_file  # slow to import

    try:
        return json.loads(sandboxed_parse.answer(json.dumps(request).encode(), answer_to_file))
    except sandboxed_parse.ChildDied as death:
        return {"error": {"message": f"the types cannot be inferred: {death}", "diagnostics": []}}
