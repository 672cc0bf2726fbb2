"""Runs of cases on sides that are right, wrong, not repeatable, or dead; cases as files."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import hlokit
from hlokit.errors import ArgumentError, EvaluationError
from hlokit.reference import evaluator
from hlokit.reference.model.calls import Call
from hlokit.reference.operations import row_of
from hlokit.tools.diff.comparing.flushing import flushing
from hlokit.tools.kit.cases import Case, cases
from hlokit.tools.kit.checks import self_checking
from hlokit.tools.kit.files import read_results, write_kit, written_ids
from hlokit.tools.kit.judging import judge, rule_of
from hlokit.tools.kit.recipes import recipes
from hlokit.tools.kit.running import MOST_DEATHS, MOST_IN_VAIN, Running
from hlokit.values.bits import restored, storable
from hlokit.values.tensor import Tensor
from hlokit.values.types import TensorType
from unit.tools.kit.sides import OwnSide

# A few operations of each kind, on types of each kind.
SAMPLE = (
    ("add", "f32"),
    ("divide", "i8"),
    ("tanh", "complex-f32"),
    ("convert", "ui4"),
    ("clamp", "bf16"),
    ("broadcast_add", "i32"),
    ("dot_general", "f32"),
    ("sort", "f16"),
    ("scatter", "i32"),
    ("add", "quant-i8"),
    ("dynamic_pad", "f32"),
    ("all_reduce", "f32"),
    ("while", "i32"),
    ("model", "f32"),
)


def sample(most: int) -> list[Case]:
    chosen: list[Case] = []
    for operation, type_ in SAMPLE:
        few = list(islice(cases(recipes([operation], [type_])), most))
        assert few, (operation, type_)
        chosen += few
    return chosen


def test_a_right_side_passes() -> None:
    outcomes = list(Running(OwnSide()).run(sample(4)))
    assert [(outcome.id, outcome.reason) for outcome in outcomes if outcome.verdict == "failed"] == []
    assert {outcome.verdict for outcome in outcomes} == {"passed"}
    assert all(outcome.ulps == 0 for outcome in outcomes)


def test_self_checking_programs_pass_and_fail() -> None:
    """With the reference's results; with results of another operation."""
    wrong = 0
    for case in sample(2):
        text = self_checking(case, *rule_of(case))
        assert hlokit.load(text)() == (), case.id
        if case.operation == "stablehlo.add" and case.type_ == "f32":
            with pytest.raises(EvaluationError):
                hlokit.load(text.replace("stablehlo.add", "stablehlo.subtract"))()
            wrong += 1
    assert wrong > 0


def test_self_checking_programs_accept_any_order_of_sums() -> None:
    """One by one, infinite partial sums of both signs make NaN of what is an infinity in blocks, or the other
    way round."""
    for operation, name in (("convolution", "layout"), ("dot_general", "highest")):
        case = case_of(operation, "f32", f"{name}.special.alone")
        program = hlokit.load(self_checking(case, *rule_of(case)))
        assert program(precision="sequential") == program() == ()


def case_of(operation: str, type_: str, end: str = "plain.values.alone") -> Case:
    return next(case for case in cases(recipes([operation], [type_])) if case.id.endswith(end))


def nudged(results: list[Any], units: int = 1) -> list[Any]:
    """Floats, moved by units in the last place, where they are normal numbers."""
    moved: list[Any] = []
    for value in results:
        bits = value.view(np.uint32) + np.uint32(units)
        is_normal = np.isfinite(value) & (np.abs(value) > 1e-30) & (np.abs(value) < 1e30)
        moved.append(np.where(is_normal, bits.view(np.float32), value))
    return moved


def test_what_the_specification_bounds_and_what_it_fixes() -> None:
    add, fused, tanh = (
        case_of("add", "f32"),
        case_of("add", "f32", ".fused"),
        case_of("tanh", "f32"),
    )
    assert [rule_of(case)[0] for case in (add, fused, tanh)] == ["exact", "bounded", "bounded"]
    verdicts = [judge(case, nudged(case.expected)).verdict for case in (add, fused, tanh)]
    assert verdicts == ["failed", "passed", "passed"]
    assert judge(tanh, nudged(tanh.expected, 1000)).verdict == "failed"
    assert judge(tanh, nudged(tanh.expected)).ulps == pytest.approx(1, abs=1)
    divide = case_of("divide", "i8")
    other = [np.where(divide.inputs[1] == 0, 7, divide.expected[0]).astype(np.int8)]
    assert judge(divide, other).verdict == "open"
    assert judge(divide, [divide.expected[0] + np.int8(1)]).verdict == "failed"


