"""Names of the bindings' passes, for lists. Pipelines also accept any other pass that the bindings
register."""

from __future__ import annotations

from collections.abc import Iterator

from hlokit.passes.native_names import NATIVE_PASSES


def native_passes() -> Iterator[str]:
    """The listed passes that the installed bindings have."""
    from hlokit.passes.pipeline import is_pass

    return (name for name in NATIVE_PASSES if is_pass(name))
