"""Exported blobs and functions of JAX: the only code that needs JAX (the extra `jax`)."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportMissingImports=false, reportMissingTypeStubs=false
# (jax is optional, and partly untyped)

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hlokit.errors import ArgumentError, Diagnostic, ParseError

if TYPE_CHECKING:
    from jax.export import Exported


@dataclass(frozen=True, slots=True)
class Calling:
    """How pytrees become the flat arguments of a JAX function, and flat results the pytree that it returns.

    Attributes:
      in_tree, out_tree: JAX's `PyTreeDef` of all arguments, and of the results.
      kept: which of the flat arguments the program takes.
      platform: the number of the platform, which programs for several platforms take as first argument.
    """

    in_tree: Any
    out_tree: Any
    kept: tuple[int, ...]
    platform: int | None = None

    def flatten(self, arguments: Sequence[Any], keywords: Mapping[str, Any] | None = None) -> tuple[Any, ...]:
        import jax

        leaves, tree = jax.tree_util.tree_flatten((tuple(arguments), dict(keywords or {})))
        if tree != self.in_tree:
            raise ArgumentError(f"arguments must have the structure {self.in_tree}, got {tree}")
        first = () if self.platform is None else (np.int32(self.platform),)
        return (*first, *(_array(leaves[index]) for index in self.kept))

    def unflatten(self, results: Sequence[Any]) -> Any:
        import jax

        return jax.tree_util.tree_unflatten(self.out_tree, results)


def _array(leaf: Any) -> Any:
    """A leaf as an array; a key of random numbers as the integers that stand for it in a program."""
    import jax

    is_key = isinstance(leaf, jax.Array) and jax.numpy.issubdtype(leaf.dtype, jax.dtypes.prng_key)
    return jax.random.key_data(leaf) if is_key else leaf


def read_exported(data: bytes, filename: str) -> tuple[bytes, Calling]:
    """The portable artifact in a `jax.export` blob.

    Raises:
      ParseError: the blob is malformed, or JAX is not installed.
    """
    try:
        from jax import export
    except ImportError as error:
        message = "reading a jax.export blob needs JAX: pip install hlokit[jax]"
        raise ParseError((Diagnostic("error", message, filename),)) from error
    try:
        exported = export.deserialize(bytearray(data))
    except ImportError as error:
        message = f"{error}; install what hlokit[jax] names"
        raise ParseError((Diagnostic("error", message, filename),)) from error
    except Exception as error:  # the FlatBuffer reader raises exceptions of any kind
        message = f"malformed jax.export blob: {type(error).__name__}: {error}"
        raise ParseError((Diagnostic("error", message, filename),)) from error
    return bytes(exported.mlir_module_serialized), _calling(exported)


def export(
    function: Callable[..., Any], example_arguments: Sequence[Any], example_keywords: Mapping[str, Any]
) -> tuple[bytes, Calling]:
    """The portable artifact of a JAX function for arguments like the examples."""
    try:
        import jax
        from jax import export as jax_export
    except ImportError as error:
        raise ArgumentError("from_jax needs JAX: pip install hlokit[jax]") from error
    # JAX promises stability for some custom calls only; the program does not outlive this version of JAX.
    any_call = jax_export.DisabledSafetyCheck.custom_call("ALL")
    # jax.jit keeps the settings of a function that is jitted already.
    exporting = jax_export.export(jax.jit(function), disabled_checks=[any_call])
    exported = exporting(*example_arguments, **example_keywords)
    return bytes(exported.mlir_module_serialized), _calling(exported)


def _calling(exported: Exported) -> Calling:
    platforms = exported.platforms
    # Code for other platforms may call what only these have.
    platform = None if len(platforms) < 2 else platforms.index("cpu") if "cpu" in platforms else 0
    return Calling(exported.in_tree, exported.out_tree, tuple(exported.module_kept_var_idx), platform)
