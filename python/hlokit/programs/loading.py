"""Loads programs and modules from files, bytes, text and JAX, for the API and the commands.

`formats.py` recognises the format of an input; this module calls the reader of the format.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

# NumPy comes first: its import takes 10 % longer deep in a chain of imports.
import numpy as np

from hlokit._bytecode import Bytecode, BytecodeError, without_digits, words_in
from hlokit.engine.contract.switches import is_on
from hlokit.errors import (
    ArgumentError,
    Diagnostic,
    ParseError,
    UnknownKeyword,
    UnsupportedError,
    VerificationError,
    for_callers,
)
from hlokit.files.formats import (
    decode,
    find_bytecode,
    is_bytecode,
    is_export_blob,
    is_hlo_text,
    may_be_converted,
    may_be_hlo,
    without_mark,
)
from hlokit.files.reading import NO_FILE, is_text, read_file
from hlokit.mlir.parse import LOADED, Accepted, parse_bytecode, parse_text
from hlokit.mlir.provider.context import context_of_text, make_context
from hlokit.mlir.queries.module import functions
from hlokit.operations.lookup import mnemonics
from hlokit.programs.calls.runs import Backend
from hlokit.programs.program import Program

if TYPE_CHECKING:
    import numpy.typing as npt

    from hlokit.mlir.provider.bindings import ir
    from hlokit.programs.importers.torch_xla import Description
    from hlokit.programs.jax_interop import Lowering

    # A file of arrays with names, or a mapping from names to arrays.
    Weights = str | os.PathLike[str] | Mapping[str, npt.NDArray[np.generic]]

# Custom calls around the body of a `shard_map` in some exports of JAX.
_SHARD_MAP = "xla.sdy.manual_computation_body"
_ASYNCHRONOUS = "async_collective_config"
_RAGGED = "ragged_all_to_all"
_MAY_NOT_RUN = mnemonics(lambda traits: traits.may_not_run)
_WORDS = (_SHARD_MAP, _ASYNCHRONOUS, _RAGGED, *_MAY_NOT_RUN)


@for_callers
def load(
    source: Any,
    *example_arguments: Any,
    filename: str | None = None,
    backend: Backend = "numpy",
    weights: Weights | None = None,
    **example_keywords: Any,
) -> Program:
    """The program in a file, in bytes or text, or in an object of another library.

    Programs should be loaded, and called once, before the process forks: docs/howto/deploy.md has the reason.

    Args:
      source: a path, text, bytes, or an object.

        - Files, and their contents as text or bytes: MLIR text, MLIR bytecode, portable artifacts of any
          StableHLO version that the bindings read, `jax.export` blobs (the extra `jax`), HLO text and HLO
          protos, TensorFlow's `saved_model.pb` with an XlaCallModule; each also compressed with gzip.
        - Folders: saved models of TensorFlow, and folders that torch_xla's `StableHLOGraphModule.save`
          writes.
        - Objects: an `ir.Module` of any MLIR bindings; a jitted function of JAX (with example arguments), a
          `jax.stages.Traced` or `Lowered`, an `Exported`. Python functions that such a program calls
          (`pure_callback`, `io_callback`, `jax.debug.print`) run in this process.
      example_arguments, example_keywords: the examples for a jitted function; see `from_jax`.
      filename: the name in messages instead of the path.
      backend: what runs the program: hlokit's own kernels (`numpy`), or XLA:CPU, which compiles the program
        first (`xla`).
      weights: an `.npz` or safetensors file, or arrays by name, for constants whose data is not in the
        program: `dense_resource<NAME>`, or elided constants, by the names in their locations. Files are
          mapped.

    Raises:
      ArgumentError: hlokit does not read objects of this kind, or the weights do not fit; the message names
        the kind and a remedy.
      ParseError: the file cannot be read, or has none of these formats.
      VerificationError: an operation in the program is invalid.
      VersionError: an artifact uses features that the bindings do not know.
    """
    program = _load(source, example_arguments, example_keywords, filename, backend)
    if weights is not None:
        from hlokit.mlir.bound_weights import bind_resources
        from hlokit.programs.importers.weights import named_arrays

        bind_resources(program.module, named_arrays(weights))
    return program


def _load(
    source: Any, arguments: Sequence[Any], keywords: Mapping[str, Any], filename: str | None, backend: Backend
) -> Program:
    if not isinstance(source, str | bytes | bytearray | memoryview | os.PathLike):
        return _load_object(source, arguments, keywords, filename or NO_FILE, backend)
    if arguments:
        raise ArgumentError("example arguments are for jitted functions: call the program that load returns")
    if keywords:
        raise UnknownKeyword(next(iter(keywords)), ("filename", "backend", "weights"))
    input_ = cast("str | bytes | os.PathLike[str]", source)
    if isinstance(input_, str):
        input_ = input_.removeprefix("\ufeff")  # a byte order mark
    if is_text(input_):
        encoded = input_.encode(errors="surrogatepass") if may_be_hlo(without_digits(input_)) else b""
        if is_hlo_text(encoded):
            return load_bytes(encoded, filename or NO_FILE, backend)
        return load_text(input_, filename or NO_FILE, backend)
    if not isinstance(input_, str | os.PathLike):
        return load_bytes(bytes(input_), filename or NO_FILE, backend)
    return load_path(os.fspath(input_), filename, backend)


def as_program(source: Any, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Program:
    """A program as it is; of another source what `load` makes of it, of a jitted function with examples.

    Raises:
      ArgumentError: hlokit does not read objects of this kind.
    """
    if isinstance(source, Program):
        return source
    is_jitted = callable(source) and hasattr(source, "lower") and hasattr(source, "trace")
    return load(source, *arguments, **keywords) if is_jitted else load(source)


def load_path(path: str, filename: str | None = None, backend: Backend = "numpy") -> Program:
    """The program in a file or folder of any name; see `load`."""
    if os.path.isdir(path):
        return load_folder(path, filename or path, backend)
    return load_bytes(read_file(path), filename or path, backend)


def _load_object(
    source: object, arguments: Sequence[Any], keywords: Mapping[str, Any], filename: str, backend: Backend
) -> Program:
    from hlokit.programs.importers.objects import bytecode_of_module, foreign_object
    from hlokit.programs.jax_interop import of_object

    lowering = of_object(source, arguments, keywords)
    if lowering is not None:
        return _lowered(lowering, filename, backend)
    data = bytecode_of_module(source)
    if data is None:
        raise ArgumentError(foreign_object(source))
    return load_bytes(data, filename, backend)


def load_folder(path: str, filename: str, backend: Backend = "numpy") -> Program:
    """The program in a folder of TensorFlow or torch_xla; see `load`."""
    from hlokit.programs.importers import torch_xla

    if torch_xla.is_folder(path):
        return _bound(torch_xla.read_folder(path), filename, backend)
    from hlokit.programs.importers.inputs import file_of_folder

    return load_bytes(read_file(file_of_folder(path)), filename, backend)


def _bound(description: Description, filename: str, backend: Backend) -> Program:
    module = _parse_artifact(description.bytecode, filename, has_resources=True)
    description.bind(functions(module)["main"], filename)
    return Program(module, filename, backend=backend)


def converted(data: bytes, filename: str) -> bytes:
    """The program of an input as MLIR text, MLIR bytecode or a `jax.export` blob; other inputs unchanged.

    Raises:
      ParseError: the input is damaged, or contains no program that hlokit can convert.
    """
    data = without_mark(data)
    if not may_be_converted(data):
        return data
    from hlokit.programs.importers import inputs  # few inputs come from other frameworks

    return inputs.converted(data, filename)


def load_bytes(
    data: bytes, filename: str = NO_FILE, backend: Backend = "numpy", *, allow_unregistered: bool = False
) -> Program:
    """The program in the bytes of an input; see `load`, and for unregistered operations `load_module`."""
    data = converted(data, filename)
    if is_bytecode(data):
        module = _parse_artifact(data, filename, allow_unregistered=allow_unregistered)
        return Program(module, filename, backend=backend)
    if is_export_blob(data):
        from hlokit.programs.jax_interop import (
            read_exported,  # JAX is optional, and few programs come from it
        )

        exported = read_exported(data, filename)
        module = _parse_artifact(exported.bytecode, filename)
        return Program(_for_platform(module, exported), filename, exported.calling, backend=backend)
    return load_text(decode(data, filename), filename, backend, allow_unregistered=allow_unregistered)


def load_hlo(data: bytes, filename: str = NO_FILE) -> Program:
    """The program in an HloModuleProto of this process: the bytecode of XLA's converter is trusted."""
    from hlokit.programs.importers.hlo import to_stablehlo  # few programs come from HLO

    module = _parse_artifact(to_stablehlo(data, filename), filename, is_trusted=True)
    return Program(module, filename)


