"""The pages reference/operations: an index, and one page for each operation.

Each page comes from the operation's card, the table of constraints, a program of `tests/interpret`, the pages on
accuracy, choices and findings, and the source of the reference.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from pathlib import Path

from hlokit.clients.mcp import pages as plain_pages
from hlokit.operations.cards import CHAPTERS, card_of
from hlokit.operations.cards.card import Card, Without
from hlokit.tools.service import operations as service

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(Path(__file__).parent))

import make_examples  # noqa: E402 # after its directory is on the path
import make_meanings  # noqa: E402
import make_ops  # noqa: E402
import make_python  # noqa: E402

FOLDER = "reference/operations"
INDEX_HEAD = """# Operations

The page of each operation says what it does and which types it takes, has an example with its result, the constraints
of the specification, and the code that defines the operation. The search finds an operation by any of its names.
[Types and tests](../ops.md) compares all operations in one table, and lists the supported custom calls.
"""
# The pages whose rows name operations, with the title of the section that shows them.
_ABOUT = {
    "divergences.md": (
        "Choices and divergences",
        "What the specification leaves open, and where other implementations differ",
    ),
    "findings.md": ("Faults of other implementations", "Programs that show them"),
}
_KINDS = (
    "booleans, `i1`",
    "signed integers, `i2` to `i64`",
    "unsigned integers, `ui2` to `ui64`",
    "floats, `f4E2M1FN` to `f64`",
    "complex numbers",
    "quantized, per tensor and per axis",
)
# Of complex numbers the page has the conditioned error, which the targets are about.
_COLUMNS = ("type", "inputs", "hlokit max", "mean", "conditioned", "not nearest")
_ROW = re.compile(r"^\| (.*) \|$", re.MULTILINE)


def names() -> list[str]:
    """The operations that programs can contain."""
    return [name for name in plain_pages.operations() if not name.startswith("vm.")]


def pages() -> dict[str, Callable[[], str]]:
    """Paths within docs/ and the functions that return the pages."""
    operations = {f"{FOLDER}/{name}.md": partial(page, name) for name in names()}
    return {f"{FOLDER}/index.md": index, **operations}


def index() -> str:
    """The list of all operations, by chapter of the cards."""
    parts, listed = [INDEX_HEAD], set(names())
    for chapter in CHAPTERS:
        module = import_module(f"hlokit.operations.cards.{chapter}")
        title = (module.__doc__ or "").split(":")[0].splitlines()[0].rstrip(".")
        rows = [
            f"| [`{card.name}`]({card.name}.md) | {_first_sentence(card)} |"
            for card in sorted(module.CARDS, key=lambda card: card.name)
            if card.name in listed
        ]
        parts.append(f"## {title}\n\n| operation | |\n|---|---|\n" + "\n".join(rows) + "\n")
    return "\n".join(parts)


def page(name: str) -> str:
    """The page of an operation."""
    card = card_of(name)
    assert card is not None, name
    sections = (
        _types(card),
        _example(card),
        _constraints(name),
        _accuracy(name),
        *(_rows_about(name, path) for path in _ABOUT),
        _definition(card),
    )
    return "\n\n".join([f"# {name}", *_meaning(card), *filter(None, sections)]) + "\n"


# What it does ---------------------------------------------------------------------------------------


def _first_sentence(card: Card) -> str:
    text = re.match(r"(.*?)\.(?:\s|$)", card.summary)
    sentence = text[1] if text else plain(card.formula).rstrip(".")
    return sentence.replace("|", "\\|")


def _meaning(card: Card) -> list[str]:
    formula = f"```text\n{card.formula.rstrip('.')}\n```"
    info = service.operations().get(card.name)
    parts = [make_python.linked(card.summary, "../..")] if card.summary else []
    parts += [formula] if card.formula and card.summary else [plain(card.formula)] if card.formula else []
    if info is not None:
        parts.append(f"Operands, attributes (optional ones in brackets) and regions: `{info.usage}`")
    names_elsewhere = ", ".join(f"`{alias}`" for alias in card.traits.aliases)
    if names_elsewhere:
        parts.append(f"Other names: {names_elsewhere}.")
    link = plain_pages.specification(card.name)
    if link:
        parts.append(f"[{card.name} in the StableHLO specification]({link})")
    elif card.name.startswith("stablehlo."):
        parts.append("The specification has no section on this operation.")
    return parts


def plain(text: str) -> str:
    """Text with the characters escaped that Markdown takes for markup."""
    return re.sub(r"([*<\[])", r"\\\1", text)


def _types(card: Card) -> str:
    kinds = make_ops.kinds_of(card.name)
    if len(kinds) != len(_KINDS) or kinds[0] in ("any", "no", "newer bindings only"):
        return ""
    rows = [f"| {kind} | {_answer(cell)} |" for kind, cell in zip(_KINDS, kinds, strict=True) if cell]
    table = "| elements | hlokit evaluates |\n|---|---|\n" + "\n".join(rows)
    return f"## Types\n\n{table}\n\nMLIR's verifier refuses element types that are not listed."


def _answer(cell: str) -> str:
    return {"yes": "all types", "no": "none"}.get(cell, cell)


def _example(card: Card) -> str:
    example = make_examples.of(card.name)
    if example is None:
        return ""
    return (
        f"## Example\n\n```mlir\n{example.program}\n```\n\n`hlokit run {example.file}` prints:\n\n"
        f"```text\n{example.output}\n```"
    )


# What others say about it ---------------------------------------------------------------------------


def _constraints(name: str) -> str:
    listed = plain_pages.constraints(name)
    if not listed:
        return ""
    rows = [f"| {label} | {plain(rule)} | {checked} |" for label, rule, checked in listed]
    head = "| label | rule | checked by |\n|---|---|---|\n"
    return (
        "## Constraints\n\n" + head + "\n".join(rows) + "\n\n*verifier*: MLIR's verifier; *strict*: "
        "`hlokit verify --strict` in addition; *run*: the evaluation ([status](../status.md))."
    )


@cache
def _text(path: str) -> str:
    return (ROOT / "docs" / path).read_text()


def _accuracy(name: str) -> str:
    """hlokit's columns of the table on the page on accuracy."""
    section = re.search(rf"^### `{re.escape(name)}`\n(.*?)(?=^##|\Z)", _text("accuracy.md"), re.M | re.S)
    if section is None:
        return ""
    head, *rows = (re.split(r" *\| *", row) for row in _ROW.findall(section[1]))
    lines: list[str] = []
    for row in rows:
        type_, inputs, most, mean, conditioned, wrong = (row[head.index(column)] for column in _COLUMNS)
        lines.append(f"| `{type_}` | {inputs} | {conditioned or most} | {mean} | {wrong} |")
    anchor = make_meanings.anchor(name)
    return (
        "## Accuracy\n\nErrors of hlokit in units in the last place (conditioned ones of complex numbers); [accuracy](../../accuracy.md"
        f"#{anchor}) has other implementations and the method.\n\n"
        "| type | inputs | largest | mean | not nearest |\n|---|---|---|---|---|\n" + "\n".join(lines)
    )


