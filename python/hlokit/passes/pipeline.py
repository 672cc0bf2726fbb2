"""Pass pipelines: sequences of the bindings' and hlokit's passes."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

from hlokit.display.suggestions import did_you_mean
from hlokit.errors import ArgumentError, Diagnostic, PassError, VerificationError
from hlokit.mlir.parse import verify_module
from hlokit.mlir.provider.bindings import ir, passmanager
from hlokit.mlir.provider.context import pass_context
from hlokit.mlir.provider.diagnostics import collected, raw_diagnostic
from hlokit.mlir.text.lexer import skip_balanced
from hlokit.mlir.text.nesting import excess_of
from hlokit.passes.framework.registry import Options, Pass, collected_warnings
from hlokit.passes.table import PASSES

ANCHOR = "builtin.module"

_NAME = re.compile(r"[\w.-]+")
_OPTION = re.compile(r"""([\w-]+)(?:=("[^"]*"|'[^']*'|\{[^}]*\}|[^\s]*))?\s*""")
_UNREGISTERED = re.compile(r"'([\w-]+)' does not refer to a registered pass")
_RESTRICTED = re.compile(r"restricted to '([\w.]+)'")


@dataclass(frozen=True, slots=True)
class Native:
    """Passes of the bindings: a pipeline for the bindings' pass manager, including its anchor."""

    text: str


@dataclass(frozen=True, slots=True)
class Own:
    """A pass of hlokit, and the operation on which it runs."""

    entry: Pass
    options: Options


@dataclass(frozen=True, slots=True)
class Nested:
    """Passes that run on each operation of one kind in the module, one operation after another."""

    anchor: str
    stages: tuple[Stage, ...]


Stage = Native | Own | Nested


def stage_of(name: str, options: str, anchor: str = ANCHOR) -> Stage:
    """One pass or registered pipeline by name, as a flag of the command.

    Raises:
      ArgumentError: no pass has this name, or the pass has no such options.
    """
    entry = PASSES.get(name)
    if entry is not None:
        if entry.anchor not in (anchor, "func.func"):
            raise ArgumentError(f"pass {name} runs on {entry.anchor}, not on {anchor}")
        return Own(entry, _options(entry, options))
    text = f"{name}{{{options}}}" if options else name
    reason = _refusal(f"{anchor}({text})")
    if reason is None:
        return Native(f"{anchor}({text})")
    # A pass on functions, for instance, is nested, like a pass that is a flag of the MLIR tools.
    restricted = _RESTRICTED.search(reason)
    if restricted is not None and anchor == ANCHOR:
        nested = f"{anchor}({restricted[1]}({text}))"
        reason = _refusal(nested)
        if reason is None:
            return Native(nested)
    raise ArgumentError(reason.replace("<Pass-Options-Parser>", f"pass {name}"))


def is_pass(name: str) -> bool:
    """Whether a pass or a pipeline has this name. Options are ignored."""
    if name in PASSES:
        return True
    return "does not refer to a registered pass" not in (_refusal(f"{ANCHOR}({name})") or "")


@cache
def _refusal(pipeline: str) -> str | None:
    """The reason why the bindings reject a pipeline; None if they accept it."""
    with pass_context():
        try:
            passmanager.PassManager.parse(pipeline)
        except ValueError as error:
            lines = [line for line in str(error).splitlines() if line.strip(" ^")]
            return lines[0] + _meant(lines[0]) if lines else f"cannot read pipeline '{pipeline}'"
    return None


def _meant(reason: str) -> str:
    """A suggestion for the name of a pass that is not registered."""
    unknown = _UNREGISTERED.search(reason)
    if unknown is None:
        return ""
    from hlokit.passes.native_names import NATIVE_PASSES

    return did_you_mean(unknown[1], (*PASSES, *NATIVE_PASSES))


def _options(entry: Pass, text: str) -> Options:
    values = {option.name: option.default for option in entry.options}
    offset = 0
    while offset < len(text):
        match = _OPTION.match(text, offset)
        if match is None:
            raise ArgumentError(f"{entry.name}: cannot read options '{text}'")
        name, value = match[1], match[2]
        if name not in values:
            hint = f"; it has {', '.join(values)}" if values else "; it has none"
            raise ArgumentError(f"{entry.name}: no such option {name}{hint}")
        values[name] = "true" if value is None else value.strip("\"'{}")
        offset = match.end()
    return Options(values)


def parse_pipeline(text: str) -> tuple[Stage, ...]:
    """A textual pipeline, `builtin.module(cse,func.func(canonicalize{top-down=false}))`.

    Raises:
      ArgumentError: the pipeline is malformed, or names an unknown pass or option.
    """
    excess = excess_of(text)
    if excess is not None:
        raise ArgumentError(f"a pass pipeline must not be {excess[2]}")
    text = text.strip()
    anchor = _NAME.match(text)
    if anchor is None or anchor[0] != ANCHOR or text[anchor.end() : anchor.end() + 1] != "(":
        raise ArgumentError(f"a pass pipeline must be {ANCHOR}(...), got '{text}'")
    end = skip_balanced(text, anchor.end())
    if end != len(text):
        raise ArgumentError(f"a pass pipeline must end where its first bracket closes: '{text}'")
    if not any(re.search(rf"\b{re.escape(name)}\b", text) for name in PASSES):
        reason = _refusal(text)
        if reason is not None:
            raise ArgumentError(reason)
        return (Native(text),)
    return tuple(_stages(text[anchor.end() + 1 : -1], ANCHOR))