def test_a_product_that_overflows_is_finite_in_a_fused_addition() -> None:
    """Beside an infinity of the other sign, it makes NaN only if it is rounded."""
    case = case_of("dot_general", "f64", "large.special.alone")
    lhs, rhs = case.inputs
    right = case.expected[0].copy()
    with np.errstate(all="ignore"):
        products = lhs[:, :, None] * rhs[None]
    is_exact = np.isinf(lhs)[:, :, None] | np.isinf(rhs)[None]
    signs = np.where(is_exact & np.isinf(products), np.sign(products), 0)
    fused = np.where(np.isnan(products).any(1), np.nan, np.where((signs > 0).any(1), np.inf, -np.inf))
    one_sign = ((signs > 0).any(1) != (signs < 0).any(1)) & ~np.isnan(fused) & np.isnan(right)
    assert one_sign.any()
    right[one_sign] = fused[one_sign]
    assert judge(case, [right]).verdict == "passed"
    right[np.isnan(products).any(1)] = 1
    assert judge(case, [right]).verdict == "failed"


def test_what_nothing_defines() -> None:
    """Special values of complex functions; `digamma` and `polygamma` at poles, `zeta` where its sum diverges."""
    root, zeta, digamma = (case_of("sqrt", "complex-f32"), case_of("zeta", "f32"), case_of("digamma", "f32"))
    (operand,), (right,) = root.inputs, root.expected
    other_side = np.where((np.imag(operand) == 0) & (np.real(operand) < 0), -right, right)
    assert (other_side != right).any()
    assert (
        judge(root, [np.where(np.isfinite(operand), other_side, np.nan).astype(right.dtype)]).verdict
        == "open"
    )
    assert judge(root, [np.where(operand == 1 + 1j, 0, right).astype(right.dtype)]).verdict == "failed"
    poles = (digamma.inputs[0] <= 0) & (digamma.inputs[0] == np.floor(digamma.inputs[0]))
    infinite = [np.where(poles, np.float32(np.inf), digamma.expected[0])]
    assert judge(digamma, infinite).verdict == "open"
    assert (
        judge(digamma, [np.where(digamma.inputs[0] == 1, np.float32(0), digamma.expected[0])]).verdict
        == "failed"
    )
    exponent, start = zeta.inputs
    is_sum = (exponent > 1) & (start > 0) & np.isfinite(exponent) & np.isfinite(start)
    # The pole at 1 is one for all starts: NaN may be ignored.
    is_other = (exponent == 1) | (~is_sum & ~np.isnan(exponent) & ~np.isnan(start))
    assert judge(zeta, [np.where(is_other, np.float32(7), zeta.expected[0])]).verdict == "open"
    iota = case_of("dynamic_iota", "i1", "rank2.random.alone")
    assert judge(iota, [~iota.expected[0]]).verdict == "open"
    # The specification has no rule for numbers that a type lacks.
    sort = case_of("sort", "f8E8M0FNU", "gt-1.random.alone")
    has_nan = np.isnan(sort.inputs[0]).any(axis=1)
    backwards = np.where(has_nan[:, None], sort.expected[0][:, ::-1], sort.expected[0])
    assert (backwards != sort.expected[0]).any() and judge(sort, [backwards]).verdict == "open"
    parts = case_of("convert", "complex-f32", "to-ui16.values.alone")
    wrapped = np.where(np.real(parts.inputs[0]) <= -1, np.uint16(65535), parts.expected[0])
    assert judge(parts, [wrapped]).verdict == "open"
    assert judge(parts, [parts.expected[0] + np.uint16(1)]).verdict == "failed"
    narrow = case_of("convert", "f32", "to-f6E2M3FN.values.alone")
    power = case_of("convert", "f64", "to-f8E8M0FNU.values.alone")
    beyond = ~(np.abs(narrow.inputs[0]) <= 7.5)
    assert beyond.any() and (power.inputs[0] < 2.0**-126).any()
    zero, one = (np.asarray(number).astype(narrow.expected[0].dtype) for number in (0, 1))
    assert judge(narrow, [np.where(beyond, zero, narrow.expected[0])]).verdict == "open"
    assert judge(narrow, [np.where(beyond, narrow.expected[0], one)]).verdict == "failed"
    lost = np.asarray(np.nan).astype(power.expected[0].dtype)
    assert judge(power, [np.where(power.inputs[0] < 2.0**-126, lost, power.expected[0])]).verdict == "open"
    divide, tangent = case_of("divide", "complex-f32"), case_of("atan", "complex-f32")
    by_zero = divide.inputs[1] == 0
    assert judge(divide, [np.where(by_zero, np.nan, divide.expected[0]).astype("c8")]).verdict == "open"
    assert judge(divide, [np.where(by_zero, divide.expected[0], 7).astype("c8")]).verdict == "failed"
    # At a pole, any infinity is one.
    is_pole = np.isfinite(tangent.inputs[0]) & np.isinf(tangent.expected[0])
    assert is_pole.any()
    infinite = np.where(is_pole, complex(np.nan, np.inf), tangent.expected[0]).astype("c8")
    assert judge(tangent, [infinite]).verdict == "open"
    assert judge(tangent, [np.where(is_pole, 7, tangent.expected[0]).astype("c8")]).verdict == "failed"
    assert judge(zeta, [np.where(is_sum, np.float32(7), zeta.expected[0])]).verdict == "failed"


