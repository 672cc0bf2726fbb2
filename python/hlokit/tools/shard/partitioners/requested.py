"""Shardings as users give them: one for all, by name or number, or as a tree of JAX."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from hlokit.display.misuse import shown
from hlokit.display.suggestions import did_you_mean
from hlokit.errors import ArgumentError
from hlokit.programs.program import Program
from hlokit.tools.shard.notation.meshes import Mesh
from hlokit.tools.shard.notation.several_meshes import Meshes
from hlokit.tools.shard.notation.specs import Sharding, check_shape, sharding_from

if TYPE_CHECKING:
    from hlokit.programs.calls.arguments import Calling


@dataclass(frozen=True, slots=True)
class SpecReader:
    """Reads the caller's shardings.

    Attributes:
      mesh: the mesh of all shardings.
      meshes: the program's own meshes, which the mesh replaces; None if there is at most one.
      pads: whether the partitioner splits dimensions that are not divisible.
    """

    mesh: Mesh
    meshes: Meshes | None
    calling: Calling | None
    pads: bool

    def shardings(
        self, specs: Any, names: Sequence[str], dims: Sequence[tuple[int, ...]], kind: str
    ) -> list[Sharding | None]:
        per_value = _per_value(specs, names, kind, self.calling)
        return [
            self._sharding(value, shape, f"{kind} {name}")
            for name, value, shape in zip(names, per_value, dims, strict=True)
        ]

    def _sharding(self, value: Any, shape: tuple[int, ...], what: str) -> Sharding | None:
        sharding = self._over_mesh(value, what)
        return None if sharding is None else check_shape(sharding, self.mesh, shape, what, pads=self.pads)

    def _over_mesh(self, value: Any, what: str) -> Sharding | None:
        """A sharding over the mesh, or over a mesh of the program that the mesh replaces."""
        for own in () if self.meshes is None else self.meshes.all.values():
            with suppress(ArgumentError):
                sharding = sharding_from(value, own, what)
                return (
                    None if sharding is None or self.meshes is None else self.meshes.sharding(own, sharding)
                )
        return sharding_from(value, self.mesh, what)


def _is_one(spec: Any) -> bool:
    return isinstance(spec, str | Sharding) or hasattr(spec, "spec") or hasattr(spec, "unreduced")


def numbered(specs: Any, names: Sequence[str], program: Program) -> Any:
    """Shardings by name, where names of the program's text (`%x`) are numbers."""
    if not isinstance(specs, Mapping):
        return specs
    own = program.parameter_names()
    by_name = cast("Mapping[Any, Any]", specs)
    if len(own) != len(names):
        return by_name
    plain = {key: str(key).removeprefix("%") for key in by_name}
    return {
        own.index(name) if name in own and name not in names else key: by_name[key]
        for key, name in plain.items()
    }


def _per_value(specs: Any, names: Sequence[str], kind: str, calling: Calling | None) -> list[Any]:
    if specs is None or _is_one(specs):
        return [specs] * len(names)
    if isinstance(specs, Mapping):
        by_name = dict(cast("Mapping[Any, Any]", specs))
        values: list[Any] = [by_name.pop("", None)] * len(names)
        for key, value in by_name.items():
            values[position_of_name(str(key), names, kind)] = value
        return values
    spread = getattr(calling, "spread", None)  # programs from JAX have it
    if spread is not None:
        return spread(specs, kind)
    if not isinstance(specs, Sequence):
        raise ArgumentError(f"shardings of {kind}s must be texts such as P('a', None), got {shown(specs)}")
    listed = list(cast("Sequence[Any]", specs))
    if len(listed) != len(names):
        raise ArgumentError(f"there must be a sharding for each of {len(names)} {kind}s, got {len(listed)}")
    return listed


def position_of_name(key: str, names: Sequence[str], kind: str) -> int:
    """The number of a value from its name or number: `x`, `0`, `%arg0`.

    Raises:
      ArgumentError: there is no such value, or several have this name.
    """
    if key in names:
        if names.count(key) > 1:
            raise ArgumentError(f"several {kind}s are called {key}: use their numbers, 0 to {len(names) - 1}")
        return names.index(key)
    digits = key.removeprefix("%").removeprefix("arg").removeprefix("result")
    if digits.isdecimal() and int(digits) < len(names):
        return int(digits)
    listed = ", ".join(names[:20]) + (" ..." if len(names) > 20 else "")
    hint = did_you_mean(key, names) or f"; there are {listed or 'none'}"
    raise ArgumentError(f"there is no {kind} {key!r}{hint}")
