"""Exported blobs, lowered and jitted functions of JAX, which requires JAX (the extra `jax`), as does
`jax_calling.py`."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# (jax is partly untyped)

from __future__ import annotations

import inspect
import io
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hlokit.errors import ArgumentError, Diagnostic, ParseError, UnknownKeyword, wrong_arguments
from hlokit.programs.jax_calling import Calling, Statics, keeps_unused, statics_of

if TYPE_CHECKING:
    from jax.export import Exported


@dataclass(frozen=True, slots=True)
class Lowering:
    """What JAX makes of a function: the bytecode, and the conversion of arguments.

    Attributes:
      platform: for an export to several platforms, the number of CPUs among the platforms, or of the first
        platform: code for other platforms may call functions that only those platforms have.
    """

    bytecode: bytes
    calling: Calling
    platform: int | None = None


def read_exported(data: bytes, filename: str) -> Lowering:
    """The program in a `jax.export` blob.

    Raises:
      ParseError: the blob is malformed, or JAX is not installed.
    """
    return _of_exported(_deserialized(data, filename))


def _deserialized(data: bytes, filename: str) -> Exported:
    try:
        from jax import export
    except ImportError as error:
        message = "reading a jax.export blob needs JAX: pip install hlokit[jax]"
        raise ParseError((Diagnostic("error", message, filename),)) from error
    try:
        return export.deserialize(bytearray(data))
    except ImportError as error:
        message = f"{error}; install the requirements of hlokit[jax]"
        raise ParseError((Diagnostic("error", message, filename),)) from error
    except Exception as error:  # the FlatBuffer reader raises exceptions of any kind
        message = f"malformed jax.export blob: {type(error).__name__}: {error}"
        raise ParseError((Diagnostic("error", message, filename),)) from error


def platforms(data: bytes) -> tuple[str, ...]:
    """The platforms of a `jax.export` blob, in the order of their numbers.

    Raises:
      ParseError: as `read_exported`.
    """
    return _deserialized(data, "-").platforms


def export(
    function: Callable[..., Any], example_arguments: Sequence[Any], example_keywords: Mapping[str, Any]
) -> Lowering:
    """The program of a JAX function for arguments like the examples."""
    try:
        import jax
        from jax import export as jax_export
    except ImportError as error:
        raise ArgumentError("from_jax needs JAX: pip install hlokit[jax]") from error
    # JAX promises stability for some custom calls only, but the program does not outlive this version of JAX.
    any_call = jax_export.DisabledSafetyCheck.custom_call("ALL")
    if not callable(function) or isinstance(function, np.ufunc):  # of NumPy
        raise ArgumentError(f"from_jax: function must be a function that jax.jit takes, got {function!r:.80}")
    statics = statics_of(function, example_arguments, example_keywords)
    # jax.jit keeps the settings of a jitted function, except for static and unused arguments.
    is_itself = statics is not None or keeps_unused(function)
    jitted: Any = function if is_itself else jax.jit(function)
    try:
        exporting = jax_export.export(jitted, disabled_checks=[any_call])
        exported = exporting(*example_arguments, **example_keywords)
    except NotImplementedError as error:
        if "callback" not in str(error):
            raise
        # An export cannot contain Python functions; a program of this process can.
        lowering = of_lowered(jitted.lower(*example_arguments, **example_keywords))
    except TypeError as error:
        raise _wrong_examples(function, example_arguments, example_keywords, error) from error
    else:
        lowering = _of_exported(exported)
    return replace(lowering, calling=replace(lowering.calling, statics=statics or Statics()))


def _wrong_examples(
    function: Callable[..., Any], arguments: Sequence[Any], keywords: Mapping[str, Any], error: TypeError
) -> Exception:
    """The error where JAX refuses examples; the error itself if the function raises it."""
    with suppress(TypeError, ValueError):  # a function without a signature
        parameters = inspect.signature(function).parameters
        unknown = [name for name in keywords if name not in parameters]
        if (wrong := wrong_arguments(function, arguments, keywords)) is not None:
            return UnknownKeyword(unknown[0], parameters) if unknown else wrong
    text = str(error)
    refuses = "valid JAX" in text or "abstract array" in text or "hashable" in text
    return ArgumentError(f"from_jax: {text.partition(chr(10))[0]}") if refuses else error


def of_object(source: Any, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Lowering | None:
    """The program of a jitted, traced, lowered or exported JAX function; None for other objects.

    Args:
      source: a function that `jax.jit` returned, a `jax.stages.Traced` or `Lowered`, or an `Exported`.
      arguments, keywords: examples for a jitted function.

    Raises:
      ArgumentError: examples are missing or too many, or the object is of a later stage.
    """
    jax = sys.modules.get("jax")
    if jax is None:  # no object comes from JAX
        return None
    from jax.export import Exported

    if isinstance(source, jax.stages.Wrapped) and hasattr(source, "lower") and hasattr(source, "trace"):
        if not arguments and not keywords and _takes_arguments(source):
            raise ArgumentError("a jitted function must come with examples: hlokit.load(function, x, ...)")
        return export(source, arguments, keywords)
    kinds = (Exported, jax.stages.Lowered, jax.stages.Traced, jax.stages.Compiled)
    if not isinstance(source, kinds):
        return None
    if arguments or keywords:
        raise ArgumentError(f"a {type(source).__name__} already has arguments: load it without examples")
    if isinstance(source, Exported):
        return _of_exported(source)
    if isinstance(source, jax.stages.Compiled):
        raise ArgumentError("a jax.stages.Compiled holds machine code: load the result of .lower(...)")
    return of_lowered(source if isinstance(source, jax.stages.Lowered) else source.lower())


def _takes_arguments(function: Callable[..., Any]) -> bool:
    try:
        return bool(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return True


def of_lowered(lowered: Any) -> Lowering:
    """The program of a `jax.stages.Lowered`, with the Python functions that it calls."""
    import jax

    buffer = io.BytesIO()
    lowered.compiler_ir("stablehlo").operation.write_bytecode(buffer)
    compile_args: Mapping[str, Any] = getattr(lowered._lowering, "compile_args", {})
    kept = sorted(compile_args.get("kept_var_idx", range(lowered.in_tree.num_leaves)))
    calling = Calling(
        lowered.in_tree,
        lowered.out_tree,
        tuple(kept),
        tuple([info.dtype for info in jax.tree_util.tree_leaves(lowered.args_info)]),
        tokens=len(compile_args.get("ordered_effects", ())),
        callbacks=tuple(compile_args.get("host_callbacks", ())),
    )
    return Lowering(buffer.getvalue(), calling)


def _of_exported(exported: Exported) -> Lowering:
    names = exported.platforms
    platform = None if len(names) < 2 else names.index("cpu") if "cpu" in names else 0
    kept = tuple(exported.module_kept_var_idx)
    dtypes = tuple([aval.dtype for aval in exported.in_avals])
    calling = Calling(exported.in_tree, exported.out_tree, kept, dtypes, len(exported.ordered_effects))
    return Lowering(bytes(exported.mlir_module_serialized), calling, platform)
