"""`hlokit shard`: check a program for many devices, without devices."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hlokit.cli.evaluating.numerics import SUMS, order_of_sums
from hlokit.cli.frame.flags import UsageError, Values, WrongValue, one_of
from hlokit.cli.frame.launchers import ENGINE, launcher_of
from hlokit.cli.frame.parser import NAME, Parser, Subcommand
from hlokit.cli.frame.shared_flags import OUTPUT_PROGRAM
from hlokit.cli.streams.example_arguments import FLAGS as EXAMPLES
from hlokit.cli.streams.example_arguments import Examples
from hlokit.cli.streams.outputs import open_output, write_json
from hlokit.cli.streams.programs import arguments_of, load_input
from hlokit.errors import ArgumentError, UnsupportedError
from hlokit.programs.examples.arrays import Filling
from hlokit.programs.program import Program

if TYPE_CHECKING:
    from hlokit.tools.shard.comparison.checked import Check
    from hlokit.tools.shard.cost_model.estimates import Machine
    from hlokit.tools.shard.sharded import Sharded
    from hlokit.tools.view.viewing import Page

# A program with more bytes of arguments, or more FLOPs, runs only if the user gives arguments.
_MOST_BYTES, _MOST_FLOPS = 1 << 28, 10**11


def _add_arguments(parser: Parser) -> None:
    add = parser.add_argument
    parser.add_program()
    add(
        "--mesh",
        metavar="AXES",
        type=_mesh,
        help="axes of devices with their sizes: data=2,model=4 (default: the program's)",
    )
    add(
        "--in",
        dest="in_shardings",
        metavar="ARG:SPEC",
        action="append",
        default=[],
        type=_sharding,
        help="the sharding of an argument: x:P('data', None); P('data') is for all others",
    )
    add(
        "--out",
        dest="out_shardings",
        metavar="RESULT:SPEC",
        action="append",
        default=[],
        type=_sharding,
        help="the sharding of a result: 0:P('data')",
    )
    add(
        "--partitioner",
        metavar="NAME",
        type=one_of("shardy", "xla", "both"),
        default="shardy",
        help="shardy (default), xla, or both",
    )
    add("--no-run", action="store_true", help="neither run the program of the devices nor compare results")
    add(
        "--compare",
        metavar="SHARDINGS",
        action="append",
        default=[],
        type=_variant,
        help="another sharding to compare with: ARG:SPEC; ARG:SPEC; ...",
    )
    add("--search", metavar="ARGS", help="rank the shardings of these arguments: x,w1")
    add(
        "--view",
        metavar="FILE",
        help="write a page of the pieces on each device and the data of each collective",
    )
    parser.add_flags(
        *EXAMPLES, SUMS, replace(OUTPUT_PROGRAM, help="the program that each device runs"), ENGINE
    )
    add(
        "--bandwidth", metavar="N", type=_number, help="bytes per second of a device's links (default: 100e9)"
    )
    add("--latency", metavar="N", type=_number, help="seconds per message (default: 1e-6)")
    add(
        "--flops",
        metavar="N",
        type=_number,
        help="floating-point operations per second of a device (default: 100e12)",
    )
    add(
        "--algorithm",
        metavar="NAME",
        help="the algorithm of collectives in estimates: ring, tree, best (default)",
    )
    parser.add_json()


def _mesh(text: str) -> str:
    from hlokit.tools.shard.notation.meshes import mesh_from

    try:
        mesh_from(text)
    except ArgumentError as error:
        raise WrongValue(f"is no mesh: {error}") from None
    return text


_SPEC = re.compile(r"\s*(P|PartitionSpec)\s*\(")


def _sharding(text: str) -> tuple[str, str]:
    """A name and its specification, from a text such as `x:P('data')`. A name ends at the first colon.

    A specification alone, `P('data')`, has no name: it is for all without one of their own.
    """
    if _SPEC.match(text):
        return "", text.strip()
    name, separator, spec = text.partition(":")
    if not separator or not spec.strip():
        raise WrongValue(f"must be like 0:\"P('data')\", got {text!r}")
    return name.strip(), spec.strip()


def _variant(text: str) -> dict[str, str]:
    """The specification of each name, from a text such as `x:P('data'); w:P(None)`."""
    return _by_name([_sharding(part) for part in text.split(";") if part.strip()], "--compare")


def _by_name(shardings: Sequence[tuple[str, str]], spelling: str) -> dict[str, str]:
    specs: dict[str, str] = {}
    for name, spec in shardings:
        if name in specs:
            raise UsageError(f"shard: {spelling} must be given once for each name, got {name or spec} twice")
        specs[name] = spec
    return specs


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise WrongValue(f"must be a number, got {text!r}") from None


@dataclass(frozen=True, slots=True)
class _Task:
    """What the command line asks for, for each partitioner and each sharding.

    Attributes:
      results: shardings of results.
      prints: whether this process reports, for all processes.
    """

    program: Program
    values: Values
    machine: Machine
    results: Mapping[str, str]
    prints: bool


def _run(values: Values) -> int:
    launcher = launcher_of(values.engine)
    return launcher.run(NAME, lambda: _shard(values, prints=launcher.prints))


def _shard(values: Values, *, prints: bool) -> int:
    program = load_input(values.file)
    partitioners = ["shardy", "xla"] if values.partitioner == "both" else [values.partitioner]
    shardings = _by_name(values.in_shardings, "--in")
    results = _by_name(values.out_shardings, "--out")
    task = _Task(program, values, _machine(values), results, prints)
    if values.search is not None:
        # A search runs no program: rank 0 searches alone.
        return _search(task, partitioners[0], shardings) if prints else 0
    variants = [shardings, *values.compare]
    records: list[dict[str, Any]] = []
    rows: list[tuple[str, Sharded]] = []
    status = 0
    for number, variant in enumerate(variants):
        for partitioner in partitioners:
            title = f"sharding {'AB'[number] if number < 2 else number + 1}, " if len(variants) > 1 else ""
            view = values.view if not rows and prints else None
            sharded, record, is_right = _one(task, partitioner, variant, view)
            records.append({"sharding": variant, **record})
            status = status if is_right else 1
            if sharded is not None:
                rows.append((f"{title}{partitioner}", sharded))
            if not values.json:
                heading = f"== {title}{partitioner}\n" if len(variants) * len(partitioners) > 1 else ""
                sys.stdout.write(heading + record["text"] + "\n")
    if values.json:
        plain = [{key: value for key, value in record.items() if key != "text"} for record in records]
        write_json(plain[0] if len(plain) == 1 else {"partitionings": plain})
    elif len(rows) > 1:
        sys.stdout.write(_side_by_side(rows, task.machine))
    if values.o is not None and rows and prints:
        _save(rows[0][1], values.o)
    return status


def _one(
    task: _Task, partitioner: str, shardings: Mapping[str, str], view: str | None
) -> tuple[Sharded | None, dict[str, Any], bool]:
    """One partitioned program, the record of its report, and whether its results are right.

    The program is None if the partitioner failed.

    Args:
      view: the file for the page of the program.
    """
    from hlokit.tools.shard.partitioners.partition import PartitionerFailed, request
    from hlokit.tools.shard.sharded import shard

    engine = task.values.engine or "threads"
    asked = (task.program, task.values.mesh, shardings or None, task.results or None)
    try:
        sharded = shard(*asked, partitioner=partitioner, engine=engine)
    except (PartitionerFailed, ArgumentError, UnsupportedError) as failure:
        kind = failure.kind if isinstance(failure, PartitionerFailed) else "refused"
        if not isinstance(failure, PartitionerFailed):
            if partitioner != "shardy" or task.values.partitioner != "both":
                raise
            request(*asked, partitioner="xla")  # raises if the error is not one of Shardy alone
        record = {"partitioner": partitioner, "failed": kind, "reason": str(failure)}
        return None, {**record, "text": f"hlokit: error: {failure}"}, False
    sharded.precision = order_of_sums(task.values) or "default"
    report = sharded.report(task.machine)
    arguments, check = _checked(sharded, task.values, report.whole.flops)
    text, checked, is_right = _described(check, task.values)
    if view is not None:
        # A rank of MPI sees a run on its own device only.
        run = arguments if engine == "threads" else None
        _save_page(sharded.view_values(run, task.machine, check), view)
    return sharded, {**report.as_dict(), "check": checked, "text": f"{report}\n\n{text}"}, is_right


def _checked(sharded: Sharded, values: Values, flops: int) -> tuple[list[Any] | None, Check | None]:
    """Run the program and compare results: the arguments and the comparison; None if nothing runs."""
    if values.no_run:
        return None, None
    types = sharded.whole.signature().inputs
    size = sum(getattr(type_, "nbytes", 0) for type_ in types)
    if not values.arguments and (size > _MOST_BYTES or flops > _MOST_FLOPS):
        return None, None
    missing = Examples.read(values)
    if not values.arguments and missing.filling is None:
        missing = missing._replace(filling=Filling.RANDOM)
    arguments: list[Any] = arguments_of(sharded.whole, None, values.arguments, missing)
    return arguments, sharded.check_values(arguments)


def _described(check: Check | None, values: Values) -> tuple[str, dict[str, Any], bool]:
    """A comparison as text and JSON, and whether the results are right."""
    if check is None:
        why = "" if values.no_run else ": it is large, and no arguments are given"
        return f"not run{why}", {"ran": False}, True
    record = {
        "ran": True,
        "is_right": check.is_right,
        "operation": check.operation,
        "results": [
            {
                "name": result.name,
                "is_same": result.is_same,
                "difference": result.difference,
                "bound": result.bound,
                "is_proven": result.is_proven,
                "is_right": result.is_right,
                "disagree": result.disagree,
            }
            for result in check.compared
        ],
    }
    return str(check), record, check.is_right


def _side_by_side(rows: Sequence[tuple[str, Sharded]], machine: Machine) -> str:
    from hlokit.tools.shard.reports.report import count_text, size_text, table_lines, time_text

    head = ["", *(title for title, _ in rows)]
    reports = [sharded.report(machine) for _, sharded in rows]
    table = [
        ["parameters", *(size_text(report.costs.parameters) for report in reports)],
        ["peak of values", *(size_text(report.costs.peak) for report in reports)],
        ["FLOPs", *(count_text(report.costs.flops) for report in reports)],
        ["collectives", *(str(sum(one.runs for one in report.collectives)) for report in reports)],
        ["sent, at most", *(size_text(max(report.sent, default=0)) for report in reports)],
        ["communication", *(time_text(report.communication_seconds) for report in reports)],
        ["compute", *(time_text(report.compute_seconds) for report in reports)],
    ]
    return "\n" + "\n".join(table_lines(head, table)) + "\n"


def _search(task: _Task, partitioner: str, shardings: dict[str, str]) -> int:
    from hlokit.tools.shard.search import Setting, search

    names = [name.strip() for name in task.values.search.split(",") if name.strip()]
    if not names:
        raise UsageError("shard: --search=ARGS must name arguments, such as --search=0,1")
    setting = Setting(
        task.program, task.values.mesh, shardings, task.results or None, partitioner, task.machine
    )
    ranking = search(setting, names)
    if task.values.json:
        write_json(ranking.as_dict())
    else:
        sys.stdout.write(f"{ranking}\n")
    return 0 if ranking.candidates else 1


def _save_page(page: Page, path: str) -> None:
    try:
        page.save(path)
    except OSError as error:
        raise ArgumentError(f"shard: {path} cannot be written: {error.strerror}") from None


def _save(sharded: Sharded, output: str) -> None:
    """Write the program of a device: bytecode to `.mlirbc`, else text."""
    if output.endswith((".mlirbc", ".bc")):
        data = sharded.program.serialize(allow_other_dialects=True)
        from pathlib import Path

        try:
            Path(output).write_bytes(data)
        except OSError as error:
            raise ArgumentError(f"shard: {output} cannot be written: {error.strerror}") from None
        return
    with open_output(output) as file:
        file.write(sharded.program.text())


def _machine(values: Values) -> Machine:
    from hlokit.tools.shard.cost_model.estimates import Machine

    names = ("bandwidth", "latency", "flops", "algorithm")
    stated = {name: getattr(values, name) for name in names if getattr(values, name) is not None}
    return Machine(**stated)


SUBCOMMAND = Subcommand(
    "shard",
    "FILE [ARGUMENT...] --mesh=AXES --in=ARG:SPEC [flags]",
    "partition a program for many devices, without devices; check the results, report memory and bytes sent "
    "(docs/sharding.md); the exit status is 1 if the partitioned program is wrong",
    _add_arguments,
    _run,
    examples=("hlokit shard model.mlirbc --mesh=data=2,model=4 --in=x:\"P('data')\"",),
)
