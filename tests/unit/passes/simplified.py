"""The simplification pass with its default options, on the text of a program."""

from __future__ import annotations

from hlokit.mlir.parse import parse_text
from hlokit.mlir.provider.context import make_context
from hlokit.passes.framework.registry import Options
from hlokit.passes.simplification import PASS

OPTIONS = Options({option.name: option.default for option in PASS.options})
CONTEXT = make_context()


def simplified(text: str) -> str:
    """The simplified program, which is valid."""
    module = parse_text(CONTEXT, text)
    for view in module.body.operations:
        PASS.run(view.operation, OPTIONS)
    assert module.operation.verify()
    return str(module)
