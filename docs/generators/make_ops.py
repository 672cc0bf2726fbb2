"""The page reference/ops.md: for each operation the evaluated element types, the implementation, and the tests.

The element kinds come from an evaluation of the probes in the cards of operations.
"""

from __future__ import annotations

import inspect
import re
from functools import cache
from pathlib import Path

import numpy as np

from hlokit.engine.contract.custom_calls import registered_custom_calls
from hlokit.engine.contract.registry import find, registered_operations
from hlokit.errors import InternalError, ParseError, UnsupportedError, VerificationError
from hlokit.kernels.custom_calls.dispatch import ENCODED, NOT_EVALUATED
from hlokit.kernels.custom_calls.jax import FAMILIES
from hlokit.mlir.parse import parse_text
from hlokit.mlir.provider.bindings import stablehlo_operations
from hlokit.mlir.provider.context import make_context
from hlokit.operations.cards import card_of
from hlokit.operations.cards.card import Without
from hlokit.operations.cards.probes import Probe
from hlokit.operations.index import INDEX
from hlokit.operations.lookup import mnemonics, traits_of
from hlokit.programs.program import Program

ROOT = Path(__file__).parents[2]
HEADER = """# Types and tests of operations

Each operation with its element types, its implementation and its tests; [operations](operations/index.md) have pages
with their meaning.
A program that reaches an operation that hlokit does not evaluate raises `UnsupportedError`; `hlokit ops FILE` lists such
operations beforehand.

- Element kinds: `yes` if hlokit evaluates the probe in the operation's card for every type of the kind that
  the verifier accepts, `no` if for none, empty if the verifier rejects the kind. The types are i1; i2 to
  i64; ui2 to ui64; f4 to f64; complex of f32 and f64; quantized per tensor and per axis. *any*: the operation
  has no elements.
  CHLO operations have `no` if their verifier accepts a type that the underlying StableHLO operation rejects, or
  that has no formula. The specification does not define the complex `remainder`.
- Vectorised: evaluated on whole arrays. *by body*: if the body is element-wise or of a recognised form; other bodies
  are evaluated element by element.
- Oracle: the implementations with which tests in `tests/unit` compare, in addition to formulas. *C++* is the reference
  interpreter in jaxlib's MLIR bindings; *random* means the random programs of `tests/generate`, compared with that
  interpreter and with XLA. The programs in `tests/interpret` are self-checking; their values come from the
  specification.

"""
KINDS = {
    "bool": ("i1",),
    "signed": ("i2", "i4", "i8", "i16", "i32", "i64"),
    "unsigned": ("ui2", "ui4", "ui8", "ui16", "ui32", "ui64"),
    "float": (
        *("f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E3M4", "f8E4M3", "f8E4M3B11FNUZ", "f8E4M3FN", "f8E4M3FNUZ"),
        *("f8E5M2", "f8E5M2FNUZ", "f8E8M0FNU", "bf16", "f16", "f32", "f64"),
    ),
    "complex": ("complex<f32>", "complex<f64>"),
    "quantized": (
        "!quant.uniform<i8:f32, 5.0e-01:1>",
        "!quant.uniform<u4:f32, 5.0e-01:1>",
        "!quant.uniform<i32:f32, 5.0e-01>",
        "!quant.uniform<i8:bf16, 5.0e-01:1>",
        "!quant.uniform<i8:f32:0, {5.0e-01:1, 2.5e-01:2}>",
    ),
}
# Operations that apply their body to elements, and those that only select the next operation.
BY_BODY = mnemonics(lambda traits: traits.applies) - {"collective_reduce"}
CONTROL = mnemonics(
    lambda traits: traits.control or traits.terminator or traits.ordering or traits.asynchronous
)
ORACLES = {"oracles.reference": "C++", "oracles.xla": "XLA", "mpmath": "mpmath", "scipy": "SciPy"}
# `reference` and `xla` are imported by name in some files.
_IMPORTED = {"oracles.reference": r"\breference\b", "oracles.xla": r"\bxla\b"}
NEWER = {"stablehlo.collective_reduce"}


def dialect_operations() -> set[str]:
    """Names of the StableHLO operations that the bindings have."""
    classes = inspect.getmembers(stablehlo_operations(), inspect.isclass)
    names = {str(getattr(class_, "OPERATION_NAME", "")) for _, class_ in classes}
    return {name for name in names if name.startswith("stablehlo.")}


# Probes -------------------------------------------------------------------------------------------------


@cache
def _context() -> object:
    return make_context()


