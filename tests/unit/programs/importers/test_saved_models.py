"""Saved models of TensorFlow: files that TensorFlow 2.21 with jax2tf of JAX 0.10.2 wrote, and graphs made here.

TensorFlow computed the outputs in `data/`. `export_saved_model.py` makes both.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import hlokit
from hlokit.cli.main import main
from hlokit.programs.importers import saved_model

DATA = Path(__file__).parent / "data"


def test_saved_models(capsys: pytest.CaptureFixture[str]) -> None:
    with np.load(DATA / "saved_model.npz") as data:
        arguments, expected = [data["b"], data["w"], data["x"]], data["y"]
    for source in (DATA / "saved_model", DATA / "saved_model" / "saved_model.pb"):
        np.testing.assert_allclose(hlokit.load(source)(*arguments), expected, rtol=1e-6)
        assert main(["ops", str(source)]) == 0
        assert "every operation can be evaluated" in capsys.readouterr().out
    (call,) = saved_model.call_modules((DATA / "saved_model" / "saved_model.pb").read_bytes())
    assert call.name and call.artifact.startswith(b"ML\xefR")


def test_saved_models_with_gradients() -> None:
    with np.load(DATA / "saved_model_with_gradient.npz") as data:
        w, b, x, y = (data[name] for name in ("w", "b", "x", "y"))
    program = hlokit.load(DATA / "saved_model_with_gradient")
    assert [str(type_) for type_ in program.signature().inputs] == [
        "tensor<2xf32>",
        "tensor<3x2xf32>",
        "tensor<?x3xf32>",
    ]
    np.testing.assert_allclose(program(b, w, x), y, rtol=1e-6)
    np.testing.assert_allclose(program(b, w, x[:1]), y[:1], rtol=1e-6)


def message(*fields: tuple[int, bytes]) -> bytes:
    """A protocol buffer of fields with fewer than 128 bytes each."""
    return b"".join(bytes([number << 3 | 2, len(value)]) + value for number, value in fields)


def saved_message(number: int, value: bytes) -> bytes:
    """A field of fewer than 16 KiB."""
    return bytes([number << 3 | 2, len(value) & 0x7F | 0x80, len(value) >> 7]) + value


def node(op: str, attribute: str, value: bytes) -> bytes:
    entry = message((1, attribute.encode()), (2, value))
    return message((1, b"n"), (2, op.encode()), (5, entry))


def test_functions_that_gradients_call() -> None:
    def function(name: str, *nodes: bytes) -> tuple[int, bytes]:
        return 1, message((1, message((1, name.encode()))), *((3, one) for one in nodes))

    def program(artifact: str) -> bytes:
        return node("XlaCallModule", "module", message((2, artifact.encode())))

    def call(name: str) -> bytes:
        return node("Call", "f", message((10, message((1, name.encode())))))

    def call_in_list(name: str) -> bytes:
        return node("Case", "branches", message((1, message((9, message((1, name.encode())))))))

    def artifacts(graph: bytes) -> list[str]:
        data = b"\x08\x01" + saved_message(2, saved_message(2, graph))
        return [call.artifact.decode() for call in saved_model.call_modules(data)]

    library = [
        function("grad", call("shared"), call_in_list("inner")),
        function("inner", program("I")),
        function("shared", program("S")),
        (3, message((1, b"grad"))),
    ]
    assert artifacts(saved_message(2, message(*library))) == []
    by_node = message((1, call("shared"))) + saved_message(2, message(*library))
    assert artifacts(by_node) == ["S"]
    by_function = message(*library, function("saved", call_in_list("inner"), call("inner")))
    assert artifacts(saved_message(2, by_function)) == ["I"]


def test_malformed_saved_models() -> None:
    data = (DATA / "saved_model" / "saved_model.pb").read_bytes()
    for changed in (data[:-1], data[:100], data.replace(b"XlaCallModule", b"XlaCallNodule")):
        with pytest.raises(hlokit.ParseError, match="saved model"):
            hlokit.load(changed + b"tensorflow")
