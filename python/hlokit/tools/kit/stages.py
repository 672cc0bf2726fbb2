"""The stage of a compiler at which a case goes wrong."""

from __future__ import annotations

from hlokit.errors import HlokitError
from hlokit.programs.loading import load
from hlokit.tools.kit.cases import Case
from hlokit.tools.stages.compilers import XLA
from hlokit.tools.stages.run import certify


def stage_of(case: Case, side: str) -> str:
    """The first stage that changed the meaning of a case; "" if none did, or if the side shows no stages."""
    if side != XLA:
        return ""
    try:
        report = certify(load(case.text), *case.inputs, by=XLA)
    except HlokitError:
        return ""
    return "" if report.first is None else report.first.name
