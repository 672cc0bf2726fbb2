"""Artifacts that need no upgrade are only converted, with the same result as deserializing."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from hlokit import _bytecode
from hlokit.compat.serialize import serialize
from hlokit.errors import HlokitError
from hlokit.mlir.parse import _converted, _deserialize, parse_bytecode, parse_text
from hlokit.mlir.provider.bindings import ir, passmanager
from hlokit.mlir.provider.context import make_context, small_context
from hlokit.mlir.text.split import split_input

from .campaign import FIXTURES, is_validated, reader_version
from .programs import MIXED, PLAIN, module

PROGRAMS = sorted((Path(__file__).parents[2] / "interpret").glob("*.mlir"))[::6]


def printed(parsed: ir.Module) -> str:
    return str(parsed.operation.get_asm(enable_debug_info=True))


def compare(data: bytes) -> bool:
    """Assert that conversion and deserializing agree; returns whether the conversion applies."""
    bytecode = _bytecode.Bytecode(data)
    converted = _converted(small_context(), data, bytecode)
    if converted is not None:
        assert printed(converted) == printed(_deserialize(make_context(), data, "-", bytecode))
        assert converted.operation.verify()
    return converted is not None


@pytest.mark.parametrize("text", [PLAIN, MIXED], ids=["plain", "mixed"])
def test_programs(text: str) -> None:
    assert compare(serialize(module(text), "current"))


def artifact_of(text: str) -> bytes | None:
    """The artifact of a program without its checks, which are of another dialect; None if it has none."""
    lines = [line for line in text.splitlines() if "check." not in line]
    try:
        return serialize(parse_text(make_context(), "\n".join(lines)), "current")
    except HlokitError:  # an operation that only newer bindings know, or the rest of a check of two lines
        return None


@pytest.mark.deep
def test_interpreted_programs() -> None:
    texts = [text for path in PROGRAMS for text in split_input(path.read_text())]
    artifacts = [data for data in map(artifact_of, texts) if data is not None]
    validated = [data for data in artifacts if is_validated(data, reader_version())]
    assert len(validated) > 0.9 * len(texts) > 100
    for data in validated:
        assert compare(data)


def test_artifacts_of_all_versions() -> None:
    artifacts = [path.read_bytes() for path in sorted(FIXTURES.glob("*.bc"))]
    validated = [data for data in artifacts if is_validated(data, reader_version())]
    assert len(validated) >= 30
    # Those of earlier versions are upgraded.
    assert 0 < sum(map(compare, validated)) < len(validated)


def test_old_operations_are_left_to_the_upgrade() -> None:
    text = """func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.tanh %a : tensor<2xf32>
      return %0 : tensor<2xf32>
    }"""
    assert compare(serialize(module(text), "current"))
    assert not compare(serialize(module(text), "1.0.0"))


def test_invalid_programs_are_left_to_the_verifier() -> None:
    parsed = module(PLAIN)
    with parsed.context:
        passmanager.PassManager.parse("builtin.module(stablehlo-legalize-to-vhlo)").run(parsed.operation)
    text = str(parsed)
    for before in ("-> ", '"vhlo.return_v1"(%0) : ('):
        assert f"{before}!vhlo.tensor_v1<2x" in text
        text = text.replace(f"{before}!vhlo.tensor_v1<2x", f"{before}!vhlo.tensor_v1<3x")
    buffer = io.BytesIO()
    ir.Module.parse(text, parsed.context).operation.write_bytecode(buffer)
    data = buffer.getvalue()
    assert _converted(small_context(), data, _bytecode.Bytecode(data)) is None
    with pytest.raises(HlokitError, match=r"'stablehlo\.add' op requires the same shape"):
        parse_bytecode(None, data, is_trusted=True)
