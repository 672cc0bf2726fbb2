"""The reference as a tier: the interface of the API and the commands."""

from __future__ import annotations

import numpy as np
import pytest

import hlokit
from hlokit.cli.main import main

ADD = """
func.func @main(%x: tensor<3xf32>, %y: tensor<f32>) -> (tensor<3xf32>, tensor<f32>) {
  %0 = stablehlo.add %x, %x : tensor<3xf32>
  return %0, %y : tensor<3xf32>, tensor<f32>
}"""


def test_the_reference_takes_and_gives_arrays() -> None:
    program = hlokit.load(ADD)
    x, y = np.array([1, 2, 3], np.float32), np.float32(4)
    for given, expected in zip(program(x, y, tier="reference"), program(x, y), strict=True):
        assert type(given) is type(expected)
        assert given.tobytes() == expected.tobytes()


def test_tuples_and_tokens() -> None:
    program = hlokit.load("""
      func.func @main(%t: tuple<tensor<2xi32>, !stablehlo.token>) -> (tuple<tensor<2xi32>, !stablehlo.token>, !stablehlo.token) {
        %0 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<2xi32>, !stablehlo.token>) -> !stablehlo.token
        return %t, %0 : tuple<tensor<2xi32>, !stablehlo.token>, !stablehlo.token
      }""")
    given = (np.array([1, 2], np.int32), hlokit.Token())
    (array, token), last = program(given, tier="reference")
    assert array.tolist() == [1, 2] and token == last == hlokit.Token()


@pytest.mark.parametrize(
    "options, message",
    [
        ({"tier": "fast"}, "tier must be default or reference, got fast"),
        ({"tier": "reference", "precision": "high"}, "no other precision or backend"),
        ({"tier": "reference", "observer": hlokit.Trace(print)}, "no observers"),
    ],
)
def test_options_that_the_reference_does_not_support(options: dict[str, object], message: str) -> None:
    with pytest.raises(hlokit.HlokitError, match=message):
        hlokit.load(ADD)([1, 2, 3], 4, **options)


def test_the_command_runs_the_reference(
    tmp_path: object, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"{tmp_path}/add.mlir"
    with open(path, "w") as file:
        file.write(ADD)
    arguments = ["dense<[1.0, 2.0, 3.0]> : tensor<3xf32>", "dense<4.0> : tensor<f32>"]
    texts: list[str] = []
    for flags in ([], ["--reference"]):
        assert main(["run", path, *arguments, *flags]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1] != ""
