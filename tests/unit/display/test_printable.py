"""Texts of strangers in messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlokit.cli.main import main
from hlokit.display.printable import abridged


def test_very_long_words_are_abridged() -> None:
    word = "".join(chr(ord("a") + n % 26) for n in range(20_000))
    assert abridged(f"op '{word}' is unknown") == f"op '{word[:99]}...{word[-99:]}' is unknown"
    assert abridged(word[:499]) == word[:499]
    assert abridged("many words " * 5000) == "many words " * 5000


@pytest.mark.parametrize(
    "text",
    [
        "a" * 20_000,
        f"func.func @main() -> tensor<f32> {{ %0 = stablehlo.custom_call @{'b' * 20_000}() : () -> tensor<f32> return %0 : tensor<f32> }}",
        "HloModule " + "c" * 20_000,
    ],
    ids=["junk", "target", "hlo"],
)
def test_a_long_line_is_not_echoed(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "long.mlir"
    path.write_text(text)
    assert main(["run", str(path)]) == 1
    assert 0 < len(capsys.readouterr().err) < 2000
