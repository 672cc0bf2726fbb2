"""`hlokit shard` and `hlokit lint-spmd`: check a program for many devices, without devices."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hlokit.cli.commands.diff import arguments_of
from hlokit.cli.frame.flags import CommandLine, Flag
from hlokit.cli.frame.launchers import ENGINE, ENGINES, launcher_of
from hlokit.cli.streams.outputs import open_output
from hlokit.errors import ArgumentError, HlokitError, ParseError, UnsupportedError, VerificationError
from hlokit.loading import load_path
from hlokit.program import Program

if TYPE_CHECKING:
    from hlokit.sharding.cost_model.estimates import Machine
    from hlokit.sharding.sharded import Check, Sharded
    from hlokit.view.viewing import Page

MESH = Flag("mesh", "axes of devices with their sizes: data=2,model=4 (default: the program's)", "AXES")
IN = Flag("in", "the sharding of an argument: x:P('data', None)", "ARG:SPEC", repeatable=True)
OUT = Flag("out", "the sharding of a result: 0:P('data')", "RESULT:SPEC", repeatable=True)
PARTITIONER = Flag("partitioner", "shardy (default), xla, or both", "NAME")
NO_RUN = Flag("no-run", "neither run the program of the devices nor compare results")
COMPARE = Flag(
    "compare", "another sharding to compare with: ARG:SPEC; ARG:SPEC; ...", "SHARDINGS", repeatable=True
)
SEARCH = Flag("search", "rank the shardings of these arguments: x,w1", "ARGS")
VIEW = Flag("view", "write a page of the pieces on each device and the data of each collective", "FILE")
BANDWIDTH = Flag("bandwidth", "bytes per second of a device's links (default: 100e9)", "N")
LATENCY = Flag("latency", "seconds per message (default: 1e-6)", "N")
FLOPS = Flag("flops", "floating-point operations per second of a device (default: 100e12)", "N")
ALGORITHM = Flag("algorithm", "the algorithm of collectives in estimates: ring, tree, best (default)", "NAME")
SHARD_FLAGS = tuple(
    flag.of("shard")
    for flag in (
        *(MESH, IN, OUT, PARTITIONER, NO_RUN, COMPARE, SEARCH, VIEW),
        *(BANDWIDTH, LATENCY, FLOPS, ALGORITHM),
    )
)
# A program with more bytes of arguments, or more FLOPs, runs only if the user gives arguments.
_MOST_BYTES, _MOST_FLOPS = 1 << 28, 10**11


def shard_program(inputs: Sequence[str], line: CommandLine) -> int:
    """Run `shard`; its exit status: 1 if a partitioner failed or produced a wrong program."""
    launcher = launcher_of(line)
    return launcher.run("hlokit", lambda: _shard(inputs, line, prints=launcher.prints))


def _shard(inputs: Sequence[str], line: CommandLine, *, prints: bool) -> int:
    path, *rest = inputs
    program = load_path(path)
    machine = _machine(line)
    wanted = line.choice(PARTITIONER.name, ("shardy", "xla", "both")) or "shardy"
    partitioners = ["shardy", "xla"] if wanted == "both" else [wanted]
    shardings = _named(line.values.get(IN.name, []), IN)
    results = _named(line.values.get(OUT.name, []), OUT)
    if line.value(SEARCH.name) is not None:
        if not prints:  # a search runs no program: rank 0 searches alone
            return 0
        return _search(program, line, machine, partitioners[0], shardings, results)
    variants = [shardings, *(_variant(text) for text in line.values.get(COMPARE.name, []))]
    records: list[dict[str, Any]] = []
    rows: list[tuple[str, Sharded]] = []
    status = 0
    for number, variant in enumerate(variants):
        for partitioner in partitioners:
            title = f"sharding {'AB'[number] if number < 2 else number + 1}, " if len(variants) > 1 else ""
            view = line.value(VIEW.name) if not rows and prints else None
            made, record, is_right = _one(program, line, machine, partitioner, variant, results, rest, view)
            records.append({"sharding": variant, **record})
            status = status if is_right else 1
            if made is not None:
                rows.append((f"{title}{partitioner}", made))
            if "json" not in line.switches:
                heading = f"== {title}{partitioner}\n" if len(variants) * len(partitioners) > 1 else ""
                sys.stdout.write(heading + record["text"] + "\n")
    if "json" in line.switches:
        plain = [{key: value for key, value in record.items() if key != "text"} for record in records]
        sys.stdout.write(json.dumps(plain[0] if len(plain) == 1 else plain, indent=2) + "\n")
    elif len(rows) > 1:
        sys.stdout.write(_side_by_side(rows, machine))
    output = line.value("o")
    if output is not None and rows and prints:
        _save(rows[0][1], output)
    return status


def _one(
    program: Program,
    line: CommandLine,
    machine: Machine,
    partitioner: str,
    shardings: dict[str, str],
    results: dict[str, str],
    arguments: Sequence[str],
    view: str | None,
) -> tuple[Sharded | None, dict[str, Any], bool]:
    """One partitioned program, the record of its report, and whether its results are right.

    The program is None if the partitioner failed.

    Args:
      view: the file for the page of the program.
    """
    from hlokit.sharding.partitioners.partition import PartitionerFailed, request
    from hlokit.sharding.sharded import shard

    asked = (program, line.value(MESH.name), shardings or None, results or None)
    try:
        made = shard(*asked, partitioner=partitioner, engine=_engine(line))
    except (PartitionerFailed, ArgumentError, UnsupportedError) as failure:
        kind = failure.kind if isinstance(failure, PartitionerFailed) else "refused"
        if not isinstance(failure, PartitionerFailed):
            if partitioner != "shardy" or line.value(PARTITIONER.name) != "both":
                raise
            request(*asked, partitioner="xla")  # raises if the error is not one of Shardy alone
        record = {"partitioner": partitioner, "failed": kind, "reason": str(failure)}
        return None, {**record, "text": f"hlokit: error: {failure}"}, False
    report = made.report(machine)
    record = report.as_dict()
    values, found = _checked(made, line, report.whole.flops, arguments)
    text, checked, is_right = _described(made, line, found)
    if view is not None:
        # A rank of MPI sees a run on its own device only.
        run = values if _engine(line) == "threads" else None
        _save_page(made.view_values(run, machine, found), view)
    return made, {**record, "check": checked, "text": f"{report}\n\n{text}"}, is_right


def _checked(
    made: Sharded, line: CommandLine, flops: int, given: Sequence[str]
) -> tuple[list[Any] | None, Check | None]:
    """Run the program and compare results: the arguments and the comparison; None if nothing runs."""
    if NO_RUN.name in line.switches:
        return None, None
    types = made.whole.signature().inputs
    size = sum(getattr(type_, "nbytes", 0) for type_ in types)
    if not given and (size > _MOST_BYTES or flops > _MOST_FLOPS):
        return None, None
    if given:
        values: list[Any] = arguments_of(made.whole, None, given)
    else:
        from hlokit.sharding.comparison.examples import example_values

        values = example_values(types)
    return values, made.check_values(values)


def _described(made: Sharded, line: CommandLine, found: Check | None) -> tuple[str, dict[str, Any], bool]:
    """A comparison as text and JSON, and whether the results are right."""
    if found is None:
        why = "" if NO_RUN.name in line.switches else ": it is large, and no arguments are given"
        return f"not run{why}", {"ran": False}, True
    record = {
        "ran": True,
        "is_right": found.is_right,
        "operation": found.operation,
        "results": [
            {
                "name": each.name,
                "is_same": each.is_same,
                "difference": each.difference,
                "bound": each.bound,
                "is_proven": each.is_proven,
                "is_right": each.is_right,
            }
            for each in found.compared
        ],
    }
    return str(found), record, found.is_right


def _side_by_side(rows: Sequence[tuple[str, Sharded]], machine: Machine) -> str:
    from hlokit.sharding.reports.report import count_text, size_text, table_lines, time_text

    reports = [(title, made.report(machine)) for title, made in rows]
    head = ["", *(title for title, _ in reports)]
    table = [
        ["parameters", *(size_text(each.costs.parameters) for _, each in reports)],
        ["peak of values", *(size_text(each.costs.peak) for _, each in reports)],
        ["FLOPs", *(count_text(each.costs.flops) for _, each in reports)],
        ["collectives", *(str(sum(c.runs for c in each.collectives)) for _, each in reports)],
        ["sent, at most", *(size_text(max(each.sent, default=0)) for _, each in reports)],
        ["communication", *(time_text(each.communication_seconds) for _, each in reports)],
        ["compute", *(time_text(each.compute_seconds) for _, each in reports)],
    ]
    return "\n" + "\n".join(table_lines(head, table)) + "\n"


def _search(
    program: Program,
    line: CommandLine,
    machine: Machine,
    partitioner: str,
    shardings: dict[str, str],
    results: dict[str, str],
) -> int:
    from hlokit.sharding.search import search

    names = [name.strip() for name in (line.value(SEARCH.name) or "").split(",") if name.strip()]
    if not names:
        raise ArgumentError(f"shard: {SEARCH.usage} must name arguments, such as --{SEARCH.name}=0,1")
    found = search(
        program,
        line.value(MESH.name),
        names,
        in_shardings=shardings,
        out_shardings=results or None,
        partitioner=partitioner,
        machine=machine,
    )
    if "json" in line.switches:
        sys.stdout.write(json.dumps(found.as_dict(), indent=2) + "\n")
    else:
        sys.stdout.write(f"{found}\n")
    return 0 if found.candidates else 1


def _save_page(page: Page, path: str) -> None:
    try:
        page.save(path)
    except OSError as error:
        raise ArgumentError(f"shard: {path} cannot be written: {error.strerror}") from None


def _save(made: Sharded, output: str) -> None:
    """Write the program of a device: bytecode to `.mlirbc`, else text."""
    if output.endswith((".mlirbc", ".bc")):
        data = made.program.serialize(allow_other_dialects=True)
        from pathlib import Path

        try:
            Path(output).write_bytes(data)
        except OSError as error:
            raise ArgumentError(f"shard: {output} cannot be written: {error.strerror}") from None
        return
    with open_output(output) as file:
        file.write(made.program.text())


def _named(texts: Sequence[str], flag: Flag) -> dict[str, str]:
    """The specification of each name, from texts such as `x:P('data')`. A name ends at the first colon."""
    found: dict[str, str] = {}
    for text in texts:
        name, separator, spec = text.partition(":")
        if not separator or not spec.strip():
            raise ArgumentError(
                f"shard: {flag.usage} must be like --{flag.name}=0:\"P('data')\", got {text!r}"
            )
        if name.strip() in found:
            raise ArgumentError(f"shard: {flag.usage} must be given once for each name, got {name} twice")
        found[name.strip()] = spec.strip()
    return found


def _variant(text: str) -> dict[str, str]:
    return _named([part for part in text.split(";") if part.strip()], COMPARE)


def _engine(line: CommandLine) -> str:
    return line.choice(ENGINE.name, ENGINES) or "threads"


def _machine(line: CommandLine) -> Machine:
    from hlokit.sharding.cost_model.estimates import Machine

    given: dict[str, Any] = {}
    for flag in (BANDWIDTH, LATENCY, FLOPS):
        text = line.value(flag.name)
        if text is not None:
            try:
                given[flag.name] = float(text)
            except ValueError:
                raise ArgumentError(f"shard: {flag.usage} must be a number, got {text!r}") from None
    if (algorithm := line.value(ALGORITHM.name)) is not None:
        given["algorithm"] = algorithm
    return Machine(**given)


def lint_spmd_files(inputs: Sequence[str], line: CommandLine) -> int:
    """Run `lint-spmd`; its exit status: 1 if there is an error in any file."""
    from hlokit.cli.streams.diagnostics import Source, position_of, render
    from hlokit.sharding.lint import lint_spmd

    records: list[dict[str, Any]] = []
    status = 0
    for path in inputs:
        try:
            found = lint_spmd(load_path(path))
        except (ParseError, VerificationError):  # these messages name the file
            raise
        except HlokitError as error:
            raise ArgumentError(f"lint-spmd: {path}: {error}") from None
        status = 1 if any(each.severity == "error" for each in found) else status
        source = Source(path)
        if "json" in line.switches:
            records += [
                {
                    "file": path,
                    "rule": each.rule,
                    "severity": each.severity,
                    "message": each.message,
                    "location": each.location,
                    "function": each.function,
                }
                for each in found
            ]
        else:
            for each in found:
                diagnostic = position_of(each.location, each.severity, str(each), source)
                sys.stdout.write(render([diagnostic], source))
    if "json" in line.switches:
        sys.stdout.write(json.dumps(records, indent=2) + "\n")
    return status
