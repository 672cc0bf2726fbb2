"""Lists in pages agree with the code, and files that pages name exist."""

from __future__ import annotations

import re

import pytest

from hlokit.cli.main import SUBCOMMANDS
from hlokit.passes.table import PASSES
from hlokit.reference.operations import operations

from .pages import BUILT, PAGES, ROOT, text_of
from .test_examples_in_docs import COMMANDS

ALL = [
    *(path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("*.md"), *(ROOT / "examples").glob("*.md")]),
    *PAGES,
]
_PATH = re.compile(r"`((?:python|docs|tests|examples|lib|benchmarks)/[\w./-]+)`")


def test_built_pages_are_not_in_git() -> None:
    assert len(BUILT) == 5
    assert [page for page in BUILT if (ROOT / page).exists()] == []


@pytest.mark.parametrize("page", BUILT)
def test_built_pages_have_text(page: str) -> None:
    assert text_of(page).startswith("# ") and len(text_of(page).splitlines()) > 40


def test_page_of_operations_has_all_operations() -> None:
    named = set(re.findall(r"^\| `([\w.-]+)` \|", text_of("docs/reference/ops.md"), re.MULTILINE))
    assert {name for name in operations() if name.startswith(("stablehlo.", "chlo."))} <= named
    assert "| `stablehlo.add` | yes | yes | yes | yes | yes | yes |" in text_of("docs/reference/ops.md")
    assert "not evaluated |" not in text_of("docs/reference/ops.md").split("\n## Custom calls")[0]
    for table in re.findall(r"(?:^\|.*\n)+", text_of("docs/reference/ops.md"), re.MULTILINE):
        header, *rows = table.splitlines()
        assert {row.count(" | ") for row in rows[1:]} == {header.count(" | ")}


def test_page_of_meanings_has_all_operations() -> None:
    headings = re.findall(r"^### (.*)$", text_of("docs/reference/operations.md"), re.MULTILINE)
    assert sorted(headings) == list(operations())


def test_page_of_passes_has_all_passes() -> None:
    headings = re.findall(r"^## (.*)$", text_of("docs/reference/passes.md"), re.MULTILINE)
    assert headings == [*sorted(PASSES), "Implementation"]


def test_page_of_commands_has_all_subcommands() -> None:
    headings = re.findall(r"^### hlokit (.*)$", text_of("docs/reference/commands.md"), re.MULTILINE)
    assert headings == list(SUBCOMMANDS)


@pytest.mark.parametrize("command", ["hlokit", "stablehlo-opt", "stablehlo-translate"])
def test_page_of_commands_contains_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert COMMANDS[command](["--help"]) == 0
    assert capsys.readouterr().out in text_of("docs/reference/commands.md")


def test_files_that_pages_name_exist() -> None:
    names = [(page, name) for page in ALL for name in _PATH.findall(text_of(page))]
    assert len(names) > 100
    assert [
        f"{page} names {name}" for page, name in names if not (ROOT / name).exists() and name not in BUILT
    ] == []


def test_architecture_is_one_page() -> None:
    """At most 200 lines, and at most 15 for each of the two walks."""
    page = (ROOT / "docs" / "architecture.md").read_text()
    assert len(page.splitlines()) <= 200
    for title in ("## The path of a value from", "## The path of an operation from"):
        walk = page.split(title)[1].split("\n## ")[0].splitlines()[1:]
        assert 10 <= len([line for line in walk if line.strip()]) <= 15, title


def test_there_are_pages() -> None:
    assert {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "BUILD.md"} <= set(ALL)
