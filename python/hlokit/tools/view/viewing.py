"""`Program.view`: the page of a program, for display or storage."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Protocol

from hlokit.display.misuse import shown
from hlokit.engine.observe.summaries import Summary, summarize
from hlokit.engine.plan.executors import Observer
from hlokit.errors import ArgumentError, for_callers
from hlokit.files.reading import reason
from hlokit.mlir.provider.bindings import ir
from hlokit.programs.calls.arguments import Calling, Signature
from hlokit.programs.calls.runs import Runs
from hlokit.tools.tracing.listings import ProgramListing
from hlokit.tools.tracing.run_trace import RunTrace
from hlokit.tools.view.page import Findings, Reports, RunData, Subject, page
from hlokit.tools.view.timing import times_of
from hlokit.values.types import ValueType


class Viewed(Protocol):
    """The parts of a program that a page shows."""

    @property
    def module(self) -> ir.Module: ...
    @property
    def filename(self) -> str: ...
    @property
    def listing(self) -> ProgramListing: ...
    @property
    def source(self) -> str: ...
    @property
    def runs(self) -> Runs: ...
    @property
    def calling(self) -> Calling | None: ...
    def parameter_names(self, function: str | None = None) -> tuple[str | None, ...]: ...
    def bound(
        self, arguments: Sequence[Any], keywords: Mapping[str, Any], function: str | None = None
    ) -> tuple[Signature, list[Any]]: ...
    def entry(self, function: str | None = None) -> str: ...
    def signature(self, function: str | None = None) -> Signature: ...
    def trace(self, *arguments: Any, **options: Any) -> RunTrace: ...


@dataclass(frozen=True, slots=True, repr=False)
class Page:
    """A self-contained HTML page. A notebook shows the page in a frame.

    Attributes:
      html: the page.
    """

    html: str

    @for_callers
    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file.

        Raises:
          ArgumentError: the file cannot be written.
        """
        try:
            with open(os.fspath(path), "w", encoding="utf-8", errors="backslashreplace") as file:
                file.write(self.html)
        except (OSError, ValueError) as error:
            raise ArgumentError(f"cannot write the page to '{os.fspath(path)}': {reason(error)}") from None

    def __repr__(self) -> str:
        return f"<page of {len(self.html):,} characters: save(path) stores it>"

    def _repr_html_(self) -> str:
        return (
            '<iframe title="program" style="width:100%;height:720px;border:1px solid #8884" '
            f'srcdoc="{escape(self.html)}"></iframe>'
        )


def view(
    program: Viewed,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    *,
    function: str | None = None,
    shadow: bool = False,
    diff: Findings | None = None,
) -> Page:
    """The page of a program, and of a run if there are arguments; see `Program.view`."""
    if diff is not None and not hasattr(diff, "findings"):
        raise ArgumentError(
            f"view: diff must be a report, such as diff=hlokit.diff(program, *arguments, against='xla'), got "
            f"{shown(diff)}"
        )
    entry = program.entry(function)
    signature = program.signature(entry)
    run, records, texts = None, [], list[tuple[str, str]]()
    if arguments or keywords or not signature.inputs:
        observer = None
        if shadow:
            from hlokit.tools.numerics.shadow import Shadow

            observer = Shadow(program)
        run = _run(program, _Call(arguments, keywords, function), observer)
        if observer is not None:
            report = observer.report()
            records = report.records
            texts.append(("Shadow", report.table(100)))
    if diff is not None:
        texts.append(("Difference", str(diff)))
    subject = Subject(
        program.listing,
        "program" if program.filename == "-" else os.path.basename(program.filename),
        entry,
        signature.inputs,
        signature.outputs,
        program.filename,
        program.source,
        program.parameter_names(entry),
    )
    return Page(page(subject, run, Reports(records, () if diff is None else diff.findings, texts)))


@dataclass(frozen=True, slots=True)
class _Call:
    """The arguments of a run."""

    arguments: Sequence[Any]
    keywords: Mapping[str, Any]
    function: str | None


def _run(program: Viewed, call: _Call, observer: Observer | None) -> RunData:
    """An observed run, and the times of unobserved ones if the program runs without an error."""
    collector: list[Observer] = [] if observer is None else [observer]
    trace = program.trace(
        *call.arguments,
        function=call.function,
        keep=0,
        histograms=True,
        observer=collector,
        raises=False,
        **call.keywords,
    )
    signature, values = program.bound(call.arguments, call.keywords, call.function)
    inputs = _summaries(values, signature.inputs)
    # The functions of callbacks may print or count: they run once.
    if trace.error is not None or (program.calling is not None and program.calling.callbacks):
        return RunData(trace, None, inputs)
    times = times_of(program.listing, program.runs, signature.name, values)
    return RunData(trace, times, inputs, _summaries(times.results, signature.outputs))


def _summaries(values: Sequence[Any], types: Sequence[ValueType]) -> list[Summary]:
    return [summarize(value, type_) for value, type_ in zip(values, types, strict=False)]
