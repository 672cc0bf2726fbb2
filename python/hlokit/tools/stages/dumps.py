"""Folders of dumps that XLA writes: the HLO module before, after and between its passes.

    XLA_FLAGS="--xla_dump_to=FOLDER --xla_dump_hlo_pass_re=.* --xla_dump_hlo_as_proto"

A file is named after the module, the number of the dump, the pipeline and the pass:
`module_0000.main.0005.simplification.after_algsimp.before_dce.hlo.pb`. XLA writes a file for each pass that
changed the module, and one at the start of each pipeline.
"""

from __future__ import annotations

import os
import re
from functools import partial
from typing import NamedTuple

from hlokit.display.suggestions import did_you_mean
from hlokit.errors import ArgumentError
from hlokit.files.reading import read_file
from hlokit.programs.importers.compressed import GZIP_MAGIC, decompressed
from hlokit.tools.stages.snapshots import CONVERSION, OPTIMIZED, Snapshot

# With --xla_dump_include_timestamp, a time is before the name.
_MODULE = r"(?P<module>(?:\d+\.)?module_\d+\..+?)"
_SUFFIX = r"\.(?P<suffix>hlo\.pb|hlo|txt)(?:\.gz)?"
_OF_PASS = re.compile(
    rf"{_MODULE}\.(?P<number>\d{{4,}})\.(?P<pipeline>.+?)\.after_(?P<stage>.+?)(\.before_.+?)?{_SUFFIX}"
)
_FIRST = re.compile(rf"{_MODULE}\.before_optimizations{_SUFFIX}")
_LAST = re.compile(rf"{_MODULE}\.(?:[^/]*?_)?after_optimizations{_SUFFIX}")
# The dump at the start of a pipeline shows what was done since the pipeline before.
_START = "pipeline-start"
# Where a dump has several forms, the first of these is read: a proto has all constants.
_FORMS = ("hlo.pb", "hlo", "txt")
# Modules in a message.
_SHOWN = 8


class _Dump(NamedTuple):
    """A file of a folder, with its place among the dumps of its module."""

    module: str
    order: tuple[int, int]
    pipeline: str
    stage: str
    suffix: str
    file: str


def is_folder_of_dumps(path: str) -> bool:
    """Whether a path is a folder with dumps of HLO."""
    return os.path.isdir(path) and any(_dump(name) is not None for name in os.listdir(path))


def read_folder(path: str, module: str | None = None) -> list[Snapshot]:
    """The snapshots of a module in a folder, in the order of the passes.

    Args:
      module: the name of the module, with or without its number; may be None if the folder has one module.

    Raises:
      ArgumentError: there are no dumps, or several modules, or none of this name.
    """
    try:
        dumps = list(filter(None, map(_dump, sorted(os.listdir(path)))))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ArgumentError(f"cannot read the folder '{path}': {reason}") from None
    if not dumps:
        raise ArgumentError(
            f"'{path}' must have dumps of HLO (XLA_FLAGS='--xla_dump_to=DIR --xla_dump_hlo_pass_re=.* "
            "--xla_dump_hlo_as_proto'), got none"
        )
    chosen = _chosen(dumps, module)
    best: dict[tuple[int, int], _Dump] = {}
    for dump in sorted(chosen, key=lambda dump: _FORMS.index(dump.suffix)):
        best.setdefault(dump.order, dump)
    return [_snapshot(path, best[order]) for order in sorted(best)]


def _dump(name: str) -> _Dump | None:
    if (match := _FIRST.fullmatch(name)) is not None:
        return _Dump(match["module"], (0, 0), "", CONVERSION, match["suffix"], name)
    if (match := _OF_PASS.fullmatch(name)) is not None:
        order = (1, int(match["number"]))
        return _Dump(match["module"], order, match["pipeline"], match["stage"], match["suffix"], name)
    if (match := _LAST.fullmatch(name)) is not None:
        return _Dump(match["module"], (2, 0), "", OPTIMIZED, match["suffix"], name)
    return None


def _chosen(dumps: list[_Dump], module: str | None) -> list[_Dump]:
    """The dumps of one module."""
    names = dict.fromkeys(dump.module for dump in dumps)
    if module is not None:
        wanted = [name for name in names if f".{name}".endswith(f".{module}")]
        if len(wanted) != 1:
            raise ArgumentError(
                f"the module must be one of {_listed(list(names))}, got {module}{did_you_mean(module, names)}"
            )
        return [dump for dump in dumps if dump.module == wanted[0]]
    if len(names) > 1:
        raise ArgumentError(f"a folder with several modules needs --module: one of {_listed(list(names))}")
    return dumps


def _listed(names: list[str]) -> str:
    return ", ".join(names[:_SHOWN]) + ", ..." * (len(names) > _SHOWN)


def _snapshot(folder: str, dump: _Dump) -> Snapshot:
    stage = dump.stage if dump.stage != _START else f"start of {dump.pipeline}"
    return Snapshot(stage, dump.pipeline, dump.file, partial(_read, os.path.join(folder, dump.file)))


def _read(path: str) -> bytes:
    """A dump; with --xla_dump_compress_protos it is compressed."""
    data = read_file(path, is_regular=True)
    return decompressed(data, path) if data.startswith(GZIP_MAGIC) else data
