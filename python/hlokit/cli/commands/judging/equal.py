"""`hlokit equal`: whether two programs mean the same."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hlokit.cli.evaluating.evaluation_options import FUNCTION
from hlokit.cli.frame.flags import Values, WrongValue, natural, positive
from hlokit.cli.frame.parser import Parser, Subcommand
from hlokit.cli.frame.shared_flags import TIME_LIMIT
from hlokit.cli.streams.example_arguments import FLAGS as EXAMPLES
from hlokit.cli.streams.example_arguments import Examples
from hlokit.cli.streams.outputs import save_arguments, write_json
from hlokit.cli.streams.programs import arguments_of, load_input
from hlokit.errors import ArgumentError
from hlokit.programs.program import Program

if TYPE_CHECKING:
    from hlokit.tools.equal.proofs.proof import Proof
    from hlokit.tools.equal.verdict import Verdict

_TIME_LIMIT = replace(TIME_LIMIT, help="seconds that a proof may take (default: 60)")
_PAIR = re.compile(r"(argument|result):(\d+)=(\d+)")


def _add_arguments(parser: Parser) -> None:
    parser.add_file()
    parser.add_argument("other", metavar="FILE", help="the other program")
    parser.add_argument(
        "arguments", metavar="ARGUMENT", nargs="*", help="arguments of both, as of `hlokit run`"
    )
    parser.add_flags(FUNCTION, *EXAMPLES)
    parser.add_argument(
        "--other-function",
        metavar="NAME",
        help="the function of the other program (default: as --function)",
    )
    parser.add_argument(
        "--map",
        metavar="PAIR",
        action="append",
        default=[],
        type=_pair,
        help="argument:N=M or result:N=M: number N of the first program is number M of the other",
    )
    parser.add_argument(
        "--runs",
        metavar="N",
        type=positive,
        help="runs, each on other unknown numbers (default: 2, or 1 if that is enough)",
    )
    parser.add_argument(
        "--prove",
        action="store_true",
        help="prove that all arguments give the same bits: by z3 (hlokit[prove]), or by all values",
    )
    parser.add_flags(_TIME_LIMIT)
    parser.add_argument(
        "--bound",
        action="store_true",
        help="prove how far the floats of equal programs may differ, for the arguments of the last run",
    )
    parser.add_argument(
        "--counterexample",
        metavar="FILE",
        help="store the arguments for which results differ in an .npz file",
    )
    parser.add_json()


def _pair(text: str) -> tuple[str, int, int]:
    match = _PAIR.fullmatch(text)
    if match is None:
        raise WrongValue(f"must be argument:N=M or result:N=M, got '{text}'")
    return f"{match[1]}s", natural(match[2]), natural(match[3])


def _equal(values: Values) -> int:
    if values.prove:
        if values.runs is not None:
            raise ArgumentError("equal: --runs does not go with --prove, which is about all arguments")
        if values.bound:
            raise ArgumentError("equal: --bound does not go with --prove, which is about bits")
    elif values.time_limit is not None:
        raise ArgumentError("equal: --time-limit goes with --prove")
    verdict = _verdict(values)
    if values.counterexample is not None and verdict.arguments and not verdict.is_equal:
        save_arguments(values.counterexample, verdict.arguments)
    if values.json:
        write_json(verdict.as_dict())
    else:
        sys.stdout.write(f"{verdict}\n")
    return verdict.exit_status


def _verdict(values: Values) -> Verdict | Proof:
    from hlokit.tools.equal.comparing import equal
    from hlokit.tools.equal.proofs.proving import SECONDS, prove

    program = load_input(values.file)
    other, arguments = load_input(values.other), _arguments(program, values)
    names: dict[str, Any] = {"function": values.function, "other_function": values.other_function}
    mapping = _mapping(values.map)
    if values.prove:
        return prove(program, other, *arguments, **names, map=mapping, seconds=values.time_limit or SECONDS)
    names |= {"runs": values.runs, "seed": values.random or 0, "bound": values.bound}
    return equal(program, other, *arguments, map=mapping, **names)


def _arguments(program: Program, values: Values) -> list[Any]:
    """The arguments that the command line gives; none if each run draws its own."""
    examples = Examples.read(values)
    if not values.arguments and not (values.zeros or values.ones or values.size):
        return []
    if program.grid != (1, 1):
        raise ArgumentError("equal: programs for several processes are compared on --random arguments only")
    flat = arguments_of(program, values.function, values.arguments, examples)
    calling = program.calling if values.function is None else None
    return flat if calling is None else list(calling.pack(flat))


def _mapping(pairs: list[tuple[str, int, int]]) -> dict[str, dict[int, int]]:
    mapping: dict[str, dict[int, int]] = {"arguments": {}, "results": {}}
    for what, here, there in pairs:
        if here in mapping[what]:
            raise ArgumentError(f"--map must name {what.removesuffix('s')} {here} once")
        mapping[what][here] = there
    return mapping


SUBCOMMAND = Subcommand(
    "equal",
    "FILE OTHER [ARGUMENT...] [flags]",
    "decide whether two programs mean the same over exact arithmetic, without tolerance (docs/equal.md); the "
    "exit status is 0 if they do, 1 if they differ, 2 if that is not decided",
    _add_arguments,
    _equal,
    failed=2,
)
