"""The page reference/status.md: specification, verification, inference, printing and evaluation of each StableHLO operation.

    python docs/generators/make_status.py --spec spec.md    # compare the table of constraints with a specification

The command prints the differences between the labels of the table and those of the specification (docs/spec.md of the
StableHLO project), and fail if there are any.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

from hlokit.constraints.table import ENFORCED, Constraint, constraints, load
from hlokit.engine.contract.registry import find
from hlokit.mlir.parse import parse_text
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.context import make_context
from hlokit.mlir.queries.module import walk

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(Path(__file__).parent))

from make_ops import dialect_operations, oracles_of, test_of  # noqa: E402 # after its directory is on the path

VERIFY = ROOT / "tests/verify"
INFER = ROOT / "tests/infer"
# Only newer bindings have these operations.
NEWER = frozenset({"collective_reduce"})
# Entries of the tables of constraints that are not operations, with their bold names in the specification.
OTHERS = {
    "Quantized element types": "quantized_type",
    "Integer constants": "integer_constant",
    "Floating-point constants": "float_constant",
    "Complex constants": "complex_constant",
    "Tensor constants": "tensor_constant",
    "Quantized tensor constants": "quantized_constant",
}
HEADER = """# Status

How each operation is verified, inferred, printed and tested.
`python docs/generators/make_status.py --spec PATH` compares the table of constraints with a copy of the specification.

- Specification: the number of the operation's constraints; empty if the operation is not in the specification.
- Verification: what enforces the constraints. *verifier*: the verifier or the type inference of jaxlib's MLIR bindings
  ("the bindings" on this page), with a test named after the constraint in `tests/verify`. *ODS*: code that is generated
  from the definition of the operation. *syntax*: MLIR cannot express a violation. *strict*: `--strict` only. *run time*:
  the evaluation. *nobody*: nothing.
- Strict: constraints that the bindings miss completely or (in parentheses) in part. A program in `tests/verify/strict`
  shows each; `stablehlo-opt --strict` and `hlokit verify --strict` reject these programs.
- Inference: whether the bindings infer *types* of results, or also *shapes* alone; *untested* if `tests/infer` has no
  program of the operation.
- Printing: the form that MLIR prints; `tests/verify` parses every operation in both forms.
- Interpreter: the test of the evaluation. Oracle: see [operations](ops.md).

`python/hlokit/constraints/rows/*.toml` has a line for each constraint.

