"""Lists in pages agree with the code, and files that pages name exist."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from hlokit.reference.operations import operations

from .test_examples_in_docs import COMMANDS

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").glob("*.md"),
        *(
            path
            for folder in ("concepts", "howto", "reference")
            for path in (ROOT / "docs" / folder).glob("*.md")
        ),
        *(ROOT / "examples").glob("*.md"),
    ]
)
_PATH = re.compile(r"`((?:python|docs|tests|examples|lib|benchmarks)/[\w./-]+)`")


def test_ops_page_is_up_to_date() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "generators" / "make_ops.py"))["table"]()
    assert (ROOT / "docs" / "reference" / "ops.md").read_text() == made, (
        "run: python docs/generators/make_ops.py"
    )


def test_page_of_meanings_is_up_to_date() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "generators" / "make_meanings.py"))["table"]()
    assert (ROOT / "docs" / "reference" / "operations.md").read_text() == made, (
        "run: python docs/generators/make_meanings.py"
    )


def test_page_of_meanings_has_all_operations() -> None:
    headings = re.findall(
        r"^### (.*)$", (ROOT / "docs" / "reference" / "operations.md").read_text(), re.MULTILINE
    )
    assert sorted(headings) == list(operations())


def test_passes_page_is_up_to_date() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "generators" / "make_passes.py"))["page"]()
    assert (ROOT / "docs" / "reference" / "passes.md").read_text() == made, (
        "run: python docs/generators/make_passes.py"
    )


def test_page_of_commands_is_up_to_date() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "generators" / "make_commands.py"))["page"]()
    assert (ROOT / "docs" / "reference" / "commands.md").read_text() == made, (
        "run: python docs/generators/make_commands.py"
    )


@pytest.mark.parametrize("command", ["hlokit", "stablehlo-opt", "stablehlo-translate"])
def test_page_of_commands_contains_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert COMMANDS[command](["--help"]) == 0
    assert capsys.readouterr().out in (ROOT / "docs" / "reference" / "commands.md").read_text()


def test_files_that_pages_name_exist() -> None:
    names = [(page.name, name) for page in PAGES for name in _PATH.findall(page.read_text())]
    assert len(names) > 100
    assert [f"{page} names {name}" for page, name in names if not (ROOT / name).exists()] == []


def test_architecture_is_one_page() -> None:
    """At most 200 lines, and at most 15 for each of the two walks."""
    page = (ROOT / "docs" / "architecture.md").read_text()
    assert len(page.splitlines()) <= 200
    for title in ("## The path of a value from", "## The path of an operation from"):
        walk = page.split(title)[1].split("\n## ")[0].splitlines()[1:]
        assert 10 <= len([line for line in walk if line.strip()]) <= 15, title


def test_there_are_pages() -> None:
    assert {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "BUILD.md"} <= {page.name for page in PAGES}
