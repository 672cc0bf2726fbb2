"""`Calling`: the pytrees and keyword arguments of a JAX function, as the flat arguments of its program."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# (jax is partly untyped)

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hlokit.display.suggestions import did_you_mean
from hlokit.errors import ArgumentError
from hlokit.programs.calls.arguments import Names, by_position

# Leaves in a message.
_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Statics:
    """The static arguments of a jitted function, which the program has as constants.

    Attributes:
      positional, keywords: their texts, by number and by name. An argument may be in both.
    """

    positional: Mapping[int, str] = field(default_factory=dict[int, str])
    keywords: Mapping[str, str] = field(default_factory=dict[str, str])

    def without(
        self, arguments: Sequence[Any], keywords: Mapping[str, Any]
    ) -> tuple[Sequence[Any], Mapping[str, Any]]:
        """Arguments without the static ones.

        Raises:
          ArgumentError: one is another value than that of the program.
        """
        pairs = [(n, value, self.positional[n]) for n, value in enumerate(arguments) if n in self.positional]
        pairs += [(n, value, self.keywords[n]) for n, value in keywords.items() if n in self.keywords]
        for name, value, text in pairs:
            if repr(value) != text:
                what = name if isinstance(name, str) else f"argument {name}"
                raise ArgumentError(f"{what} is static: it must be {text} in this program, got {value!r:.80}")
        rest = [value for number, value in enumerate(arguments) if number not in self.positional]
        return rest, {name: value for name, value in keywords.items() if name not in self.keywords}


def keeps_unused(function: Any) -> bool:
    """Whether a jitted function has arguments that it does not use."""
    return getattr(_settings(function), "keep_unused", False)


def _settings(function: Any) -> Any:
    """Those of `jax.jit`; None for other functions."""
    return getattr(function, "_jit_info", None)  # JAX has no public name for it


def statics_of(function: Any, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Statics | None:
    """The static arguments among examples of a function; None if it has none."""
    info = _settings(function)
    numbers, names = getattr(info, "static_argnums", ()), getattr(info, "static_argnames", ())
    if not numbers and not names:
        return None
    positional = {
        number % len(arguments): repr(arguments[number])
        for number in numbers
        if -len(arguments) <= number < len(arguments)
    }
    return Statics(positional, {name: repr(value) for name, value in keywords.items() if name in names})


@dataclass(frozen=True, slots=True)
class Calling:
    """Converts pytrees to the flat arguments of a JAX function, and flat results to the function's pytree.

    Attributes:
      in_tree, out_tree: JAX's `PyTreeDef` of all arguments, and of the results.
      kept: numbers of the flat arguments that the program takes.
      dtypes: JAX's dtypes of all flat arguments.
      tokens: the number of tokens, one for each ordered effect; the program takes them before the arguments
        and returns them before the results.
      callbacks: Python functions of this process; custom calls name them by number.
      statics: static arguments, which a call may repeat.
    """

    in_tree: Any
    out_tree: Any
    kept: tuple[int, ...]
    dtypes: tuple[Any, ...]
    tokens: int = 0
    callbacks: tuple[Callable[..., Any], ...] = ()
    statics: Statics = field(default_factory=Statics)

    def flatten(
        self, arguments: Sequence[Any], keywords: Mapping[str, Any] | None = None, names: Names = tuple
    ) -> tuple[Any, ...]:
        """See `programs.calls.arguments.Calling`. The flat arguments themselves are accepted, too."""
        import jax

        leaves, tree = jax.tree_util.tree_flatten((tuple(arguments), dict(keywords or {})))
        if tree != self.in_tree:
            leaves = self._other_leaves(arguments, keywords or {}, names)
        tokens = [None] * self.tokens  # any value may stand for a token
        return (*tokens, *(_array(leaves[index], self.dtypes[index]) for index in self.kept))

    def _other_leaves(
        self, arguments: Sequence[Any], keywords: Mapping[str, Any], names: Names
    ) -> Sequence[Any]:
        """The leaves of arguments in another form: with static ones, named, or flat.

        Raises:
          ArgumentError: they have no such form.
        """
        import jax

        arguments, keywords = self.statics.without(arguments, keywords)
        positional, by_name = self._parameters(names)
        if not keywords and len(arguments) == len(self.kept) and self._are_flat(arguments):
            leaves: list[Any] = [None] * self.in_tree.num_leaves
            for index, argument in zip(self.kept, arguments, strict=True):
                leaves[index] = argument
            return leaves
        arguments, keywords = by_position(arguments, keywords, positional, by_name)
        leaves, tree = jax.tree_util.tree_flatten((tuple(arguments), dict(keywords)))
        if tree == self.in_tree:
            return leaves
        raise ArgumentError(self._difference(arguments, keywords, tree, [*positional, *by_name]))

    def _are_flat(self, arguments: Sequence[Any]) -> bool:
        import jax

        is_nested = any(isinstance(argument, tuple | list | dict) for argument in arguments)
        return not is_nested and len(jax.tree_util.tree_leaves(tuple(arguments))) == len(arguments)

    def _parameters(self, names: Names) -> tuple[list[str], list[str]]:
        """The names of the function's positional parameters, and of its keyword parameters."""
        import jax

        examples: Any = jax.tree_util.tree_unflatten(self.in_tree, range(self.in_tree.num_leaves))
        positional = [f"argument {number}" for number in range(len(examples[0]))]
        flat_names = dict(zip(self.kept, tuple(names())[self.tokens :], strict=False))
        leaves: list[Any] = jax.tree_util.tree_flatten_with_path(examples)[0]
        for (kind, *path), index in leaves:
            name, rest = flat_names.get(index), jax.tree_util.keystr(tuple(path[1:]))
            if kind.idx == 0 and name is not None and name.endswith(rest):
                positional[path[0].idx] = name.removesuffix(rest)
        return positional, list(examples[1])

    def _difference(
        self, arguments: Sequence[Any], keywords: Mapping[str, Any], tree: Any, names: Sequence[str]
    ) -> str:
        """How the structure of arguments differs from the function's."""
        import jax

        wanted, wanted_keywords = jax.tree_util.tree_unflatten(self.in_tree, range(self.in_tree.num_leaves))
        if len(arguments) < len(wanted):
            missing = names[len(arguments) : len(wanted)]
            return f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
        if len(arguments) > len(wanted):
            shown = f" ({', '.join(names)})" if names else ""
            return f"the function takes {len(wanted)} positional arguments{shown}, got {len(arguments)}"
        paths = _paths([*wanted, *wanted_keywords.values()], names)
        ours = _paths([*arguments, *[keywords.get(name) for name in wanted_keywords]], names)
        missing = [path for path in paths if path not in ours]
        more = [path for path in ours if path not in paths]
        parts = [path for path in missing if any(other.startswith(f"{path}[") for other in more)]
        if parts:
            return f"{', '.join(parts[:_SHOWN])} must be an array{'s' * (len(parts) > 1)}, got a list or dict"
        lines = [f"{path} is missing" for path in missing[:_SHOWN]]
        lines += [f"{path} is not expected{did_you_mean(path, missing)}" for path in more[:_SHOWN]]
        if lines:
            return "; ".join(lines)
        return f"arguments must have the structure {self.in_tree}, got {tree}"

    def pack(self, flat: Sequence[Any]) -> tuple[Any, ...]:
        arguments, keywords = self.as_called(flat)
        return tuple(flat[self.tokens :]) if keywords else arguments

    def as_called(self, flat: Sequence[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """See `programs.calls.arguments.Calling`."""
        import jax

        leaves: list[Any] = [0] * self.in_tree.num_leaves  # the program does not take the others
        for index, leaf in zip(self.kept, flat[self.tokens :], strict=True):
            leaves[index] = leaf
        arguments, keywords = jax.tree_util.tree_unflatten(self.in_tree, leaves)
        return tuple(arguments), dict(keywords)

    def unflatten(self, results: Sequence[Any]) -> Any:
        import jax

        return jax.tree_util.tree_unflatten(self.out_tree, results[self.tokens :])

    def without_callbacks(self) -> Calling:
        return replace(self, callbacks=())

    def spread(self, prefix: Any, kind: str) -> list[Any]:
        """Broadcasts a pytree prefix, such as the shardings of `jax.jit`, to all flat arguments or results.

        Args:
          kind: `argument` or `result`.
        """
        from jax.api_util import flatten_axes

        if kind == "result":
            return list(flatten_axes("out_shardings", self.out_tree, prefix))
        try:
            leaves = list(flatten_axes("in_shardings", self.in_tree, (tuple(prefix), {})))
        except ValueError as error:
            raise ArgumentError(f"shardings of arguments: {error}") from None
        return [leaves[index] for index in self.kept]


def _paths(arguments: Sequence[Any], names: Sequence[str]) -> list[str]:
    """The path of each leaf: `params['w']`."""
    import jax

    return [
        f"{name}{jax.tree_util.keystr(path)}"
        for name, argument in zip(names, arguments, strict=False)
        for path, _ in jax.tree_util.tree_flatten_with_path(argument)[0]
    ]


def _array(leaf: Any, dtype: Any) -> Any:
    """A leaf as the array that JAX takes for a parameter: a random key as the integers that represent it in
    a program, a NumPy array of 64 bits as one of 32 where JAX has no others."""
    import jax

    if isinstance(leaf, np.ndarray | np.generic):
        is_number = leaf.dtype.kind in "iufc" and leaf.dtype != dtype
        if not is_number or jax.dtypes.canonicalize_dtype(leaf.dtype) != dtype:
            return leaf
        with np.errstate(all="ignore"):  # large numbers become infinite, without a warning
            return leaf.astype(dtype)
    is_key = isinstance(leaf, jax.Array) and jax.numpy.issubdtype(leaf.dtype, jax.dtypes.prng_key)
    return jax.random.key_data(leaf) if is_key else leaf