"""
_OVERLOOKED = """Programs are functions in `tests/verify/strict`. A test ensures that the bindings accept each program."""
_KINDS = {"ods": "ODS", "dynamic": "run time", "unchecked": "nobody"}
_COLUMNS = (
    *("operation", "specification", "verification", "strict", "inference", "printing", "interpreter"),
    "oracle",
)


# Behaviour of the bindings
# ---------------------------------------------------------------------------------------


@cache
def _examples() -> dict[str, tuple[str, str]]:
    """The result types that the bindings infer and the form that they print for each operation, by
    mnemonic."""
    found: dict[str, tuple[str, str]] = {}
    context = make_context()
    # The first program of each file contains valid operations.
    files = [VERIFY / "ops_stablehlo.mlir", VERIFY / "verify_collectives_newer.mlir"]
    modules: list[ir.Module] = []

    def visit(operation: ir.Operation) -> None:
        dialect, _, mnemonic = operation.name.partition(".")
        if dialect == "stablehlo":
            printed = "generic" if f'"{operation.name}"(' in str(operation).split("\n", 1)[0] else "custom"
            found.setdefault(mnemonic, (_inference(operation), printed))

    for path in files[: 1 + (f"stablehlo.{next(iter(NEWER))}" in dialect_operations())]:
        modules.append(parse_text(context, path.read_text().split("// -----")[0], path.name))
        walk(modules[-1].operation, visit)
    return found


def _inference(operation: ir.Operation) -> str:
    def implements(interface: Callable[..., object]) -> bool:
        try:
            interface(operation, context=operation.context)
        except ValueError:
            return False
        return True

    if implements(ir.InferShapedTypeOpInterface):
        return "types, shapes"
    return "types" if implements(ir.InferTypeOpInterface) else ""


@cache
def _inferred() -> str:
    return "\n".join(path.read_text() for path in sorted(INFER.glob("*.mlir")))


# The page ---------------------------------------------------------------------------------------------------


def _counts(of: list[Constraint]) -> str:
    counts = Counter(constraint.enforced for constraint in of)
    return ", ".join(f"{counts[kind]} {_KINDS.get(kind, kind)}" for kind in ENFORCED if counts[kind])


def _strict(of: list[Constraint]) -> str:
    listed = (
        constraint.label if constraint.enforced == "strict" else f"({constraint.label})"
        for constraint in of
        if constraint.strict
    )
    return ", ".join(listed)


def _evaluation(name: str) -> tuple[str, str]:
    """The test of the interpreter and the oracle."""
    return ("not evaluated", "") if find(name) is None else (test_of(name), oracles_of(name))


def _row(mnemonic: str) -> str:
    name = f"stablehlo.{mnemonic}"
    constraints_of_it = list(load().get(mnemonic, {}).values())
    is_newer = mnemonic in NEWER and name not in dialect_operations()
    inference, printing = ("newer bindings only", "") if is_newer else _examples()[mnemonic]
    if (
        inference
        and not is_newer
        and not re.search(rf"\bstablehlo\.{re.escape(mnemonic)}\b(?!_)", _inferred())
    ):
        inference += ", untested"
    cells = [
        f"`{name}`",
        str(len(constraints_of_it)) if mnemonic in load() else "",
        _counts(constraints_of_it),
        _strict(constraints_of_it),
        inference or "no",
        printing,
        *_evaluation(name),
    ]
    return f"| {' | '.join(cells)} |"


def _overlooked() -> str:
    rows = [
        f"| `{one.op}` {one.label} | {one.rule} | {one.note} | "
        f"{', '.join(f'`{name}`' for name in one.strict)} |"
        for one in constraints()
        if one.strict
    ]
    header = "| constraint | what it says | what the bindings overlook | programs |\n|---|---|---|---|\n"
    return f"## What the bindings overlook\n\n{_OVERLOOKED}\n\n{header}" + "\n".join(rows) + "\n"


def _unverified() -> str:
    rows = [
        f"| `{one.op}` {one.label} | {one.rule} | {_KINDS.get(one.enforced, one.enforced)}: {one.note} |"
        for one in constraints()
        if one.enforced in ("syntax", "dynamic", "unchecked")
    ]
    header = "| constraint | what it says | when it shows |\n|---|---|---|\n"
    return "## What no verifier can see\n\n" + header + "\n".join(rows) + "\n"


def page() -> str:
    """The text of the page."""
    names = {name.removeprefix("stablehlo.") for name in dialect_operations()} - {"return"} | NEWER
    found = list(constraints())
    partly = sum(constraint.enforced != "strict" and bool(constraint.strict) for constraint in found)
    summary = (
        f"The specification has {len(found)} constraints: {_counts(found)}. Of those that the bindings "
        f"enforce, they overlook a part of {partly}.\n\n"
    )
    others = "\n".join(
        f"| {name} | {len(load()[key])} | {_counts(list(load()[key].values()))} |"
        for name, key in OTHERS.items()
    )
    others = f"| types and constants | specification | verification |\n|---|---|---|\n{others}\n\n"
    header = f"| {' | '.join(_COLUMNS)} |\n|{'---|' * len(_COLUMNS)}\n"
    operations = header + "\n".join(map(_row, sorted(names))) + "\n"
    return "\n".join((HEADER + summary + others + operations, _overlooked(), _unverified()))


# Comparison with a specification ----------------------------------------------------------------------------


def labels_of(specification: str) -> dict[str, set[str]]:
    """Labels of constraints by operation, from the Markdown text of the specification."""
    found: dict[str, set[str]] = {}
    chapter = section = ""
    for line in specification.splitlines():
        if line.startswith("## "):
            chapter = line[3:].strip()
        elif line.startswith("### "):
            section = line[4:].strip()
        elif section == "Types":
            # Only quantized ones have constraints.
            section = "quantized_type"
        elif chapter != "Ops" and (term := re.match(r"\*\*(.+? constants)\*\*", line)):
            section = OTHERS.get(term[1], term[1])
        match = re.match(r"\s*\* \((C\d+)\)", line)
        if match is not None:
            found.setdefault(section, set()).add(match[1])
    return found


def compare(specification: str) -> list[str]:
    """The missing and superfluous rows of the table of constraints, one per line."""
    theirs = labels_of(specification)
    ours = {op: set(labels) for op, labels in load().items() if labels}
    lines: list[str] = []
    for op in sorted(theirs.keys() | ours.keys()):
        missing, extra = (
            theirs.get(op, set()) - ours.get(op, set()),
            ours.get(op, set()) - theirs.get(op, set()),
        )
        lines += [f"{op} {label}: not in the table" for label in sorted(missing)]
        lines += [f"{op} {label}: not in the specification" for label in sorted(extra)]
    return lines


def main() -> int:
    if len(sys.argv) != 3 or sys.argv[1] != "--spec":
        sys.exit("usage: python docs/generators/make_status.py --spec PATH")
    specification = Path(sys.argv[2]).read_text()
    differences = compare(specification)
    labels = sum(map(len, labels_of(specification).values()))
    summary = f"{labels} labels in the specification, {len(constraints())} in the table"
    print("\n".join([*differences, summary]))
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