def _program(name: str, row: Probe, type_: str) -> str:
    if isinstance(row, str):
        return row.replace("$", type_)

    def tensors(text: str) -> list[str]:
        # A placeholder replaces the commas of a quantized type during the split.
        return [f"tensor<{part.strip()}>".replace("$", type_) for part in text.split(",") if part.strip()]

    signature, middle = row
    operands, results = map(tensors, signature.split("->"))
    arguments = ", ".join(f"%{i}: {operand}" for i, operand in enumerate(operands))
    returned = ", ".join(f"%r#{i}" for i in range(len(results)))
    # Values that only a region uses are arguments of the function alone.
    used = operands[1:] if name in ("stablehlo.case", "stablehlo.if") else operands
    first = len(operands) - len(used)
    names = ", ".join(f"%{i + first}" for i in range(len(used)))
    spelled = ", ".join(results)
    types = f"({', '.join(used)}) -> ({spelled})"
    operation = f'%r:{len(results)} = "{name}"({names}) {middle.replace("$", type_)} : {types}'
    return f"func.func @main({arguments}) -> ({spelled}) {{\n{operation}\nreturn {returned} : {spelled}\n}}"


def _cell(name: str, rows: tuple[Probe, ...], types: tuple[str, ...]) -> str:
    """The support for all types of a kind, as a cell of the table."""
    answers = {type_: _probe(name, rows, type_) for type_ in types}
    if "no" not in answers.values():
        return "yes" if "yes" in answers.values() else ""
    missing = [f"`{type_}`" for type_, answer in answers.items() if answer == "no"]
    return f"all but {', '.join(missing)}" if "yes" in answers.values() else "no"


def _probe(name: str, rows: tuple[Probe, ...], type_: str) -> str:
    for row in rows:
        try:
            program = Program(parse_text(_context(), _program(name, row, type_)))
        except (ParseError, VerificationError):
            continue
        signature = program.signature()
        values = [np.ones(input_.dims, input_.element_type.dtype) for input_ in signature.inputs]
        try:
            with np.errstate(all="ignore"):
                program.runs.evaluate(values, signature.name)
        except (UnsupportedError, InternalError):
            return "no"
        return "yes"
    return ""


# Tests --------------------------------------------------------------------------------------------------


# Test files name operations as a program does, or in tables by their mnemonic.
_NAME = re.compile(
    rf"\b(?:{'|'.join(sorted({name.partition('.')[0] for name in INDEX}))})\.\w+|[\"']\w+[\"']"
)


@cache
def _unit_tests() -> list[tuple[set[str], set[str]]]:
    """The names in test files, those without a dialect in double quotes, with the oracles that the files use."""
    found: list[tuple[set[str], set[str]]] = []
    for path in sorted((ROOT / "tests/unit").rglob("test_*.py")):
        text = path.read_text().replace("jax.scipy", "jax")  # jax.scipy is not SciPy
        used = {
            name
            for module, name in ORACLES.items()
            if re.search(rf"\b{re.escape(module)}\b", text)
            or ("oracles" in text and module in _IMPORTED and re.search(_IMPORTED[module], text))
        }
        if used:
            found.append(({name.replace("'", '"') for name in _NAME.findall(text)}, used))
    return found


# The steps of the programs that are compared with other implementations.
_COMPARED = ("elementwise", "shapes", "products", "regions")


@cache
def _fuzzed() -> str:
    return "\n".join((ROOT / f"tests/generate/{name}.py").read_text() for name in _COMPARED)


def oracles_of(name: str) -> str:
    dialect, _, mnemonic = name.partition(".")
    words = {name, f'"{mnemonic}"'} if dialect == "stablehlo" else {name}
    used = {oracle for names, oracles in _unit_tests() if not names.isdisjoint(words) for oracle in oracles}
    if dialect == "stablehlo" and re.search(rf"[\"'.]{re.escape(mnemonic)}[\"'( ]", _fuzzed()):
        used.add("random")
    return ", ".join(oracle for oracle in (*ORACLES.values(), "random") if oracle in used)


def test_path(name: str) -> Path | None:
    """The programs of `tests/interpret` about an operation."""
    dialect, _, mnemonic = name.partition(".")
    folder = "" if dialect in ("stablehlo", "interpreter", "check") else dialect
    path = ROOT / "tests" / "interpret" / folder / f"{mnemonic.replace('-', '_')}.mlir"
    return path if path.exists() else None


def test_of(name: str) -> str:
    path = test_path(name)
    return "" if path is None else f"`{path.relative_to(ROOT).as_posix()}`"


# The page -----------------------------------------------------------------------------------------------


