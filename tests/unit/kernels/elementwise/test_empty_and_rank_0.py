"""Every operation on tensors without elements and of rank 0, if the verifier accepts them.

The programs are the probes of the cards with other sizes: one size replaced by 0, or no dimensions at all.
"""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.operations.cards import cards
from hlokit.operations.cards.card import Without
from hlokit.programs.program import Program
from hlokit.values.tensor import Token
from hlokit.values.types import TensorType, TokenType
from tests import oracles

MADE: dict[str, Any] = runpy.run_path(str(Path(__file__).parents[4] / "docs" / "generators" / "make_ops.py"))
PROBES = {card.name: card.probes for card in cards() if not isinstance(card.probes, Without)}
TYPES = ("f32", "!quant.uniform<i8:f32, 5.0e-01:1>", "i32", "i1", "complex<f32>")
# After a size: other sizes, then an element type that is not one of attributes.
OF_TENSOR = r"x(?=(?:[0-9?]+x)*(?:\$|i1\b|i32|ui64|f32|complex|!quant))"

# Operations whose verifiers reject empty tensors or rank 0.
NEVER_EMPTY = {
    *("chlo.top_k", "stablehlo.all_gather", "stablehlo.async_done", "stablehlo.async_start"),
    *("stablehlo.composite", "stablehlo.select_and_scatter"),
}
NEVER_RANK_0 = {
    *("chlo.ragged_dot", "chlo.scan", "chlo.top_k"),
    *(
        f"stablehlo.{name}"
        for name in (
            *(
                "all_gather",
                "all_to_all",
                "async_done",
                "async_start",
                "batch_norm_grad",
                "batch_norm_inference",
            ),
            *(
                "batch_norm_training",
                "cholesky",
                "composite",
                "concatenate",
                "convolution",
                "dot",
                "dot_general",
            ),
            *("dynamic_broadcast_in_dim", "dynamic_conv", "dynamic_gather", "dynamic_iota", "dynamic_pad"),
            *("dynamic_reshape", "dynamic_slice", "dynamic_update_slice", "fft", "gather"),
            *(
                "get_dimension_size",
                "iota",
                "outfeed",
                "real_dynamic_slice",
                "reduce_scatter",
                "rng",
                "scatter",
            ),
            *("set_dimension_size", "sort", "torch_index_select", "triangular_solve"),
        )
    ),
}
# Their operands, which are ones here, say sizes and indices that other sizes do not go with.
BY_VALUE = {
    f"stablehlo.{name}"
    for name in (
        *(
            "dynamic_broadcast_in_dim",
            "dynamic_gather",
            "dynamic_iota",
            "dynamic_reshape",
            "einsum",
            "gather",
        ),
        *("real_dynamic_slice", "rng", "rng_bit_generator", "set_dimension_size", "torch_index_select"),
        "unary_einsum",
    )
}


def changed(row: Any, pattern: str, size: str, attributes: str) -> Any:
    """A row with sizes replaced in types, and what `array<i64: ...>` attributes hold."""

    def change(text: str) -> str:
        text = re.sub(pattern, size, text)
        return re.sub(r"array<i64: [0-9, ]+>", attributes, text) if attributes else text

    return change(row) if isinstance(row, str) else tuple(map(change, row))


def variants(rows: tuple[Any, ...], rank_0: bool) -> Iterator[Any]:
    for row in rows:
        if rank_0:
            for attributes in ("", "array<i64>"):
                yield changed(row, f"(?<![0-9.])[1-4]{OF_TENSOR}", "", attributes)
            continue
        for size in "1234":
            for attributes in ("", "array<i64: 0>", "array<i64: 1>"):
                row_ = changed(row, f"(?<![0-9.]){size}{OF_TENSOR}", "0x", attributes)
                yield row_
                if not isinstance(row_, str):  # results as they come
                    operands, results = row_[0].split("->")
                    yield f"{operands}->{re.sub(rf'[0-4]{OF_TENSOR}', '?x', results)}", row_[1]


def programs(name: str, rank_0: bool) -> Iterator[tuple[str, Program]]:
    """One after the other: a program gets the context of one that is deleted."""
    found: set[str] = set()
    for index, type_ in enumerate(TYPES):
        if index > 1 and found:
            break
        for row in variants(PROBES[name], rank_0):
            text = MADE["_program"](name, row, type_)
            if text in found or ("tensor<0x" not in text and "x0x" not in text and not rank_0):
                continue
            try:
                program = hlokit.load(text)
            except (hlokit.ParseError, hlokit.VerificationError):
                continue
            found.add(text)
            yield text, program


def arguments(program: Program) -> list[Any]:
    return [
        Token() if isinstance(type_, TokenType) else np.ones(np.abs(type_.dims), type_.element_type.dtype)
        for type_ in program.signature().inputs
    ]


def values(program: Program) -> tuple[Any, ...]:
    """The results, of the shapes and dtypes that the program states."""
    returned = program(*arguments(program))
    results = returned if isinstance(returned, tuple) else (returned,)
    for result, type_ in zip(results, program.signature().outputs, strict=True):
        assert isinstance(type_, TensorType)
        assert result.dtype == type_.element_type.dtype
        assert all(stated in (-1, size) for stated, size in zip(type_.dims, result.shape, strict=True))
    return results


def undefined(name: str, text: str) -> bool:
    """CHLO's verifier accepts programs that StableHLO's verifier rejects; docs/reference/ops.md lists them."""
    return name.startswith("chlo.") or (name == "stablehlo.remainder" and "complex" in text)


@pytest.mark.parametrize("name", PROBES)
@pytest.mark.parametrize("rank_0", [False, True], ids=["empty", "rank_0"])
@pytest.mark.sample("*-stablehlo.[a-d]*", "*-stablehlo.reduce*", "*-chlo.to*")
def test_results_are_as_stated(name: str, rank_0: bool) -> None:
    if name in MADE["NEWER"] and name not in MADE["dialect_operations"]():
        pytest.skip("not of these bindings")
    found = evaluated = 0
    for text, program in programs(name, rank_0):
        found += 1
        try:
            values(program)
            evaluated += 1
        except hlokit.UnsupportedError:
            assert undefined(name, text), text
        except hlokit.EvaluationError as error:
            assert name in BY_VALUE, f"{error}\n{text}"
    assert found or name in (NEVER_RANK_0 if rank_0 else NEVER_EMPTY)
    assert evaluated or not found or name in BY_VALUE or name.startswith("chlo.broadcast_shift")


OF_NOTHING = ("concatenate", "convolution", "dot", "dot_general", "einsum", "pad", "reduce", "reduce_window")


@pytest.mark.parametrize("name", OF_NOTHING)
def test_empty_tensors_agree_with_xla(name: str) -> None:
    compared = 0
    for text, program in programs(f"stablehlo.{name}", False):
        outputs = program.signature().outputs
        if "quant" in text or any(size < 1 for type_ in outputs for size in type_.dims):
            continue
        try:
            expected = oracles.xla(text, *arguments(program))
        except oracles.OracleError:
            continue
        for actual, want in zip(values(program), expected, strict=True):
            np.testing.assert_array_equal(actual, want, err_msg=text)
        compared += 1
    assert compared or name in ("concatenate", "convolution", "pad", "reduce_window")
