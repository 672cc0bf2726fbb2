"""The native validation of artifacts: it accepts valid ones, and the bindings read all accepted ones."""

from __future__ import annotations

import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

import hlokit
from hlokit import _bytecode
from hlokit.compat.serialize import serialize
from hlokit.errors import ParseError
from hlokit.mlir import parse
from hlokit.mlir.parse import parse_bytecode, parse_text
from hlokit.mlir.provider.bindings import ir, stablehlo
from hlokit.mlir.provider.context import make_context
from hlokit.mlir.sandbox import sandboxed_parse
from tests.unit.lib.readers.samples import artifacts

from .campaign import is_validated

ROOT = Path(__file__).parents[3]
FIXTURES = sorted((ROOT / "tests" / "vhlo").glob("*.bc"))
EXAMPLES = sorted((ROOT / "examples" / "models").glob("*.mlirbc"))
CRASHING = sorted((Path(__file__).parent / "crashing").glob("*.mlirbc"))
# The version of bindings that know all operations.
ANY_VERSION = 9999


def reason(data: bytes, reader: int = ANY_VERSION) -> str:
    """The reason why an artifact is invalid; "" if it is valid."""
    try:
        _bytecode.Bytecode(data).validate(reader)
    except _bytecode.BytecodeError as error:
        return str(error)
    return ""


def test_artifacts_of_all_versions_are_known() -> None:
    reasons = {path.name: reason(path.read_bytes()) for path in (*FIXTURES, *EXAMPLES)}
    assert reasons and {name: text for name, text in reasons.items() if text} == {}


@pytest.mark.parametrize("path", CRASHING, ids=lambda path: path.stem)
def test_features_that_crash_some_bindings_are_unknown(path: Path) -> None:
    assert reason(path.read_bytes())


TEXT_PROGRAM = """
func.func @main(%a: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.custom_call @f(%a) {backend_config = "xyz"} : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}"""


@pytest.mark.parametrize(
    ("text", "is_valid"),
    [
        (b"xyz", True),
        (b"\xc3\xa9x", True),
        (b"\xed\x9f\xbf", True),
        (b"\xed\xa0\x80", False),
        (b"\xe0\x80\x80", False),
        (b"x\xffz", False),
    ],
    ids=["ASCII", "two bytes", "before surrogates", "surrogate", "too long", "no start"],
)
def test_texts_are_utf_8(text: bytes, is_valid: bool) -> None:
    artifact = serialize(parse_text(make_context(), TEXT_PROGRAM))
    assert artifact.count(b"xyz") == 1
    found = reason(artifact.replace(b"xyz", text))
    assert not found if is_valid else "must be UTF-8" in found


@pytest.fixture
def without_children(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> bytes:
        raise AssertionError("a child process was started")

    monkeypatch.setattr(sandboxed_parse, "answer", refuse)


@pytest.mark.usefixtures("without_children")
@pytest.mark.parametrize("version", artifacts())
def test_known_artifacts_need_no_child(version: str) -> None:
    assert "stablehlo.while" in hlokit.load(artifacts()[version]).text()


def _call(rule: str, results: int = 1) -> str:
    """A call of a library with a rule of Shardy, as JAX writes it. Of several results, the first is an
    operand's memory."""
    types = ", ".join(["tensor<4x6xf32>"] * results)
    index = "" if results == 1 else "0"
    alias = f"output_tuple_indices = [{index}], operand_index = 1, operand_tuple_indices = []"
    return f"""
      func.func @main(%a: tensor<4x8xf32>, %b: tensor<4x6xf32>) -> ({types}) {{
        %0:{results} = stablehlo.custom_call @f(%a, %b) {{
          output_operand_aliases = [#stablehlo.output_operand_alias<{alias}>],
          sdy.sharding_rule = #sdy.op_sharding_rule<{rule}>
        }} : (tensor<4x8xf32>, tensor<4x6xf32>) -> ({types})
        return {", ".join(f"%0#{i}" for i in range(results))} : {types}
      }}"""


SHARDED = (
    _call("([i, k], [i, j])->([i, j]) {i=4, j=6, k=8}"),
    _call("([i, k], [i, j])->([i, j]) {i=4, j=6, k=8} reduction={k} need_replication={i}, custom"),
    _call("([i, kl], [i, j])->([i, j]) {i=4, j=6, k=2, l=4} permutation={j} blocked_propagation={l}"),
    _call("([i, j], [k, l])->([m, n], [o, p]) {i=4, j=8, k=4, l=6, m=4, n=6, o=4, p=6}, custom", results=2),
)


def _sharded(text: str) -> bytes:
    return serialize(parse_text(make_context(), text), allow_other_dialects=True)


@pytest.mark.usefixtures("without_children")
@pytest.mark.parametrize("text", SHARDED)
def test_sharding_rules_of_calls_need_no_child(text: str) -> None:
    module = parse_text(make_context(), text)
    printed = str(module)
    assert str(parse_bytecode(None, _sharded(text))) == printed


@pytest.mark.parametrize("text", SHARDED)
def test_every_changed_byte_of_a_sharding_rule_is_noticed_or_harmless(text: str) -> None:
    """Replace each byte of each rule: the bindings read and verify what the validator accepts."""
    data = _sharded(text)
    bytecode = _bytecode.Bytecode(data)
    shardy = [index for index, dialect in enumerate(bytecode.dialects) if dialect.name == "sdy"]
    refused = accepted = 0
    for entry in bytecode.attributes:
        if entry.dialect not in shardy:
            continue
        for position in range(entry.offset, entry.offset + entry.size):
            for value in range(256):
                mutant = bytes([*data[:position], value, *data[position + 1 :]])
                if not is_validated(mutant, ANY_VERSION):
                    refused += 1
                    continue
                accepted += 1
                with suppress(ParseError):  # for instance of factors of 1 among others
                    assert "sdy.sharding_rule" in str(parse_bytecode(None, mutant))
    assert refused > accepted > 0


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("output_tuple_indices = [0]", "output_tuple_indices = [1]", ""),
        ("output_tuple_indices = [0]", "output_tuple_indices = [2]", "an alias must be of"),
        ("output_tuple_indices = [0]", "output_tuple_indices = []", "an alias must be of"),
        (
            "output_tuple_indices = [0]",
            "output_tuple_indices = [0, 0]",
            "an output must have no aliases in tuples",
        ),
        ("operand_index = 1", "operand_index = 2", "an alias must be of"),
    ],
)
def test_aliases_of_several_results(old: str, new: str, what: str) -> None:
    text = SHARDED[-1]
    assert old in text
    alias = "".join(re.findall(r"#stablehlo\.output_operand_alias<[^>]*>", text))
    module = parse_text(make_context(), text)
    call = module.body.operations[0].regions[0].blocks[0].operations[0]
    with module.context:
        made = ir.ArrayAttr.get([ir.Attribute.parse(alias.replace(old, new))])
        call.attributes["output_operand_aliases"] = made
        data = stablehlo.serialize_portable_artifact(module, "1.10.0", allow_other_dialects=True)
    found = reason(data)
    assert found.startswith(what) if what else found == ""


