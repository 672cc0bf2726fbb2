"""Questions to the index of operations."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import MappingProxyType

from hlokit.operations.index import INDEX
from hlokit.operations.traits import NO_TRAITS, Traits


def traits_of(name: str) -> Traits:
    """The traits of an operation; none for an operation without a card."""
    entry = INDEX.get(name)
    return NO_TRAITS if entry is None else entry.traits


def without_broadcast(name: str) -> str:
    """The name of an operation; of one that broadcasts its operands, that of the plain operation."""
    plain = name.removeprefix("chlo.broadcast_") if traits_of(name).broadcasting else ""
    names = [f"{dialect}.{plain}" for dialect in ("stablehlo", "chlo")]
    return next((full for full in names if full in INDEX), name)


def traits_without_broadcast(name: str) -> Traits:
    """The traits of an operation; of one that broadcasts its operands, those of the plain operation."""
    return traits_of(without_broadcast(name))


def having(condition: Callable[[Traits], object]) -> frozenset[str]:
    """The names of all operations whose traits satisfy a condition."""
    return frozenset([name for name, entry in INDEX.items() if condition(entry.traits)])


def mnemonics(condition: Callable[[Traits], object]) -> frozenset[str]:
    """As `having`, without the names of dialects."""
    return frozenset([name.partition(".")[2] for name in having(condition)])


def operations() -> tuple[str, ...]:
    """The names of all operations, sorted."""
    return tuple(INDEX)


def meant(name: str) -> str | None:
    """The operation that an unknown name means: of another dialect, by another system's name, or misspelt.

    None for names of dialects that hlokit does not read.
    """
    from hlokit.display.suggestions import closest  # few programs have unknown operations

    dialect, _, mnemonic = name.rpartition(".")
    dialects = list(dict.fromkeys(operation.partition(".")[0] for operation in INDEX))
    near = dialect if dialect in dialects else closest(dialect, dialects)
    if near is None and dialect not in ("", "mhlo"):
        return None
    own = [other for searched in _searched(near) for other in INDEX if other.startswith(f"{searched}.")]
    plain = mnemonic.lower().replace("-", "").replace("_", "")
    for operation in own:
        names = (operation.partition(".")[2], *INDEX[operation].traits.aliases)
        if plain in [other.replace("_", "") for other in names]:
            return operation
    by_mnemonic = {operation.partition(".")[2]: operation for operation in reversed(own)}
    by_alias = {
        alias: operation
        for operation in own
        for alias in INDEX[operation].traits.aliases
        if len(alias) >= _MISSPELT
    }
    for names in (by_mnemonic, by_alias):
        if (similar := closest(mnemonic, names)) is not None:
            return names[similar]
    return None


# Shorter names of other systems are taken as they are: `gelu` is no misspelt `relu`.
_MISSPELT = 6


def _searched(dialect: str | None) -> tuple[str, ...]:
    """The dialects in which a name of a dialect may be meant, the likeliest first; None is no dialect."""
    together = ("func", "stablehlo", "chlo")
    if dialect is None:
        return together
    return (
        (dialect, *[other for other in together if other != dialect]) if dialect in together else (dialect,)
    )


# Operations of MHLO whose names differ from those of the operations that have taken their place.
_RENAMED = MappingProxyType({"copy": "optimization_barrier", "topk": "top_k"})


def successor_of_mhlo(mnemonic: str) -> str | None:
    """The operation of StableHLO or CHLO that has taken the place of an operation of MHLO; None if there is
    none."""
    mnemonic = _RENAMED.get(mnemonic, mnemonic)
    names = (f"{dialect}.{mnemonic}" for dialect in ("stablehlo", "chlo"))
    return next((name for name in names if name in INDEX), None)


def opcode_names(name: str) -> tuple[str, ...]:
    """The native VM's names of an operation; attributes and types select one of them."""
    entry = INDEX.get(name)
    return () if entry is None else entry.opcodes


def opcode_name(name: str) -> str | None:
    """The native VM's name of an operation; None if the operation has no name or several names."""
    names = opcode_names(name)
    return names[0] if len(names) == 1 else None


@cache
def _operations_of_opcodes() -> dict[str, str]:
    # In order, so that StableHLO's operations replace CHLO's of the same opcode.
    return {opcode: name for name in operations() for opcode in opcode_names(name)}


def operation_of_opcode(opcode: str) -> str:
    """The operation with a native VM's name; StableHLO's, if CHLO has it as well."""
    return _operations_of_opcodes()[opcode]