def _rows_about(name: str, path: str) -> str:
    """The rows of a page's tables that name the operation in their first or second column."""
    mnemonic = name.partition(".")[2]
    word = re.compile(rf"`(?:{re.escape(name)}|{re.escape(mnemonic)})`")
    if not name.startswith(("stablehlo.", "chlo.")):
        return ""
    title, text = _ABOUT[path]
    items: list[str] = []
    head: list[str] = []
    for line in _text(path).splitlines():
        if not line.startswith("|"):
            head = []
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if not head:
            head = cells
        elif any(word.search(cell) for cell in cells[: 1 if head[0] == "what" else 2]):
            others = [f"{column}: {cell}" for column, cell in zip(head[1:], cells[1:], strict=True) if cell]
            items.append(f"- {cells[0]}. {'; '.join(others)}")
    rows = "\n".join(items)
    return f"## {title}\n\n{text} ([more](../../{path})).\n\n{rows}" if items else ""


# What defines it ------------------------------------------------------------------------------------


def _definition(card: Card) -> str:
    if isinstance(card.reference, Without):
        return f"The reference has no function of this operation: {card.reference.reason}."
    source = make_meanings.sources().get(card.name)
    if source is None:
        return ""
    file, functions = source
    code = "\n\n\n".join(functions)
    return (
        f"## Definition\n\nThe function of `{file}` that defines the results; every faster way gives the same bytes. "
        f'`hlokit run --reference` and `program(x, tier="reference")` evaluate programs so.\n\n```python\n{code}\n```'
    )
