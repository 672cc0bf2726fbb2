"""Profiles: what a backend claims to evaluate, how accurately, and which subnormal numbers it flushes.

A profile is TOML:

    name = "float-inference"
    flush = "all"                      # none, results or all
    types = ["f32", "bf16", "i32"]     # words of `recipes.TYPES`; all types without this line
    operations = ["stablehlo.*"]       # patterns; all operations without this line
    without = ["random", "applies"]    # traits whose operations are not claimed
    [limits]                           # ULP, by patterns of `operation/type`; the last one that fits holds
    "stablehlo.tanh/f32" = 4
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, cast

from hlokit.display.printable import printable_line
from hlokit.display.suggestions import did_you_mean
from hlokit.errors import ArgumentError
from hlokit.files.reading import read_bytes
from hlokit.operations.lookup import traits_of
from hlokit.operations.traits import NO_TRAITS
from hlokit.tools.diff.comparing.flushing import PROFILES as FLUSHES
from hlokit.tools.diff.comparing.flushing import Flush
from hlokit.tools.kit.judging import Outcome
from hlokit.tools.kit.recipes import TYPES

_FOLDER = Path(__file__).parent / "profiles"
NAMES = tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


@dataclass(frozen=True, slots=True)
class Profile:
    """What a backend claims.

    Attributes:
      types: words of types; empty for all.
      operations: patterns of names; empty for all.
      without: traits whose operations are not claimed.
      limits: the largest distances in ULP, by patterns of `operation/type`.
    """

    name: str = "all"
    flush: Flush = "all"
    types: tuple[str, ...] = ()
    operations: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    limits: dict[str, float] = field(default_factory=dict[str, float])

    def claims(self, operation: str, type_: str) -> bool:
        """Whether the backend claims to evaluate an operation on a type."""
        traits = traits_of(operation)
        return (
            (not self.types or type_ in self.types)
            and (not self.operations or any(fnmatchcase(operation, pattern) for pattern in self.operations))
            and not any(getattr(traits, trait) for trait in self.without)
        )

    def limit(self, operation: str, type_: str) -> float | None:
        """The largest distance in ULP; None if there is no limit but the bound of the operation."""
        fitting = [
            limit for pattern, limit in self.limits.items() if fnmatchcase(f"{operation}/{type_}", pattern)
        ]
        return fitting[-1] if fitting else None

    def judged(self, outcome: Outcome) -> Outcome:
        """An outcome by the limits."""
        limit = self.limit(outcome.operation, outcome.type_)
        if limit is None or outcome.ulps <= limit or outcome.verdict not in ("passed", "open"):
            return outcome
        reason = f"{outcome.ulps:.4g} ULP apart; the limit of profile {self.name} is {limit:g}"
        return replace(outcome, verdict="failed", reason=reason)


def read_profile(name: str) -> Profile:
    """A profile of hlokit by name, or of a file.

    Raises:
      ArgumentError: there is no such profile, or it is not valid.
    """
    path = _FOLDER / f"{name}.toml" if name in NAMES else Path(name)
    try:
        document = tomllib.loads(read_bytes(str(path)).decode())
    except OSError as error:
        hint = "" if path.suffix == ".toml" else f"{did_you_mean(name, NAMES)}; profiles: {', '.join(NAMES)}"
        reason = (error.strerror or str(error)).lower()
        raise ArgumentError(f"--profile: cannot read '{name}': {reason}{hint}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ArgumentError(f"--profile: '{name}' must be TOML: {error}") from None
    return _profile(document, path.stem)


def _profile(document: dict[str, Any], stem: str) -> Profile:
    keys = set(Profile.__dataclass_fields__)
    for key in document:
        if key not in keys:
            raise ArgumentError(f"--profile: a key must be one of {', '.join(sorted(keys))}, got '{key}'")
    lists = {key: _words(document, key) for key in ("types", "operations", "without")}
    _require("types", lists["types"], tuple(TYPES))
    _require("without", lists["without"], NO_TRAITS._fields)
    flush = document.get("flush", "all")
    _require("flush", (flush,), FLUSHES)
    limits = document.get("limits", {})
    if not isinstance(limits, dict) or not all(map(_is_limit, cast("dict[str, Any]", limits).values())):
        raise ArgumentError(
            "--profile: limits must be numbers of ULP, at least 0, by patterns of operation/type"
        )
    numbers = {pattern: float(limit) for pattern, limit in cast("dict[str, float]", limits).items()}
    return Profile(printable_line(str(document.get("name", stem))), flush, limits=numbers, **lists)


def _is_limit(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0  # NaN is not


def _words(document: dict[str, Any], key: str) -> tuple[str, ...]:
    value: Any = document.get(key, [])
    if not isinstance(value, list) or not all(isinstance(word, str) for word in cast("list[Any]", value)):
        raise ArgumentError(f"--profile: {key} must be a list of words, got {value!r}")
    return tuple(cast("list[str]", value))


def _require(key: str, words: tuple[str, ...], allowed: tuple[str, ...]) -> None:
    for word in words:
        if word not in allowed:
            raise ArgumentError(
                f"--profile: {key} must be among {', '.join(allowed)}, got '{word}'"
                f"{did_you_mean(str(word), allowed)}"
            )
