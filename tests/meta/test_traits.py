"""The table of operations has all traits that the package uses, and no other file of the package lists
operations."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from hlokit import _kernels
from hlokit.contract.registry import registered_operations
from hlokit.traits import table as traits
from hlokit.traits.legend import TRAITS

PACKAGE = Path(__file__).parents[2] / "python" / "hlokit"
TRAITS_OF = {name: traits.traits_of(name) for name in traits.operations()}
NAMES = {name for name in TRAITS_OF if not name.endswith("*") and not name.startswith("vm.")}
MNEMONICS = {name.partition(".")[2] for name in NAMES}


def test_the_legend_has_every_trait_and_no_other() -> None:
    assert {trait for found in TRAITS_OF.values() for trait in found} == set(TRAITS)
    assert set(traits.IMPLIED) <= set(TRAITS)


def test_every_operation_has_one_row() -> None:
    assert [name for name, count in Counter(traits.operations()).items() if count > 1] == []
    for name in registered_operations():
        assert traits.module_of(name) is not None, name


def test_implied_traits_imply_theirs() -> None:
    for found in TRAITS_OF.values():
        for trait in found:
            assert {each.partition("=")[0] for each in traits.IMPLIED.get(trait, "").split()} <= set(found)


def test_rows_and_the_index_agree() -> None:
    for trait in TRAITS:
        assert traits.having(trait) == {name for name, found in TRAITS_OF.items() if trait in found}
    assert traits.values("ulps")["chlo.erf"] == traits.traits_of("chlo.erf")["ulps"] == "48"
    assert traits.having("feed", "channel") == {
        f"stablehlo.{n}" for n in ("infeed", "outfeed", "send", "recv")
    }
    assert traits.mnemonics("control") >= {"call", "while", "assuming"}
    with pytest.raises(KeyError, match="no_such"):
        traits.having("no_such")


def test_operations_that_no_row_names_have_no_traits() -> None:
    assert traits.traits_of("stablehlo.ad") == traits.traits_of("stablehlo.addd") == {}
    assert traits.module_of("stablehlo.ad") is None and traits.module_of("stablehlo.return") is None
    assert traits.module_of("shape.of_a_later_version") == "hlokit.ops.dialects.shape"


def test_rows_continue_in_lines_with_a_deeper_indentation() -> None:
    assert len(traits.opcodes("stablehlo.compare")) == 12 and traits.has("stablehlo.compare", "exact")
    assert traits.opcode("stablehlo.compare") is None and traits.opcode("stablehlo.iota") is None


def test_opcodes_are_those_that_the_extension_exports() -> None:
    named = {opcode for name in TRAITS_OF for opcode in traits.opcodes(name)}
    assert named == {name for _, name, _, _ in _kernels.opcodes()}


# Lists of operations -------------------------------------------------------------------------------------

# Lists whose contents are of no use to other code, each with the reason for its place.
ALLOWED = {
    "accuracy/expected.py": "functions whose samples take longest",
    "accuracy/pairs.py": "columns of docs/accuracy.md",
    "accuracy/run.py": "columns of docs/accuracy.md",
    "conformance/suites.py": "helper operations in files of testdata for one operation",
    "numerics/result_accuracy.py": "functions of mpmath, by their names there",
    "numerics/wide.py": "reasons for single operations",
    "ops/regions/reducers.py": "formulas of reductions",
    "passes/folding/operations.py": "reasons for single operations",
    "reference/dialects/shardings.py": "operations of sdy, some of which are named as those of StableHLO",
    "service/inference.py": "what the bindings infer from operands",
}
# In these rooms, the name of an operation is the key of its rules.
EXEMPT = ("constraints/", "traits/table.py")
MOST = 2


def strings(nodes: list[ast.expr]) -> list[str]:
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def is_function(node: ast.expr) -> bool:
    return not isinstance(node, ast.Constant | ast.Tuple | ast.List | ast.Set)


def listed(node: ast.AST) -> list[str]:
    """The strings of one literal: elements, keys (unless their values are functions), alternatives, words."""
    match node:
        case ast.Set(elements) | ast.Tuple(elements) | ast.List(elements):
            return strings(elements)
        case ast.Dict(keys, values):
            return strings(
                [key for key, value in zip(keys, values, strict=True) if key and not is_function(value)]
            )
        case ast.MatchOr(patterns):
            return strings([each.value for each in patterns if isinstance(each, ast.MatchValue)])
        case ast.Constant(str(text)):
            words = text.split()
            return words if all(is_name(word) for word in words) else []
        case _:
            return []


def is_name(word: str) -> bool:
    return word in NAMES or word in MNEMONICS


def lists_of_operations(source: str) -> Iterator[list[str]]:
    for node in ast.walk(ast.parse(source)):
        names = [name for name in listed(node) if is_name(name)]
        if len(names) > MOST:
            yield names


def test_operations_are_listed_in_the_table_only() -> None:
    found: dict[str, list[str]] = {}
    for file in PACKAGE.rglob("*.py"):
        path = str(file.relative_to(PACKAGE))
        lists = [] if path.startswith(EXEMPT) else list(lists_of_operations(file.read_text()))
        if lists:
            found[path] = lists[0]
    new = {path: names for path, names in found.items() if path not in ALLOWED}
    assert new == {}, "use a trait of traits/table.py instead of a list"
    assert set(ALLOWED) - set(found) == set(), "there is no such list: remove it from ALLOWED"


@pytest.mark.parametrize(
    "source",
    [
        "x = {'stablehlo.add', 'stablehlo.abs', 'stablehlo.xor'}",
        "x = frozenset(f'stablehlo.{name}' for name in ('add', 'abs', 'xor'))",
        "x = {'stablehlo.add': (1,), 'stablehlo.abs': 2, 'stablehlo.xor': 'no'}",
        "x = 'add abs xor'.split()",
        "match x:\n    case 'add' | 'abs' | 'xor':\n        pass",
    ],
)
def test_lists_are_found(source: str) -> None:
    assert len(list(lists_of_operations(source))) == 1
    assert not list(lists_of_operations(source.replace("abs", "other")))


def test_tables_of_functions_are_no_lists() -> None:
    assert not list(
        lists_of_operations("x = {'stablehlo.add': f, 'stablehlo.abs': g(1), 'stablehlo.xor': h.i}")
    )
