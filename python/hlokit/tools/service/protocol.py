"""The protocol of `hlokit serve` and `hlokit infer`: JSON requests and answers (docs/service.md)."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO, cast

from hlokit.errors import ArgumentError, Diagnostic, HlokitError, ParseError, VerificationError, VersionError
from hlokit.mlir.provider.versions import provider_version, stablehlo_version
from hlokit.tools.service import programs
from hlokit.tools.service.contexts import shared_context
from hlokit.tools.service.inference import infer
from hlokit.tools.service.operations import find_operation, operations
from hlokit.tools.service.verification import verify_in_context

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One entry of a request's `params`.

    Attributes:
      check: returns whether a value has the entry's type.
      what: the type, for messages.
      schema: the type as JSON Schema.
    """

    check: Callable[[Any], bool]
    what: str
    required: bool = False
    schema: Json = field(default_factory=dict[str, Any])


def _is_list_of_strings(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)  # pyright: ignore[reportUnknownVariableType]  # of JSON


def _or_null(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or check(value)


def _is_list_of_objects(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)  # pyright: ignore[reportUnknownVariableType]  # of JSON


def _is_object_of_strings(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(item, str) for item in value.values())  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType, reportUnknownArgumentType]  # of JSON


def _list_of(type_: str) -> Json:
    return {"type": "array", "items": {"type": type_}}


_TEXT = Parameter(lambda value: isinstance(value, str), "a string", required=True, schema={"type": "string"})
_NAME = Parameter(
    _or_null(lambda value: isinstance(value, str)), "a string", schema={"type": ["string", "null"]}
)
_SWITCH = Parameter(lambda value: isinstance(value, bool), "true or false", schema={"type": "boolean"})
_TYPES = Parameter(_is_list_of_strings, "a list of types as strings", schema=_list_of("string"))
_NAMES = Parameter(_is_list_of_strings, "a list of names", required=True, schema=_list_of("string"))
_OPTIONAL_STRINGS = Parameter(
    _or_null(_is_list_of_strings),
    "a list of strings",
    schema={**_list_of("string"), "type": ["array", "null"]},
)
_OBJECT = Parameter(
    _or_null(lambda value: isinstance(value, dict)), "an object", schema={"type": ["object", "null"]}
)
_LIST = Parameter(
    _or_null(lambda value: isinstance(value, list)), "a list", schema={"type": ["array", "null"]}
)
_OPERATIONS = Parameter(_is_list_of_objects, "a list of objects", required=True, schema=_list_of("object"))
_TYPES_BY_NAME = Parameter(
    _is_object_of_strings,
    "an object of types as strings",
    required=True,
    schema={"type": "object", "additionalProperties": {"type": "string"}},
)


def _infer(params: Mapping[str, Any]) -> Json:
    types = infer(
        params["op"],
        params.get("operands", ()),
        params.get("attributes"),
        params.get("regions"),
        result_types=params.get("results"),
    )
    return {"types": [str(type_) for type_ in types]}


def _verify(params: Mapping[str, Any]) -> Json:
    text: str = params["text"]
    data = text.encode(errors="surrogatepass")
    with shared_context(len(data)) as context:
        diagnostics = verify_in_context(
            context, data, params.get("filename") or "-", strict=params.get("strict", False)
        )
    is_valid = not any(item.severity == "error" for item in diagnostics)
    return {"valid": is_valid, "diagnostics": diagnostics_as_json(diagnostics)}


def _describe(params: Mapping[str, Any]) -> Json:
    name = params.get("op")
    if name is None:
        return {"operations": list(operations())}
    info = find_operation(name)
    return {
        "op": info.name,
        "operands": list(info.operands),
        "attributes": dict(info.attributes),
        "regions": list(info.regions),
        "infers": info.infers,
    }


def _version(_: Mapping[str, Any]) -> Json:
    return {"stablehlo": stablehlo_version(), "provider": provider_version(), "protocol": PROTOCOL}


def _ping(_: Mapping[str, Any]) -> Json:
    return {}


@dataclass(frozen=True, slots=True)
class Method:
    """A method of requests."""

    run: Callable[[Mapping[str, Any]], Json]
    parameters: Mapping[str, Parameter]


# The version of the protocol, which increases when clients of the old version cannot read the answers.
PROTOCOL = 1