def single_passes(text: str) -> tuple[Stage, ...]:
    """The passes of a pipeline one by one, also those that the bindings could run together.

    Args:
      text: as for `parse_pipeline`, or without the anchor.

    Raises:
      ArgumentError: see `parse_pipeline`.
    """
    text = text.strip()
    if text.startswith(f"{ANCHOR}("):
        parse_pipeline(text)
        text = text[len(ANCHOR) + 1 : -1]
    elif (excess := excess_of(text)) is not None:
        raise ArgumentError(f"a pass pipeline must not be {excess[2]}")
    return tuple(_single(_stages(text, ANCHOR)))


def _single(stages: Iterable[Stage]) -> Iterator[Stage]:
    for stage in stages:
        if isinstance(stage, Nested):
            yield from [Nested(stage.anchor, (inner,)) for inner in _single(stage.stages)]
        else:
            yield stage


def _stages(text: str, anchor: str) -> Iterator[Stage]:
    for element in _elements(text):
        name = _NAME.match(element)
        if name is None:
            raise ArgumentError(f"expected the name of a pass, got '{element}'")
        rest = element[name.end() :].strip()
        if rest.startswith("("):
            yield Nested(name[0], tuple(_stages(rest[1:-1], name[0])))
        elif not rest or rest.startswith("{"):
            yield stage_of(name[0], rest[1:-1], anchor)
        else:
            raise ArgumentError(f"expected ',' after '{name[0]}', got '{rest}'")


def _elements(text: str) -> Iterator[str]:
    """The parts of a text between commas outside of brackets."""
    start = 0
    offset = 0
    while offset < len(text):
        if text[offset] in "({":
            end = skip_balanced(text, offset)
            if end is None:
                raise ArgumentError(f"a bracket of the pass pipeline is not closed: '{text[offset:]}'")
            offset = end
        elif text[offset] == ",":
            yield text[start:offset].strip()
            offset = start = offset + 1
        else:
            offset += 1
    if text[start:].strip():
        yield text[start:].strip()


def name_of(stage: Stage) -> str:
    """The text of a stage in a pipeline."""
    match stage:
        case Native(text):
            return text
        case Own(entry, options):
            option_texts = [f"{name}={value}" for name, value in options.values.items() if value]
            return f"{entry.name}{{{' '.join(option_texts)}}}" if option_texts else entry.name
        case Nested(anchor, stages):
            return f"{anchor}({','.join(map(name_of, stages))})"


def run_pipeline(
    module: ir.Module,
    stages: Sequence[Stage],
    filename: str = "-",
    *,
    verify_each: bool = True,
    before: Callable[[str], None] = lambda name: None,
    report: Callable[[Diagnostic], None] = lambda diagnostic: None,
) -> None:
    """Run stages on a module in place, one after the other.

    Args:
      filename: the file name in messages.
      verify_each: verify the module after each pass.
      before: called with each stage before it runs.
      report: called with the warnings and remarks of a stage that succeeded.

    Raises:
      PassError: a pass failed. The module keeps the changes up to the failure.
      VerificationError: a pass made the module invalid.
    """
    for stage in stages:
        name = name_of(stage)
        before(name)
        failure: tuple[Diagnostic, ...] | None = None
        with _all_diagnostics(module.context) as emitted, collected_warnings() as warnings:
            try:
                _run(module.operation, stage, verify_each)
            except ir.MLIRError:
                failure = ()
            except PassError as error:
                failure = tuple(_named(item, filename) for item in error.diagnostics)
            diagnostics = tuple(raw_diagnostic(raw, filename) for raw in emitted)
        if failure is not None:
            errors = (*diagnostics, *failure)
            raise PassError(errors or (Diagnostic("error", f"{name} failed", filename),))
        if verify_each and not isinstance(stage, Native):
            invalid = verify_module(module, filename)
            if invalid:
                raise VerificationError(tuple(invalid))
        for item in (*diagnostics, *(_named(item, filename) for item in warnings)):
            report(item)


@contextmanager
def _all_diagnostics(context: ir.Context) -> Generator[list[ir.DiagnosticInfo]]:
    """All diagnostics in order, including errors of passes that succeed nevertheless."""
    with collected(context) as emitted, context:
        context.emit_error_diagnostics = True
        try:
            yield emitted
        finally:
            context.emit_error_diagnostics = False


def _named(diagnostic: Diagnostic, filename: str) -> Diagnostic:
    """The diagnostic with the input's file name, which passes do not know."""
    file = filename if diagnostic.file == "-" else diagnostic.file
    notes = tuple(_named(note, filename) for note in diagnostic.notes)
    return Diagnostic(
        diagnostic.severity, diagnostic.message, file, diagnostic.line, diagnostic.column, notes
    )


def _run(operation: ir.Operation, stage: Stage, verify_each: bool) -> None:
    """Run one stage. Raises MLIRError or PassError if it fails."""
    match stage:
        case Native(text):
            manager = passmanager.PassManager.parse(text)
            manager.enable_verifier(verify_each)
            manager.run(operation)
        case Own(entry, options):
            for target in _targets(operation, entry.anchor):
                entry.run(target, options)
        case Nested(anchor, stages):
            for target in _targets(operation, anchor):
                for inner in stages:
                    _run(target, inner, verify_each)


def _targets(operation: ir.Operation, anchor: str) -> list[ir.Operation]:
    """The operation itself if the pass runs on it, otherwise the matching operations directly inside it."""
    if anchor in (operation.name, "any"):
        return [operation]
    return [
        view.operation
        for region in operation.regions
        for block in region
        for view in block.operations
        if view.operation.name == anchor
    ]
