"""Lists in pages agree with the code, and files that pages name exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import hlokit
from hlokit.cli.main import SUBCOMMANDS
from hlokit.operations.index import INDEX
from hlokit.passes.table import PASSES
from hlokit.reference.operations import operations

from .pages import BUILT, OPERATIONS, OTHERS, PAGES, ROOT, text_of
from .test_examples_in_docs import COMMANDS

ALL = [
    *(path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("*.md"), *(ROOT / "examples").glob("*.md")]),
    *PAGES,
]
_PATH = re.compile(r"`((?:python|docs|tests|examples|lib|benchmarks)/[\w./-]+)`")


def test_built_pages_are_not_in_git() -> None:
    assert len(BUILT) - len(OPERATIONS) == 6
    assert [page for page in (*BUILT, *OTHERS) if (ROOT / page).exists()] == []


@pytest.mark.parametrize("page", sorted(BUILT.keys() - {*OPERATIONS}))
def test_built_pages_have_text(page: str) -> None:
    assert text_of(page).startswith("# ") and len(text_of(page).splitlines()) > 40


def test_page_of_operations_has_all_operations() -> None:
    named = set(
        re.findall(
            r"^\| \[`([\w.-]+)`\]\(operations/\1\.md\) \|", text_of("docs/reference/ops.md"), re.MULTILINE
        )
    )
    assert {name for name in operations() if name.startswith(("stablehlo.", "chlo."))} <= named
    assert (
        "| [`stablehlo.add`](operations/stablehlo.add.md) | yes | yes | yes | yes | yes | yes |"
        in text_of("docs/reference/ops.md")
    )
    assert "not evaluated |" not in text_of("docs/reference/ops.md").split("\n## Custom calls")[0]
    for table in re.findall(r"(?:^\|.*\n)+", text_of("docs/reference/ops.md"), re.MULTILINE):
        header, *rows = table.splitlines()
        assert {row.count(" | ") for row in rows[1:]} == {header.count(" | ")}


@pytest.mark.deep
def test_pages_of_operations() -> None:
    """Each has what it must have, and its example prints what the page says."""
    names = {page.removeprefix("docs/reference/operations/").removesuffix(".md") for page in OPERATIONS}
    assert names == {name for name in INDEX if not name.startswith("vm.")} | {"index"}
    defined = {name for name in operations() if name.startswith(("stablehlo.", "chlo."))}
    for name in sorted(names - {"index"}):
        text = text_of(f"docs/reference/operations/{name}.md")
        assert f"[`{name}`]({name}.md)" in text_of("docs/reference/operations/index.md")
        assert text.startswith(f"# {name}\n\n") and len(text.splitlines()) > 2, name
        assert name not in defined or "## Definition" in text, name
        assert name not in defined or "## Example" in text or name == "stablehlo.collective_reduce", name


@pytest.mark.parametrize("name", ["sort", "all_gather", "while"])
def test_examples_of_operations_print_what_their_pages_say(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = text_of(f"docs/reference/operations/stablehlo.{name}.md")
    program, command, output = re.findall(
        r"```mlir\n(.*?)```\n\n`hlokit (.*?)` prints:\n\n```text\n(.*?)```", text, re.DOTALL
    )[0]
    (tmp_path / f"{name}.mlir").write_text(program)
    assert COMMANDS["hlokit"](command.split()) == 0
    assert capsys.readouterr().out == output


def test_python_pages_have_all_public_names() -> None:
    headings = re.findall(r"^### hlokit\.(\w+)$", text_of("docs/reference/python.md"), re.MULTILINE)
    assert sorted(headings) == sorted(hlokit.__all__)
    by_task = (ROOT / "docs/reference/api.md").read_text()
    named = {word for code in re.findall(r"`[^`]+`", by_task) for word in re.findall(r"\w+", code)}
    assert [name for name in hlokit.__all__ if name not in named] == []
    members = re.findall(r"^#### Program\.(\w+)$", text_of("docs/reference/python.md"), re.MULTILINE)
    assert {"__call__", "trace", "view", "serialize", "example_inputs"} <= set(members)


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
        f"{page} names {name}"
        for page, name in names
        if not (ROOT / name).exists() and name not in OTHERS | BUILT.keys()
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
