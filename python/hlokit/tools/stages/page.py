"""One self-contained page: a table of all stages, and programs before and after a stage side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from hlokit.display.html import escape
from hlokit.display.listing import Listing
from hlokit.tools import view
from hlokit.tools.stages.moved import grouped_changes
from hlokit.tools.stages.report import WORDS, Stage, StagesReport, explained

# Lines around a change, and the most lines of a stage.
_CONTEXT, _MOST = 3, 2000
_STYLE = """
html,body{height:auto}body{display:block}main{display:block;padding:8px 16px;overflow-x:auto}
details{border:1px solid var(--line);border-radius:5px;margin:8px 0;padding:4px 8px}summary{cursor:pointer}
pre,table.sides{font:12px/18px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
table.sides{table-layout:fixed;width:100%;min-width:700px}
table.sides td{white-space:pre-wrap;overflow-wrap:anywhere}
td.old{background:var(--def)}td.new{background:var(--use)}td.no{width:5ch;color:var(--dim)}
.changed{color:var(--bad);font-weight:600}
table.stages{width:100%;border-collapse:collapse}table.stages td{vertical-align:top;overflow-wrap:anywhere}
table.stages td+td{white-space:nowrap}table.stages td.moved{white-space:normal}
table.stages td:first-child{min-width:14ch}
table.stages small{display:block;color:var(--dim)}
header h1{overflow:visible;white-space:normal;max-width:none}
pre{white-space:pre-wrap;overflow-wrap:anywhere}
@media(max-width:600px){main{padding:8px}table.stages td,table.stages th{padding:2px 3px}
table.stages .seconds,table.stages .n{display:none}}
"""


def page(report: StagesReport) -> str:
    """The page as HTML. A report made with `Settings(texts=True)` has the programs."""
    title = f"{report.program} by {report.compiler}: {report.headline}"
    css = (Path(view.__file__).parent / "page.css").read_text(encoding="utf-8")
    body = "\n".join(_body(report))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{css}{_STYLE}</style></head>\n"
        f"<body><header><h1>{escape(title)}</h1></header>\n<main>{body}</main></body></html>\n"
    )


def _body(report: StagesReport) -> Iterator[str]:
    first = report.first
    if first is not None:
        yield f"<h2>{escape(first.title)}</h2><pre>{escape(chr(10).join(explained(first)))}</pre>"
    idle = [stage for stage in report.stages if stage.verdict == "equal"]
    yield from _table([stage for stage in report.stages if stage.verdict != "equal"])
    if idle:
        yield f"<details><summary>{len(idle)} stages that changed no operation</summary>"
        yield from _table(idle)
        yield "</details>"
    for stage in report.stages:
        if stage.texts is not None:
            is_open = " open" if stage is first else ""
            yield f"<details{is_open}><summary>{escape(stage.title)}: {WORDS[stage.verdict]}</summary>"
            yield from _sides(stage, *stage.texts)
            yield "</details>"


def _table(stages: Sequence[Stage]) -> Iterator[str]:
    yield (
        "<table class=stages><tr><th>stage<th class=n>ops<th>verdict<th class='n seconds'>seconds"
        "<th>changes</tr>"
    )
    for stage in stages:
        changed = " class=changed" if stage.verdict == "changed" else ""
        pipeline = f"<small>{escape(stage.pipeline)}</small>" if stage.pipeline else ""
        moved = escape("; ".join(filter(None, (stage.changes, stage.summary))))
        yield (
            f"<tr><td>{escape(stage.name)}{pipeline}<td class=n>{stage.operations:,}"
            f"<td{changed}>{WORDS[stage.verdict]}<td class='n seconds'>{stage.seconds:.3f}"
            f"<td class=moved>{moved}</tr>"
        )
    yield "</table>"


def _sides(stage: Stage, before: str, after: str) -> Iterator[str]:
    """Two programs side by side: what moved is coloured, what stays the same is left out."""
    old, new = Listing(before), Listing(after)
    written = 0
    yield f"<table class=sides><tr><td class=no><th>before<td class=no><th>after {escape(stage.name)}</tr>"
    for group in grouped_changes(old, new, _CONTEXT):
        yield "<tr><td class=no>...<td><td class=no>...<td></tr>"
        for tag, first, last, start, end in group:
            for row in range(max(last - first, end - start)):
                written += 1
                if written > _MOST:
                    yield "<tr><td class=no><td>(more lines are left out)<td class=no><td></tr></table>"
                    return
                yield (
                    "<tr>"
                    + _cell(old.lines, first + row, last, tag, "old")
                    + _cell(new.lines, start + row, end, tag, "new")
                )
    yield "</table>"


def _cell(lines: list[str], number: int, end: int, tag: str, colour: str) -> str:
    if number >= end:
        return "<td class=no><td>"
    colour = "" if tag == "equal" else f" class={colour}"
    return f"<td class=no>{number + 1}<td{colour}>{escape(lines[number])}"
