"""Asynchronous collectives of JAX, which are custom calls, as the synchronous operations that they equal.

JAX writes `NAME-start`, whose result stands for a value that other processes have not sent yet, and
`NAME-done`, which waits for the value. The attribute `async_collective_config` is JSON. A value has one
meaning, whatever happens between the two: that of the synchronous form. Only the final call may use the
result of the first one.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from hlokit.errors import VerificationError
from hlokit.mlir.async_rules import Pair, Rules, Unfinished
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.diagnostics import diagnostic
from hlokit.mlir.queries.module import attributes_of, functions, operations_within
from hlokit.mlir.round_trip import target_of

CONFIG = "async_collective_config"
_FRONTEND = "mhlo.frontend_attributes"
_START, _DONE = "-start", "-done"
Config = dict[str, Any]


def synchronize(module: ir.Module, filename: str) -> None:
    """Replace asynchronous collectives by synchronous ones, in place.

    Raises:
      VerificationError: a collective never finishes, finishes twice, is used before it finishes, or its
        configuration is none of JAX's.
    """
    calls = [call for call in operations_within(module.operation) if _collective(call, _START)]
    finals = [call for call in operations_within(module.operation) if _collective(call, _DONE)]
    if not calls and not finals:
        return
    by_name = functions(module)
    rules = Rules([Unfinished(call, _pair(call, _START)) for call in calls], by_name, filename)
    diagnostics = list(rules.problems())
    diagnostics += [problem for call in finals for problem in rules.problems_of_end(call, _pair(call, _DONE))]
    if diagnostics:
        raise VerificationError(tuple(diagnostics))
    for call in calls:
        name, text = target_of(call), _config_text(call)
        try:
            _replace(call, by_name)
        except (KeyError, TypeError, ValueError, RecursionError, ir.MLIRError) as error:
            message = f"{CONFIG} must be JAX's for @{name}, got {text!r} ({_first_line(error)})"
            raise VerificationError((diagnostic("error", message, str(call.location), filename),)) from None
    for done in finals:
        done.results[0].replace_all_uses_with(done.operands[0])
        done.erase()


def _collective(call: ir.Operation, end: str) -> str:
    """The collective of an asynchronous custom call, `all-gather`; "" for other operations."""
    target = target_of(call)
    name = target.removesuffix(end)
    return name if name != target and name in _COLLECTIVES else ""


def _pair(call: ir.Operation, end: str) -> Pair:
    name = _collective(call, end)
    return Pair(name + _START, name + _DONE)


# Synchronous forms ---------------------------------------------------------------------------------------


def _replace(start: ir.Operation, by_name: dict[str, ir.Operation]) -> None:
    config: Config = json.loads(_config_text(start))
    name, attributes = _COLLECTIVES[_collective(start, _START)]
    texts = attributes(config)
    if config.get("channel_id") is not None:
        texts["channel_handle"] = f"#stablehlo.channel_handle<handle = {int(config['channel_id'])}, type = 1>"
    if config.get("use_global_device_ids"):
        texts["use_global_device_ids"] = "unit"
    callees: Any = attributes_of(start).get("called_computations", ())
    collective = ir.Operation.create(
        f"stablehlo.{name}",
        [start.results[0].type],
        list(start.operands),
        {key: ir.Attribute.parse(text, start.context) for key, text in texts.items()},
        regions=len(callees),
        loc=start.location,
        ip=ir.InsertionPoint(start),
    )
    for region, callee in zip(collective.regions, callees, strict=True):
        _copy_body(by_name[ir.FlatSymbolRefAttr(callee).value], region)
    collective.verify()
    start.results[0].replace_all_uses_with(collective.results[0])
    start.erase()


def _first_line(error: Exception) -> str:
    return f"no {error}" if isinstance(error, KeyError) else next(iter(str(error).splitlines()), "")


def _config_text(start: ir.Operation) -> str:
    frontend: Any = attributes_of(start).get(_FRONTEND, ())
    return str(frontend[CONFIG].value) if CONFIG in frontend else ""


def _copy_body(function: ir.Operation, region: ir.Region) -> None:
    """Copy the only block of a function into the region of a reduction."""
    (block,) = function.operation.clone(ip=False).regions[0].blocks
    block.append_to(region)
    end = block.operations[len(block.operations) - 1].operation
    returned = list(end.operands)
    ir.Operation.create("stablehlo.return", [], returned, loc=end.location, ip=ir.InsertionPoint(end))
    end.erase()


def _integers(rows: Any) -> str:
    """A matrix of MLIR; shorter rows end with -1."""
    lists = [[int(item) for item in row] for row in rows]
    width = max(map(len, lists), default=0)
    padded = [[*row, *[-1] * (width - len(row))] for row in lists]
    return f"dense<{padded}> : tensor<{len(padded)}x{width}xi64>"


def _groups(config: Config) -> dict[str, str]:
    return {"replica_groups": _integers(config["replica_groups"])}


def _all_gather(config: Config) -> dict[str, str]:
    return {"all_gather_dim": f"{int(config['all_gather_dimension'])} : i64", **_groups(config)}


def _reduce_scatter(config: Config) -> dict[str, str]:
    return {"scatter_dimension": f"{int(config['scatter_dimension'])} : i64", **_groups(config)}


def _all_to_all(config: Config) -> dict[str, str]:
    names = ("split_dimension", "concat_dimension", "split_count")
    return {**{name: f"{int(config[name])} : i64" for name in names}, **_groups(config)}


def _permute(config: Config) -> dict[str, str]:
    return {"source_target_pairs": _integers(config["permutation"])}


# The operation of StableHLO for each of JAX's collectives, and its attributes, as text.
_COLLECTIVES: dict[str, tuple[str, Callable[[Config], dict[str, str]]]] = {
    "all-gather": ("all_gather", _all_gather),
    "all-reduce": ("all_reduce", _groups),
    "all-to-all": ("all_to_all", _all_to_all),
    "collective-permute": ("collective_permute", _permute),
    "reduce-scatter": ("reduce_scatter", _reduce_scatter),
}
