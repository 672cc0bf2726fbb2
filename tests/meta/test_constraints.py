"""The table of constraints agrees with the tests of the constraints."""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hlokit.constraints import strict
from hlokit.constraints.table import Constraint, constraints, load
from hlokit.mlir.parse import parse_text
from hlokit.mlir.provider.bindings import stablehlo_operations
from hlokit.mlir.provider.context import make_context

from .dialects import bindings_operations
from .pages import text_of

ROOT = Path(__file__).parents[2]
VERIFY = ROOT / "tests/verify"
STRICT = VERIFY / "strict"
# Operations of the dialect that the specification lacks, or has removed.
NOT_IN_SPEC = frozenset(
    (
        *("broadcast", "create_token", "cross-replica-sum", "dot", "einsum", "real_dynamic_slice"),
        *("set_dimension_size", "torch_index_select", "unary_einsum"),
    )
)
# Operations of the specification that older bindings lack.
NEWER = frozenset({"collective_reduce"})
# Parts of the specification with constraints, besides operations.
OTHERS = frozenset(
    (
        *("quantized_type", "integer_constant", "float_constant", "complex_constant", "tensor_constant"),
        "quantized_constant",
    )
)
_CHUNK = re.compile(r"^// -----.*$", re.MULTILINE)
_FUNCTION = re.compile(r"func\.func(?: private)? @(\w+)")
_EXPECTED = re.compile(r"// expected-error")


@dataclass(frozen=True)
class Chunk:
    """A program of a test file that breaks a constraint."""

    path: Path
    text: str
    functions: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.functions[0] if self.functions else ""

    @property
    def needs_newer_bindings(self) -> bool:
        return "REQUIRES: collective_reduce" in self.path.read_text()


def _chunks(paths: Iterator[Path]) -> Iterator[Chunk]:
    for path in paths:
        for text in _CHUNK.split(path.read_text()):
            if _EXPECTED.search(text):
                yield Chunk(path, text, tuple(_FUNCTION.findall(text)))


@cache
def _negative() -> dict[str, Chunk]:
    """Programs that the bindings reject, by function."""
    return {name: chunk for chunk in _chunks(iter(sorted(VERIFY.glob("*.mlir")))) for name in chunk.functions}


@cache
def _strict() -> dict[str, Chunk]:
    """Programs that only the strict verifier rejects, by function."""
    return {chunk.name: chunk for chunk in _chunks(iter(sorted(STRICT.glob("*.mlir"))))}


def _dialect() -> set[str]:
    names = {name for name in bindings_operations() if name.startswith("stablehlo.")}
    return {name.removeprefix("stablehlo.") for name in names}


def _named(constraint: Constraint) -> str:
    return f"{constraint.op} {constraint.label}"


def test_tables_hold_every_operation_of_the_specification() -> None:
    assert set(load()) - NEWER == (_dialect() - NOT_IN_SPEC - NEWER) | OTHERS
    assert set(load()) >= NEWER


def test_labels_count_from_1() -> None:
    for op, labels in load().items():
        assert list(labels) == [f"C{number}" for number in range(1, len(labels) + 1)], op


@cache
def _has_test(test: str) -> bool:
    """Whether `path` exists, or `path::name` is a function."""
    path, _, name = test.partition("::")
    return (ROOT / path).is_file() and (not name or f"def {name}(" in (ROOT / path).read_text())


def test_constraints_of_a_run_have_tests() -> None:
    dynamic = [constraint for constraint in constraints() if constraint.enforced == "dynamic"]
    assert dynamic
    assert [_named(constraint) for constraint in dynamic if not constraint.tests] == []
    named = [(_named(constraint), test) for constraint in dynamic for test in constraint.tests]
    assert [f"{name}: {test} does not exist" for name, test in named if not _has_test(test)] == []


def test_constraints_of_programs_have_programs() -> None:
    """Functions of programs in tests/verify, or tests/verify/strict, that announce an error."""
    static = [constraint for constraint in constraints() if constraint.enforced != "dynamic"]
    plain = [(_named(constraint), test) for constraint in static for test in constraint.tests]
    only_strict = [(_named(constraint), test) for constraint in static for test in constraint.strict]
    assert len(plain) > 300 and len(only_strict) > 20
    assert [f"{name}: {test}" for name, test in plain if test not in _negative()] == []
    assert [f"{name}: {test}" for name, test in only_strict if test not in _strict()] == []


def _entry(name: str) -> Constraint | None:
    """The constraint after which a test function is named: `slice_c3_limit` shows C3 of slice."""
    table = load()
    operations = "|".join(sorted(table, key=len, reverse=True))
    match = re.fullmatch(rf"({operations})_(c\d+)(?:_\w+)?", name)
    if match is None:
        return None
    assert match[2].upper() in table[match[1]], f"{name}: {match[1]} has no {match[2].upper()}"
    return table[match[1]][match[2].upper()]


def test_every_labelled_test_has_an_entry() -> None:
    entries = [_entry(name) for name in (*_negative(), *_strict())]
    assert len([entry for entry in entries if entry is not None]) > len(constraints())


def test_every_strict_program_is_in_the_table() -> None:
    for name in _strict():
        entry = _entry(name)
        assert entry is not None, name
        assert entry.strict, name


def test_the_strict_verifier_enforces_the_table() -> None:
    listed = {(constraint.op, constraint.label) for constraint in constraints() if constraint.strict}
    assert {(op, label) for op, labels in strict.checks().items() for label in labels} == listed


def test_only_the_strict_verifier_refuses_strict_programs() -> None:
    context = make_context()
    for name, chunk in _strict().items():
        if chunk.needs_newer_bindings and not hasattr(stablehlo_operations(), "CollectiveReduceOp"):
            continue
        entry = _entry(name)
        assert entry is not None
        found = strict.check(parse_text(context, chunk.text))
        assert any(diagnostic.message.endswith(f"({entry.label})") for diagnostic in found), name


def test_page_of_the_status_has_all_operations_and_constraints() -> None:
    page = text_of("docs/reference/status.md")
    assert f"The specification has {len(constraints())} constraints" in page
    rows = set(re.findall(r"^\| `stablehlo\.(\w+)` \| \d* \|", page, re.MULTILINE))
    known = {name.removeprefix("stablehlo.") for name in bindings_operations()}
    assert {row.op for row in constraints()} & known <= rows


def test_labels_are_read_from_a_specification() -> None:
    specification = """
## Programs
### Types
**Quantized element types** and so on
* (C1) `rule`
### Constants
**Integer constants** are
* (C1) `rule`
## Ops
### abs
#### Inputs
| (I1) | `operand` | tensor | (C1-C2) |
#### Constraints
* (C1) `rule`
* If so:
  * (C2) `rule`
### after_all
"""
    labels_of = runpy.run_path(str(ROOT / "docs" / "generators" / "make_status.py"))["labels_of"]
    assert labels_of(specification) == {
        "quantized_type": {"C1"},
        "integer_constant": {"C1"},
        "abs": {"C1", "C2"},
    }