def load_text(
    text: str,
    filename: str = NO_FILE,
    backend: Backend = "numpy",
    context: ir.Context | None = None,
    *,
    allow_unregistered: bool = False,
) -> Program:
    """The program in MLIR text, in a new context unless one is given; see `load`, and for unregistered
    operations `load_module`."""
    searched = without_digits(text)
    if context is None:
        context = _context_of_text(text, filename, searched)
    module = parse_text(context, text, filename, Accepted(unregistered=allow_unregistered), searched)
    complete(module, searched, filename)
    return Program(module, filename, backend=backend, source=text)


def load_module(
    data: bytes,
    filename: str = NO_FILE,
    *,
    context: ir.Context | None = None,
    accepted: Accepted = LOADED,
) -> ir.Module:
    """The module in the bytes of an input, for callers that inspect the module and do not run it.

    hlokit reads the module of a `jax.export` blob without JAX.

    Raises:
      ParseError, VerificationError, VersionError: see `load`.
    """
    data = converted(data, filename)
    extent = find_bytecode(data)
    if extent is None and is_export_blob(data):
        from hlokit.programs.jax_interop import read_exported  # for the error message about the blob

        data = read_exported(data, filename).bytecode
        extent = slice(None)
    if extent is not None:
        return parse_bytecode(
            context,
            data[extent],
            filename,
            accepted=accepted,
            trusts_reader=is_on("artifact-reader"),
        )
    text = decode(data, filename)
    if context is None:
        context = _context_of_text(text, filename)
    return parse_text(context, text, filename, accepted)