METHODS: Mapping[str, Method] = {
    "infer": Method(
        _infer,
        {
            "op": _TEXT,
            "operands": _TYPES,
            "attributes": _OBJECT,
            "regions": _OPTIONAL_STRINGS,
            "results": _OPTIONAL_STRINGS,
        },
    ),
    "verify": Method(_verify, {"text": _TEXT, "filename": _NAME, "strict": _SWITCH}),
    "info": Method(_describe, {"op": _NAME}),
    "evaluate": Method(
        programs.evaluate,
        {"text": _NAME, "artifact": _NAME, "arguments": _LIST, "function": _NAME, "filename": _NAME},
    ),
    "serialize": Method(
        programs.serialize, {"text": _NAME, "artifact": _NAME, "target": _NAME, "filename": _NAME}
    ),
    "build": Method(
        programs.build,
        {"inputs": _TYPES_BY_NAME, "operations": _OPERATIONS, "outputs": _NAMES, "name": _NAME},
    ),
    "version": Method(_version, {}),
    "ping": Method(_ping, {}),
}


def schema() -> Json:
    """The JSON Schema of a request."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"a request to hlokit serve, protocol {PROTOCOL}",
        "oneOf": [
            {
                "type": "object",
                "properties": {
                    "id": {"type": ["string", "number", "null"]},
                    "method": {"const": name},
                    "params": {
                        "type": "object",
                        "properties": {key: item.schema for key, item in method.parameters.items()},
                        "required": [key for key, item in method.parameters.items() if item.required],
                        "additionalProperties": False,
                    },
                },
                "required": [
                    "method",
                    *["params"] * any(item.required for item in method.parameters.values()),
                ],
                "additionalProperties": False,
            }
            for name, method in (*METHODS.items(), ("shutdown", Method(_ping, {})))
        ],
    }


def answer_line(line: bytes) -> bytes:
    """The answer to a request; both are one line of JSON. Raises nothing."""
    try:
        request = json.loads(line, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        return encode(failure(None, f"the request must be one line of JSON: {error}"))
    if not isinstance(request, dict):
        return encode(failure(None, "the request must be a JSON object"))
    return encode(answer(request))  # pyright: ignore[reportUnknownArgumentType]  # of JSON


def answer_to_file(data: bytes, file: BinaryIO) -> None:
    """`answer_line` for a child process."""
    file.write(answer_line(data))


def answer(request: Mapping[str, Any]) -> Json:
    """The answer to a request. Raises nothing."""
    id_ = request.get("id")
    if isinstance(id_, dict | list) or (isinstance(id_, float) and not math.isfinite(id_)):
        return failure(None, "id must be a string, a number or null")
    try:
        return {"id": id_, "result": _run(request)}
    except (ParseError, VerificationError, VersionError) as error:
        return failure(id_, str(error), error.diagnostics)
    except HlokitError as error:
        return failure(id_, str(error))
    except MemoryError:
        return failure(id_, "out of memory")
    except Exception as error:
        # The loop continues after any error of a request.
        return failure(id_, f"internal error of hlokit: {type(error).__name__}: {error}")


def _run(request: Mapping[str, Any]) -> Json:
    unknown = [str(key) for key in request if key not in ("id", "method", "params")]
    if unknown:
        raise ArgumentError(f"a request has id, method and params, got {', '.join(unknown)} too")
    name = request.get("method")
    received: Any = request.get("params", {})
    method = METHODS.get(name) if isinstance(name, str) else None
    if method is None:
        raise ArgumentError(f"method must be one of {', '.join(METHODS)}, got {json.dumps(name)[:100]}")
    if not isinstance(received, dict):
        raise ArgumentError("params must be an object")
    params = cast("dict[str, Any]", received)
    for key, parameter in method.parameters.items():
        if parameter.required and key not in params:
            raise ArgumentError(f"{name}: params must have {key}, {parameter.what}")
        if key in params and not parameter.check(params[key]):
            raise ArgumentError(f"{name}: {key} must be {parameter.what}")
    for key in params:
        if key not in method.parameters:
            accepted = ", ".join(method.parameters) or "nothing"
            raise ArgumentError(f"{name}: params may have {accepted}, got {key[:100]}")
    return method.run(params)


def failure(id_: Any, message: str, diagnostics: Sequence[Diagnostic] = ()) -> Json:
    """The answer to a request that failed."""
    return {"id": id_, "error": {"message": message, "diagnostics": diagnostics_as_json(diagnostics)}}


def diagnostics_as_json(diagnostics: Sequence[Diagnostic]) -> list[Json]:
    """Diagnostics as JSON; `line` and `column` are 0 where the position is unknown."""
    return [
        {
            "severity": item.severity,
            "message": item.message,
            "file": item.file,
            "line": item.line,
            "column": item.column,
            "notes": diagnostics_as_json(item.notes),
        }
        for item in diagnostics
    ]


def encode(record: Json) -> bytes:
    """One line of JSON, in ASCII, because some readers end lines at certain other characters."""
    return json.dumps(record, separators=(",", ":")).encode() + b"\n"


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")
