"""The types of results, as `hlokit.infer` returns them."""

from __future__ import annotations

from hlokit.values.types import ValueType


class ResultTypes(tuple[ValueType, ...]):  # tuples have a size of their own
    """Types, which shells and notebooks show in MLIR's syntax."""

    def __repr__(self) -> str:
        return ", ".join(map(str, self)) or "no results"

    def _repr_html_(self) -> str:
        from hlokit.display.html import fragment, table  # programs start without it

        rows = [(f"result {number}", str(type_)) for number, type_ in enumerate(self)]
        return fragment(table(("", "type"), rows, filters=False))