def _context_of_text(text: str, filename: str, searched: str | None = None) -> ir.Context:
    try:
        return context_of_text(text, searched)
    except UnicodeEncodeError as error:
        message = f"input must be text that UTF-8 can encode: {error}"
        raise ParseError((Diagnostic("error", message, filename),)) from None


def _parse_artifact(
    data: bytes,
    filename: str,
    *,
    has_resources: bool = False,
    allow_unregistered: bool = False,
    is_trusted: bool = False,
) -> ir.Module:
    context = make_context() if has_resources else None
    accepted = Accepted(unregistered=allow_unregistered)
    module = parse_bytecode(
        context,
        data,
        filename,
        accepted=accepted,
        is_trusted=is_trusted,
        trusts_reader=is_on("artifact-reader"),
    )
    complete(module, data, filename)
    return module


def complete(module: ir.Module, source: str | bytes, filename: str) -> None:
    """Restore what front ends encode as custom calls, and refuse what cannot run."""
    text = source if isinstance(source, str) else _strings(source)
    words = {_WORDS[index] for index in words_in(text, _WORDS)}
    if not words.isdisjoint(_MAY_NOT_RUN):
        _require_runnable(module, filename)
    if _SHARD_MAP in words:
        _import_shard_maps(module)
    if _ASYNCHRONOUS in words:
        from hlokit.mlir.async_collectives import synchronize  # few programs require this module

        synchronize(module, filename)
    if _RAGGED in words:
        from hlokit.mlir.ragged_collectives import expand  # few programs require this module

        expand(module, filename)


def _strings(data: bytes) -> str:
    """The strings of bytecode, without its constants."""
    try:
        strings = "\n".join(Bytecode(data).strings)
    except BytecodeError:  # of a version that only the bindings read
        return data.decode("latin-1")
    return strings.encode(errors="replace").decode()  # other bytes than UTF-8 are surrogates


def _require_runnable(module: ir.Module, filename: str) -> None:
    from hlokit.constraints.runnable import violations  # few programs have such operations

    if diagnostics := violations(module, filename):
        raise VerificationError(tuple(diagnostics))


def _import_shard_maps(module: ir.Module) -> None:
    """Restore `sdy.manual_computation` in programs that JAX exported with custom calls instead."""
    from hlokit.mlir.round_trip import import_round_trip  # few programs require this module

    with suppress(UnsupportedError):  # a run that reaches the custom calls raises
        import_round_trip(module)


@for_callers
def from_jax(
    function: Callable[..., Any], *example_arguments: Any, backend: Backend = "numpy", **example_keywords: Any
) -> Program:
    """The program that JAX makes of a function for arguments like the examples (requires the extra `jax`).

    Args:
      function: any function that `jax.jit` takes.
      example_arguments, example_keywords: arrays, `jax.ShapeDtypeStruct`s, or pytrees of both.
      backend: what runs the program; see `load`.
    """
    from hlokit.programs.jax_interop import export

    return _lowered(export(function, example_arguments, example_keywords), NO_FILE, backend)


def _lowered(lowering: Lowering, filename: str, backend: Backend) -> Program:
    """The program of an object of this process."""
    module = parse_bytecode(None, lowering.bytecode, filename, is_trusted=True)
    complete(module, lowering.bytecode, filename)
    return Program(_for_platform(module, lowering), filename, lowering.calling, backend=backend)


def _for_platform(module: ir.Module, lowering: Lowering) -> ir.Module:
    """Bind the number of the platform, which no user passes."""
    if lowering.platform is not None:
        from hlokit.mlir.platforms import bind_platform  # few programs are for several platforms

        bind_platform(functions(module)["main"], lowering.platform)
    return module


@for_callers
def from_torch(
    module: Any, *example_arguments: Any, backend: Backend = "numpy", **example_keywords: Any
) -> Program:
    """The program that torch_xla makes of a PyTorch module for arguments like the examples.

    The program takes the arguments of the module as flat arrays; its weights are constants.

    Args:
      module: a `torch.nn.Module`, or a `torch.export.ExportedProgram`.
      example_arguments, example_keywords: tensors.
      backend: what runs the program; see `load`.

    Raises:
      ArgumentError: torch or torch_xla is not installed, or the examples do not fit the module.
    """
    from hlokit.programs.importers.torch_module import export_module

    return _bound(export_module(module, example_arguments, example_keywords), NO_FILE, backend)
