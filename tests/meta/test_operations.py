"""Every operation has one card, the generated files follow from the cards, and no other file of the package lists
operations."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from hlokit import _kernels
from hlokit.engine.contract.registry import find, registered_operations
from hlokit.operations import lookup
from hlokit.operations.cards import CHAPTERS, card_of, cards, elementwise_kinds, kinds, native
from hlokit.operations.cards.card import Card, Without
from hlokit.operations.index import INDEX
from hlokit.operations.traits import NO_TRAITS, Traits, implied

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "python" / "hlokit"
NAMES = {name for name in INDEX if not name.startswith("vm.")}
MNEMONICS = {name.partition(".")[2] for name in NAMES}


def test_every_operation_has_one_card() -> None:
    counts = Counter(card.name for card in cards())
    assert [name for name, count in counts.items() if count > 1] == []
    assert set(counts) == set(INDEX)


def test_every_chapter_is_listed() -> None:
    files = {path.stem for path in (PACKAGE / "operations" / "cards").glob("*.py")}
    assert files - set(CHAPTERS) == {"__init__", "card", "elementwise_kinds", "kinds", "native", "probes"}
    assert all(import_module(f"hlokit.operations.cards.{chapter}").CARDS for chapter in CHAPTERS)


def test_traits_are_no_words() -> None:
    """A tuple contains no name of its fields, so the question must fail."""
    with pytest.raises(TypeError, match="a trait is a field of the traits, got `'exact' in traits`"):
        assert "exact" in NO_TRAITS


def test_generated_files_are_up_to_date() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tools.generate", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")


def test_cards_with_one_opcode_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    native_functions = import_module("tools.native_functions")
    tan = card_of("chlo.tan")
    assert tan is not None and tan.native
    other = dataclasses.replace(tan, native=tan.native[::-1][:1])
    assert "F(tan, Tan, 1, fast, angle)" in native_functions.text()
    wrong = dataclasses.replace(tan, native=(native.OfFloats(native.Formulas.SPECIAL, native.Narrow.PLAIN),))
    monkeypatch.setattr(native_functions, "cards", lambda: iter([tan, other, wrong]))
    with pytest.raises(ValueError, match="tan: cards with one opcode"):
        native_functions.text()


def test_a_stale_index_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    generate = import_module("tools.generate")
    stale = tmp_path / "index.py"
    stale.write_text((PACKAGE / "operations" / "index.py").read_text().replace("ulps=160", "ulps=161"))
    monkeypatch.setattr(generate, "INDEX", stale)
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    monkeypatch.setattr(sys, "argv", ["generate", "--check"])
    assert generate.main() == 1
    assert "index.py is not up to date" in capsys.readouterr().err
    monkeypatch.setattr(sys, "argv", ["generate"])
    assert generate.main() == 0
    assert "ulps=161" not in stale.read_text()


def test_the_index_gives_the_kernels_of_the_cards() -> None:
    for card in cards():
        assert find(card.name) is (None if isinstance(card.kernel, Without) else card.kernel), card.name
    assert set(registered_operations()) == {
        card.name for card in cards() if not isinstance(card.kernel, Without)
    }


def test_parts_that_are_missing_have_a_reason() -> None:
    for card in cards():
        for field in dataclasses.fields(Card):
            part = getattr(card, field.name)
            assert not isinstance(part, Without) or len(part.reason) > 10, (card.name, field.name)


# The parts that each kind requires, so that nobody gives one of them a default.
REQUIRED: dict[Callable[..., Card], set[str]] = {
    elementwise_kinds.function: {
        "ulps",
        "opcode",
        "native",
        "kernel",
        "reference",
        "shadow",
        "bound",
        "samples",
        "guard",
    },
    elementwise_kinds.elementwise: {"opcodes", "kernel", "reference", "shadow", "bound", "samples", "guard"},
    elementwise_kinds.broadcasting: {"reference", "guard"},
    kinds.movement: {"kernel", "reference", "probe", "shape", "resize"},
    kinds.contraction: {
        "kernel",
        "reference",
        "probe",
        "sequential",
        "shadow",
        "shape",
        "components",
        "resize",
        "flops",
        "exact",
    },
    kinds.combination: {"kernel", "reference", "probe", "sequential", "shadow", "shape", "resize", "flops"},
    kinds.collective: {"kernel", "reference", "probe", "traffic", "flops"},
    kinds.whole: {"kernel", "reference", "probe", "shadow", "bound", "shape", "resize", "flops"},
    kinds.structure: {"kernel", "reference", "probe", "shadow"},
    kinds.of_dialect: {"kernel", "reference", "shadow"},
    kinds.unevaluated: {"reason", "opcodes"},
}


@pytest.mark.parametrize("kind", REQUIRED, ids=lambda kind: kind.__name__)
def test_a_card_without_a_part_that_its_kind_needs_is_an_error(kind: Callable[..., Card]) -> None:
    parameters = inspect.signature(kind).parameters
    needed = {name for name, parameter in parameters.items() if parameter.default is parameter.empty}
    assert needed - {"name", "summary", "formula", "operands", "traits"} == REQUIRED[kind]
    for part in sorted(needed):
        with pytest.raises(TypeError, match=f"'{part}'"):
            kind(**dict.fromkeys(needed - {part}))


def test_every_kind_is_tested() -> None:
    made = {
        function
        for module in (kinds, elementwise_kinds)
        for function in vars(module).values()
        if inspect.isfunction(function) and function.__module__ == module.__name__
    }
    assert made == set(REQUIRED)


def test_a_function_without_samples_and_a_movement_of_nothing_are_errors() -> None:
    erf = card_of("chlo.erf")
    assert erf is not None
    parts = dict.fromkeys(REQUIRED[elementwise_kinds.function] | {"summary", "formula", "operands", "traits"})
    with pytest.raises(ValueError, match="must have samples"):
        elementwise_kinds.function("chlo.new", **{**parts, "samples": (), "native": (), "ulps": 8})  # type: ignore[arg-type] # empty, on purpose
    parts = dict.fromkeys(REQUIRED[kinds.movement] | {"summary", "formula"})
    with pytest.raises(ValueError, match="must say which operands"):
        kinds.movement("stablehlo.new", **{**parts, "traits": NO_TRAITS})  # type: ignore[arg-type] # parts as a dictionary


def test_traits_of_cards_include_those_that_they_imply() -> None:
    for card in cards():
        assert implied(card.traits) == card.traits, card.name


def test_lookup() -> None:
    assert lookup.traits_of("chlo.erf").ulps == 48
    assert lookup.having(lambda traits: traits.feed or traits.channel) == {
        f"stablehlo.{name}" for name in ("infeed", "outfeed", "send", "recv")
    }
    assert lookup.mnemonics(lambda traits: traits.control) >= {"call", "while", "assuming"}
    assert len(lookup.opcode_names("stablehlo.compare")) == 12
    assert lookup.opcode_name("stablehlo.compare") is None and lookup.opcode_name("stablehlo.iota") is None
    assert lookup.operation_of_opcode("tan") == "stablehlo.tan"


def test_operations_without_a_card_have_no_traits() -> None:
    assert lookup.traits_of("stablehlo.ad") is lookup.traits_of("shape.of_a_later_version") is NO_TRAITS
    assert card_of("stablehlo.ad") is None and find("stablehlo.ad") is None


def test_every_trait_is_that_of_an_operation_and_used() -> None:
    sources = [
        path.read_text()
        for path in PACKAGE.rglob("*.py")
        if path.parent not in (PACKAGE / "operations", PACKAGE / "operations" / "cards")
    ]
    for field, default in Traits._field_defaults.items():
        assert any(getattr(entry.traits, field) != default for entry in INDEX.values()), field
        assert any(f".{field}" in source for source in sources), f"no file reads the trait {field}"


def test_opcodes_are_those_that_the_extension_exports() -> None:
    named = {opcode for name in INDEX for opcode in lookup.opcode_names(name)}
    assert named == {name for _, name, _, _ in _kernels.opcodes()}


# Lists of operations -------------------------------------------------------------------------------------

# Files with a list of operations whose contents are of no use to other code, each with the reason.
LISTS = {
    "tools/conformance/suites.py": "helper operations in files of testdata for one operation",
    "kernels/regions/reducers.py": "formulas of reductions",
    "tools/service/inference.py": "what the bindings infer from operands",
}
# Files with a table whose keys are names of operations, each with the reason.
TABLES = {
    "mlir/text/check_assembly.py": "the custom assembly of operations that the bindings lack",
    "reference/dialects/custom_calls.py": "targets of custom calls, some of which have names of operations",
}
# In these rooms, the name of an operation is the key of its rules.
EXEMPT = ("constraints/", "operations/")
MOST = 2


def strings(nodes: list[ast.expr]) -> list[str]:
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def listed(node: ast.AST) -> list[str]:
    """The strings of one literal: elements, alternatives, words."""
    match node:
        case ast.Set(elements) | ast.Tuple(elements) | ast.List(elements):
            return strings(elements)
        case ast.Dict(keys):
            return strings([key for key in keys if key is not None])
        case ast.MatchOr(patterns):
            return strings([pattern.value for pattern in patterns if isinstance(pattern, ast.MatchValue)])
        case ast.Constant(str(text)):
            words = text.split()
            return words if all(is_name(word) for word in words) else []
        case _:
            return []


def is_name(word: str) -> bool:
    return word in NAMES or word in MNEMONICS


@cache
def nodes_of(source: str) -> list[ast.AST]:
    """The literals of a source: to parse all modules takes seconds, and two tests ask for them."""
    literals = ast.Set | ast.Tuple | ast.List | ast.Dict | ast.MatchOr | ast.Constant
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, literals)]


def lists_of_operations(source: str) -> Iterator[list[str]]:
    """The literals with more than two names or mnemonics of operations, apart from keys."""
    for node in nodes_of(source):
        names = [] if isinstance(node, ast.Dict) else [name for name in listed(node) if is_name(name)]
        if len(names) > MOST:
            yield names


def keys_of_operations(source: str) -> Iterator[str]:
    """The names of operations that are keys of tables."""
    for node in nodes_of(source):
        if isinstance(node, ast.Dict):
            yield from [name for name in listed(node) if name in NAMES]


@pytest.mark.parametrize(
    ("search", "allowed"),
    [(lists_of_operations, LISTS), (keys_of_operations, TABLES)],
    ids=["lists", "tables"],
)
def test_only_cards_list_operations(search: Callable[[str], Iterator[Any]], allowed: dict[str, str]) -> None:
    listing = {}
    for file in PACKAGE.rglob("*.py"):
        path = file.relative_to(PACKAGE).as_posix()
        names = [] if path.startswith(EXEMPT) else list(search(file.read_text()))
        if names:
            listing[path] = names
    assert {path: names for path, names in listing.items() if path not in allowed} == {}, (
        "use a trait or a part of the cards (hlokit.operations) instead"
    )
    assert set(allowed) - set(listing) == set(), "there is no such list: remove it"


@pytest.mark.parametrize(
    "source",
    [
        "x = {'stablehlo.add', 'stablehlo.abs', 'stablehlo.xor'}",
        "x = frozenset(f'stablehlo.{name}' for name in ('add', 'abs', 'xor'))",
        "x = 'add abs xor'.split()",
        "match x:\n    case 'add' | 'abs' | 'xor':\n        pass",
    ],
)
def test_lists_are_found(source: str) -> None:
    assert len(list(lists_of_operations(source))) == 1
    assert not list(lists_of_operations(source.replace("abs", "other")))


def test_keys_are_found() -> None:
    assert list(keys_of_operations("x = {'stablehlo.add': f, 'other': g(1)}")) == ["stablehlo.add"]
