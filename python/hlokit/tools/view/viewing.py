"""`Program.view`: the page of a program, for display or storage."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Protocol

from hlokit.display.misuse import shown
from hlokit.errors import ArgumentError, for_callers
from hlokit.mlir.provider.bindings import ir
from hlokit.programs.calls.arguments import Signature
from hlokit.tools.tracing.listings import ProgramListing
from hlokit.tools.tracing.run_trace import RunTrace
from hlokit.tools.view.page import Findings, Reports, page


class Viewed(Protocol):
    """The parts of a program that a page shows."""

    @property
    def module(self) -> ir.Module: ...
    @property
    def filename(self) -> str: ...
    @property
    def listing(self) -> ProgramListing: ...
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
        """Write the page to a file."""
        with open(os.fspath(path), "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(self.html)

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
    trace, records, texts = None, [], list[tuple[str, str]]()
    if arguments or keywords or not program.signature(entry).inputs:
        observer = None
        if shadow:
            from hlokit.tools.numerics.shadow import Shadow

            observer = Shadow(program)
        trace = program.trace(
            *arguments,
            function=function,
            keep=0,
            histograms=True,
            observer=() if observer is None else observer,
            raises=False,
            **keywords,
        )
        if observer is not None:
            report = observer.report()
            records = report.records
            texts.append(("Shadow", report.table(100)))
    if diff is not None:
        texts.append(("Difference", str(diff)))
    title = "program" if program.filename == "-" else os.path.basename(program.filename)
    return Page(
        page(
            program.listing,
            title,
            entry=entry,
            filename=program.filename,
            trace=trace,
            reports=Reports(records, () if diff is None else diff.findings, texts),
        )
    )
