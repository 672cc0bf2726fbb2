"""Reports of failures that stand alone, to send to those who make the backend: a file for each operation and
type that fails."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from hlokit.errors import ArgumentError
from hlokit.files.reading import reason
from hlokit.tools.backends.names import is_side
from hlokit.tools.kit.history import with_version
from hlokit.tools.kit.judging import Outcome
from hlokit.tools.kit.recipes import VERSION, kind_of
from hlokit.tools.kit.report import KitReport

# How to run a program with the backend's own tools.
_OWN_TOOLS = {
    "iree": (
        "iree-compile --iree-input-type=stablehlo --iree-input-demote-f64-to-f32=false "
        "--iree-llvmcpu-target-cpu=host --iree-hal-target-device=local "
        "--iree-hal-local-target-device-backends={target} {program} -o {program}.vmfb",
        "iree-run-module --device=local-task --module={program}.vmfb",
    ),
    "eval-module": ("stablehlo-translate --interpret {program}    # upstream's",),
    "torch-xla": (
        "stablehlo-opt --chlo-legalize-to-stablehlo {program} | "
        "stablehlo-translate --serialize --target=1.0.0 - > {program}.bc",
        'python -c "import torch_xla; torch_xla.device(); '
        "print(torch_xla._XLAC._run_stablehlo(open('{program}.bc', 'rb').read(), []))\"",
    ),
}
# The cases that a report lists.
_MOST = 12
# The letters of a title, and the comma at its end, which is in no brackets.
_TITLE = 100
_END_OF_TITLE = re.compile(r", (?![^\[]*\])")


def make_folder(folder: Path) -> None:
    """Make the folder of the reports: before a run of minutes, which a file in its place would waste.

    Raises:
      ArgumentError: the folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _cannot_write(folder, error) from None


def _cannot_write(folder: Path, error: OSError) -> ArgumentError:
    return ArgumentError(f"cannot write reports to '{folder}': {reason(error)}")


def write_letters(folder: Path, report: KitReport) -> int:
    """Write a report and a program for each operation and type that fails; their number.

    Raises:
      ArgumentError: the folder cannot be written.
    """
    failures: dict[tuple[str, str], list[Outcome]] = {}
    for outcome in report.outcomes:
        if outcome.verdict == "failed":
            failures.setdefault((outcome.operation, outcome.type_), []).append(outcome)
    programs = {
        kind_of(outcome.operation, outcome.type_) + outcome.type_: outcome
        for outcome in report.outcomes
        if outcome.program
    }
    make_folder(folder)
    try:
        for (operation, type_), outcomes in failures.items():
            shown = programs.get(kind_of(operation, type_) + type_, outcomes[0])
            name = f"{operation}.{type_}"
            lines = _letter(report.side, name, outcomes, shown)
            (folder / f"{name}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
            if shown.program:
                (folder / f"{name}.mlir").write_text(shown.program, encoding="utf-8")
    except OSError as error:
        raise _cannot_write(folder, error) from None
    return len(failures)


def _letter(side: str, name: str, outcomes: list[Outcome], shown: Outcome) -> Iterator[str]:
    first, is_elsewhere = outcomes[0], not is_side(side)
    comments = [line.removeprefix("// ") for line in shown.program.splitlines() if line.startswith("//")]
    what = (comments[0] if comments else first.reason).removeprefix(f"{shown.operation}: ")
    headline = _END_OF_TITLE.split(" ".join(what.split()), maxsplit=1)[0]
    yield f"# {first.operation} of {first.type_}: {headline[:_TITLE]}"
    yield ""
    machine = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    elsewhere = f"Results of a runner elsewhere, in the folder `{side}`."
    yield elsewhere if is_elsewhere else f"{with_version(side)}; {machine}."
    if shown.operation != first.operation:
        yield f"The program has `{shown.operation}`, which fails in the same way."
    yield ""
    if shown.program:
        yield "```mlir"
        yield from shown.program.splitlines()
        yield "```"
        yield ""
    for what, text in (("It looks like", first.explanation), ("Stage of the compiler", first.stage)):
        if text:
            yield f"{what}: {text}."
    yield "## How to repeat it"
    yield ""
    yield from (f"    {line}" for line in _commands(side, name, first, comments))
    yield ""
    yield (
        f"All cases of operation and type are in version {VERSION} of the conformance kit of hlokit "
        f"{version('hlokit')}; `hlokit diff` compares with hlokit. These failed:"
    )
    yield ""
    for outcome in outcomes[:_MOST]:
        yield f"- `{outcome.id}`: {' '.join(outcome.reason.split())}".replace("<", "&lt;")
    if len(outcomes) > _MOST:
        yield f"- and {len(outcomes) - _MOST} more"


def _commands(side: str, name: str, first: Outcome, comments: list[str]) -> Iterator[str]:
    program = f"{name}.mlir"
    kind, _, target = side.partition(":")
    arguments = [line.partition(": ")[2] for line in comments if line.startswith("input ")]
    choice = f"--operation={first.operation} --type={first.type_}"
    has_inputs = any(line.startswith("inputs: ") for line in comments)
    if has_inputs or not is_side(side):
        yield f"hlokit conformance --write=kit {choice}    # programs and inputs"
    if not is_side(side):
        return
    if comments and not has_inputs:
        if not arguments:
            for command in _OWN_TOOLS.get(kind, ()):
                yield command.format(program=program, target=target)
        yield " ".join(
            [
                "hlokit diff",
                program,
                *(f"'{argument}'" for argument in arguments),
                f"--against='{side}'",
                "--mode=isolated",
            ]
        )
    yield f"hlokit conformance --backend='{side}' {choice}"