@pytest.mark.parametrize("path", [FIXTURES[0], FIXTURES[len(FIXTURES) // 2], *EXAMPLES], ids=lambda p: p.name)
def test_a_child_reads_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = path.read_bytes()
    here = str(parse_bytecode(None, data))
    monkeypatch.setattr(parse, "_is_validated", lambda bytecode: False)
    assert str(parse_bytecode(None, data)) == here


def test_operations_that_the_bindings_do_not_have_yet() -> None:
    data = artifacts()["1.17.0"]
    assert reason(data, 1017) == ""
    assert "is not known" in reason(data, 9)


# Features that crash some bindings, or that are rare; each in a valid program.
UNKNOWN = {
    "quantized along an axis": """
      func.func @main(%a: tensor<2x!quant.uniform<i8:f32:0, {0.1, 0.2}>>, %s: tensor<2xi64>)
          -> tensor<3x2x!quant.uniform<i8:f32:1, {0.1, 0.2}>> {
        %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 1>}
          : (tensor<2x!quant.uniform<i8:f32:0, {0.1, 0.2}>>, tensor<2xi64>)
          -> tensor<3x2x!quant.uniform<i8:f32:1, {0.1, 0.2}>>
        return %0 : tensor<3x2x!quant.uniform<i8:f32:1, {0.1, 0.2}>>
      }""",
    "aliases in tuples": """
      func.func @main(%a: tuple<tensor<i32>>) -> tensor<i32> {
        %0 = stablehlo.custom_call @f(%a) {output_operand_aliases = [#stablehlo.output_operand_alias<
          output_tuple_indices = [], operand_index = 0, operand_tuple_indices = [0]>]}
          : (tuple<tensor<i32>>) -> tensor<i32>
        return %0 : tensor<i32>
      }""",
    "gpu.name": "func.func @main() attributes {gpu.name = 1 : i32} { return }",
    "dimension_numbers": """
      func.func @main(%a: tensor<i32>) -> tensor<i32> {
        %0 = stablehlo.abs %a {dimension_numbers = 1 : i32} : tensor<i32>
        return %0 : tensor<i32>
      }""",
}


@pytest.mark.parametrize("what", UNKNOWN)
def test_artifacts_that_a_child_must_read(what: str) -> None:
    module = parse_text(make_context(), UNKNOWN[what])
    text = str(module)
    data = serialize(module)
    assert what in reason(data)
    assert str(parse_bytecode(None, data)) == text


@pytest.mark.parametrize("version", artifacts())
def test_every_changed_byte_is_noticed_or_harmless(version: str) -> None:
    """Change each byte in turn: only changes of some texts and numbers are accepted."""
    data = artifacts()[version]
    passed = 0
    for position in range(len(data)):
        mutant = bytearray(data)
        mutant[position] ^= 0x55
        passed += is_validated(bytes(mutant), ANY_VERSION)
    assert passed < len(data) // 2


@pytest.mark.deep
def test_mutants_that_pass_do_no_harm(tmp_path: Path) -> None:
    """A part of the campaign, in a separate process: the campaign forks, and other tests may have loaded
    JAX."""
    paths: list[Path] = []
    for name, data in artifacts().items():
        paths.append(tmp_path / f"{name}.mlirbc")
        paths[-1].write_bytes(data)
    command = [sys.executable, "-m", "tests.unit.compat.campaign", "--accepted=400", "--seed=7"]
    done = subprocess.run(
        [*command, f"--directory={tmp_path}", *paths, *FIXTURES[::6]],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    counts = re.search(r": (\d+) mutants of \d+ artifacts, 400 accepted, 0 did harm", done.stdout)
    assert counts is not None
    assert int(counts[1]) > 2 * 400