def _linked(name: str) -> str:
    return f"[`{name}`](operations/{name}.md)"


def _vectorised(mnemonic: str) -> str:
    return "by body" if mnemonic in BY_BODY else "" if mnemonic in CONTROL else "yes"


def _where(name: str) -> str:
    if traits_of(name).terminator:
        return "`engine.interpreter.planner`"
    entry = INDEX.get(name)
    return (
        "not evaluated"
        if entry is None or entry.kernel is None
        else f"`{entry.kernel[0].removeprefix('hlokit.')}`"
    )


@cache
def kinds_of(name: str) -> list[str]:
    """The support of an operation for each kind of `KINDS`, as cells of the table."""
    if name in NEWER and name not in dialect_operations():
        return ["newer bindings only"] + [""] * (len(KINDS) - 1)
    if (card := card_of(name)) is not None and not isinstance(card.probes, Without):
        return [_cell(name, card.probes, types) for types in KINDS.values()]
    return ["any" if _is_evaluated(name) else "no"] + [""] * (len(KINDS) - 1)


def _row(name: str) -> str:
    cells = [
        *(_linked(name), *kinds_of(name), _vectorised(name.partition(".")[2])),
        *(_where(name), test_of(name), oracles_of(name)),
    ]
    return f"| {' | '.join(cells)} |"


def _is_evaluated(name: str) -> bool:
    return find(name) is not None or traits_of(name).terminator


def _grid(title: str, names: list[str]) -> str:
    evaluated = sum(map(_is_evaluated, names))
    columns = ["operation", *KINDS, "vectorised", "evaluated in", "test", "oracle"]
    header = f"## {title}\n\n{evaluated} of {len(names)} are evaluated.\n\n| {' | '.join(columns)} |\n"
    return f"{header}|{'---|' * len(columns)}\n" + "\n".join(_row(name) for name in names) + "\n"


def _others(names: list[str]) -> str:
    rows = "\n".join(f"| {_linked(name)} | {_where(name)} | {test_of(name)} |" for name in names)
    return f"## Other dialects\n\n| operation | evaluated in | test |\n|---|---|---|\n{rows}\n"


_CALLS = """## Custom calls

`@hlokit.custom_call` registers further targets, or replaces these. `lapack_[sdcz]` stands for the four types. A program
that reaches a target that is not evaluated raises `UnsupportedError`, and `hlokit ops FILE` lists the target.

"""


def _custom_calls() -> str:
    families: dict[str, list[str]] = {title: list(calls) for title, calls in FAMILIES.items()}
    families["Operations of CHLO and MHLO, encoded"] = list(ENCODED)
    # The table excludes other registered targets, such as those of the caller.
    checks = [name for name in registered_custom_calls() if name.startswith("check.")]
    families["Checks, assertions"] = [*checks, "shape_assertion"]
    rows = [f"| {title} | {', '.join(_condensed(names))} |" for title, names in families.items()]
    reasons = [
        f"| not evaluated: {reason} | {_readable(pattern)} |" for pattern, reason in NOT_EVALUATED.items()
    ]
    return _CALLS + "| group | targets |\n|---|---|\n" + "\n".join([*rows, *reasons]) + "\n"


def _condensed(names: list[str]) -> list[str]:
    """Names that differ only in the letter of LAPACK's types, as one name."""
    found: dict[str, set[str]] = {}
    for name in names:
        match = re.fullmatch(r"((?:lapack|blas)_)([sdcz])(\w+)", name)
        found.setdefault(f"{match[1]}[]{match[3]}" if match else name, set()).add(match[2] if match else "")
    order = "sdcz"
    return [
        "`" + name.replace("[]", "[" + "".join(sorted(letters, key=order.find)) + "]") + "`"
        for name, letters in found.items()
    ]


def _readable(pattern: str) -> str:
    names = re.sub(r"\.\*", "*", pattern).replace("\\", "").split("|")
    return ", ".join(f"`{name}`" for name in names)


def table() -> str:
    """The text of the page."""
    registered = set(registered_operations())
    core = sorted(dialect_operations() | NEWER | {n for n in registered if n.startswith("stablehlo.")})
    unknown = [name for name in core if card_of(name) is None]
    assert not unknown, f"operations/cards has no card of {unknown}"
    chlo = sorted(name for name in registered if name.startswith("chlo."))
    others = sorted(name for name in registered if not name.startswith(("stablehlo.", "chlo.")))
    parts = [_grid("StableHLO", core), _grid("CHLO", chlo), _others(others), _custom_calls()]
    return HEADER + "\n".join(parts)
