"""Findings as a log in SARIF 2.1.0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def log(tool: dict[str, Any], results: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The log of a tool, with the rules that its results name.

    Args:
      tool: its name, and perhaps its version.
    """
    rules = sorted({result["ruleId"] for result in results})
    driver = {**tool, "rules": [{"id": rule} for rule in rules]}
    run = {"tool": {"driver": driver}, "results": results}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
