"""Inferred types, for every operation that infers types; inference leaves no trace in the program."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from hlokit.errors import ArgumentError
from hlokit.mlir.parse import Accepted, parse_text
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.context import make_context
from hlokit.mlir.queries.module import walk
from hlokit.mlir.text.split import split_input
from hlokit.passes import probe_instrumentation
from hlokit.passes.framework.registry import Options, collected_warnings, warn
from hlokit.passes.inference import inferred_components, inferred_types
from hlokit.passes.probe_instrumentation import location_name
from hlokit.passes.reify import reifiable
from tests.unit.passes.interfaces import implementing

TESTS = Path(__file__).parents[2]
CONTEXT = make_context()
# The custom call by which tests of inference query an operation, and the queried operation.
_DEFINITION = re.compile(r'%(\w+)(?::\d+)? = "?((?:stablehlo|chlo)\.[\w-]+)')
_QUESTION = re.compile(r'"hlo_test_infer\.(\w+)"\(%(\w+)')


def asked(question: str) -> set[str]:
    """The operations whose types tests/infer infers."""
    found: set[str] = set()
    for path in (TESTS / "infer").glob("infer_*.mlir"):
        names: dict[str, str] = {}
        for line in path.read_text().splitlines():
            # Regions use other names.
            for name, operation in _DEFINITION.findall(line):
                names[name] = operation
            found.update(names[name] for kind, name in _QUESTION.findall(line) if kind == question)
    return found


def test_types_of_every_operation_are_tested() -> None:
    assert implementing(ir.InferTypeOpInterface) - asked("get_return_types") == set()


def test_shapes_of_every_operation_are_tested() -> None:
    assert reifiable() - asked("reify_return_type_shapes") == set()


def test_components_of_every_operation_are_tested() -> None:
    """Except operations without components, or with the default, which has none either."""
    without = {
        "chlo.is_inf", "chlo.is_neg_inf", "chlo.is_pos_inf", "stablehlo.abs", "stablehlo.bitcast_convert",
        "stablehlo.complex", "stablehlo.concatenate", "stablehlo.convert", "stablehlo.dynamic_broadcast_in_dim",
        "stablehlo.dynamic_iota", "stablehlo.dynamic_pad", "stablehlo.dynamic_reshape", "stablehlo.imag",
        "stablehlo.is_finite", "stablehlo.pad", "stablehlo.real", "stablehlo.real_dynamic_slice",
        "stablehlo.reverse", "stablehlo.transpose", "stablehlo.uniform_quantize",
    }  # fmt: skip
    shown = asked("get_return_type_components")
    assert implementing(ir.InferShapedTypeOpInterface) - shown == without
    assert shown & without == set()


def programs(folder: str) -> Iterable[tuple[str, str]]:
    for path in sorted((TESTS / folder).rglob("*.mlir")):
        for chunk in split_input(path.read_text()):
            if "expected-" not in chunk and "collective_reduce" not in chunk:
                yield path.name, chunk


@pytest.mark.parametrize("folder", ["interpret", "verify"])
def test_inferred_types_fit_declared_types(folder: str) -> None:
    """For every operation of the other tests; inference does not modify the operation."""
    count = 0
    for name, text in programs(folder):
        module = parse_text(CONTEXT, text, accepted=Accepted(unregistered=True))
        before = str(module)
        operations: list[ir.Operation] = []
        walk(module.operation, operations.append)
        for operation in operations:
            types = inferred_types(operation)
            inferred_components(operation)
            if types is None:
                continue
            count += 1
            declared = [result.type for result in operation.results]
            assert len(types) == len(declared), (name, operation.name)
            for inferred, actual in zip(types, declared, strict=True):
                # CHLO infers nothing about the rank where `broadcast_dimensions` fit no broadcast.
                is_unranked = isinstance(inferred.maybe_downcast(), ir.UnrankedTensorType)
                assert is_unranked or kind(inferred) == kind(actual), (name, str(operation))
        assert str(module) == before
    assert count > 300


def kind(type_: ir.Type) -> str:
    concrete = type_.maybe_downcast()
    return (
        f"tensor of rank {concrete.rank}"
        if isinstance(concrete, ir.RankedTensorType)
        else type(concrete).__name__
    )


@pytest.mark.parametrize("infer", [inferred_types, inferred_components])
def test_an_operation_that_infers_nothing(infer: Callable[[ir.Operation], object]) -> None:
    module = parse_text(CONTEXT, "func.func @main() { return }")
    assert infer(module.operation) is None


@pytest.mark.parametrize(
    ("location", "name"),
    [
        ('loc("sum")', "sum"),
        ('loc("sum@3"("file.py":1:2))', "sum@3"),
        (r'loc("a \"b\" \\ \C3\A9")', 'a "b" \\ \u00e9'),
        ('loc("file.py":1:2)', None),
        ("loc(unknown)", None),
        ('loc(fused["a", "b"])', None),
        ('loc(callsite("a" at "b"))', None),
    ],
)
def test_names_of_locations(location: str, name: str | None) -> None:
    with CONTEXT:
        module = ir.Module.parse(f"module {{ func.func private @f() {location} }}")
    assert location_name(next(iter(module.body.operations)).operation.location) == name


def test_probe_option_must_be_true_or_false() -> None:
    module = parse_text(CONTEXT, "func.func @main() { return }")
    with pytest.raises(ArgumentError, match="useDebugInfo must be true or false, got 'maybe'"):
        probe_instrumentation.PASS.run(module.operation, Options({"useDebugInfo": "maybe"}))


def test_warnings_go_to_their_collector() -> None:
    module = parse_text(CONTEXT, "\n  func.func @main() { return }")
    operation = next(iter(module.body.operations)).operation
    warn(operation, "nobody hears this")
    with collected_warnings() as outer:
        with collected_warnings() as inner:
            warn(operation, "first")
        warn(operation, "second")
    assert [str(item) for item in inner] == ["-:2:3: warning: first"]
    assert [item.message for item in outer] == ["second"]
