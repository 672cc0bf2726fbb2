"""Lists of expected failures."""

from __future__ import annotations

import pytest

from hlokit.mlir.portable import Version
from hlokit.tools.conformance.expectations import own_expectations, read_expectations, reason_for

LIST = "# comment\n\na/b.mlir | why\nc/*.mlir | old bindings | below 1.18.0\n"


def test_lines() -> None:
    items = read_expectations(LIST, Version(1, 17))
    assert reason_for("a/b.mlir", items) == "why"
    assert reason_for("c/x.mlir", items) == "old bindings"
    assert reason_for("a/c.mlir", items) is None


def test_newer_bindings_do_better() -> None:
    assert reason_for("c/x.mlir", read_expectations(LIST, Version(1, 18))) is None


def test_older_bindings_do_better() -> None:
    text = "a.mlir | prints otherwise | from 1.18.0"
    assert reason_for("a.mlir", read_expectations(text, Version(1, 17))) is None
    assert reason_for("a.mlir", read_expectations(text, Version(1, 18))) == "prints otherwise"


@pytest.mark.parametrize(
    "line", ["a.mlir", "a.mlir |", "| why", "a | b | c", "a | b | below x", "a | b | until 1.0.0"]
)
def test_malformed_lines(line: str) -> None:
    with pytest.raises(ValueError, match="line 1"):
        read_expectations(line, Version(1, 0))


def test_own_list_can_be_read() -> None:
    # Folders of suites; the files of Enzyme-JAX have no folder.
    folders = ("tests/", "testdata/", "conversions/", "export/", "tpu_", "chlo_lgamma_prop", "redregion")
    assert all(item.pattern.startswith(folders) for item in own_expectations())