def test_reductions_begin_with_the_identity() -> None:
    """How often other initial values take part is open, and so would be all results."""
    rules = {
        case.id: rule_of(case)[0]
        for operation in ("reduce", "reduce_window", "select_and_scatter")
        for type_ in ("f32", "ui8", "i1")
        for case in islice(cases(recipes([operation], [type_])), 4)
    }
    assert len(rules) == 36
    assert [id_ for id_, rule in rules.items() if rule == "open"] == []


def test_infinite_sums_are_infinite_in_any_order() -> None:
    case = case_of("dot_general", "f32", "matrices.special.alone")
    (right,) = case.expected
    assert np.isinf(right).any()
    assert judge(case, [right]).verdict == "passed"
    assert judge(case, [np.where(np.isinf(right), np.float32(7), right)]).verdict == "failed"


def test_overflow_in_operations_of_many_steps() -> None:
    """The formula of the specification gives NaN in f32 where the reference, in f64, does not."""
    case = case_of("batch_norm_grad", "f32", "feature-2.special.alone")
    expected = [value.copy() for value in case.expected]
    where = tuple(np.argwhere(np.isinf(expected[0]))[0])
    expected[0][where] = np.nan
    assert judge(case, expected).verdict == "passed"
    expected[0][where] = 7
    assert judge(case, expected).verdict == "failed"


def test_bits_of_random_generators_are_open() -> None:
    """The specification: "not guaranteed to be deterministic between implementations"."""
    case = case_of("rng_bit_generator", "i32", "three-fry-2-odd.random.alone")
    assert judge(case, [value ^ value.dtype.type(1) for value in case.expected]).verdict == "open"
    assert judge(case, [value.astype(np.uint16) for value in case.expected]).verdict == "failed"


def test_what_is_shown_of_a_failure_is_fixed() -> None:
    """Not an element that is open, and farther away."""
    case = case_of("zeta", "f32")
    exponent, start = case.inputs
    fixed = int(np.flatnonzero((exponent > 2) & (start == 1) & (case.expected[0] > 1))[0])
    wrong = np.where((exponent < 0) & ~np.isnan(start), np.float32(np.inf), case.expected[0])
    wrong[fixed] = 0.5
    assert f" at [{fixed}], " in judge(case, [wrong]).reason


def test_flushed_results_are_right_if_the_profile_says_so() -> None:
    case = case_of("multiply", "f32")
    (right,) = case.expected
    zeros = np.where(np.abs(right) < 2.0**-126, np.copysign(np.float32(0), right), right)
    with flushing("all"):
        assert judge(case, [zeros]).verdict == "passed"
    with flushing("none"):
        assert judge(case, [zeros]).verdict == "failed"


def test_signs_of_zeros_and_nans_of_sums() -> None:
    """Both are fixed, although zeros are equal, and although infinite terms make the bound of a sum infinite."""
    negate = case_of("negate", "f32")
    assert judge(negate, [np.abs(value) * np.sign(value) for value in negate.expected]).verdict == "failed"
    product = case_of("dot_general", "f32", "matrices.special.alone")
    assert np.isnan(product.expected[0]).any()
    assert (
        judge(product, [np.nan_to_num(value, posinf=np.inf) for value in product.expected]).verdict
        == "failed"
    )


def test_explanations() -> None:
    case = case_of("dot_general", "f32", "matrices.random.alone")
    lhs, rhs = (value.astype(ml_dtypes.bfloat16).astype(np.float32) for value in case.inputs)
    outcome = judge(case, [lhs @ rhs])
    assert outcome.verdict == "failed"
    assert outcome.explanation.startswith("operands are rounded to bf16")


