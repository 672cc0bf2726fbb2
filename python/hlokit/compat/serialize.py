"""Writes portable artifacts for given consumers. The module does not change."""

from __future__ import annotations

from hlokit import _bytecode
from hlokit.compat.modules import run_passes
from hlokit.compat.requirements import (
    Requirement,
    current_version,
    lowest_version,
    other_dialects,
    requirements,
)
from hlokit.compat.unportable import unportable_operations
from hlokit.compat.versions import MINIMUM, bytecode_version
from hlokit.display.misuse import shown
from hlokit.errors import ArgumentError, Diagnostic, InternalError, VersionError
from hlokit.mlir.portable import PRODUCER_PREFIX, Version, parse_version
from hlokit.mlir.provider.bindings import ir, stablehlo
from hlokit.mlir.provider.diagnostics import collected, diagnostic
from hlokit.mlir.queries.copies import copy_module

# Names of targets; `min` is the oldest version that can hold the program.
CURRENT = "current"
LOWEST = "min"
_REQUIREMENTS = ("NONE", "WEEK_4", "WEEK_12", "MAX")


def serialize(
    module: ir.Module,
    target: str = CURRENT,
    *,
    allow_other_dialects: bool = False,
    strip_debug_info: bool = False,
    filename: str = "-",
) -> bytes:
    """A portable artifact.

    Args:
      target: `X.Y.Z`, a version; `current`, the bindings' version; `WEEK_4` or `WEEK_12`, the version that
        consumers had 4 or 12 weeks ago; `MAX`, the oldest version; `min`, the oldest version that can hold
        this program.
      allow_other_dialects: accept operations of other dialects, which have no compatibility guarantee.
      strip_debug_info: leave out locations.
      filename: the file name in messages.

    Raises:
      VersionError: the target does not exist, or cannot hold the program. The error lists all unmet
        requirements and the oldest target that meets them.
    """
    if not isinstance(target, str):  # pyright: ignore[reportUnnecessaryIsInstance] # of users
        raise ArgumentError(
            f"target must be a version as text, such as '1.9.0', or current, got {shown(target)}"
        )
    needed = None
    if target == LOWEST:
        needed = requirements(module, allow_other_dialects=allow_other_dialects)
        version = lowest_version(needed)
    else:
        version = resolve_target(target, filename)
    data = None
    if version is not None:
        data = _serialize(module, version, allow_other_dialects, strip_debug_info)
    if data is None:
        if needed is None:
            needed = requirements(module, allow_other_dialects=allow_other_dialects)
        held = None
        if not allow_other_dialects and other_dialects(needed):
            held = lowest_version(requirements(module, allow_other_dialects=True))
        raise _impossible(needed, version, filename, held)
    return data


def resolve_target(target: str, filename: str = "-") -> Version:
    """The version of a target other than `min`.

    Raises:
      VersionError: there is no such target, or the bindings cannot write this version.
    """
    current = current_version()
    if target == CURRENT:
        return current
    if target in _REQUIREMENTS:
        requirement = getattr(stablehlo.StablehloCompatibilityRequirement, target)
        text = str(stablehlo.get_version_from_compatibility_requirement(requirement))
    else:
        text = target
    version = parse_version(text)
    if version is None:
        names = ", ".join((CURRENT, LOWEST, *_REQUIREMENTS))
        problem = f"target must be a version X.Y.Z or one of {names}, got '{target}'"
    elif version < MINIMUM:
        problem = f"target must be {MINIMUM} or later, got {version}"
    elif version > current:
        problem = f"target must be {current}, the newest that the bindings write, or earlier, got {version}"
    else:
        return version
    raise VersionError((Diagnostic("error", problem, filename),))


def _serialize(
    module: ir.Module, version: Version, allow_other_dialects: bool, strip_debug_info: bool
) -> bytes | None:
    """The artifact; None if the version cannot hold the module."""
    if unportable_operations(module):
        return None
    with collected(module.context):
        converted = copy_module(module)
        if strip_debug_info and not run_passes(converted.operation, "strip-debuginfo"):
            raise InternalError("the pass strip-debuginfo failed")
        try:
            data = bytes(stablehlo.serialize_portable_artifact(converted, str(version), allow_other_dialects))
        except ValueError:
            return None
    _check(data, version)
    return data


def _check(data: bytes, version: Version) -> None:
    """Check that the artifact's header states the requested version."""
    written = _bytecode.Bytecode(data)
    if written.producer != f"{PRODUCER_PREFIX}{version}" or written.version != bytecode_version(version):
        header = f"{written.producer} in bytecode version {written.version}"
        raise InternalError(f"the artifact must have version {version}, got {header}")


def _impossible(
    needed: list[Requirement], version: Version | None, filename: str, held: Version | None
) -> VersionError:
    """The error with all unmet requirements.

    Args:
      held: the oldest version that can hold the program with its other dialects; None if no version can.
    """
    missing = [
        item for item in needed if item.since is None or (version is not None and item.since > version.opset)
    ]
    lowest = lowest_version(needed)
    target = "any version" if version is None or lowest is None else str(version)
    diagnostics = [diagnostic("error", str(item), item.location, filename) for item in missing]
    hint = "" if lowest is None else f"; the oldest target that can hold it is {lowest}"
    if held is not None:
        hint = (
            f"; with --allow-other-dialects (allow_other_dialects=True: {', '.join(other_dialects(needed))}) "
            f"the oldest target that can hold it is {held}"
        )
    summary = f"the program cannot be written for {target}{hint}"
    return VersionError((Diagnostic("error", summary, filename), *diagnostics))
