"""`hlokit infer`: the result types of one operation."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from hlokit.cli.frame.flags import UsageError, Values, WrongValue
from hlokit.cli.frame.parser import Parser, Subcommand
from hlokit.cli.streams.outputs import write_json
from hlokit.errors import HlokitError
from hlokit.files import reading as files
from hlokit.mlir.sandbox import sandboxed_parse
from hlokit.operations.lookup import operations


def _add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "words", metavar="OP TYPE", nargs="*", help="an operation, and the types of its operands"
    )
    parser.add_argument(
        "--attribute",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        type=_attribute,
        help="an attribute, as MLIR text, as JSON, or as the name of an enumerator (LT)",
    )
    parser.add_argument(
        "--region",
        metavar="TEXT",
        action="append",
        default=[],
        help="a region, as MLIR text or as the name of its computation (add)",
    )
    parser.add_argument(
        "--result",
        metavar="TYPE",
        action="append",
        help="the type of a result, for operations that infer none",
    )
    parser.add_json()


def _infer(values: Values) -> int:
    if values.json:
        answer = _answer(_request(values)) if _names_operation(values) else _answer_request(values.words)
        write_json(answer.get("result", {"error": answer.get("error")}), None)
        return 0 if "result" in answer else 1
    answer = _answer(_request(values))
    if "error" in answer:
        raise HlokitError(answer["error"]["message"])
    sys.stdout.write("".join(f"{type_}\n" for type_ in answer["result"]["types"]))
    return 0


def _names_operation(values: Values) -> bool:
    """Whether the command line has an operation and its types instead of a request."""
    words: Sequence[str] = values.words
    if not words or words[0].lstrip().startswith("{"):
        return False
    names = (words[0], *(f"{dialect}.{words[0]}" for dialect in ("stablehlo", "chlo")))
    has_flags = bool(values.attribute or values.region or values.result)
    return len(words) > 1 or has_flags or any(name in operations() for name in names)


def _request(values: Values) -> dict[str, Any]:
    if not values.words:
        raise UsageError("infer: an operation must be given, and the types of its operands")
    params = {
        "op": values.words[0],
        "operands": values.words[1:],
        "attributes": dict(values.attribute),
        "regions": values.region,
        "results": values.result,
    }
    return {"method": "infer", "params": params}


def _answer_request(inputs: Sequence[str]) -> dict[str, Any]:
    """The answer to a request of `hlokit serve`, or to its `params` alone.

    The request is an argument, in a file, or on the standard input.
    """
    if len(inputs) > 1:
        raise UsageError(f"infer: one request must be given, got {len(inputs)}")
    source = inputs[0] if inputs else "-"
    text = source if source.lstrip().startswith("{") else files.read(source)[1]
    try:
        request: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        return {"error": {"message": f"the request must be JSON: {error}", "diagnostics": []}}
    is_whole = isinstance(request, dict) and "method" in request
    return _answer(request if is_whole else {"method": "infer", "params": request})


def _attribute(text: str) -> tuple[str, Any]:
    """The name and the value of an attribute."""
    name, equals, value = text.partition("=")
    if not equals:
        raise WrongValue(f"must be NAME=VALUE, got '{text}'")
    return name.strip(), _value(value)


def _value(text: str) -> Any:
    """The value of an attribute: JSON if the text is JSON, else MLIR text or a name."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _answer(request: Any) -> dict[str, Any]:
    """The answer to a request, from a child process, because a request may crash the bindings."""
    from hlokit.tools.service.protocol import answer_to_file  # slow to import

    try:
        return json.loads(sandboxed_parse.answer(json.dumps(request).encode(), answer_to_file))
    except sandboxed_parse.ChildDied as death:
        return {"error": {"message": f"the types cannot be inferred: {death}", "diagnostics": []}}


SUBCOMMAND = Subcommand(
    "infer",
    "OP [TYPE...] [flags]",
    "print the result types of an operation; with --json, also of a request in JSON",
    _add_arguments,
    _infer,
)
