"""`hlokit.judge`: judges a function by its definition."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Value
from hlokit.errors import ArgumentError, EvaluationError, for_callers
from hlokit.mlir.queries.module import walk
from hlokit.operations.lookup import traits_of
from hlokit.programs.calls.arguments import Signature
from hlokit.programs.loading import from_jax, load_path
from hlokit.programs.program import Program
from hlokit.tools.backends.side import SideFailed, flat_types
from hlokit.tools.diff.flow.time_limits import RanOutOfTime, limited, time_limit_of_runs
from hlokit.tools.judge.backward import effects
from hlokit.tools.judge.candidates import Candidate, candidate_of
from hlokit.tools.judge.distances import shares, wrong_elements
from hlokit.tools.judge.errors import Expected, expected
from hlokit.tools.judge.precisions import FORMATS, distance_of_format, lower_precision
from hlokit.tools.judge.report import Judged, Judgement
from hlokit.tools.judge.spread_nan import with_spread_nan
from hlokit.tools.judge.sums import is_of_whole_operands, with_overflowing_sums
from hlokit.tools.judge.suspicions import Call, suspicions
from hlokit.tools.judge.trials import Trial, trials
from hlokit.tools.judge.zero_factors import without_zero_factors
from hlokit.values.types import TensorType

Array = npt.NDArray[Any]
TIME_LIMIT = 60.0
# The effect of an allowed format is multiplied by this.
_SLACK_OF_FORMAT = 4.0
# After so many trials for which the definition took too long, no other one is tried.
_MOST_OUT_OF_TIME = 3
# A candidate in another process has a limit of its own, which ends the process.
_TIMES_OF_CANDIDATE = 1.5


@for_callers
def judge(
    reference: Program | str | os.PathLike[str] | Callable[..., Any],
    candidate: Any,
    *arguments: Any,
    function: str | None = None,
    allow: Sequence[str] = (),
    time_limit: float = TIME_LIMIT,
    **keywords: Any,
) -> Judgement:
    """Whether a candidate computes what a reference defines.

        print(hlokit.judge("softmax.mlir", my_softmax))
        print(hlokit.judge(jax.nn.softmax, my_softmax, np.ones((4, 129), np.float32)))

    Args:
      reference: the definition: a program, its path, or a JAX function with arguments.
      candidate: a function of arrays, `MODULE:FUNCTION`, a program or its path, or a side that runs the
        definition, such as "xla", "pjrt:LIBRARY" or "cmd:PROGRAM --serve".
      arguments, keywords: typical arguments; by default, hlokit chooses examples.
      function: name of the function; the entry function by default.
      allow: narrower formats in which products may be computed: tf32, bf16, f16, ...
      time_limit: seconds for what the definition computes for one trial, and for a call of the candidate.

    Raises:
      ArgumentError: reference, candidate or arguments do not fit.
    """
    for name in allow:
        if name not in FORMATS:
            raise ArgumentError(f"allow must be among {', '.join(FORMATS)}, got '{name}'")
    program = _definition(reference, arguments, keywords)
    signature, values = program.signature(function), list[Value]()
    if arguments or keywords:
        _, values = program.bound(arguments, keywords, function)
    judged = candidate_of(candidate, program, signature.name, time_limit)
    try:
        judging = _Judging(program, signature, judged, (*allow, *_allowed_by(program)))
        with time_limit_of_runs(time_limit):
            return judging.judge(_name(reference), values)
    finally:
        judged.close()


def _definition(reference: Any, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Program:
    if isinstance(reference, Program):
        return reference
    if isinstance(reference, str | os.PathLike):
        return load_path(os.fspath(reference))
    if callable(reference):
        if not arguments and not keywords:
            raise ArgumentError(
                "a JAX function as reference needs arguments, which give its shapes and types"
            )
        return from_jax(reference, *arguments, **keywords)
    raise ArgumentError(
        f"reference must be a program, a path or a JAX function, got {type(reference).__name__}"
    )


def _name(reference: Any) -> str:
    if isinstance(reference, Program):
        return "program"
    if isinstance(reference, str | os.PathLike):
        return os.fspath(reference)
    return getattr(reference, "__name__", "function")


def _allowed_by(program: Program) -> tuple[str, ...]:
    """The formats that the algorithms of products in a program name."""
    names: dict[str, None] = {}

    def look(operation: Any) -> None:
        if traits_of(operation.name).contraction and "algorithm" in operation.attributes:
            text = str(operation.attributes["algorithm"]).lower()
            names.update(dict.fromkeys(name for name in FORMATS if name.lower() in text))

    walk(program.module.operation, look)
    return tuple(names)


def _tensor_types(signature: Signature) -> list[TensorType]:
    """The types of the results, of which at least one is compared."""
    types = flat_types(signature.outputs)
    tensors = [type_ for type_ in types if isinstance(type_, TensorType)]
    if not tensors or len(tensors) < len(types):
        shown = ", ".join(map(str, types)) or "no results"
        raise ArgumentError(f"the results of the definition must be tensors, got {shown}")
    return tensors


class _Judging:
    """The trials of one candidate."""

    def __init__(
        self, program: Program, signature: Signature, candidate: Candidate, allow: Sequence[str]
    ) -> None:
        self._program = program
        self._signature = signature
        self._candidate = candidate
        self._allow = tuple(dict.fromkeys(allow))
        self._types = _tensor_types(signature)

    def judge(self, name: str, arguments: Sequence[Value]) -> Judgement:
        calls: list[Call] = []
        judged: list[Judged] = []
        out_of_time = 0
        for trial in trials(self._program, self._signature, arguments):
            try:
                right = limited(partial(self._expected, trial), "the definition")
            except EvaluationError as error:
                judged.append(Judged(trial.name, "not compared", f"the definition fails: {error}"))
                continue
            except RanOutOfTime as error:
                judged.append(Judged(trial.name, "not compared", str(error)))
                out_of_time += 1
                if out_of_time == _MOST_OUT_OF_TIME:
                    break
                continue
            call = self._call(trial, right)
            calls.append(call)
            judged.append(self._told(call))
            if sum(done.results is None and not done.is_refusal for done in calls) > 3:
                break
        findings = [*suspicions(calls), *self._of_whole_operands(calls), *self._candidate.notes]
        if (lower := self._precision(calls)) is not None:
            findings.append(lower)
        return Judgement(name, self._candidate.name, tuple(judged), tuple(findings))

    def _expected(self, trial: Trial) -> Expected:
        function, outputs = self._signature.name, self._signature.outputs
        right = expected(self._program, trial.inputs, function, outputs)
        for name in self._allow:
            more = distance_of_format(self._program, trial.inputs, function, outputs, name)
            radii = [
                radius + _SLACK_OF_FORMAT * extra for radius, extra in zip(right.radii, more, strict=True)
            ]
            right = Expected(right.results, radii, right.is_proven)
        return right

    def _call(self, trial: Trial, right: Expected) -> Call:
        try:
            results = limited(
                partial(self._candidate.run, trial.inputs), "the candidate", _TIMES_OF_CANDIDATE
            )
        except SideFailed as failure:
            is_refusal = failure.kind == "error" and self._has_no_numbers(trial, right)
            return Call(trial, right, None, str(failure), is_refusal=is_refusal)
        if len(results) != len(right.results):
            reason = f"returned {len(results)} results instead of {len(right.results)}"
            return Call(trial, right, None, reason)
        wrong = [
            wrong_elements(own, result, radius)
            for own, result, radius in zip(right.results, results, right.radii, strict=True)
        ]
        if any(
            mask is not None and mask.any() and np.isnan(own).any()
            for own, mask in zip(right.results, wrong, strict=True)
        ):
            wrong = self._without_skipped(trial, right, results, wrong)
        if any(
            mask is not None and (mask & _is_special(result)).any()
            for result, mask in zip(results, wrong, strict=True)
        ):
            wrong = self._without_spread(trial, right, results, wrong)
        count = _count(wrong)
        if count:
            wrong = self._without_undecided(trial, right, results, wrong)
        return Call(trial, right, results, wrong=tuple(wrong), undecided=count - _count(wrong))

    def _has_no_numbers(self, trial: Trial, right: Expected) -> bool:
        """Whether the definition has no numbers, or roundings of the arguments decide all their digits."""
        if right.has_no_numbers:
            return True
        function, outputs = self._signature.name, self._signature.outputs
        changes = effects(self._program, trial.inputs, function, outputs, right.results)
        return any(
            own.dtype.kind not in "biu" and bool(np.mean(effect.decides | (effect.size > np.abs(own))) > 0.5)
            for own, effect in zip(right.results, changes, strict=True)
        )

    def _without_undecided(
        self, trial: Trial, right: Expected, results: Sequence[Array], wrong: Sequence[Array | None]
    ) -> list[Array | None]:
        """Wrong elements but those that roundings of the arguments decide: whether they are numbers; and
        their digits, if no rule proves the bounds."""
        function, outputs = self._signature.name, self._signature.outputs
        undecided = effects(self._program, trial.inputs, function, outputs, right.results)
        left: list[Array | None] = []
        for own, result, mask, effect in zip(right.results, results, wrong, undecided, strict=True):
            if mask is None or own.dtype.kind in "biu":
                left.append(mask)
                continue
            is_right = effect.decides
            if trial.is_subnormal:  # wider arithmetic may have numbers where the definition overflows
                is_right = is_right | np.isnan(own)
            if not right.is_proven:
                is_right = is_right | (wrong_elements(own, result, effect.size) == np.False_)
                is_right = is_right | (~np.isfinite(own) & ~np.isfinite(result))
            left.append(mask & ~is_right)
        return left

    def _without_skipped(
        self, trial: Trial, right: Expected, results: Sequence[Array], wrong: Sequence[Array | None]
    ) -> list[Array | None]:
        """Wrong elements but numbers in place of a NaN that only factors of zero make."""
        function, outputs = self._signature.name, self._signature.outputs
        others = without_zero_factors(self._program, trial.inputs, function, outputs)
        return [
            mask if mask is None else mask & ~(np.isnan(own) & np.isfinite(other) & np.isfinite(result))
            for own, other, result, mask in zip(right.results, others, results, wrong, strict=True)
        ]

    def _without_spread(
        self, trial: Trial, right: Expected, results: Sequence[Array], wrong: Sequence[Array | None]
    ) -> list[Array | None]:
        """Wrong elements but NaN and infinity in solutions and factors of matrices with NaN or infinity, and
        sums that are infinite in another order."""
        left = list(wrong)
        for others_of, needs_number in ((with_spread_nan, False), (with_overflowing_sums, True)):
            others = others_of(self._program, trial.inputs, self._signature.name, self._signature.outputs)
            for index, (own, other) in enumerate(zip(right.results, others, strict=True)):
                mask = left[index]
                if mask is None:
                    continue
                may_be = np.isfinite(own) & ~np.isfinite(other) if needs_number else np.isnan(other)
                left[index] = mask & ~(_is_special(results[index]) & may_be)
        return left

    def _told(self, call: Call) -> Judged:
        name, is_proven = call.trial.name, call.expected.is_proven
        if call.is_refusal:
            return Judged(name, "not compared", f"the definition has no certain numbers here; {call.failure}")
        if call.results is None:
            return Judged(name, "failed", call.failure)
        largest = 0.0
        for index, mask in enumerate(call.wrong):
            own, result = call.expected.results[index], call.results[index]
            if mask is None:
                types = f"{result.dtype}{list(result.shape)} instead of {own.dtype}{list(own.shape)}"
                return Judged(name, "wrong", f"result {index}: {types}", float("inf"))
            share = shares(own, result, call.expected.radii[index])
            share = np.where(mask | (share <= 1), share, 0.0)
            if mask.any():
                where = np.unravel_index(int(np.argmax(np.where(mask, share, -1))), own.shape)
                place = tuple(int(number) for number in where)
                text = (
                    f"result {index} at {list(place)}: {result[place]} instead of {own[place]}; "
                    f"{int(mask.sum())} of {mask.size} elements are wrong"
                )
                return Judged(name, "wrong", text, float(share[place]), is_proven)
            largest = max(largest, float(share.max(initial=0.0)))
        text = f"{call.undecided} elements are decided by roundings of the arguments" * bool(call.undecided)
        return Judged(name, "right", text, largest, is_proven)

    def _of_whole_operands(self, calls: Sequence[Call]) -> Iterator[str]:
        """What the errors of products by Strassen's method look like: right on typical calls, and of the size
        of the largest elements on others."""
        wrong = [call for call in calls if call.is_wrong]
        if any(call.trial.is_typical or call.results is None for call in wrong):
            return
        signature = self._signature.name, self._signature.outputs
        for call in wrong:
            assert call.results is not None
            triples = list(zip(call.expected.results, call.results, call.wrong, strict=True))
            if is_of_whole_operands(self._program, call.trial.inputs, signature, triples):
                yield (
                    f"errors grow with the largest elements of whole operands ({call.trial.name}), as those "
                    "of products by Strassen's and Winograd's methods and by Fourier transforms"
                )
                return

    def _precision(self, calls: Sequence[Call]) -> str | None:
        """A lower precision that the errors of typical calls show."""
        formats: list[str] = []
        typical = [call for call in calls if call.trial.is_typical and not call.trial.repeats]
        for call in typical:
            if call.results is None or any(mask is None for mask in call.wrong):
                return None
            lower = lower_precision(
                self._program,
                call.trial.inputs,
                self._signature.name,
                self._signature.outputs,
                call.results,
                is_near_bound=_is_near_bound(call),
            )
            if lower is None or lower.is_within(self._allow):
                return None
            formats.append(str(lower))
        if not formats:
            return None
        # Nothing but their size tells errors of sums.
        likeness = "are as large as those" if formats[0].startswith("sums") else "are those"
        return f"precision is lower than promised: the errors {likeness} of {formats[0]}"


def _is_special(result: Array) -> Array:
    """The elements that are NaN or infinite."""
    return np.zeros(result.shape, np.bool_) if result.dtype.kind in "biu" else ~np.isfinite(result)


def _count(wrong: Sequence[Array | None]) -> int:
    """The number of wrong elements."""
    return sum(int(mask.sum()) for mask in wrong if mask is not None)


def _is_near_bound(call: Call) -> bool:
    """Whether more than a tenth of the elements of a result use more than half of what is allowed."""
    assert call.results is not None
    return any(
        bool(10 * np.count_nonzero(shares(own, result, radius) > 0.5) > own.size)
        for own, result, radius in zip(call.expected.results, call.results, call.expected.radii, strict=True)
    )
