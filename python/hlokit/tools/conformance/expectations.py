"""Expected failures: files that are known to fail, and the reasons (expected_failures.txt).

A line is `path | reason`, or `path | reason | below X.Y.Z` if newer bindings pass, `... | from X.Y.Z` if
older bindings pass. The path may hold `*` and `?`. Lines that begin with `#` are comments.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib.resources import files

from hlokit.mlir.portable import Version, parse_version
from hlokit.mlir.provider.versions import stablehlo_version


@dataclass(frozen=True, slots=True)
class ExpectedFailure:
    """One line of the list."""

    pattern: str
    reason: str


def read_expectations(text: str, version: Version) -> list[ExpectedFailure]:
    """The failures that are expected of bindings of a StableHLO version."""
    return list(_read(text.splitlines(), version))


def own_expectations() -> list[ExpectedFailure]:
    """The expected failures that come with hlokit, for these bindings."""
    version = parse_version(stablehlo_version())
    assert version is not None
    return read_expectations(
        files("hlokit.tools.conformance").joinpath("expected_failures.txt").read_text(encoding="utf-8"),
        version,
    )


def reason_for(name: str, expectations: Iterable[ExpectedFailure]) -> str | None:
    """The reason why a file is expected to fail; None if the file is expected to pass."""
    return next((item.reason for item in expectations if fnmatchcase(name, item.pattern)), None)


def _read(lines: Iterable[str], version: Version) -> Iterable[ExpectedFailure]:
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split("|")]
        applies = True
        if len(parts) == 3:
            word, _, limit_text = parts.pop().partition(" ")
            limit = parse_version(limit_text)
            if word not in ("below", "from") or limit is None:
                raise ValueError(f"line {number}: must be 'below X.Y.Z' or 'from X.Y.Z', got '{line}'")
            applies = (version < limit) == (word == "below")
        if len(parts) != 2 or not all(parts):
            raise ValueError(f"line {number}: must be 'path | reason' or similar, got '{line}'")
        if applies:
            yield ExpectedFailure(*parts)
