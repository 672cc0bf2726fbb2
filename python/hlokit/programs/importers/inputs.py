"""Converts inputs of other frameworks to hlokit's formats: MLIR text, MLIR bytecode, `jax.export` blobs."""

from __future__ import annotations

import os
from enum import StrEnum

from hlokit.files.formats import is_hlo_text, may_be_converted
from hlokit.files.reading import cannot_open
from hlokit.programs.importers.compressed import GZIP_MAGIC


class Framework(StrEnum):
    """A format that hlokit converts; its text is the format's name for people."""

    SAVED_MODEL = "saved model of TensorFlow"
    HLO_TEXT = "HLO text"
    HLO_PROTO = "HLO protocol buffer"


# A file in the folder of a recorded run.
_OF_RECORDING = "program.mlirbc"


def converted(data: bytes, filename: str) -> bytes:
    """The program of an input as MLIR text, MLIR bytecode or `jax.export` blob; any other input unchanged.

    Raises:
      ParseError: the input is damaged, or holds no program that can be converted.
    """
    if data.startswith(GZIP_MAGIC):
        from hlokit.programs.importers.compressed import decompressed  # few inputs need these imports

        data = decompressed(data, filename)
    return _of_framework(data, filename) if may_be_converted(data) else data


def framework_of(data: bytes) -> Framework | None:
    """The format of an input that `converted` converts; None if it does not."""
    if not may_be_converted(data) or data.startswith(GZIP_MAGIC):
        return None
    from hlokit.programs.importers import hlo, saved_model

    if data[0] == 0x08:
        return Framework.SAVED_MODEL if saved_model.is_saved_model(data) else None
    if is_hlo_text(data):
        return Framework.HLO_TEXT
    return None if hlo.module_proto(data) is None else Framework.HLO_PROTO


def _of_framework(data: bytes, filename: str) -> bytes:
    if data[0] == 0x08:
        from hlokit.programs.importers import saved_model

        return saved_model.artifact(data, filename) if saved_model.is_saved_model(data) else data
    from hlokit.programs.importers import hlo

    if is_hlo_text(data):
        return hlo.to_stablehlo(data, filename)
    proto = hlo.module_proto(data)  # a proto may begin like text with an empty line
    return data if proto is None else hlo.to_stablehlo(proto, filename)


def file_of_folder(path: str) -> str:
    """The file with the program of a folder: a saved model of TensorFlow, or a folder of torch_xla.

    Raises:
      ParseError: the folder is neither of the two.
    """
    from hlokit.programs.importers import torch_xla
    from hlokit.programs.importers.saved_model import FILE, is_saved_model_folder

    if torch_xla.is_folder(path):
        return str(torch_xla.program_file(path))
    if is_saved_model_folder(path):
        return os.path.join(path, FILE)
    if os.path.isfile(os.path.join(path, _OF_RECORDING)):
        raise cannot_open(
            path, ValueError("is a recorded run: hlokit replay runs it, hlokit diff compares it")
        )
    kinds = "a saved model of TensorFlow (saved_model.pb) or a folder of torch_xla (functions/*.meta)"
    raise cannot_open(path, ValueError(f"is a directory, and not {kinds}"))