def test_failures_of_a_side() -> None:
    chosen = [case_of("add", "f32"), *list(cases(recipes(["tanh"], ["f32"])))[:6]]
    unsupported = list(Running(OwnSide(refused=("tanh", "unsupported"))).run(chosen))
    assert [outcome.verdict for outcome in unsupported] == ["passed"] + ["unsupported"] * 6
    dead = list(Running(OwnSide(refused=("tanh", "crash"))).run(chosen))
    assert [outcome.verdict for outcome in dead][:1] == ["passed"]
    assert sum(outcome.verdict == "failed" for outcome in dead) == MOST_DEATHS
    assert sum(outcome.verdict == "not run" for outcome in dead) == 6 - MOST_DEATHS


def test_a_side_that_never_answers_is_given_up() -> None:
    side = OwnSide(refused=("stablehlo", "time-out"))
    outcomes = list(Running(side).run(sample(2)[:20]))
    verdicts = [outcome.verdict for outcome in outcomes]
    assert verdicts.count("failed") + verdicts.count("not run") == len(outcomes)
    assert outcomes[-1].reason == f"the side has ended {MOST_IN_VAIN} times, and answered nothing"


@pytest.mark.parametrize("second", [0, 2], ids=["right", "wrong"])
def test_a_failing_case_is_repeated(second: int) -> None:
    case = case_of("add", "i8")
    answers = [[case.expected[0] + np.int8(1)], [case.expected[0] + np.int8(second)]]
    running = Running(OwnSide(change=lambda results: answers.pop(0)))
    (outcome,) = running.run([case])
    assert outcome.verdict == "failed"
    assert "not repeatable" in outcome.reason
    assert running.unrepeatable == [case.id]


def test_a_case_may_fail_beside_others_only() -> None:
    """As compilers that are repeatable fuse operations of a module."""
    running = Running(OwnSide(change=lambda results: [value + len(results) // 2 for value in results]))
    outcomes = list(running.run([case_of("add", "i32"), case_of("subtract", "i32")]))
    assert all("; among other cases only" in outcome.reason for outcome in outcomes)
    assert [outcome.verdict for outcome in outcomes] == ["failed"] * 2
    assert running.unrepeatable == []


def test_cases_as_files(tmp_path: Path) -> None:
    chosen = sample(1)
    assert write_kit(tmp_path, chosen) == len(chosen)
    assert written_ids(tmp_path) == {case.id for case in chosen}
    for number, case in enumerate(chosen):
        path = tmp_path / f"{case.id}.mlir"
        program = hlokit.load(path.with_suffix(".run.mlir"))
        if number == 0:
            continue
        if number == 1:
            path.with_suffix(".txt").write_text("unsupported: no such type\n")
            continue

        with np.load(path.with_suffix(".in.npz")) as stored:
            types = [type_ for type_ in program.signature("main").inputs if isinstance(type_, TensorType)]
            inputs = [
                restored(stored[f"input_{n}"], type_.element_type.stored.dtype)
                for n, type_ in enumerate(types)
            ]
        results = program(*inputs)
        results = results if isinstance(results, tuple) else (results,)
        stored_results: dict[str, Any] = {f"result_{n}": storable(value) for n, value in enumerate(results)}
        np.savez(path.with_suffix(".out.npz"), **stored_results)
    verdicts = [outcome.verdict for outcome in read_results(tmp_path, chosen)]
    assert verdicts == ["not run", "unsupported"] + ["passed"] * (len(chosen) - 2)
    (tmp_path / "kit.json").write_text('{"kit": 0, "cases": []}')
    with pytest.raises(ArgumentError, match="the kit must have version 5, got 0"):
        written_ids(tmp_path)


def test_a_defect_of_the_reference_loses_no_case(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Regression: its cases were dropped, as if the verifier refused them."""

    def broken(call: Call) -> Tensor:
        raise ZeroDivisionError

    chosen_row = {"stablehlo.abs": broken}
    monkeypatch.setattr(evaluator, "row_of", lambda name: chosen_row.get(name) or row_of(name))
    chosen = list(islice(cases(recipes(["abs"], ["f32"])), 2))
    assert write_kit(tmp_path, chosen) == len(written_ids(tmp_path)) == 2
    for outcomes in (Running(OwnSide()).run(chosen), read_results(tmp_path, chosen)):
        for outcome in outcomes:
            assert (outcome.operation, outcome.verdict) == ("stablehlo.abs", "not run")
            assert "hlokit's reference fails: stablehlo.abs: ZeroDivisionError" in outcome.reason


def test_a_wrong_constant_fails() -> None:
    """An iota is no step of a plan."""
    case = case_of("iota", "f32", "rank3-0.random.alone")
    assert judge(case, [value + 1 for value in case.expected]).verdict == "failed"
